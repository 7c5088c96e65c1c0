/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_AREAS_H
#define PMONCTL_AREAS_H

#include "hardware.h"

/* An area of `adopt`: a kind of devices, with openpmon's module for them and the kernel's own. */
struct area {
	const char *name;
	const char *ours, *in_tree;	/* modules */
	const char *devices;		/* for messages */
	const char *lines;		/* for modprobe, to keep the in-tree driver away */
	/* Prints changes; returns the number of PMUs with losses, or -1. NULL with @ring. */
	long (*compare)(void);
	/* Compares after the hand-over, if PMUs are unknown before; NULL: compare() suffices. */
	long (*compare_again)(void);
	enum ring_kind ring;		/* kind of PCI functions that are handed over one by one */
	bool (*is_present)(void);	/* are there devices? NULL with @ring */
	/* Do we drive all devices, as far as is known? NULL with @ring. */
	bool (*is_served)(const struct machine *m);
	bool no_pmu;			/* the in-tree driver has none */
};

#define AREAS 5
extern const struct area areas[AREAS];

/* Does this host have devices of the area? */
bool area_is_present(const struct area *a);
/* Does the loaded module drive all devices of the area? */
bool area_is_served(const struct area *a, const struct machine *m);
/* Does modprobe.d of /run or /etc have an openpmon-<area>.conf, made by pmonctl or by hand? */
bool area_has_file(const char *name);
/* The mode in which the loaded module drives nothing, or "on". */
const char *area_mode(const struct area *a, const struct machine *m);

/* Print the PMUs before and after the hand-over; return the number with losses, or -1. */
long adopt_compare_uncore(void);
long adopt_compare_plr(void);
/* The PMUs of pmon_cxl are known, and so compared, only after the hand-over. */
long adopt_compare_cxl(void);
long adopt_compare_again(void);

#endif
