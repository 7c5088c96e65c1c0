/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events that a worker has open. They are file descriptors with fixed
 * numbers, which all of its threads share: one closes what another reads. Below
 * them are the descriptors that must not be mixed up.
 */
#ifndef FUZZ_EVENTS_H
#define FUZZ_EVENTS_H

#include <linux/perf_event.h>

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

void attr_random(struct me *me, struct perf_event_attr *attr,
		 struct target *target);
void attr_describe(const struct perf_event_attr *attr, char *text, size_t size);
extern uint64_t attr_watched;

/* open.c */
int event_open(struct perf_event_attr *attr, const struct target *target);
int random_slot(struct me *me);
int any_slot(struct me *me);
void slot_copied(int from, int to);
bool op_open(struct me *me);
bool op_group(struct me *me);
bool op_close(struct me *me);
void close_all(struct me *me);
bool op_close_all(struct me *me);

/* maps.c */
void maps_setup(void);
void maps_drop(struct me *me);
bool op_map(struct me *me);
bool op_touch(struct me *me);
bool op_unmap(struct me *me);

/* tasks.c */
bool op_fork(struct me *me);
bool op_exec(struct me *me);
bool op_reap(struct me *me);
bool op_affinity(struct me *me);
bool op_cgroup(struct me *me);
bool op_tasks_events(struct me *me);
bool op_nap(struct me *me);
int linger(const char *ms);

/* bpf.c */
void bpf_setup(void);
void bpf_drop(void);
bool op_bpf_put(struct me *me);
bool op_bpf_attach(struct me *me);

/* slots.c */
bool op_read(struct me *me);
bool op_ioctl(struct me *me);

#endif /* FUZZ_EVENTS_H */
