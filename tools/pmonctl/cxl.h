/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CXL_H
#define PMONCTL_CXL_H

#include <stdbool.h>
#include <stddef.h>

#include "sysfs.h"

/* A performance monitoring unit of a CXL memory device that has a PMU. */
struct cpmu {
	char *pmu;
	struct names events;
	bool ours;		/* else it is the kernel's cxl_pmu that has it */
};

/* A CXL memory device, in the order of their numbers. */
struct cxl_device {
	char *name, *address, *serial;	/* the last two may be NULL */
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
