/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_EVENTS_H
#define PMONCTL_EVENTS_H

#include "host.h"
#include "cpus.h"
#include "discovery.h"

/* A file of a PMU's format or events directory: its name and what it says. */
struct entry {
	char *name, *text;
};

struct entries {
	struct entry *entry;
	size_t count;
};

struct pmu {
	char *name, *alias;		/* alias may be NULL */
	bool mmio;			/* of openpmon's: how it is reached */
	struct entries format, events;
};

/* pmus_present() and its like allocate them; they are freed when the process ends. */
struct pmus {
	struct pmu *pmu;
	size_t count;
};

/* The uncore PMUs that perf has and that are not openpmon's, by the machine's units. */
struct pmus pmus_of_others(const struct machine *m);

/* PMUs that perf has, of any driver, of which wanted() likes the name. */
struct pmus pmus_present(bool (*wanted)(const char *name));

/*
 * What openpmon gives for the units of all tables, whichever driver has them.
 * False, with a message, when a file `pmus` cannot be read.
 */
bool pmus_offered(struct pmus *all, const struct machine *m);

const struct pmu *pmus_find(const struct pmus *all, const char *name);
const char *entries_find(const struct entries *e, const char *name);

#define CONFIG_WORDS 4

/* Bit n of a term's value goes to bit at[n] of a config word. */
struct term {
	unsigned int word;
	unsigned char at[64];
	unsigned int bits;
};

/* "config1:0-7,32-55"; false when it is not understood. */
bool term_parse(struct term *t, const char *format);

/*
 * True when every value that fits a is put where a puts it by b as well, as
 * far as it goes into a control of so many bits.
 */
bool term_includes(const struct term *b, const struct term *a, unsigned int control_bits);

/* The config words of an event "event=0x05,umask=0xcf" of a PMU. */
bool event_encode(const struct pmu *pmu, const char *event, uint64_t config[CONFIG_WORDS]);

/* An event of a PMU, and where it is opened: on one CPU of each place. */
struct opening {
	struct cpus cpus;
	long type;
	uint64_t config[CONFIG_WORDS];
};

/* Where a PMU that perf has counts; false when it says no CPU or type. */
bool opening_find(struct opening *o, const struct pmu *pmu);

/* A file descriptor, or -1 and errno; see count_open(). */
int opening_on(const struct opening *o, unsigned int cpu, int leader);

/* The sum of a PMU's file that has a number for each package: "0 3". */
unsigned long long pmu_sum(const char *pmu, const char *file);

/* Who may open events on this host: "root, or CAP_PERFMON". */
const char *event_rights(void);

/* An event that is read again and again, for weeks. */
struct counting {
	int fd;
	struct count begin;	/* of what is taken next */
	unsigned int failures;	/* readings in a row that gave nothing */
	unsigned int idle;	/* that found it without a counter */
	bool unknown;		/* what it has counted */
	bool ended;		/* no time passes for it: all CPUs of its package went offline */
};

/*
 * What it has counted since the last time. False where that is not known, or
 * not yet: once without a counter, the next time stands for both; after that
 * the time without one is left out.
 */
bool counting_take(struct counting *c, struct count *since);

/*
 * Switch one that cannot be read, in perf's error state, on again, which starts
 * it anew: after 1, 2, 4 failures and so on, at least each 64th, as each may be
 * a line in the kernel log. Without failures it does nothing.
 */
void counting_retry(int fd, unsigned int failures);

#endif
