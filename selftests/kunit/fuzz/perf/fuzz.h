/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fuzzer: workers, each a process of one or more threads, do random things
 * to our PMUs, our files and the host. The first process only watches: it opens
 * nothing of ours, so that it can say who is stuck, and where.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <glob.h>

#include "../../../guest/guest.h"

#define MAX_RECORDS	32
#define MAX_TALLIES	96
#define LINES		12
#define LINE		144
#define MAPS		6
#define NOBODY		65534
#define PCI		"/sys/bus/pci"

#define MAX_PMUS	96
#define MAX_FIELDS	16
#define MAX_EVENTS	12
#define MAX_CPUMASK	16
#define WORDS		3	/* config, config1, config2 */

/* Bits of a config that a PMU understands. */
struct field {
	unsigned int word;
	uint64_t mask;
};

struct pmu {
	char name[40];
	uint32_t type;
	unsigned int nr_fields, nr_events, nr_cpus;
	struct field field[MAX_FIELDS];
	uint64_t event[MAX_EVENTS];
	int cpu[MAX_CPUMASK];
};

/* What a thread knows of the PMUs, from sysfs. It may be out of date. */
struct pmus {
	unsigned int nr;
	struct pmu pmu[MAX_PMUS];
};

/* How often an operation was tried, and how often the kernel did it. */
struct tally {
	unsigned long tried, done;
};

/* @run: -1 if nothing was done. @calls: the weight where calls are counted. */
struct op {
	const char *name;
	unsigned int weight;
	long (*run)(void);
	unsigned int calls;
	struct tally *tally;
};

/* @pause_us: between operations; random, at most so long. */
struct worker {
	const char *name;
	struct op *ops;
	unsigned int threads, uid, pause_us;
};

/* What one thread has done last, to be printed when it does not go on. */
struct record {
	const struct worker *worker;
	uint64_t seed;
	pid_t pid, tid;
	unsigned long progress;
	char line[LINES][LINE];
	/* Of the watcher: what it saw last, and for how long. */
	unsigned long seen;
	unsigned int still;
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
	unsigned int records, tallies, tests, failures;
	/* The PMUs that there were before anybody did anything. */
	struct pmus at_start;
	struct record record[MAX_RECORDS];
	struct tally tally[MAX_TALLIES];
};

/* The thread that asks. */
struct me {
	struct record *record;
	const struct op *op;
	uint64_t random;
	struct pmus pmus;
	/* Its mappings of events. */
	struct {
		void *at;
		size_t size;
	} map[MAPS];
	unsigned int truce;
	pid_t child;
};

struct options {
	uint64_t time, seed, calls, calm, patience;
	const char *without;
};

extern struct shared *shared;
extern struct options options;
extern __thread struct me me;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PICK(array)	((array)[below(ARRAY_SIZE(array))])

/* splitmix64, by Sebastiano Vigna, who put it into the public domain. */
static inline uint64_t any_number(void)
{
	uint64_t z = me.random += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline unsigned int below(uint64_t n)
{
	return n ? any_number() % n : 0;
}

static inline bool odds(unsigned int percent)
{
	return below(100) < percent;
}

/* Small, a power of two, next to one, or anything. */
static inline uint64_t odd_number(void)
{
	uint64_t power = 1ull << below(64);

	switch (below(5)) {
	case 0:
		return below(8);
	case 1:
		return power;
	case 2:
		return power - 1;
	case 3:
		return ~(uint64_t)below(4);
	default:
		return any_number() >> below(64);
	}
}

/* write_text() as a system call would say it */
#define put_text(...)	(write_text(__VA_ARGS__) ? 0 : -1)

/* TAP and comments; whole lines, from any process. */
#define say(fmt, ...)	dprintf(1, "# " fmt "\n", ##__VA_ARGS__)

__attribute__((format(printf, 2, 3)))
void tap(bool good, const char *fmt, ...);

/* work.c: the workers */
__attribute__((format(printf, 1, 2)))
void doing(const char *fmt, ...);
bool switched_off(const char *name);
unsigned long work_calls(void);
bool work(void);
void tell_tallies(void);
bool restore(void);

/* pmus.c */
bool random_path(char *path, size_t size, const char *pattern);
bool pmu_learn(struct pmu *pmu, const char *name);
void pmus_learn(struct pmus *pmus);
const struct pmu *pmus_pick(bool ours);
void pmu_random_config(const struct pmu *pmu, uint64_t *config);

/* What workers do. */
extern struct op event_ops[], file_ops[], reload_ops[], rebind_ops[], rescan_ops[];
extern struct op hardware_ops[], hotplug_ops[], priv_ops[], end_ops[];

/* devices.c */
void devices_setup(void);
void devices_restore(void);
bool devices_hold(void);
void devices_release(void);

/* hardware.c */
long hardware_mend(void);

/* host.c */
void host_setup(void);
void drop_rights(void);

#endif /* FUZZ_H */
