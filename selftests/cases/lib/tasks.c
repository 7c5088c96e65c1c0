// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run tasks on limited modules, and tell for how long they ran limited: CPU time
 * inside the limits of the module of their CPU, which the emulated hardware has
 * by a schedule.
 *
 *	tasks limit COUNT ON OFF MODULE...	start COUNT limits (POWER) of ON ms
 *					after OFF ms each; MODULE is P/D/M
 *	tasks run CPUS SECONDS [MOVE]	spin on each of CPUS (0,3) for MOVE ms
 *	tasks fork CPUS SECONDS [LIFE]	have a child spin on each of CPUS, or
 *					children that live LIFE ms one by one
 *	tasks storm NUMBER CPUS		fork children; print how many forks fail
 *	tasks edges EVENT CPU		count EVENT of plr_task for this task until
 *					the limits end; print a line of each limit:
 *					begin, end, count and time not run, in ms
 *	tasks switch TYPE CONFIG NUMBER	switch to another task and back; print ns
 *	tasks as UID GID COMMAND...	run COMMAND as a user
 *
 * run and fork append lines "LIMITED CPU", in ms, to the file truth. Instead of
 * switch's TYPE and CONFIG, "-" "-" opens no event.
 */
#include <grp.h>
#include <sched.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define MS		1000000ll
#define POWER		4
#define MAX_CPUS	1024
#define MAX_LIMITS	256

struct limit {
	int module[3];
	int64_t begin, end;
};

static struct limit limits[MAX_LIMITS];
static int limits_n;
static int module_of[MAX_CPUS][3];

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void pin_or_end(int cpu)
{
	if (!pin(cpu))
		die("sched_setaffinity");
}

/* The schedule begins between the two readings of the clock. */
static int start_limits(int argc, char **argv)
{
	int count = atoi(argv[0]), i, m, n = 0;
	int64_t on = atoi(argv[1]) * MS, off = atoi(argv[2]) * MS, at, begin;
	static char text[1 << 16], answer[256];
	FILE *file = fopen("limits", "w");

	if (!file)
		die("limits");
	n = snprintf(text, sizeof(text), "plr schedule ");
	for (m = 3; m < argc; m++)
		for (i = 0, at = off; i < count; i++, at += on + off)
			n += snprintf(text + n, sizeof(text) - n, "plr %s 0x%x %lld %lld\n",
				      argv[m], POWER, (long long)at, (long long)(at + on));
	if (!bench(text, answer, sizeof(answer))) {
		fprintf(stderr, "%s", answer);
		return 1;
	}
	begin = now_ns();
	for (m = 3; m < argc; m++)
		for (i = 0, at = begin + off; i < count; i++, at += on + off)
			fprintf(file, "%s %lld %lld\n", argv[m], (long long)at,
				(long long)(at + on));
	return fclose(file);
}

static void load(void)
{
	char path[64], link[256], *at;
	FILE *file = fopen("limits", "r");
	struct limit *l = limits;
	long long begin, end;
	ssize_t n;
	int cpu;

	while (file && l < limits + MAX_LIMITS &&
	       fscanf(file, "%d/%d/%d %lld %lld", &l->module[0], &l->module[1],
		      &l->module[2], &begin, &end) == 5) {
		l->begin = begin;
		l++->end = end;
	}
	limits_n = l - limits;
	if (file)
		fclose(file);
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		int *m = module_of[cpu];

		m[0] = -1;
		snprintf(path, sizeof(path), CPUS "/cpu%d/plr", cpu);
		n = readlink(path, link, sizeof(link) - 1);
		link[n > 0 ? n : 0] = 0;
		at = strstr(link, "pkg");
		if (at && sscanf(at, "pkg%d-dom%d/plr/core%d", m, m + 1, m + 2) != 3)
			m[0] = -1;
	}
}

static bool is_on(const struct limit *l, int cpu)
{
	return !memcmp(l->module, module_of[cpu], sizeof(l->module));
}

/* Return the part of a time in which the module of a CPU was limited. */
static int64_t limited(int cpu, int64_t from, int64_t to)
{
	int64_t ns = 0, a, b;
	int i;

	for (i = 0; i < limits_n; i++) {
		if (!is_on(&limits[i], cpu))
			continue;
		a = from > limits[i].begin ? from : limits[i].begin;
		b = to < limits[i].end ? to : limits[i].end;
		ns += b > a ? b - a : 0;
	}
	return ns;
}

static void append_truth(double limited_ns, int64_t ran_ns)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%.3f %.3f\n", limited_ns / 1e6, ran_ns / 1e6);
	int fd = open("truth", O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (fd < 0 || write(fd, line, n) != n)
		die("truth");
	close(fd);
}

static void spin(const int *cpus, int n, double seconds, double move_ms)
{
	int64_t at, end, next, ran, began, then, then_ran;
	double sum = 0;
	int i = 0;

	pin_or_end(cpus[0]);
	at = now_ns();
	began = cpu_ns();
	ran = began;
	end = at + seconds * 1e9;
	next = at + move_ms * 1e6;
	while (at < end) {
		for (volatile int k = 0; k < 300; k++)
			;
		then = now_ns();
		then_ran = cpu_ns();
		if (then > at)
			sum += (double)limited(cpus[i], at, then) * (then_ran - ran) / (then - at);
		at = then;
		ran = then_ran;
		if (move_ms && n > 1 && at >= next) {
			i = (i + 1) % n;
			pin_or_end(cpus[i]);
			next += move_ms * 1e6;
		}
	}
	append_truth(sum, ran - began);
}

