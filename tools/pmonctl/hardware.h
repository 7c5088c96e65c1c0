/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_HARDWARE_H
#define PMONCTL_HARDWARE_H

#include <stdbool.h>

/*
 * What the processors have for pmon_uncore and pmon_plr. Without the right to
 * read configuration space a function is taken to have what it can have.
 */
struct hardware {
	bool functions;		/* that can have tables, or an MSR that can */
	bool tables;		/* of counter boxes */
	bool tpmi;		/* registers of performance limits, perhaps */
	bool unreached;		/* the kernel reaches 256 bytes only */
};

struct hardware hardware_look(void);

/* What is the matter with one that is not reached, and what helps. */
#define NO_CONFIG	"the kernel reaches 256 bytes of PCI configuration " \
			"space only, and what leads to tables is further up"
#define MORE_CONFIG	"boot without pci=nommconf; without that, firmware " \
			"lacks an MCFG table"

/* There is, or may be, something that the modules serve. */
bool hardware_present(void);
bool hardware_has_tables(void);

#endif
