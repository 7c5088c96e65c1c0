// SPDX-License-Identifier: GPL-2.0-only
#include <kunit/test.h>

extern struct kunit_suite compat_cleanup_suite;

kunit_test_suites(&compat_cleanup_suite);
