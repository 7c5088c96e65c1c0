// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&plr_reasons_suite, &plr_logical_id_suite, &plr_pfs_suite, &plr_mailbox_suite,
		  &plr_settle_suite,
		  &plr_control_suite, &plr_pass_suite, &plr_tick_suite, &plr_meter_suite,
		  &plr_log_suite, &plr_edges_suite, &plr_sleep_suite, &plr_rapl_suite,
		  &plr_sst_suite, &plr_shared_suite, &plr_mesh_suite);

MODULE_DESCRIPTION("KUnit suites of pmon_plr");
MODULE_LICENSE("GPL");
