// SPDX-License-Identifier: GPL-2.0-only
#include "present.h"

#include "discovery.h"
#include "output.h"
#include "sysfs.h"

enum status nothing_found(void)
{
	if (!sysfs_hardware_present()) {
		complain("no supported hardware: no PCI device 8086:09a7 "
			 "(Sapphire Rapids and later) is present");
		return STATUS_NO_HARDWARE;
	}
	if (!sysfs_exists("/sys/module/pmon_uncore") &&
	    !sysfs_exists("/sys/module/pmon_plr"))
		complain(CLASS_DIR ": the openpmon modules are not loaded; "
			 "try: modprobe -a pmon_uncore pmon_plr");
	else
		complain(CLASS_DIR ": empty; the kernel log says why, look "
			 "for lines that start with pmon");
	return STATUS_BROKEN;
}

enum status plr_absent(const struct machine *m)
{
	if (m->tpmis) {
		complain("no performance-limit domain: %s",
			 mode_meaning(m->tpmi[0].mode));
		return STATUS_BROKEN;
	}
	if (!sysfs_hardware_present() || !sysfs_exists(CLASS_DIR))
		return nothing_found();
	if (!sysfs_exists("/sys/module/pmon_plr")) {
		complain("/sys/module/pmon_plr: not loaded; try: modprobe "
			 "pmon_plr");
		return STATUS_BROKEN;
	}
	if (sysfs_exists("/sys/module/intel_plr_tpmi")) {
		complain("intel_plr_tpmi, the kernel's own driver, has the "
			 "hardware and shows it in debugfs; pmonctl adopt plr "
			 "hands it over");
		return STATUS_BROKEN;
	}
	complain("no supported hardware: Granite Rapids and Sierra Forest "
		 "are the first that record performance limits");
	return STATUS_NO_HARDWARE;
}
