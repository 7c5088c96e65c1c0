// SPDX-License-Identifier: GPL-2.0-only
#include <kunit/test.h>
#include <linux/module.h>

#include "suites.h"

kunit_test_suites(&r2pcie_events_suite, &r2pcie_sockets_suite);

MODULE_DESCRIPTION("Tests of the driver for R2PCIe and QPI");
MODULE_LICENSE("GPL");
