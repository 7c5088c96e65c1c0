// SPDX-License-Identifier: GPL-2.0-only
/* Which PCI functions are CXL memory devices. */
#include "cxl_memory.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sysfs.h"

#define PCI_DIR "/sys/bus/pci/devices"
#define CLASS_MEMORY "0x050210"

bool cxl_is_memory(const char *function)
{
	char *class = sysfs_read(PCI_DIR "/%s/class", function);
	char *driver = sysfs_link_name(PCI_DIR "/%s/driver", function);
	bool is = (class && !strcmp(class, CLASS_MEMORY)) ||
		  (driver && !strcmp(driver, "cxl_pci"));

	free(class);
	free(driver);
	return is;
}

bool cxl_memory_present(void)
{
	struct names n = sysfs_children(PCI_DIR, "");
	bool has = false;

	for (size_t i = 0; i < n.count; i++)
		has |= cxl_is_memory(n.name[i]);
	names_free(&n);
	return has;
}
