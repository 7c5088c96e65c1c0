// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl doctor: CXL memory devices. */
#include <stdlib.h>
#include <string.h>

#include "doctor_cxl.h"
#include "cxl_memory.h"
#include "output.h"
#include "served.h"
#include "sysfs.h"

#define PCI_DIR "/sys/bus/pci/devices"
#define CXL_DIR "/sys/bus/cxl/devices"
#define BUS_DRIVER "/sys/bus/cxl/drivers/pmon_cxl"
#define MODULE "/sys/module/pmon_cxl"
#define PEER "/sys/module/cxl_pmu"

/* "(null)" is what the kernel shows when there is none. */
static char *override_of(const char *function)
{
	char *text = sysfs_read(PCI_DIR "/%s/driver_override", function);

	if (text && *text && strcmp(text, "(null)"))
		return text;
	free(text);
	return NULL;
}

static void check_unbound(struct findings *f, const char *name)
{
	char *unbound = sysfs_read(MODULE "/parameters/unbound");

	if (unbound && strchr("1yY", *unbound))
		found(f, FINE, name, NULL, "no driver; pmon_cxl was loaded with "
		      "unbound=1");
	else
		found(f, NOTE, name, "load cxl_pci, or pmon_cxl with unbound=1",
		      "no driver has it, so openpmon does not touch it");
	free(unbound);
}

static void check_memory(struct findings *f, const char *name)
{
	char *driver = sysfs_link_name(PCI_DIR "/%s/driver", name);
	const char *mode = served_asked("pmon_cxl");
	char *meant = override_of(name);

	if (meant && (!driver || strcmp(meant, driver)))
		found(f, NOTE, name, "openpmon does not touch it",
		      "meant for %s by its driver_override", meant);
	else if (driver && strcmp(driver, "cxl_pci"))
		found(f, NOTE, name, "openpmon does not touch it",
		      "bound to %s", driver);
	else if (strcmp(mode, "on"))
		found(f, NOTE, name, "mode=on shows its counters",
		      "pmon_cxl was loaded with mode=%s", mode);
	else if (!driver)
		check_unbound(f, name);
	else if (!sysfs_exists(MODULE) && !sysfs_exists(PEER))
		found(f, NOTE, name, "modprobe pmon_cxl shows its counters",
		      "pmon_cxl is not loaded");
	else
		found(f, FINE, name, NULL, "present, driver %s", driver);
	free(driver);
	free(meant);
}

/*
 * A CPMU whose device cxl_pci has made is served by the driver of that. One
 * without is served all the same where pmon_cxl is not on the bus.
 */
static void check_cpmus(struct findings *f)
{
	struct names n = sysfs_children(CXL_DIR, "pmu_mem");

	for (size_t i = 0; i < n.count; i++) {
		char *driver = sysfs_link_name(CXL_DIR "/%s/driver", n.name[i]);

		if (!driver && sysfs_exists(BUS_DRIVER))
			found(f, NOTE, n.name[i], "write its name to "
			      BUS_DRIVER "/bind",
			      "bound to no driver");
		else if (driver && strcmp(driver, "pmon_cxl"))
			found(f, NOTE, n.name[i], "pmonctl adopt cxl hands "
			      "it over", "left to %s", driver);
		free(driver);
	}
	names_free(&n);
}

void doctor_cxl(struct findings *f)
{
	struct names n = sysfs_children(PCI_DIR, "");

	for (size_t i = 0; i < n.count; i++)
		if (cxl_is_memory(n.name[i]))
			check_memory(f, n.name[i]);
	names_free(&n);
	check_cpmus(f);
}
