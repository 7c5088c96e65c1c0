// SPDX-License-Identifier: GPL-2.0-only
/* Explains why there is nothing to show, such as no device in /sys/class/pmon. */
#include "present.h"

#include "discovery.h"
#include "hardware.h"
#include "output.h"
#include "files.h"

enum status nothing_shown(bool json, enum status status, const char *why)
{
	complain("%s", why);
	if (json) {
		json_open(NULL, '{');
		json_number("format", 1);
		json_text("error", why);
		json_close('}');
	}
	return status;
}

enum status nothing_found(bool json)
{
	struct hardware h = hardware_look();

	if (!sysfs_exists("/sys/bus"))
		return nothing_shown(json, STATUS_BROKEN, "/sys: not here; in a "
				     "container, mount the host's");
	if (!h.functions)
		return nothing_shown(json, STATUS_NO_HARDWARE,
				     "no supported hardware: no PCI device "
				     "8086:09a7 (Sapphire Rapids and later) is "
				     "present");
	if (h.unreached)
		return nothing_shown(json, STATUS_BROKEN,
				     NO_CONFIG "; " MORE_CONFIG);
	if (!h.tables && !h.tpmi)
		return nothing_shown(json, STATUS_NO_HARDWARE,
				     "no supported hardware: 8086:09a7 is there, "
				     "with neither a table of counter boxes nor "
				     "TPMI (Ice Lake, or firmware hides them)");
	if (sysfs_exists(CLASS_DIR) && !sysfs_can_list(CLASS_DIR))
		return nothing_shown(json, STATUS_BROKEN, CLASS_DIR
				     ": cannot be read; run as root");
	if (!sysfs_exists("/sys/module/pmon_uncore") &&
	    !sysfs_exists("/sys/module/pmon_plr"))
		return nothing_shown(json, STATUS_BROKEN, CLASS_DIR
				     ": the openpmon modules are not loaded; "
				     "try: modprobe -a pmon_uncore pmon_plr");
	return nothing_shown(json, STATUS_BROKEN, CLASS_DIR
			     ": empty; the kernel log says why, look for lines "
			     "that start with pmon");
}

enum status plr_absent(const struct machine *m, bool json)
{
	struct text why = { NULL, 0 };
	enum status status;

	if (m->tpmis) {
		text_add(&why, "no performance-limit domain: %s",
			 mode_meaning(m->tpmi[0].mode));
		status = nothing_shown(json, STATUS_BROKEN, why.s);
		text_free(&why);
		return status;
	}
	if (!hardware_present() || !sysfs_exists(CLASS_DIR) ||
	    !sysfs_can_list(CLASS_DIR))
		return nothing_found(json);
	if (!sysfs_exists("/sys/module/pmon_plr"))
		return nothing_shown(json, STATUS_BROKEN,
				     "/sys/module/pmon_plr: not loaded; try: "
				     "modprobe pmon_plr");
	if (sysfs_exists("/sys/module/intel_plr_tpmi"))
		return nothing_shown(json, STATUS_BROKEN, "intel_plr_tpmi, the "
				     "kernel's own driver, has the hardware and "
				     "shows it in debugfs; pmonctl adopt plr "
				     "hands it over");
	return nothing_shown(json, STATUS_NO_HARDWARE, "no supported hardware: "
			     "Granite Rapids and Sierra Forest are the first "
			     "that record performance limits");
}
