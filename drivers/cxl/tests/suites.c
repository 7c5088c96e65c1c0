// SPDX-License-Identifier: GPL-2.0-only
#include <kunit/test.h>
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&cxl_caps_suite, &cxl_events_suite, &cxl_locator_suite,
		  &cxl_regs_suite);

MODULE_DESCRIPTION("Tests of the driver for CXL memory devices");
MODULE_LICENSE("GPL");
