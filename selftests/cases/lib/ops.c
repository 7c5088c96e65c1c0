// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measure the cost of operations, in the guest, with any driver, so that a case
 * can compare drivers:
 *
 *	ops [-i] [-s] LABEL PMU UNIT	events on UNIT, a box in package 0
 *	ops [-i] LABEL -f OPERATION FILE...	reads of files about limits
 *
 * Prints "LABEL|OPERATION|ACCESSES|INSTRUCTIONS|CROSS CALLS|SYSTEM CALLS". The
 * emulator counts accesses. Instructions need -i and a guest whose clock counts
 * one nanosecond for each; the least of several attempts is printed, because
 * interrupts add to some attempts. Cross calls run functions on other CPUs. To
 * count them, ops runs on OTHER, not on the designated CPU. -s adds snapshots.
 */
#include <sys/ioctl.h>
#include <x86intrin.h>

#include "../../guest/guest.h"

#define MAX_EVENTS	8
#define ATTEMPTS	5
#define CALLS_MAX	31
#define WORKER		0	/* the designated CPU of package 0 */
#define OTHER		2	/* another CPU, no sibling */
#define TRACING		"/sys/kernel/tracing"
#define CROSS_CALL	"smp_call_"
#define NOT_MEASURED	UINT64_MAX

/* Cost of an operation. */
struct cost {
	uint64_t accesses, instructions, cross_calls, system_calls;
	unsigned int seen[CALLS_MAX + 1];	/* attempts by number of calls */
};

/* State of a measurement; the emulator is queried in the first attempt only. */
struct meter {
	bool ask;
	uint64_t begin;
};

static const char *label, *pmu, *unit;
static bool instructions;
static uint64_t system_calls;
static unsigned int type;

static void forget(void)
{
	ask("count reset");
}

/* Test whether accesses of this class are part of the measurement. */
static bool counts(const char *class)
{
	return unit || !strcmp(class, "mailbox") || !strcmp(class, "plr-data") ||
	       !strcmp(class, "die-level");
}

/*
 * Sum up the accesses in an answer: of the class @only, or of all classes that
 * counts() accepts.
 */
static uint64_t accesses_in(char *answer, const char *only)
{
	unsigned long reads, writes, sum = 0;
	char class[64], *line;

	for (line = strtok(answer, "\n"); line; line = strtok(NULL, "\n"))
		if (sscanf(line, "class=%63s reads=%lu writes=%lu", class,
			   &reads, &writes) == 3 &&
		    (only ? !strcmp(class, only) : counts(class)))
			sum += reads + writes;
	return sum;
}

/*
 * Return the number of accesses since forget() to the unit and to the global
 * controls, or, if no unit is given, to registers of limits.
 */
static uint64_t accesses(void)
{
	uint64_t sum;

	if (!unit)
		return accesses_in(ask("count"), NULL);
	sum = accesses_in(ask("count unit %s", unit), NULL);
	return sum + accesses_in(ask("count"), "global-ctl");
}

static void trace_write(const char *file, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), TRACING "/%s", file);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		die(path);
}

/* Count lines of a CPU's trace that have this text. */
static unsigned long traced(int cpu, const char *text)
{
	char path[256], line[512];
	unsigned long n = 0;
	FILE *f;

	snprintf(path, sizeof(path), TRACING "/per_cpu/cpu%d/trace", cpu);
	f = fopen(path, "r");
	if (!f)
		die(path);
	while (fgets(line, sizeof(line), f))
		n += line[0] != '#' && strstr(line, text);
	fclose(f);
	return n;
}

/*
 * Trace only this process's function calls on other CPUs. Probe the two common
 * entry points, because some kernels inline the functions below these two.
 */
static void watch_cross_calls(void)
{
	char pid[16], other[32];

	trace_write("kprobe_events",
		    "p:ops/one " CROSS_CALL "function_single cpu=%di:s32\n"
		    "p:ops/many " CROSS_CALL "function_many_cond\n");
	/* A call on the same CPU does not count. */
	snprintf(other, sizeof(other), "cpu != %d", OTHER);
	trace_write("events/ops/one/filter", other);
	snprintf(pid, sizeof(pid), "%d", getpid());
	trace_write("set_event_pid", pid);
}

/*
 * Move to a CPU. Probes cost instructions, so they are off on WORKER, where
 * instructions are measured.
 */
static void go_to(int cpu)
{
	if (!pin(cpu))
		die("sched_setaffinity");
	trace_write("events/ops/enable", cpu == OTHER ? "1" : "0");
}

