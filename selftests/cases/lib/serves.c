// SPDX-License-Identifier: GPL-2.0-only
/*
 * serves ROUNDS ISOLATED OTHER CPU PMU...: opens events of PMUs on CPU while two
 * CPUs of its package take turns, and looks whether all of them live; in the
 * guest. ISOLATED is one that is in isolcpus= and serves the package until OTHER
 * comes online. Each round
 *
 *	OTHER comes online while several processes open events over and over,
 *	each keeping the last ones of each PMU,
 *	ISOLATED goes offline,
 *	each event's enabled time must go on,
 *	ISOLATED comes online, and OTHER goes offline while events are opened,
 *	and again each event's enabled time must go on.
 *
 * Prints "opened N refused N lost N"; exit status 1 when one was lost, or none
 * was opened.
 */
#include <stdatomic.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define OPENERS		4
#define KEEP		16
#define MAX_PMUS	16

enum { NOTHING, OPEN, HOLD, LOOK, END };

/* What the processes share. */
static struct shared {
	atomic_uint order;	/* one of these, plus 8 for each before */
	atomic_uint done;	/* openers that have done it */
	atomic_ulong opened, refused, lost;
} *shared;

static int types[MAX_PMUS], nr_types, cpu;
static int fds[MAX_PMUS][KEEP];

static void set_cpu(const char *number, const char *state)
{
	if (!write_text(state, CPUS "/cpu%s/online", number))
		perror(number);
}

static void open_one(int pmu, unsigned int n)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = types[pmu], .config = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
	};
	int *fd = &fds[pmu][n % KEEP];

	if (*fd >= 0)
		close(*fd);
	*fd = event_on(&attr, cpu, -1);
	if (*fd < 0)
		shared->refused++;
	else
		shared->opened++;
}

static uint64_t enabled(int fd)
{
	uint64_t values[2] = { };

	return read(fd, values, sizeof(values)) == sizeof(values) ?
	       values[1] : 0;
}

/* A reading needs the CPU, so do all of them before the wait. */
static void look(void)
{
	uint64_t before[MAX_PMUS][KEEP];
	int pmu, n;

	for (pmu = 0; pmu < nr_types; pmu++)
		for (n = 0; n < KEEP; n++)
			before[pmu][n] = enabled(fds[pmu][n]);
	usleep(20000);
	for (pmu = 0; pmu < nr_types; pmu++)
		for (n = 0; n < KEEP; n++)
			if (fds[pmu][n] >= 0 &&
			    enabled(fds[pmu][n]) <= before[pmu][n])
				shared->lost++;
}

static void opener(void)
{
	unsigned int order, last = NOTHING, n = 0;
	int pmu;

	memset(fds, -1, sizeof(fds));
	while ((order = shared->order) % 8 != END) {
		if (order == last) {
			usleep(500);
			continue;
		}
		last = order;
		if (order % 8 == LOOK)
			look();
		while (order % 8 == OPEN && shared->order == order)
			for (n++, pmu = 0; pmu < nr_types; pmu++)
				open_one(pmu, n);
		if (order % 8 != OPEN)
			shared->done++;
	}
	_exit(0);
}

static void give(unsigned int order)
{
	static unsigned int given;

	shared->done = 0;
	shared->order = (given += 8) + order;
	while (order != OPEN && order != END && shared->done < OPENERS)
		usleep(500);
}

/* This CPU comes or goes while events are opened; then that one may go. */
static void turn(const char *number, const char *state, const char *goes)
{
	give(OPEN);
	usleep(10000);
	set_cpu(number, state);
	give(HOLD);
	if (goes)
		set_cpu(goes, "0");
	give(LOOK);
}

int main(int argc, char **argv)
{
	int rounds, i;

	if (argc < 6 || argc - 5 > MAX_PMUS)
		return 64;
	rounds = atoi(argv[1]);
	cpu = atoi(argv[4]);
	for (i = 5; i < argc; i++)
		types[nr_types++] = pmu_type_or_end(argv[i]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	for (i = 0; i < OPENERS; i++)
		if (!fork())
			opener();
	while (rounds--) {
		turn(argv[3], "1", argv[2]);
		set_cpu(argv[2], "1");
		turn(argv[3], "0", NULL);
	}
	give(END);
	while (wait(NULL) > 0)
		;
	printf("opened %lu refused %lu lost %lu\n", shared->opened,
	       shared->refused, shared->lost);
	return shared->lost || !shared->opened;
}
