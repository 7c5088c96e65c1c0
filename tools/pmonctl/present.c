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
