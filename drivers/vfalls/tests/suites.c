// SPDX-License-Identifier: GPL-2.0-only
#include <kunit/test.h>
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&vfalls_regmap_suite,
		  &vfalls_probe_suite, &vfalls_hold_suite,
		  &vfalls_pair_suite);

MODULE_DESCRIPTION("Tests of the driver for UltraSPARC T2 Plus machines");
MODULE_LICENSE("GPL");
