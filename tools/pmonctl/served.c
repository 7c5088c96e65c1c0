// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a module of ours that is loaded serves what it is for: with
 * mode=observe, or on a CPU model that is not known, it looks only.
 */
#include "served.h"

#include <stdlib.h>
#include <string.h>

#include "hardware.h"
#include "modules.h"
#include "files.h"

#define CXL_DIR "/sys/bus/cxl/devices"

bool served_has_limits(void)
{
	return hardware_look().tpmi &&
	       (sysfs_has_children("/sys/bus/auxiliary/devices",
				   "intel_vsec.tpmi-plr.") ||
		module_has_alias("pmon_plr", "pci:"));
}

bool served_uncore(const struct machine *m)
{
	for (size_t i = 0; i < m->devices; i++)
		if (!strcmp(m->device[i].owner, "openpmon"))
			return true;
	return m->degraded;
}

bool served_cxl_left(void)
{
	struct names n = sysfs_children(CXL_DIR, "pmu_mem");
	bool left = false;

	for (size_t i = 0; i < n.count; i++) {
		char *driver = sysfs_link_name(CXL_DIR "/%s/driver", n.name[i]);

		left |= driver && strcmp(driver, "pmon_cxl");
		free(driver);
	}
	names_free(&n);
	return left;
}

/* All devices of a module have the same. */
static const char *mode_of_devices(const char *module, const struct machine *m)
{
	if (!strcmp(module, "pmon_uncore") && m->devices)
		return mode_known(m->device[0].mode);
	if (!strcmp(module, "pmon_plr") && m->tpmis)
		return mode_known(m->tpmi[0].mode);
	return "on";
}

const char *served_asked(const char *module)
{
	char *asked = sysfs_read("/sys/module/%s/parameters/mode", module);
	const char *mode = asked ? mode_known(asked) : "on";

	free(asked);
	return mode;
}

const char *served_mode(const char *module, const struct machine *m)
{
	const char *mode = served_asked(module);

	return strcmp(mode, "on") ? mode : mode_of_devices(module, m);
}
