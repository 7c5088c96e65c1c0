/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SERVED_H
#define PMONCTL_SERVED_H

#include <stdbool.h>

#include "discovery.h"

/*
 * Whether a device of this host is one for pmon_plr: the device of the kernel's
 * TPMI core, which makes none where nothing records limits; where that core
 * does not know limits, pmon_plr is built for the PCI function itself.
 */
bool served_has_limits(void);

/* Whose the boxes are cannot always be read: true then, it is said elsewhere. */
bool served_uncore(const struct machine *m);

/* Whether another driver has a CPMU, by the device that cxl_pci has made of it. */
bool served_cxl_left(void);

/* The mode that a module of ours was loaded with; "on" where it is not loaded. */
const char *served_asked(const char *module);

/*
 * The mode that keeps a module of ours, which is loaded, from serving anything;
 * "on" where it serves what it finds.
 */
const char *served_mode(const char *module, const struct machine *m);

#endif
