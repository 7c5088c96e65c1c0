/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DUMP_CPU_H
#define PMONCTL_DUMP_CPU_H

/*
 * The processor, and where its CPUs are, as members of the JSON object that is
 * open.
 */
void dump_cpus(void);

#endif
