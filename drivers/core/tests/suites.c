// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&pmon_format_suite, &pmon_layout_suite, &pmon_assign_suite,
		  &pmon_wide_suite, &pmon_change_suite, &pmon_hw_suite,
		  &pmon_free_running_suite, &pmon_reset_suite,
		  &pmon_no_reset_suite, &pmon_refused_suite, &pmon_table_suite,
		  &pmon_mode_suite, &pmon_wrap_suite, &pmon_release_suite,
		  &pmon_unresponsive_suite, &pmon_overwritten_suite,
		  &pmon_tpmi_suite, &pmon_states_suite);

MODULE_DESCRIPTION("Tests of the uncore counter core");
MODULE_LICENSE("GPL");
