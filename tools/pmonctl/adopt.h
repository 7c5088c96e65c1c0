/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_ADOPT_H
#define PMONCTL_ADOPT_H

#include "discovery.h"
#include "hardware.h"

/*
 * An area of devices: the module that has it after adopt, the kernel's own that had
 * it, and what hands it over.
 */
struct area {
	const char *name;
	const char *ours, *peer;	/* modules */
	const char *what;		/* is handed over */
	const char *lines;		/* keep the peer from it */
	/* Prints what changes, where ring does not; how many PMUs lose something, or -1. */
	long (*compare)(void);
	/*
	 * The same after the hand-over, of areas whose own driver's PMUs cannot be
	 * known before: then @compare loads no module of ours.
	 */
	long (*compare_again)(void);
	enum ring_kind ring;		/* functions that are handed one by one */
	bool (*is_present)(void);	/* its devices; areas with @ring: NULL */
	/* Ours has them all, as far as anything says; areas with @ring: NULL */
	bool (*is_served)(const struct machine *m);
	/* The mode of its devices; NULL: they have none. */
	const char *(*mode)(const struct machine *m);
	bool no_pmu;			/* the peer has none */
	const char *absent;		/* in words */
};

#define AREAS 5
extern const struct area areas[AREAS];

/* Of a fleet, some hosts may have none of its devices. */
bool area_is_present(const struct area *a);
/* Whether the module of an area, which is loaded, serves all of it. */
bool area_is_served(const struct area *a, const struct machine *m);
/* Is there an openpmon-<area>.conf, by pmonctl or by hand, in /run or /etc/modprobe.d? */
bool area_has_file(const char *name);
/*
 * The mode that keeps the module of an area, which is loaded, from serving anything;
 * "on" where it serves what it finds.
 */
const char *area_mode(const struct area *a, const struct machine *m);

#endif
