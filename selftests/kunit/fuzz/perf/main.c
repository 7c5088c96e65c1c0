// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [OPTION...]: random things to our PMUs, our files and the host, in the
 * guest, as root. Prints TAP; exit status 1 when something is wrong. That the
 * kernel complains is seen by what runs the guest.
 *
 * The same seed and the same workers do the same things again, as far as the
 * kernel's answers and the order in which CPUs get to it are the same.
 */
#include <getopt.h>
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

static const char usage[] =
	"usage: fuzz [OPTION...]\n"
	"  --time SECONDS      for so long (60)\n"
	"  --seed NUMBER       of all workers; random unless given, and printed\n"
	"  --only NAME,...     these workers\n"
	"  --without NAME,...  all but these workers and operations; also\n"
	"                      tracepoint, breakpoint, parameters, tracing, trigger\n"
	"  --from NUMBER       begin with this operation of each worker\n"
	"  --to NUMBER         end before this one\n"
	"  --calls NUMBER      until so many calls to perf and its events were made,\n"
	"                      without pauses, if the time is enough\n"
	"  --calm NUMBER       the others pause so many times longer (1)\n"
	"  --patience SECONDS  a worker without progress is stuck then (60)\n"
	"  --steady            keeps the kernel from patching itself\n"
	"  --list              the workers and their operations\n"
	"  --end               only what is checked at the end\n";

static const struct option long_options[] = {
	{ "time", required_argument, NULL, 't' },
	{ "seed", required_argument, NULL, 's' },
	{ "only", required_argument, NULL, 'o' },
	{ "without", required_argument, NULL, 'w' },
	{ "from", required_argument, NULL, 'f' },
	{ "to", required_argument, NULL, 'n' },
	{ "calls", required_argument, NULL, 'c' },
	{ "calm", required_argument, NULL, 'm' },
	{ "patience", required_argument, NULL, 'p' },
	{ "steady", no_argument, NULL, 'y' },
	{ "list", no_argument, NULL, 'l' },
	{ "end", no_argument, NULL, 'e' },
	{ "linger", required_argument, NULL, 'x' },
	{ }
};

static void set_option(int c)
{
	switch (c) {
	case 't':
		options.seconds = strtoul(optarg, NULL, 0);
		break;
	case 's':
		options.seed = strtoull(optarg, NULL, 0);
		break;
	case 'o':
		options.only = optarg;
		break;
	case 'w':
		options.without = optarg;
		break;
	case 'f':
		options.from = strtoull(optarg, NULL, 0);
		break;
	case 'n':
		options.operations = strtoull(optarg, NULL, 0);
		break;
	case 'c':
		options.calls = strtoull(optarg, NULL, 0);
		break;
	case 'm':
		options.calm = strtoul(optarg, NULL, 0);
		break;
	case 'p':
		options.patience = strtoul(optarg, NULL, 0);
		break;
	case 'e':
		options.only = "nobody at all";
		break;
	case 'y':
		options.steady = true;
		break;
	case 'l':
		work_list();
		exit(0);
	case 'x':
		exit(linger(optarg));
	default:
		fputs(usage, stderr);
		exit(64);
	}
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
	if (!work_alone("restore", restore) || !work_alone("verify", verify))
		return false;
	tell_findings();
	return true;
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		set_option(c);
	if (optind != argc)
		set_option('?');
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	if (!options.seed && getrandom(&options.seed, 4, 0) != 4)
		return 2;
	say("seed %#lx, %u s", options.seed, options.seconds);
	priv_setup();
	if (options.steady)
		steady();
	cpus_setup();
	devices_setup();
	pmus_learn(&shared->at_start);
	if (!run())
		say("this is not over: a worker is stuck");
	printf("1..%u\n", shared->tests);
	fflush(stdout);
	return shared->failures != 0;
}