static void begin(struct meter *meter)
{
	if (meter->ask)
		forget();
	trace_write("trace", "");
	system_calls = 0;
	meter->begin = __rdtsc();
}

static void least(uint64_t *least, uint64_t now)
{
	if (now < *least)
		*least = now;
}

static struct cost nothing_yet(void)
{
	return (struct cost) {
		.accesses = NOT_MEASURED, .instructions = NOT_MEASURED,
		.cross_calls = NOT_MEASURED, .system_calls = NOT_MEASURED,
	};
}

/*
 * Set cross_calls to the most frequent number of calls, because the first use
 * of a code path may add a call.
 */
static void most_often(struct cost *cost, uint64_t calls)
{
	uint64_t n;

	cost->seen[calls < CALLS_MAX ? calls : CALLS_MAX]++;
	cost->cross_calls = 0;
	for (n = 1; n <= CALLS_MAX; n++)
		if (cost->seen[n] > cost->seen[cost->cross_calls])
			cost->cross_calls = n;
}

static void end(const struct meter *meter, struct cost *cost, int cpu)
{
	uint64_t spent = __rdtsc() - meter->begin;

	cost->system_calls = system_calls;
	if (cpu == OTHER)
		most_often(cost, traced(cpu, CROSS_CALL));
	else
		least(&cost->instructions, spent);
	if (meter->ask)
		cost->accesses = accesses();
}

static void print_number(uint64_t n)
{
	if (n == NOT_MEASURED)
		printf("|-");
	else
		printf("|%lu", n);
}

static void print(const char *what, const char *step, const struct cost *cost)
{
	printf("%s|%s%s%s", label, what, step ? ": " : "", step ? step : "");
	print_number(cost->accesses);
	print_number(instructions ? cost->instructions : NOT_MEASURED);
	print_number(cost->cross_calls);
	print_number(cost->system_calls);
	putchar('\n');
	fflush(stdout);
}

/* Events */

static int event(unsigned int select, int leader, uint64_t config2)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = select,
		.config2 = config2,
		.disabled = leader < 0,
		.read_format = PERF_FORMAT_GROUP,
	};
	int fd = event_on(&attr, WORKER, leader);

	system_calls++;
	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void control(int fd, unsigned long request)
{
	system_calls++;
	if (ioctl(fd, request, 0))
		die("ioctl");
}

/* Combinations of events. */
static const struct shape {
	const char *name;
	int events;
	bool group;
	uint64_t config2;
	int leaders;	/* number of events to start, read and stop */
} shapes[] = {
	{ .name = "one event", .events = 1, .leaders = 1 },
	{ .name = "group of four", .events = 4, .group = true, .leaders = 1 },
	{ .name = "group of four as of one moment", .events = 4, .group = true,
	  .config2 = SNAPSHOT, .leaders = 1 },
	{ .name = "four events", .events = 4, .leaders = 4 },
};

enum { OPEN, START, READ, STOP, CLOSE, STEPS };

static const char * const steps[STEPS] = {
	"open", "start", "read", "stop", "close"
};

static void do_step(const struct shape *shape, int step, int *fd)
{
	uint64_t values[1 + MAX_EVENTS];
	int i, n = step == OPEN || step == CLOSE ? shape->events :
						   shape->leaders;

	for (i = 0; i < n; i++) {
		switch (step) {
		case OPEN:
			fd[i] = event(1 + i, shape->group && i ? fd[0] : -1,
				      i ? 0 : shape->config2);
			break;
		case START:
			control(fd[i], PERF_EVENT_IOC_ENABLE);
			break;
		case READ:
			system_calls++;
			if (read(fd[i], values, sizeof(values)) < 0)
				die("read");
			break;
		case STOP:
			control(fd[i], PERF_EVENT_IOC_DISABLE);
			break;
		case CLOSE:
			system_calls++;
			close(fd[i]);
			break;
		}
	}
}

static void measure(const struct shape *shape, struct cost *cost, int cpu,
		    bool ask)
{
	struct meter meter = { .ask = ask };
	int fd[MAX_EVENTS], step;

	go_to(cpu);
	for (step = 0; step < STEPS; step++) {
		begin(&meter);
		do_step(shape, step, fd);
		end(&meter, &cost[step], cpu);
	}
}

static void run_shape(const struct shape *shape)
{
	struct cost cost[STEPS];
	int i;

	for (i = 0; i < STEPS; i++)
		cost[i] = nothing_yet();
	measure(shape, cost, WORKER, true);
	for (i = 0; i < ATTEMPTS; i++) {
		if (instructions)
			measure(shape, cost, WORKER, false);
		measure(shape, cost, OTHER, false);
	}
	for (i = 0; i < STEPS; i++)
		print(shape->name, steps[i], &cost[i]);
}

