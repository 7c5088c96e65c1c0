/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fuzzer: workers, each a process of one or more threads, do random things
 * to our PMUs, our files and the host. The first process only watches: it opens
 * nothing of ours, so that it can say who is stuck, and where.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <sys/types.h>

#include "../../../guest/guest.h"
#include "pmus.h"
#include "rng.h"

#define MAX_RECORDS	32
#define MAX_TALLIES	96
#define MAX_FINDINGS	16
#define LINES		12
#define LINE		144
#define MAPS		6
#define NOBODY		65534

/* What one thread has done last, to be printed when it does not go on. */
struct record {
	char name[24];
	uint64_t seed;
	pid_t pid, tid;
	uint64_t progress;
	/* What it does are calls to perf and its events. */
	bool events;
	unsigned int last;
	char line[LINES][LINE];
};

/* How often an operation was tried, and how often the kernel did it. */
struct tally {
	char name[24];
	uint64_t tried, done;
};

/* In memory that all processes share. */
struct shared {
	bool stop;
	/* A worker wants to unload: events are closed soon after they open. */
	unsigned int truce;
	/* Addresses are given to functions, or one of them has vanished. */
	bool held;
	/* One may have vanished while it was given its addresses. */
	bool half_known;
	unsigned int records, tallies, findings;
	unsigned int tests, failures;
	/* The PMUs that there were before anybody did anything. */
	struct pmus at_start;
	struct record record[MAX_RECORDS];
	struct tally tally[MAX_TALLIES];
	char finding[MAX_FINDINGS][LINE];
};

struct options {
	unsigned int seconds;
	/* Without progress for so long means stuck, in seconds. */
	unsigned int patience;
	uint64_t seed, from, operations;
	/* Until so many calls were made, while the others are calmer. */
	uint64_t calls;
	unsigned int calm;
	const char *only, *without;
};

struct worker;

/* A mapping of an event. */
struct map {
	char *at;
	size_t size;
};

/* A thread of a worker. */
struct me {
	const struct worker *worker;
	struct record *record;
	struct rng rng;
	struct pmus pmus;
	struct map map[MAPS];
	unsigned int truce;
	pid_t child;
};

/* @calls: the weight where the number of calls is what counts. */
struct op {
	const char *name;
	unsigned int weight;
	bool (*run)(struct me *me);
	unsigned int calls;
	struct tally *tally;
};

struct worker {
	const char *name;
	struct op *ops;
	unsigned int threads, uid;
	/* Between operations; random, at most so long. */
	unsigned int pause_us;
};

extern struct shared *shared;
extern struct options options;

/* log.c: what the threads leave for the watcher, and what is printed */
__attribute__((format(printf, 2, 3)))
void doing(struct me *me, const char *fmt, ...);
bool did(struct me *me, long ret);
__attribute__((format(printf, 1, 2)))
void finding(const char *fmt, ...);
__attribute__((format(printf, 1, 2)))
void say(const char *fmt, ...);
__attribute__((format(printf, 2, 3)))
void tap(bool good, const char *fmt, ...);

/* work.c: the workers */
bool switched_off(const char *name);
void work_list(void);
uint64_t work_calls(void);
void work_start(void);
bool work_is_under_way(void);
bool work_alone(const char *name, void (*run)(struct me *me));
bool kernel_is(const char *release);

/* watch.c */
bool watch(unsigned int seconds);

/* events.c, files.c, host.c, devices.c, hardware.c, priv.c: what workers do */
extern struct op event_ops[], file_ops[], reload_ops[], hotplug_ops[];
extern struct op rebind_ops[], rescan_ops[], hardware_ops[], priv_ops[];

/* priv.c */
void priv_setup(void);
void priv_drop(void);

#endif /* FUZZ_H */
