// SPDX-License-Identifier: GPL-2.0-only
/* The workers: who they are, and what each of their threads goes through. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"

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
};

/* The processes, by worker, and one for what is done alone. */
static pid_t processes[ARRAY_SIZE(workers) + 1];

/* One of the words, or what is before a dash in it: "nobody" is two workers. */
static bool listed(const char *list, const char *name)
{
	size_t n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n && !strncmp(list, name, n) && (!name[n] || name[n] == '-'))
			return true;
	}
	return false;
}

bool switched_off(const char *name)
{
	return listed(options.without, name);
}

static bool wanted(const struct worker *worker)
{
	return !switched_off(worker->name) &&
	       (!options.only || listed(options.only, worker->name));
}

void work_list(void)
{
	const struct op *op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		fprintf(stderr, "%s:", workers[i].name);
		for (op = workers[i].ops; op->name; op++)
			fprintf(stderr, " %s", op->name);
		fputc('\n', stderr);
	}
}

bool kernel_is(const char *release)
{
	struct utsname name;

	uname(&name);
	return !strncmp(name.release, release, strlen(release));
}

static void on_signal(int sig)
{
	(void)sig;
}

/* perf's own signals are for programs that want them. */
static void ignore_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal };

	sigaction(SIGTRAP, &act, NULL);
	sigaction(SIGIO, &act, NULL);
	sigaction(SIGPIPE, &act, NULL);
}

static const struct op *pick(struct me *me)
{
	const struct op *op;
	unsigned int sum = 0;
	uint64_t n;

	for (op = me->worker->ops; op->name; op++)
		sum += op->weight;
	n = rng_below(&me->rng, sum);
	for (op = me->worker->ops; n >= op->weight; op++)
		n -= op->weight;
	return op;
}

/*
 * With a number of calls to make, root makes them without a pause. Those without
 * rights are refused so quickly that they would be most of them.
 */
static unsigned long pause_us(const struct worker *worker)
{
	if (!options.calls || worker->ops != event_ops || worker->uid)
		return (unsigned long)worker->pause_us * options.calm;
	return 0;
}

static void keep_truce(struct me *me)
{
	unsigned int truce = shared->truce;

	if (me->worker->ops == event_ops && truce && truce != me->truce)
		close_all(me);
	me->truce = truce;
}

static void *thread(void *arg)
{
	struct me *me = arg;
	uint64_t n;

	me->record->pid = getpid();
	me->record->tid = gettid();
	for (n = options.from; !shared->stop; n++) {
		const struct op *op;

		if (options.operations && n == options.operations)
			break;
		me->rng.state = rng_mix(me->record->seed, n);
		op = pick(me);
		__atomic_add_fetch(&op->tally->tried, 1, __ATOMIC_RELAXED);
		if (op->run(me))
			__atomic_add_fetch(&op->tally->done, 1, __ATOMIC_RELAXED);
		keep_truce(me);
		if (pause_us(me->worker))
			nap_us(rng_below(&me->rng, pause_us(me->worker)));
	}
	if (me->worker->ops == event_ops) {
		op_reap(me);
		close_all(me);
	}
	me->record->tid = 0;
	return NULL;
}

static struct me *new_thread(const struct worker *worker, unsigned int n)
{
	struct me *me = calloc(1, sizeof(*me));
	const char *c;

	me->worker = worker;
	me->pmus = shared->at_start;
	me->record = &shared->record[shared->records++];
	snprintf(me->record->name, sizeof(me->record->name),
		 worker->threads > 1 ? "%.16s.%u" : "%.16s", worker->name, n);
	me->record->seed = options.seed;
	for (c = me->record->name; *c; c++)
		me->record->seed = rng_mix(me->record->seed, *c);
	me->record->events = worker->ops == event_ops;
	me->record->tid = -1;
	return me;
}

/* The calls that the threads of such workers have begun. */
uint64_t work_calls(void)
{
	uint64_t calls = 0;
	unsigned int i;

	for (i = 0; i < shared->records; i++)
		if (shared->record[i].events)
			calls += shared->record[i].progress;
	return calls;
}

static void process(const struct worker *worker, struct me **threads)
{
	pthread_t id[8];
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, worker->name);
	ignore_signals();
	if (worker->uid)
		priv_drop();
	if (worker->ops == event_ops) {
		maps_setup();
		bpf_setup();
	}
	for (i = 1; i < worker->threads; i++)
		pthread_create(&id[i], NULL, thread, threads[i]);
	thread(threads[0]);
	for (i = 1; i < worker->threads; i++)
		pthread_join(id[i], NULL);
	_exit(0);
}

static void count_ops(struct op *op)
{
	for (; op->name; op++) {
		if (op->tally)
			continue;
		op->tally = &shared->tally[shared->tallies++];
		snprintf(op->tally->name, sizeof(op->tally->name), "%s",
			 op->name);
		if (options.calls && op->calls)
			op->weight = op->calls;
		if (switched_off(op->name))
			op->weight = 0;
	}
}

void work_start(void)
{
	struct me *threads[8];
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(workers); i++) {
		if (!wanted(&workers[i]))
			continue;
		count_ops(workers[i].ops);
		for (n = 0; n < workers[i].threads; n++) {
			threads[n] = new_thread(&workers[i], n);
			say("worker %s: seed %#lx", threads[n]->record->name,
			    threads[n]->record->seed);
		}
		processes[i] = fork();
		if (!processes[i])
			process(&workers[i], threads);
		for (n = 0; n < workers[i].threads; n++)
			free(threads[n]);
	}
}

static const char *process_name(unsigned int i)
{
	return i < ARRAY_SIZE(workers) ? workers[i].name : "the end";
}

static void ended(unsigned int i, int status)
{
	unsigned int n;

	if (WIFSIGNALED(status))
		finding("%s: ended by signal %d", process_name(i),
			WTERMSIG(status));
	else if (WEXITSTATUS(status))
		finding("%s: ended with status %d", process_name(i),
			WEXITSTATUS(status));
	for (n = 0; n < shared->records; n++)
		if (shared->record[n].pid == processes[i])
			shared->record[n].tid = 0;
	processes[i] = 0;
}

/* Whether some worker has not ended yet. */
bool work_is_under_way(void)
{
	bool any = false;
	unsigned int i;
	int status;

	for (i = 0; i < ARRAY_SIZE(processes); i++) {
		if (processes[i] && waitpid(processes[i], &status, WNOHANG) > 0)
			ended(i, status);
		any |= processes[i] != 0;
	}
	return any;
}

/* One thing, watched like a worker; false if it got stuck. */
bool work_alone(const char *name, void (*run)(struct me *me))
{
	static const struct worker alone = { .name = "end", .threads = 1 };
	struct me *me = new_thread(&alone, 0);
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		me->record->pid = getpid();
		me->record->tid = gettid();
		me->rng.state = me->record->seed;
		run(me);
		_exit(0);
	}
	me->record->pid = pid;
	processes[ARRAY_SIZE(workers)] = pid;
	free(me);
	return watch(0);
}
