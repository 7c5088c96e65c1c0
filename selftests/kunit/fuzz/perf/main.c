// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [--OPTION VALUE]...: do random things to PMUs, files and the host, in a guest,
 * as root. Prints TAP; exit status 1 when something is wrong. vm/run sees whether
 * the kernel complains.
 *
 *	--time SECONDS		duration (60)
 *	--seed NUMBER		of all workers; random unless given, and printed
 *	--without NAME,...	without these workers and operations; also tracepoint,
 *				parameters, tracing, trigger
 *	--patience SECONDS	a worker without progress is stuck after that (60)
 *
 * The same seed does the same things again, as far as the kernel's answers and the
 * order of CPUs are the same. The first process only watches, without files that
 * could be stuck: it prints the last operations and the stacks of a worker without
 * progress, has the kernel log who waits, and ends the machine. Its clock is its
 * own sleep: while the whole machine stands still, no worker is stuck.
 */
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "fuzz.h"

#define TICK_US		200000
#define PER_SECOND	(1000000 / TICK_US)
/* A running thread has more time: an emulated CPU is slow. */
#define RUNNING		3
#define MAX_THREADS	4

static const struct worker workers[] = {
	{ "events-1", event_ops, 3, 0, 1000 },
	{ "events-2", event_ops, 1, 0, 0 },
	{ "nobody-events", event_ops, 2, NOBODY, 2000 },
	{ "files", file_ops, 2, 0, 3000 },
	{ "nobody-files", file_ops, 1, NOBODY, 20000 },
	{ "reload", reload_ops, 1, 0, 200000 },
	{ "hotplug", cpu_ops, 1, 0, 200000 },
	{ "rebind", bind_ops, 1, 0, 300000 },
	{ "rescan", scan_ops, 1, 0, 500000 },
	{ "hardware", hardware_ops, 1, 0, 30000 },
	{ "paranoid", rights_ops, 1, 0, 100000 },
	/* After all others have ended. */
	{ "end", end_ops, 1, 0, 0 },
};

#define END		(ARRAY_SIZE(workers) - 1)

static unsigned int weight(const struct op *op)
{
	return switched_off(op->name) ? 0 : op->weight;
}

static void run_one(const struct op *op)
{
	unsigned long before = me.record->progress;
	unsigned int sum = 0, i, n;
	char *line;
	long ret;

	for (i = 0; op[i].name; i++)
		sum += weight(&op[i]);
	if (!sum) {
		nap_us(TICK_US);
		return;
	}
	for (n = below(sum); n >= weight(op); op++)
		n -= weight(op);
	ret = op->run();
	if (ret >= 0)
		me.record->done++;
	if (me.record->progress == before)
		return;
	line = me.record->line[me.record->progress % LINES];
	n = strlen(line);
	snprintf(line + n, LINE - n, " = %ld %s", ret, ret < 0 ? strerror(errno) : "");
}

/* Each operation has a seed of its own: the one before does not change it. */
static void *thread(void *record)
{
	const struct worker *worker;
	unsigned long pause;
	uint64_t n;

	me.record = record;
	me.record->tid = gettid();
	worker = me.record->worker;
	pause = worker->pause_us;
	for (n = 1; !shared->stop; n++) {
		unsigned int truce = shared->truce;

		me.random = me.record->seed * n;
		run_one(worker->ops);
		if (worker->ops == event_ops && truce && truce != me.truce)
			close_events();
		me.truce = truce;
		if (pause)
			nap_us(below(pause));
	}
	if (worker->ops == event_ops)
		close_events();
	me.record->tid = 0;
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
	if (worker->uid && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		_exit(2);
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
		me.random = options.seed + (number * MAX_THREADS + n);
		record[n].seed = any_number() | 1;
		record[n].worker = worker;
		record[n].tid = -1;
	}
	shared->records += n;
	pid = fork();
	if (!pid)
		run_worker(worker, record);
	while (n--)
		record[n].pid = pid;
}

/* ---- the watcher ------------------------------------------------------------ */

/* The operations of workers with the operations @ops; with @done, those that succeeded. */
static unsigned long sum_of(const struct op *ops, bool done)
{
	const struct record *r = shared->record;
	unsigned long sum = 0;

	for (; r < shared->record + shared->records; r++)
		if (r->worker->ops == ops)
			sum += done ? r->done : r->progress;
	return sum;
}

