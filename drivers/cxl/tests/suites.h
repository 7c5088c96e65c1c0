/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_CXL_SUITES_H
#define PMON_CXL_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite cxl_caps_suite;
extern struct kunit_suite cxl_events_suite;
extern struct kunit_suite cxl_locator_suite;
extern struct kunit_suite cxl_regs_suite;
/* The suites in host/ run in user space only. */

#endif
