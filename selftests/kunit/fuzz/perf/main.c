// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [--OPTION VALUE]...: do random operations on the PMUs, files and hardware of a
 * guest, as root. Prints TAP; the exit status is 1 on a failure. vm/run looks for
 * complaints in the kernel's log.
 *
 *	--time SECONDS		duration (60)
 *	--seed NUMBER		of all workers; random unless given, and printed
 *	--without NAME,...	without these workers and operations
 *	--patience SECONDS	a worker without progress is stuck after that (180)
 *
 * A run with the same seed repeats the operations, as far as the kernel's answers and
 * the order of CPUs are the same. The first process is the watcher. When a worker makes
 * no progress, the watcher prints the operation of each worker, makes the kernel log
 * waiting tasks, and resets the machine, since a shutdown would wait, too. The watcher
 * measures time by its own sleeps, so no worker is stuck while the host stops the machine.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "fuzz.h"

#define TICK_US		200000
#define PER_SECOND	(1000000 / TICK_US)
#define MAX_THREADS	4
#define ENOUGH		100

struct shared *shared;
__thread struct me me;
__thread uint64_t random_state;
const char *without;

static uint64_t run_seconds = 60, seed, patience = 180;

static const struct worker workers[] = {
	{ "events-1", event_ops, 3, 1000 },
	{ "events-2", event_ops, 1, 0 },
	{ "files", file_ops, 2, 3000 },
	{ "reload", reload_ops, 1, 200000 },
	{ "hotplug", cpu_ops, 1, 200000 },
	{ "rebind", bind_ops, 1, 300000 },
	{ "rescan", scan_ops, 1, 500000 },
	{ "hardware", hardware_ops, 1, 30000 },
};

static void tap(bool good, const char *text)
{
	shared->failures += !good;
	dprintf(1, "%s %u - seed %#lx: %s\n", good ? "ok" : "not ok", ++shared->tests,
		seed, text);
}

/*
 * Record an operation before it begins, so that the operation of a stuck worker is on
 * record. Bytes that a terminal does not print become dots.
 */
void doing(const char *fmt, ...)
{
	char *c = me.record->line;
	va_list args;

	va_start(args, fmt);
	vsnprintf(c, LINE, fmt, args);
	va_end(args);
	for (; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '.';
	__atomic_add_fetch(&me.record->progress, 1, __ATOMIC_RELAXED);
}

/* Choose one of the paths that match @pattern. */
bool random_path(char *path, size_t size, const char *pattern)
{
	glob_t g;

	if (glob(pattern, GLOB_NOSORT | GLOB_BRACE, NULL, &g))
		return false;
	snprintf(path, size, "%s", g.gl_pathv[below(g.gl_pathc)]);
	globfree(&g);
	return true;
}

static void run_one(const struct op *ops)
{
	const struct op *op = any_op(ops);

	if (!op) {
		nap_us(TICK_US);
		me.record->progress++;
	} else if (op->run() >= 0) {
		me.record->done++;
	}
}

/* Run operations. Each has its own seed, so that earlier operations do not change it. */
static void *thread(void *record)
{
	const struct worker *worker;
	uint64_t n;

	me.record = record;
	worker = me.record->worker;
	for (n = 1; !shared->stop; n++) {
		unsigned int truce = shared->truce;

		random_state = me.record->seed * n;
		run_one(worker->ops);
		if (worker->ops == event_ops && truce && truce != me.truce)
			close_events();
		me.truce = truce;
		if (worker->pause_us)
			nap_us(below(worker->pause_us));
	}
	if (worker->ops == event_ops)
		close_events();
	me.record->ended = true;
	return NULL;
}

static void run_worker(const struct worker *worker, struct record *record)
{
	pthread_t id[MAX_THREADS];
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, worker->name);
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (i = 1; i < worker->threads; i++)
		pthread_create(&id[i], NULL, thread, record + i);
	thread(record);
	for (i = 1; i < worker->threads; i++)
		pthread_join(id[i], NULL);
	_exit(0);
}