static bool is_stuck(struct record *record)
{
	unsigned int most = options.patience * PER_SECOND;
	char text[512] = "", *state;

	if (!record->tid || record->seen != record->progress) {
		record->seen = record->progress;
		record->still = 0;
		return false;
	}
	if (++record->still < most)
		return false;
	read_text(text, sizeof(text), "/proc/%d/task/%d/stat", record->pid, record->tid);
	state = strrchr(text, ')');
	return !state || state[2] != 'R' || record->still >= RUNNING * most;
}

static void print_record(struct record *record)
{
	unsigned long n = record->still ? LINES : 2, at;
	char text[4096], *line, *rest;

	if (!record->tid)
		return;
	say("%s, task %d, %lu operations, the last %u s ago:", record->worker->name,
	    record->tid, record->progress, record->still / PER_SECOND);
	at = record->progress >= n ? record->progress + 1 - n : 1;
	for (; at <= record->progress; at++)
		say("    %s", record->line[at % LINES]);
	read_lines(text, sizeof(text), "/proc/%d/task/%d/stack", record->pid, record->tid);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		say("        %s", line);
}

/*
 * Have the kernel log its timers, locks, CPUs and waiting tasks. An expired timer
 * of an online CPU whose .expires_next is later was not armed again, by the kernel or
 * by the emulator; a timer of an offline CPU was not moved. A machine with such a
 * lock cannot be shut down.
 */
static void end_machine(void)
{
	static const char *const keys[] = { "q", "d", "l", "w" };
	unsigned int i;

	write_text("1", SYSCTL "sysrq");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		write_text(keys[i], "/proc/sysrq-trigger");
	if (fork())
		return;
	setsid();
	nap_us(30000000);
	write_text("b", "/proc/sysrq-trigger");
	_exit(0);
}

static bool any_is_stuck(void)
{
	struct record *record, *first = NULL;
	unsigned int i;

	for (i = 0; i < shared->records; i++) {
		record = &shared->record[i];
		if (is_stuck(record) && !first)
			first = record;
	}
	if (!first)
		return false;
	tap(false, "%s hangs: %s", first->worker->name,
	    first->line[first->progress % LINES]);
	for (i = 0; i < shared->records; i++)
		print_record(&shared->record[i]);
	end_machine();
	return true;
}

static void note_end(pid_t pid, int status)
{
	struct record *record = shared->record;

	while (record->pid != pid)
		record++;
	if (WIFSIGNALED(status))
		tap(false, "%s: ended by signal %d", record->worker->name, WTERMSIG(status));
	else if (WEXITSTATUS(status))
		tap(false, "%s: ended with status %d", record->worker->name,
		    WEXITSTATUS(status));
	for (; record->pid == pid; record++)
		record->tid = 0;
}

/*
 * Wait until all workers have ended; after @seconds, if not 0, they stop.
 * Return false if a worker is stuck.
 */
static bool watch(unsigned int seconds)
{
	uint64_t most = now_ns() + seconds * 1000000000ull;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (pid) {
			note_end(pid, status);
			continue;
		}
		if (any_is_stuck())
			return false;
		if (seconds && (now_ns() >= most || shared->failures))
			shared->stop = true;
		nap_us(TICK_US);
	}
	return true;
}

static bool run_all(void)
{
	unsigned int i;

	for (i = 0; i < END; i++)
		if (!switched_off(workers[i].name))
			start(i);
	if (!watch(options.time))
		return false;
	tap(!shared->failures, "%lu s, no worker got stuck", options.time);
	for (i = 0; i < END; i++)
		if (!i || workers[i].ops != workers[i - 1].ops)
			say("%s: %lu operations, %lu had an effect", workers[i].name,
			    sum_of(workers[i].ops, false), sum_of(workers[i].ops, true));
	tap(sum_of(event_ops, true) > 100, "events were opened and read");
	shared->stop = false;
	start(END);
	return watch(0);
}

static void set_option(const char *name, const char *value)
{
	static const struct {
		const char *name;
		uint64_t *number;
	} table[] = {
		{ "--time", &options.time }, { "--seed", &options.seed },
		{ "--patience", &options.patience },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(name, table[i].name))
			*table[i].number = strtoull(value, NULL, 0);
	if (!strcmp(name, "--without"))
		options.without = value;
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
	if (!options.seed && getrandom(&options.seed, 4, 0) != 4)
		return 2;
	say("seed %#lx, %lu s", options.seed, options.time);
	host_setup();
	if (!run_all())
		say("this is not over: a worker is stuck");
	printf("1..%u\n", shared->tests);
	return shared->failures != 0;
}
