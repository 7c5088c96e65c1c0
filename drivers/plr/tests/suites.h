/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_SUITES_H
#define PMON_PLR_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite plr_reasons_suite;
extern struct kunit_suite plr_logical_id_suite;
extern struct kunit_suite plr_pfs_suite;
extern struct kunit_suite plr_mailbox_suite;
extern struct kunit_suite plr_control_suite;
extern struct kunit_suite plr_pass_suite;
extern struct kunit_suite plr_tick_suite;
extern struct kunit_suite plr_settle_suite;
extern struct kunit_suite plr_meter_suite;
extern struct kunit_suite plr_log_suite;
extern struct kunit_suite plr_edges_suite;
extern struct kunit_suite plr_sleep_suite;
extern struct kunit_suite plr_rapl_suite;
extern struct kunit_suite plr_sst_suite;
extern struct kunit_suite plr_shared_suite;
extern struct kunit_suite plr_mesh_suite;

#endif /* PMON_PLR_SUITES_H */
