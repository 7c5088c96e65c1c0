/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CXL_H
#define PMONCTL_CXL_H

#include <stdbool.h>
#include <stddef.h>

#include "files.h"

/* A performance monitoring unit of a CXL memory device that has a PMU. */
struct cpmu {
	char *pmu;
	struct names events;
	bool ours;		/* else it is the kernel's cxl_pmu that has it */
};

enum cxl_kind {
	CXL_MEMORY,
	CXL_PORT,		/* a root port, or one of a switch */
	CXL_FUNCTION,		/* another function, which no driver has */
	CXL_KINDS,
};

/*
 * CXL memory devices in the order of their numbers, then ports and functions
 * without a driver that have a PMU, in that of their addresses.
 */
struct cxl_device {
	enum cxl_kind kind;
	char *name, *address, *serial;	/* the last two may be NULL */
	long chmus;		/* monitors of hot ranges, which nobody drives */
	struct cpmu *cpmu;
	size_t cpmus;
};

struct cxl_devices {
	struct cxl_device *device;
	size_t count;
};

struct cxl_devices cxl_read(void);
void cxl_free(struct cxl_devices *all);

void cxl_print(const struct cxl_devices *all);
void cxl_json(const struct cxl_devices *all);

#endif
