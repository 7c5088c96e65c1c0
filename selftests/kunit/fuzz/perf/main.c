// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [--OPTION VALUE]...: random things to our PMUs, our files and the host, in
 * the guest, as root. Prints TAP; exit status 1 when something is wrong. That the
 * kernel complains is seen by what runs the guest.
 *
 *	--time SECONDS		for so long (60)
 *	--seed NUMBER		of all workers; random unless given, and printed
 *	--without NAME,...	not these workers and operations; also tracepoint,
 *				breakpoint, parameters, tracing, trigger
 *	--calls NUMBER		until so many calls to perf and its events were made,
 *				without pauses, if the time is enough
 *	--calm NUMBER		the others pause so many times longer (1)
 *	--patience SECONDS	a worker without progress is stuck then (60)
 *
 * The same seed does the same things again, as far as the kernel's answers and the
 * order in which CPUs get to it are the same.
 */
#include <sys/random.h>

#include "events.h"

struct shared *shared;
struct options options = { .time = 60, .patience = 60, .calm = 1 };

static void set_option(const char *name, const char *value)
{
	static const struct {
		const char *name;
		uint64_t *number;
	} table[] = {
		{ "--time", &options.time }, { "--seed", &options.seed },
		{ "--calls", &options.calls }, { "--calm", &options.calm },
		{ "--patience", &options.patience },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(name, table[i].name))
			*table[i].number = strtoull(value, NULL, 0);
	if (!strcmp(name, "--without"))
		options.without = value;
}

void tap(bool good, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!good)
		__atomic_add_fetch(&shared->failures, 1, __ATOMIC_RELAXED);
	dprintf(1, "%s %u - seed %#lx: %s\n", good ? "ok" : "not ok",
		__atomic_add_fetch(&shared->tests, 1, __ATOMIC_RELAXED),
		options.seed, text);
}

static uint64_t done(long (*run)(void))
{
	const struct op *op = event_ops;

	while (op->run != run)
		op++;
	return op->tally ? op->tally->done : 1;
}

static bool run(void)
{
	if (!work())
		return false;
	tell_tallies();
	tap(!shared->failures, "%lu s, no worker got stuck", options.time);
	say("%lu calls to perf and its events", work_calls());
	if (options.calls)
		tap(work_calls() >= options.calls, "%lu calls were made", options.calls);
	tap(done(op_open) && done(op_read), "events were opened and read");
	return restore();
}

int main(int argc, char **argv)
{
	int i;

	/* An event of an exec begins: see op_exec(). */
	if (argc == 3 && !strcmp(argv[1], "linger"))
		return usleep(atoi(argv[2]) * 1000);
	for (i = 1; i + 1 < argc; i += 2)
		set_option(argv[i], argv[i + 1]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	if (!options.seed && getrandom(&options.seed, 4, 0) != 4)
		return 2;
	say("seed %#lx, %lu s", options.seed, options.time);
	host_setup();
	devices_setup();
	pmus_learn(&shared->at_start);
	if (!run())
		say("this is not over: a worker is stuck");
	printf("1..%u\n", shared->tests);
	return shared->failures != 0;
}