static void fork_one_by_one(const int *cpu, double seconds, double life_ms)
{
	int64_t end = now_ns() + seconds * 1e9;

	while ((int64_t)now_ns() < end) {
		if (!fork()) {
			spin(cpu, 1, life_ms / 1e3, 0);
			exit(0);
		}
		wait(NULL);
	}
}

static void fork_all(const int *cpus, int n, double seconds, double life_ms)
{
	int i;

	for (i = 0; i < n; i++) {
		if (fork())
			continue;
		if (life_ms)
			fork_one_by_one(&cpus[i], seconds, life_ms);
		else
			spin(&cpus[i], 1, seconds, 0);
		exit(0);
	}
	while (wait(NULL) > 0)
		;
}

static int storm(int number, const int *cpus, int n)
{
	int i, failed = 0;
	pid_t child;

	for (i = 0; i < number; i++) {
		child = fork();
		if (!child) {
			pin_or_end(cpus[i % n]);
			exit(0);
		}
		if (child < 0)
			failed++;
		else
			waitpid(child, NULL, 0);
	}
	printf("%d of %d forks failed\n", failed, number);
	return 0;
}

static int own_event(unsigned int type, uint64_t config)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

/* A read of an event, between two times. */
struct count {
	int64_t count, ran, from, to;
};

/* Spin until @until; add to @back if the count ever went back. */
static struct count count_until(int fd, int64_t until, int *back)
{
	static int64_t last;
	struct count now;

	do {
		now.from = now_ns();
		if (read(fd, &now, 2 * sizeof(int64_t)) != 2 * sizeof(int64_t))
			die("read");
		*back += now.count < last;
		last = now.count;
		now.to = now_ns();
	} while (now.to < until);
	return now;
}

/* A limit's gain is counted from the middle of a gap to the middle of the next. */
static int edges(uint64_t code, int cpu)
{
	int64_t gap = limits[1].begin - limits[0].end;
	struct count before, after;
	int fd, i, back = 0;

	pin_or_end(cpu);
	fd = own_event(pmu_type_or_end("plr_task"), code);
	for (i = 0; i < limits_n; i++) {
		if (!is_on(&limits[i], cpu))
			continue;
		before = count_until(fd, limits[i].begin - gap / 8, &back);
		after = count_until(fd, limits[i].end + gap * 3 / 4, &back);
		printf("%.3f %.3f %.3f %.3f\n", limits[i].begin / 1e6, limits[i].end / 1e6,
		       (after.count - before.count) / 1e6,
		       (after.to - before.from - after.ran + before.ran) / 1e6);
	}
	if (back)
		printf("%d values went back\n", back);
	return 0;
}

/* Write back what the other task writes, until a byte of 0. */
static void echo_bytes(int from, int to)
{
	char c;

	while (read(from, &c, 1) == 1 && c)
		if (write(to, &c, 1) != 1)
			break;
	exit(0);
}

static void round_trips(int number, int to, int from)
{
	char c = 1;

	while (number--)
		if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
			die("pipe");
}

static int switches(const char *kind, const char *config, int number)
{
	int there[2], back[2];
	int64_t begin;

	if (pipe(there) || pipe(back))
		die("pipe");
	pin_or_end(0);
	if (!fork())
		echo_bytes(there[0], back[1]);
	if (strcmp(kind, "-"))
		own_event(atoi(kind), strtoull(config, NULL, 0));
	round_trips(100, there[1], back[0]);
	begin = now_ns();
	round_trips(number, there[1], back[0]);
	printf("%lld\n", (long long)((int64_t)now_ns() - begin) / number);
	if (write(there[1], "", 1) != 1)
		die("pipe");
	wait(NULL);
	return 0;
}

static int as_user(char **argv)
{
	gid_t group = atoi(argv[1]);

	if (setgroups(1, &group) || setgid(atoi(argv[0])) || setuid(atoi(argv[0])))
		die("setuid");
	execvp(argv[2], argv + 2);
	die(argv[2]);
	return 1;
}

static int numbers(char *text, int *cpus, int room)
{
	char *word;
	int n = 0;

	for (word = strtok(text, ","); word && n < room; word = strtok(NULL, ","))
		cpus[n++] = atoi(word);
	return n;
}

int main(int argc, char **argv)
{
	int cpus[64], n;
	double more;

	if (argc > 5 && !strcmp(argv[1], "limit"))
		return start_limits(argc - 2, argv + 2);
	if (argc > 4 && !strcmp(argv[1], "as"))
		return as_user(argv + 2);
	if (argc == 5 && !strcmp(argv[1], "switch"))
		return switches(argv[2], argv[3], atoi(argv[4]));
	load();
	if (argc == 4 && !strcmp(argv[1], "edges"))
		return edges(strtoull(argv[2], NULL, 0), atoi(argv[3]));
	if (argc == 4 && !strcmp(argv[1], "storm"))
		return storm(atoi(argv[2]), cpus, numbers(argv[3], cpus, 64));
	if (argc < 4)
		return 64;
	n = numbers(argv[2], cpus, 64);
	more = argc > 4 ? atof(argv[4]) : 0;
	if (!strcmp(argv[1], "run"))
		spin(cpus, n, atof(argv[3]), more);
	else if (!strcmp(argv[1], "fork"))
		fork_all(cpus, n, atof(argv[3]), more);
	else
		return 64;
	return 0;
}
