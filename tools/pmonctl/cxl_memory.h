/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CXL_MEMORY_H
#define PMONCTL_CXL_MEMORY_H

#include <stdbool.h>

/* The driver of a device of a bus, to be freed; NULL: it has none. */
char *cxl_driver_of(const char *dir, const char *name);

/* By its class, or because cxl_pci was told to have one of another class. */
bool cxl_is_memory(const char *function);

/* Is there any? */
bool cxl_memory_present(void);

#endif
