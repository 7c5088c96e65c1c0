/* SPDX-License-Identifier: GPL-2.0-only */
/* What a leaf may do: the mode that was asked for, on the machine it is on. */
#ifndef PMON_MODE_H
#define PMON_MODE_H

#include <linux/types.h>

/**
 * enum pmon_mode - what a leaf does, and if it serves nothing, why
 * @PMON_MODE_OFF: nothing is read and nothing registered
 * @PMON_MODE_OBSERVE: mode=observe: tables are read and shown
 * @PMON_MODE_ON: everything; the last that the parameter can request
 * @PMON_MODE_HYPERVISOR: as observe, as this is a virtual machine
 * @PMON_MODE_UNKNOWN_MODEL: as observe, as this CPU model is not known
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
