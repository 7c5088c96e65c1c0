/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_EVENTS_H
#define PMONCTL_EVENTS_H

#include "hardware.h"

/* A file of a PMU's format or events directory. */
struct entry {
	char *name, *text;
};

struct entries {
	struct entry *entry;
	size_t count;
};

struct pmu {
	char *name, *alias;		/* alias may be NULL */
	bool mmio;			/* of openpmon, with control registers in MMIO */
	struct entries format, events;
};

/* Allocated until the process ends. */
struct pmus {
	struct pmu *pmu;
	size_t count;
};

/* Adds a PMU, or reads it again. Returns it, until the next call. */
const struct pmu *pmus_read(struct pmus *all, const char *name);
/* Removes a PMU. Pointers to others are then invalid. */
void pmus_forget(struct pmus *all, const char *name);

/* PMUs in perf, of any driver, for whose names selected() returns true. */
struct pmus pmus_present(bool (*selected)(const char *name));

const struct pmu *pmus_find(const struct pmus *all, const char *name);

/* Is a file of an events directory an event? Files such as "NAME.scale" are not. */
bool is_event(const char *file);

void entries_add(struct entries *e, const char *name, const char *text);
const char *entries_find(const struct entries *e, const char *name);

#define CONFIG_WORDS 4

/* Bit n of a term's value goes to bit at[n] of a config word. */
struct term {
	unsigned int word;
	unsigned char at[64];
	unsigned int bits;
};

/* Parses "config1:0-7,32-55". */
bool term_parse(struct term *t, const char *format);

/* Encodes "event=0x05,umask=0xcf" of a PMU. False if a term cannot be encoded. */
bool event_encode(const struct pmu *pmu, const char *event, uint64_t config[CONFIG_WORDS]);

/* An event, and the CPUs to open it on: one of each package or die. */
struct opening {
	struct cpus cpus;
	long type;
	uint64_t config[CONFIG_WORDS];
};

/* Reads cpumask and type of a PMU in perf; false if either is missing. */
bool opening_find(struct opening *o, const struct pmu *pmu);

/* Opens the event on a CPU. Returns a descriptor, or -1 and errno; see count_open(). */
#define opening_on(o, cpu, leader)	count_open((o)->type, (o)->config, cpu, leader)

/* The sum of lines "PACKAGE NUMBER" in a PMU's file, for one package or for all (-1). */
unsigned long long pmu_sum(const char *pmu, long package, const char *file);

/* Required rights for events on this host: "root, or CAP_PERFMON". */
const char *event_rights(void);

/* The difference of two reads. */
struct count count_since(const struct count *now, const struct count *begin);

/* An event that is read again and again, perhaps for weeks. */
struct counting {
	int fd;
	struct count begin;	/* of the next interval */
	unsigned int failures;	/* failed reads in a row */
	unsigned int idle;	/* reads in a row without time on a counter */
	bool unknown;		/* no valid count */
	bool ended;		/* enabled time stands still, as the package's CPUs are offline */
};

/*
 * Sets @since to the count since the last call. False if the read failed, or the event had no
 * counter. The next count includes one interval without a counter, but not several in a row.
 */
bool counting_take(struct counting *c, struct count *since);

/* Re-enables an event in error state, ever more rarely, because each attempt may log a line. */
void counting_retry(int fd, unsigned int failures);

#endif
