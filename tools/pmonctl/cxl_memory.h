/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CXL_MEMORY_H
#define PMONCTL_CXL_MEMORY_H

#include <stdbool.h>

/* By its class, or because cxl_pci was told to have one of another class. */
bool cxl_is_memory(const char *function);

/* Is there any? */
bool cxl_memory_present(void);

#endif
