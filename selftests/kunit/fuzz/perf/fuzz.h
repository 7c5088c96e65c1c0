/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fuzz inside a guest. Workers, each a process of one or more threads, do random
 * operations on PMUs, files, modules and hardware. main.c starts and watches the
 * workers; events.c and host.c have the operations.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <glob.h>

#include "../../../guest/guest.h"
#include "../../../guest/random.h"

#define MAX_RECORDS	32
#define LINE		144
#define PCI		"/sys/bus/pci"
#define SYSCTL		"/proc/sys/kernel/"

/* @pause_us: longest pause between two operations */
struct worker {
	const char *name;
	struct op *ops;
	unsigned int threads, pause_us;
};

/* State of a thread; @line is its operation, printed when the thread is stuck. */
struct record {
	const struct worker *worker;
	uint64_t seed;
	pid_t pid;
	bool ended;
	unsigned long progress, done;
	char line[LINE];
	/*
	 * For the watcher: progress at its last check, and the number of checks
	 * without progress.
	 */
	unsigned long seen;
	unsigned int still;
};

/* Memory that all processes share. */
struct shared {
	bool stop;
	/* Not 0 while a worker unloads modules; then new events close at once. */
	unsigned int truce;
	/* True while a worker scans the PCI bus or hides functions of it. */
	bool scanning;
	unsigned int records, tests, failures;
	struct record record[MAX_RECORDS];
};

/* The calling thread. */
struct me {
	struct record *record;
	unsigned int truce;
	pid_t child;
};

extern struct shared *shared;
extern __thread struct me me;

/* Return a number near 0, a power of two or all ones, or any number. */
static inline uint64_t odd_number(void)
{
	switch (below(4)) {
	case 0:
		return below(8);
	case 1:
		return (1ull << below(64)) - below(2);
	case 2:
		return ~(uint64_t)below(4);
	default:
		return any_number() >> below(64);
	}
}

/* write_text() with the return value of a system call */
#define put_text(...)	(write_text(__VA_ARGS__) ? 0 : -1)

/* Print a TAP comment in one write, so that lines of processes do not mix. */
#define say(fmt, ...)	dprintf(1, "# " fmt "\n", ##__VA_ARGS__)

/* main.c */
__attribute__((format(printf, 1, 2)))
void doing(const char *fmt, ...);
bool random_path(char *path, size_t size, const char *pattern);

/* events.c */
extern struct op event_ops[];
void close_events(void);

/* host.c */
extern struct op file_ops[], reload_ops[], bind_ops[], scan_ops[], hardware_ops[];
extern struct op cpu_ops[];
void host_setup(void);
void host_restore(void);

#endif /* FUZZ_H */
