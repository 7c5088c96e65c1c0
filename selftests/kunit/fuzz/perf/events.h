/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that a worker has open. They are file descriptors with fixed
 * numbers, which all of its threads share: one closes what another reads. Below
 * them are the descriptors that must not be mixed up.
 */
#ifndef FUZZ_EVENTS_H
#define FUZZ_EVENTS_H

#include "fuzz.h"

#define SLOTS		16
#define FIRST_SLOT	200
#define SLOT(n)		(FIRST_SLOT + (int)(n))

#define CGROUPS		"/tmp/fuzz-cgroup"

/* attr.c */
struct target {
	int pid, cpu, group;
	unsigned long flags;
};

void attr_random(struct perf_event_attr *attr, struct target *target);
/* What breakpoints watch. */
extern uint64_t attr_watched;

/* events.c */
int random_slot(void);
void close_all(void);
void maps_setup(void);
long op_open(void);
long op_close(void);
long op_read(void);
long op_ioctl(void);

/* tasks.c */
long op_fork(void);
long op_exec(void);
long op_reap(void);
long op_affinity(void);
long op_cgroup(void);
long op_task_events(void);
long op_nap(void);

/* bpf.c */
void bpf_setup(void);
void bpf_drop(void);
long op_bpf_put(void);
long op_bpf_attach(void);

#endif /* FUZZ_EVENTS_H */
