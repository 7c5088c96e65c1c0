/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_VFALLS_SUITES_H
#define PMON_VFALLS_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite vfalls_regmap_suite;
extern struct kunit_suite vfalls_probe_suite;
extern struct kunit_suite vfalls_hold_suite;
extern struct kunit_suite vfalls_pair_suite;
/* The suites in host/ run in user space only. */

#endif
