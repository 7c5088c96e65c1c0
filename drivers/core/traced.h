/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accesses that are traced. What is attached to the tracepoint, a BPF program
 * say, runs in the middle of the access, with the lock of a box held, and may
 * read events of that box. Only MSRs have such tracepoints: those of boxes, and
 * that of the local APIC to which pmon_later() makes the kernel write.
 */
#ifndef PMON_TRACED_H
#define PMON_TRACED_H

#include <linux/percpu.h>

/* Set on a CPU during such an access. */
DECLARE_PER_CPU(bool, pmon_traced);

/*
 * Such an access begins. Called with interrupts off; an NMI may come in
 * between, and nests. Return: what pmon_traced_end() is to be given.
 */
static inline bool pmon_traced_begin(void)
{
	return this_cpu_xchg(pmon_traced, true);
}

static inline void pmon_traced_end(bool outer)
{
	this_cpu_write(pmon_traced, outer);
}

#endif /* PMON_TRACED_H */
