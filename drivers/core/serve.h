/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPU serves a place, as CPUs come and go. */
#ifndef PMON_SERVE_H
#define PMON_SERVE_H

#include <linux/types.h>

#include <pmon/place.h>

/**
 * struct pmon_cpus - the CPUs of a machine
 * @next: the first one from a number on that is online, or -1
 * @distance: from a CPU to a place; negative: it does not reach it
 * @isolated: is the CPU kept for other work?
 */
struct pmon_cpus {
	int (*next)(int from);
	int (*distance)(int cpu, struct pmon_place_id id);
	bool (*isolated)(int cpu);
};

/**
 * pmon_serve_choose() - find a CPU for a place
 * @cpus: of the machine
 * @id: the place
 * @but: not this one; -1: there is none that must not
 *
 * CPUs that are not isolated come first, and of these the nearest ones.
 *
 * Return: the CPU, or -1 when none reaches the place.
 */
int pmon_serve_choose(const struct pmon_cpus *cpus, struct pmon_place_id id,
		      int but);

/**
 * pmon_serve_online() - a CPU is online
 * @cpus: of the machine, @cpu is among them
 * @id: the place
 * @server: what serves it so far, or -1
 * @cpu: which is online
 *
 * Return: what serves the place now: @server, unless @cpu is better for it.
 */
int pmon_serve_online(const struct pmon_cpus *cpus, struct pmon_place_id id,
		      int server, int cpu);

/**
 * pmon_serve_offline() - a CPU goes
 * @cpus: of the machine, @cpu may still be among them
 * @id: the place
 * @server: what serves it so far, or -1
 * @cpu: which goes
 *
 * Return: what serves the place now, or -1.
 */
int pmon_serve_offline(const struct pmon_cpus *cpus, struct pmon_place_id id,
		       int server, int cpu);

#endif /* PMON_SERVE_H */
