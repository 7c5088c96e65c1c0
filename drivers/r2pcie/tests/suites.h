/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_R2PCIE_SUITES_H
#define PMON_R2PCIE_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite r2pcie_events_suite;
extern struct kunit_suite r2pcie_sockets_suite;

#endif
