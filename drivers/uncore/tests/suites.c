// SPDX-License-Identifier: GPL-2.0-only
#include <kunit/test.h>
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&table_suite, &resolve_suite, &platform_suite,
		  &free_suite, &dmr_suite, &roots_suite,
		  &ranges_suite, &client_suite);

MODULE_DESCRIPTION("Tests of the PMON discovery driver");
MODULE_LICENSE("GPL");