static void start(unsigned int number)
{
	const struct worker *worker = &workers[number];
	struct record *record = &shared->record[shared->records];
	unsigned int n;
	pid_t pid;

	for (n = 0; n < worker->threads; n++) {
		random_state = seed + (number * MAX_THREADS + n);
		record[n].seed = any_number() | 1;
		record[n].worker = worker;
	}
	shared->records += n;
	pid = fork();
	if (!pid)
		run_worker(worker, record);
	while (n--)
		record[n].pid = pid;
}

/* ---- the watcher ------------------------------------------------------------ */

static bool is_stuck(struct record *record)
{
	if (record->ended || record->seen != record->progress) {
		record->seen = record->progress;
		record->still = 0;
	}
	return record->still++ > patience * PER_SECOND;
}

/* Have the kernel log CPUs and waiting tasks, and reset the machine half a minute later. */
static void end_machine(void)
{
	write_text("1", "/proc/sys/kernel/sysrq");
	write_text("l", "/proc/sysrq-trigger");
	write_text("w", "/proc/sysrq-trigger");
	if (fork())
		return;
	setsid();
	nap_us(30000000);
	write_text("b", "/proc/sysrq-trigger");
	_exit(0);
}

static bool any_is_stuck(void)
{
	const struct record *end = shared->record + shared->records;
	struct record *r;
	bool stuck = false;

	for (r = shared->record; r < end; r++)
		stuck |= is_stuck(r);
	if (!stuck)
		return false;
	for (r = shared->record; r < end; r++)
		say("%s, process %d, for %u s: %s", r->worker->name, r->pid,
		    r->still / PER_SECOND, r->line);
	end_machine();
	return true;
}

/* Count the operations of events that had an effect. */
static unsigned long events_done(void)
{
	unsigned long done = 0;
	struct record *r;

	for (r = shared->record; r < shared->record + shared->records; r++)
		if (r->worker->ops == event_ops)
			done += r->done;
	return done;
}

/*
 * Wait until all workers have ended. Return false if one is stuck or fails. On a busy
 * host the run takes longer, until enough events have had an effect.
 */
static bool watch(void)
{
	uint64_t start = now_ns(), run = run_seconds * 1000000000ull;
	bool good = true;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (pid && status) {
			say("process %d ended with status %#x", pid, status);
			good = false;
		}
		if (any_is_stuck())
			return false;
		if (!good ||
		    now_ns() - start >= (events_done() > ENOUGH ? run : 4 * run))
			shared->stop = true;
		if (!pid)
			nap_us(TICK_US);
	}
	return good;
}

static void run_all(void)
{
	struct record *r;
	unsigned int i;
	bool good;

	for (i = 0; i < ARRAY_SIZE(workers); i++)
		if (!switched_off(workers[i].name))
			start(i);
	good = watch();
	tap(good, "no worker is stuck or ends early");
	for (r = shared->record; r < shared->record + shared->records; r++)
		say("%s: %lu operations, %lu had an effect", r->worker->name, r->progress,
		    r->done);
	tap(events_done() > ENOUGH, "more than 100 operations of events succeeded");
	if (good) {
		me.record = shared->record;
		host_restore();
	}
}

static void set_option(const char *name, const char *value)
{
	if (!strcmp(name, "--time"))
		run_seconds = strtoull(value, NULL, 0);
	if (!strcmp(name, "--seed"))
		seed = strtoull(value, NULL, 0);
	if (!strcmp(name, "--patience"))
		patience = strtoull(value, NULL, 0);
	if (!strcmp(name, "--without"))
		without = value;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i + 1 < argc; i += 2)
		set_option(argv[i], argv[i + 1]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	if (!seed && getrandom(&seed, 4, 0) != 4)
		return 2;
	say("seed %#lx, %lu s", seed, run_seconds);
	host_setup();
	run_all();
	printf("1..%u\n", shared->tests);
	return shared->failures != 0;
}
