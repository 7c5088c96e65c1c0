// SPDX-License-Identifier: GPL-2.0-only
/*
 * The workers: who they are, and what each of their threads goes through. One
 * that has not gone on for long is stuck: then the last operations and the stacks
 * of all are printed, the kernel says in its log who waits, and the machine is
 * made to end, which it may not be able to any more.
 *
 * Time is what the watcher has slept, not a clock: where the whole machine stood
 * still, nobody was stuck.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "events.h"

#define TICK_US		200000
#define PER_SECOND	(1000000 / TICK_US)
/* A thread that runs is given more time: an emulated CPU is slow. */
#define RUNNING		3
#define MAX_THREADS	4

static const struct worker workers[] = {
	{ "events-1", event_ops, 3, 0, 1000 },
	{ "events-2", event_ops, 1, 0, 0 },
	{ "nobody-events", event_ops, 2, NOBODY, 2000 },
	{ "files", file_ops, 2, 0, 3000 },
	{ "nobody-files", file_ops, 1, NOBODY, 20000 },
	{ "reload", reload_ops, 1, 0, 200000 },
	{ "hotplug", hotplug_ops, 1, 0, 200000 },
	{ "rebind", rebind_ops, 1, 0, 300000 },
	{ "rescan", rescan_ops, 1, 0, 500000 },
	{ "hardware", hardware_ops, 1, 0, 30000 },
	{ "paranoid", priv_ops, 1, 0, 100000 },
	/* When all others have ended. */
	{ "end", end_ops, 1, 0, 0 },
};

#define END		(ARRAY_SIZE(workers) - 1)

__thread struct me me;

/* One of the words, or what is before a dash in it: "nobody" is two workers. */
bool switched_off(const char *name)
{
	const char *list = options.without;
	size_t n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n && !strncmp(list, name, n) && (!name[n] || name[n] == '-'))
			return true;
	}
	return false;
}

/*
 * Before an operation, so that it is there if the operation never ends. Random
 * bytes among it would make a mess of the terminal.
 */
