// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&plr_reasons_suite, &plr_mailbox_suite, &plr_rooms_suite,
		  &plr_residency_suite, &plr_monitor_suite, &plr_log_suite);

MODULE_DESCRIPTION("KUnit suites of pmon_plr");
MODULE_LICENSE("GPL");
