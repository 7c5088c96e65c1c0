/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_SUITES_H
#define PMON_PLR_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite plr_reasons_suite;
extern struct kunit_suite plr_mailbox_suite;
extern struct kunit_suite plr_rooms_suite;
extern struct kunit_suite plr_residency_suite;
extern struct kunit_suite plr_monitor_suite;
extern struct kunit_suite plr_log_suite;

#endif /* PMON_PLR_SUITES_H */
