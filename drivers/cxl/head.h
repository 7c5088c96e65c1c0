/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a driver of the CXL bus is laid out. struct cxl_driver is in a header of
 * the kernel's own and not the same in all of them; this is told by the drivers
 * that a running kernel has. Pure.
 */
#ifndef PMON_CXL_HEAD_H
#define PMON_CXL_HEAD_H

#include <linux/types.h>

/*
 * Words before its struct device_driver: name, probe, remove (6.1 to 6.12), and
 * add_dport (7.2). Behind it is the id of the devices that it is for.
 */
#define CXL_HEAD_MIN		3
#define CXL_HEAD_MAX		4

unsigned int cxl_driver_head(const unsigned long *drv, unsigned long name);
unsigned long cxl_driver_probe(const unsigned long *drv, unsigned int head);
bool cxl_is_probe(const char *symbol);

#endif