/* Measure the mean cost of a rotation; perf rotates every few milliseconds. */
static void rotation(void)
{
	struct timespec pause = { .tv_nsec = 400000000 };
	struct cost cost = nothing_yet();
	int fd[MAX_EVENTS], i;

	for (i = 0; i < MAX_EVENTS; i++) {
		fd[i] = event(1 + i, -1, 0);
		control(fd[i], PERF_EVENT_IOC_ENABLE);
	}
	trace_write("set_event_pid", "");
	trace_write("buffer_size_kb", "4096");
	trace_write("trace", "");
	trace_write("events/timer/hrtimer_expire_entry/enable", "1");
	forget();
	nanosleep(&pause, NULL);
	/*
	 * Keep only four events enabled. They need no rotation, so the numbers
	 * of accesses and rotations do not change any more.
	 */
	for (i = 4; i < MAX_EVENTS; i++)
		control(fd[i], PERF_EVENT_IOC_DISABLE);
	trace_write("events/timer/hrtimer_expire_entry/enable", "0");
	cost.accesses = (double)accesses() /
		traced(WORKER, "function=perf_mux_hrtimer_handler") + 0.5;
	print("a turn of eight events on four counters", NULL, &cost);
	for (i = 0; i < MAX_EVENTS; i++)
		close(fd[i]);
}

/* Measure the stop of an event that has run for more than a second. */
static void long_run(void)
{
	struct timespec second = { .tv_sec = 1, .tv_nsec = 200000000 };
	struct meter meter = { .ask = true };
	struct cost cost = nothing_yet();
	int fd = event(1, -1, 0);

	control(fd, PERF_EVENT_IOC_ENABLE);
	nanosleep(&second, NULL);
	begin(&meter);
	control(fd, PERF_EVENT_IOC_DISABLE);
	end(&meter, &cost, WORKER);
	cost.instructions = NOT_MEASURED;
	print("one event, of a second", steps[STOP], &cost);
	close(fd);
}

/*
 * Measure the first use of a box, once. It writes more registers than later
 * uses, because a reset may leave halves of controls unchanged.
 */
static void first_use(void)
{
	static const struct shape shape = {
		.name = "first use of a box, group of four", .events = 4,
		.group = true, .leaders = 1,
	};
	struct cost cost[STEPS];
	int i;

	close(event(1, -1, 0));
	for (i = 0; i < STEPS; i++)
		cost[i] = nothing_yet();
	measure(&shape, cost, WORKER, true);
	cost[START].instructions = NOT_MEASURED;
	print(shape.name, steps[START], &cost[START]);
}

static void events(bool snapshots)
{
	size_t i;

	type = pmu_type_or_end(pmu);
	first_use();
	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (snapshots || !shapes[i].config2)
			run_shape(&shapes[i]);
	go_to(WORKER);
	long_run();
	rotation();
}

/* Files */

static void read_file(const char *path)
{
	static char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		die(path);
	do {
		n = read(fd, text, sizeof(text));
		system_calls++;
		if (n < 0)
			die(path);
	} while (n);
	close(fd);
	system_calls += 2;
}

static void files(const char *operation, char **path)
{
	struct meter meter = { };
	struct cost cost = nothing_yet();
	int i, k, cpu;

	for (i = 0; i < 2 * ATTEMPTS; i++) {
		cpu = i & 1 ? OTHER : WORKER;
		meter.ask = !i;
		go_to(cpu);
		begin(&meter);
		for (k = 0; path[k]; k++)
			read_file(path[k]);
		end(&meter, &cost, cpu);
	}
	/* Disable the probes; otherwise the next program cannot replace them. */
	go_to(WORKER);
	print(operation, NULL, &cost);
}

static int usage(void)
{
	fprintf(stderr, "usage: ops [-i] [-s] LABEL PMU UNIT\n"
		"       ops [-i] LABEL -f OPERATION FILE...\n");
	return 64;
}

int main(int argc, char **argv)
{
	bool snapshots = false;
	int opt;

	while ((opt = getopt(argc, argv, "+is")) != -1) {
		if (opt == 'i')
			instructions = true;
		else if (opt == 's')
			snapshots = true;
		else
			return usage();
	}
	argv += optind;
	argc -= optind;
	if (argc < 3)
		return usage();
	label = argv[0];
	watch_cross_calls();
	if (!strcmp(argv[1], "-f")) {
		files(argv[2], argv + 3);
		return 0;
	}
	pmu = argv[1];
	unit = argv[2];
	events(snapshots);
	return 0;
}
