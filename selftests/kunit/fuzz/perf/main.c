// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [OPTION...]: random things to our PMUs, our files and the host, in the
 * guest, as root. Prints TAP; exit status 1 when something is wrong. That the
 * kernel complains is seen by what runs the guest.
 *
 * The same seed and the same workers do the same things again, as far as the
 * kernel's answers and the order in which CPUs get to it are the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "events.h"
#include "host.h"

struct shared *shared;
struct options options = { .seconds = 60, .patience = 60, .calm = 1 };

/* What each option sets: a number or a text, or what is done at once. */
static const struct {
	const char *name, *what;
	unsigned int *few;
	uint64_t *many;
	const char **text;
} table[] = {
	{ "time", "SECONDS      for so long (60)", &options.seconds, NULL, NULL },
	{ "seed", "NUMBER       of all workers; random unless given, and printed",
	  NULL, &options.seed, NULL },
	{ "only", "NAME,...     these workers", NULL, NULL, &options.only },
	{ "without", "NAME,...  all but these workers and operations; also\n"
	  "                      tracepoint, breakpoint, parameters, tracing, trigger",
	  NULL, NULL, &options.without },
	{ "from", "NUMBER       begin with this operation of each worker",
	  NULL, &options.from, NULL },
	{ "to", "NUMBER         end before this one", NULL, &options.operations, NULL },
	{ "calls", "NUMBER      until so many calls to perf and its events were made,\n"
	  "                      without pauses, if the time is enough",
	  NULL, &options.calls, NULL },
	{ "calm", "NUMBER       the others pause so many times longer (1)",
	  &options.calm, NULL, NULL },
	{ "patience", "SECONDS  a worker without progress is stuck then (60)",
	  &options.patience, NULL, NULL },
};

static void usage(void)
{
	size_t i;

	fputs("usage: fuzz [--OPTION VALUE]...\n", stderr);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		fprintf(stderr, "  --%s %s\n", table[i].name, table[i].what);
	work_list();
	exit(64);
}

static void set_option(const char *name, const char *value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (strncmp(name, "--", 2) || strcmp(name + 2, table[i].name))
			continue;
		if (table[i].few)
			*table[i].few = strtoul(value, NULL, 0);
		else if (table[i].many)
			*table[i].many = strtoull(value, NULL, 0);
		else
			*table[i].text = value;
		return;
	}
	usage();
}

static void tell_tallies(void)
{
	unsigned int i;

	say("operations done, of those tried:");
	for (i = 0; i < shared->tallies; i++)
		say("    %s %lu of %lu", shared->tally[i].name,
		    shared->tally[i].done, shared->tally[i].tried);
}

static uint64_t done(const char *name)
{
	unsigned int i;

	for (i = 0; i < shared->tallies; i++)
		if (!strcmp(shared->tally[i].name, name))
			return shared->tally[i].done;
	return 1;
}

static void tell_findings(void)
{
	unsigned int i;

	for (i = 0; i < shared->findings && i < MAX_FINDINGS; i++)
		tap(false, "seed %#lx: %s", options.seed, shared->finding[i]);
	shared->findings = 0;
}

/* The host as it was: what counts then is the drivers' own doing. */
static void restore(struct me *me)
{
	doing(me, "hardware as it should be");
	hardware_mend();
	doing(me, "all CPUs on");
	cpus_all_online();
	doing(me, "devices bound");
	devices_restore();
	doing(me, "restored");
	write_text("2", "/proc/sys/kernel/perf_event_paranoid");
}

static bool run(void)
{
	work_start();
	if (!watch(options.seconds))
		return false;
	tell_tallies();
	tap(!shared->findings, "seed %#lx: %u s, no worker got stuck",
	    options.seed, options.seconds);
	tell_findings();
	say("%lu calls to perf and its events", work_calls());
	if (options.calls)
		tap(work_calls() >= options.calls, "%lu calls were made",
		    options.calls);
	if (!options.operations)
		tap(done("open") && done("read"), "events were opened and read");
	shared->stop = false;
	if (!work_alone("restore", restore))
		return false;
	tell_findings();
	return true;
}

int main(int argc, char **argv)
{
	int i;

	/* An event of an exec begins: see op_exec(). */
	if (argc == 3 && !strcmp(argv[1], "linger"))
		return linger(argv[2]);
	if (argc % 2 == 0)
		usage();
	for (i = 1; i < argc; i += 2)
		set_option(argv[i], argv[i + 1]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	if (!options.seed && getrandom(&options.seed, 4, 0) != 4)
		return 2;
	say("seed %#lx, %u s", options.seed, options.seconds);
	priv_setup();
	cpus_setup();
	devices_setup();
	pmus_learn(&shared->at_start);
	if (!run())
		say("this is not over: a worker is stuck");
	printf("1..%u\n", shared->tests);
	fflush(stdout);
	return shared->failures != 0;
}
