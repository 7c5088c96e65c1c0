/* SPDX-License-Identifier: GPL-2.0-only */
/* Layout of struct cxl_driver, private to the kernel. Pure. */
#ifndef PMON_CXL_HEAD_H
#define PMON_CXL_HEAD_H

#include <linux/types.h>

/*
 * Number of words before struct device_driver: name, probe, remove (6.1 to
 * 6.12), add_dport (7.2). Behind struct device_driver is the device ID.
 */
#define CXL_HEAD_MIN		3
#define CXL_HEAD_MAX		4

unsigned int cxl_driver_head(const unsigned long *drv, unsigned long name);
unsigned long cxl_driver_probe(const unsigned long *drv, unsigned int head);
bool cxl_is_probe(const char *symbol);

#endif
