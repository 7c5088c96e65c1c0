/* SPDX-License-Identifier: GPL-2.0-only */
/* Define modes of drivers. VMs and unknown CPUs limit the parameter mode=. */
#ifndef PMON_MODE_H
#define PMON_MODE_H

#include <linux/types.h>

/**
 * enum pmon_mode - how much a driver does, and why
 * @PMON_MODE_OFF: mode=off: reads and registers nothing
 * @PMON_MODE_OBSERVE: mode=observe: reads tables and shows them
 * @PMON_MODE_ON: mode=on: does everything; last mode that a user can request
 * @PMON_MODE_HYPERVISOR: as observe, because of a hypervisor
 * @PMON_MODE_UNKNOWN_MODEL: as observe, because the CPU model is unknown
 */
enum pmon_mode {
	PMON_MODE_OFF,
	PMON_MODE_OBSERVE,
	PMON_MODE_ON,
	PMON_MODE_HYPERVISOR,
	PMON_MODE_UNKNOWN_MODEL,
};

bool pmon_mode_parse(const char *text, enum pmon_mode *mode);
enum pmon_mode pmon_mode_here(enum pmon_mode requested, bool is_virtual,
			      bool is_known);
const char *pmon_mode_text(enum pmon_mode mode);

#endif /* PMON_MODE_H */
