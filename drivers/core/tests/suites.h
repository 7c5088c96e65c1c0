/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_CORE_TEST_SUITES_H
#define PMON_CORE_TEST_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite pmon_format_suite;
extern struct kunit_suite pmon_layout_suite;
extern struct kunit_suite pmon_assign_suite;
extern struct kunit_suite pmon_wide_suite;
extern struct kunit_suite pmon_change_suite;
extern struct kunit_suite pmon_hw_suite;
extern struct kunit_suite pmon_free_running_suite;
extern struct kunit_suite pmon_reset_suite;
extern struct kunit_suite pmon_no_reset_suite;
extern struct kunit_suite pmon_wrap_suite;
extern struct kunit_suite pmon_release_suite;
extern struct kunit_suite pmon_unresponsive_suite;
extern struct kunit_suite pmon_overwritten_suite;
extern struct kunit_suite pmon_refused_suite;
extern struct kunit_suite pmon_table_suite;
extern struct kunit_suite pmon_mode_suite;
extern struct kunit_suite pmon_tpmi_suite;
extern struct kunit_suite pmon_states_suite;
/* The suites in host/ run in user space only. */

#endif /* PMON_CORE_TEST_SUITES_H */