void doing(const char *fmt, ...)
{
	struct record *record = me.record;
	char *c = record->line[(record->progress + 1) % LINES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(c, LINE, fmt, args);
	va_end(args);
	for (; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '.';
	__atomic_add_fetch(&record->progress, 1, __ATOMIC_RELAXED);
}

/* The result, behind what was said before. */
static void did(long ret)
{
	char *line = me.record->line[me.record->progress % LINES];
	size_t n = strlen(line);

	snprintf(line + n, LINE - n, " = %ld %s", ret, ret < 0 ? strerror(errno) : "");
}

static const struct op *pick(const struct op *op)
{
	unsigned int sum = 0, i, n;

	for (i = 0; op[i].name; i++)
		sum += op[i].weight;
	for (n = below(sum); n >= op->weight; op++)
		n -= op->weight;
	return op;
}

static void run(const struct op *op)
{
	unsigned long before = me.record->progress;
	long ret;

	me.op = op;
	__atomic_add_fetch(&op->tally->tried, 1, __ATOMIC_RELAXED);
	ret = op->run();
	if (me.record->progress != before)
		did(ret);
	if (ret >= 0)
		__atomic_add_fetch(&op->tally->done, 1, __ATOMIC_RELAXED);
}

/*
 * With a number of calls to make, root makes them without a pause. Those without
 * rights are refused so quickly that they would be most of them.
 */
static unsigned long pause_us(const struct worker *worker)
{
	if (!options.calls || worker->ops != event_ops || worker->uid)
		return worker->pause_us * options.calm;
	return 0;
}

static void keep_truce(void)
{
	unsigned int truce = shared->truce;

	if (me.record->worker->ops == event_ops && truce && truce != me.truce)
		close_all();
	me.truce = truce;
}

/* What one operation drew does not change what the next one does. */
static void *thread(void *record)
{
	const struct worker *worker;
	uint64_t n;

	me.record = record;
	me.record->tid = gettid();
	me.pmus = shared->at_start;
	worker = me.record->worker;
	for (n = 1; !shared->stop; n++) {
		me.random = me.record->seed * n;
		run(pick(worker->ops));
		keep_truce();
		if (pause_us(worker))
			nap_us(below(pause_us(worker)));
	}
	if (worker->ops == event_ops) {
		op_reap();
		close_all();
	}
	me.record->tid = 0;
	return NULL;
}

static void on_signal(int sig)
{
	(void)sig;
}

static void process(const struct worker *worker, struct record *record)
{
	pthread_t id[MAX_THREADS];
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, worker->name);
	/* perf's own signals are for programs that want them. */
	signal(SIGTRAP, on_signal);
	signal(SIGIO, on_signal);
	signal(SIGPIPE, on_signal);
	if (worker->uid)
		drop_rights();
	if (worker->ops == event_ops) {
		maps_setup();
		bpf_setup();
	}
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
	struct op *op;
	unsigned int n;
	pid_t pid;

	for (op = worker->ops; op->name && !op->tally; op++) {
		op->tally = &shared->tally[shared->tallies++];
		if (options.calls && op->calls)
			op->weight = op->calls;
		if (switched_off(op->name))
			op->weight = 0;
	}
	for (n = 0; n < worker->threads; n++) {
		me.random = options.seed + (number * MAX_THREADS + n);
		record[n].seed = any_number() | 1;
		record[n].worker = worker;
		record[n].tid = -1;
	}
	shared->records += n;
	pid = fork();
	if (!pid)
		process(worker, record);
	while (n--)
		record[n].pid = pid;
}

/* The calls that the threads of such workers have begun. */
unsigned long work_calls(void)
{
	unsigned long calls = 0;
	unsigned int i;

	for (i = 0; i < shared->records; i++)
		if (shared->record[i].worker->ops == event_ops)
			calls += shared->record[i].progress;
	return calls;
}

static bool stuck(struct record *record)
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

static void tell(struct record *record)
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
 * Into the kernel's log: timers, locks, what the CPUs do, who waits. An expired
 * timer in the queue of a CPU that is online and whose .expires_next is later was
 * not armed again, by the kernel or by the emulator; one in the queue of a CPU
 * that is offline was not moved. A machine with such a lock cannot be shut down.
 */
static void end_of_machine(void)
{
	static const char *const keys[] = { "q", "d", "l", "w" };
	unsigned int i;

	write_text("1", "/proc/sys/kernel/sysrq");
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		write_text(keys[i], "/proc/sysrq-trigger");
	if (fork())
		return;
	setsid();
	nap_us(30000000);
	write_text("b", "/proc/sysrq-trigger");
	_exit(0);
}

static bool anyone_stuck(void)
{
	struct record *record, *first = NULL;
	unsigned int i;

	for (i = 0; i < shared->records; i++) {
		record = &shared->record[i];
		if (stuck(record) && !first)
			first = record;
	}
	if (!first)
		return false;
	tap(false, "%s hangs: %s", first->worker->name,
	    first->line[first->progress % LINES]);
	for (i = 0; i < shared->records; i++)
		tell(&shared->record[i]);
	end_of_machine();
	return true;
}

static void ended(pid_t pid, int status)
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
 * Until all workers have ended, which they are asked to do after so many
 * seconds, if that is not 0. False: a worker is stuck.
 */
static bool watch(unsigned int seconds)
{
	uint64_t most = now_ns() + seconds * 1000000000ull;
	pid_t pid;
	int status;

	while ((pid = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (pid) {
			ended(pid, status);
			continue;
		}
		if (anyone_stuck())
			return false;
		if (seconds && (now_ns() >= most || shared->failures ||
				(options.calls && work_calls() >= options.calls)))
			shared->stop = true;
		nap_us(TICK_US);
	}
	return true;
}

/* Workers that do the same follow one another. */
void tell_tallies(void)
{
	const struct op *op, *last = NULL;
	unsigned int i;

	say("operations done, of those tried:");
	for (i = 0; i < END; last = workers[i++].ops)
		for (op = workers[i].ops; op != last && op->tally; op++)
			say("    %s %lu of %lu", op->name, op->tally->done,
			    op->tally->tried);
}

bool work(void)
{
	unsigned int i;

	for (i = 0; i < END; i++)
		if (!switched_off(workers[i].name))
			start(i);
	return watch(options.time);
}

bool restore(void)
{
	shared->stop = false;
	start(END);
	return watch(0);
}
