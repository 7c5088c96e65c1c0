// SPDX-License-Identifier: GPL-2.0-only
/*
 * ops LABEL PMU UNIT: what one PMU's operations cost, in register accesses of
 * its box in package 0, as the emulator counts them.  The same program runs
 * over any driver, so the rows can be compared.
 *
 * Prints "LABEL|OPERATION|ACCESSES" per operation.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_EVENTS	8
#define TRACING		"/sys/kernel/tracing"
#define SNAPSHOT	(1ull << 63)	/* config2 */

static const char *label, *pmu, *unit;

static void die(const char *what)
{
	fprintf(stderr, "ops: %s: %s: %s\n", pmu, what, strerror(errno));
	exit(1);
}

static void forget(void)
{
	if (system("hw count reset"))
		die("hw count reset");
}

/* All accesses of the unit since forget(). */
static unsigned long accesses(void)
{
	unsigned long reads, writes, sum = 0;
	char line[256];
	FILE *f;

	snprintf(line, sizeof(line), "hw count unit %s", unit);
	f = popen(line, "r");
	if (!f)
		die(line);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "class=%*s reads=%lu writes=%lu", &reads,
			   &writes) == 2)
			sum += reads + writes;
	pclose(f);
	return sum;
}

static void row(const char *operation)
{
	printf("%s|%s|%lu\n", label, operation, accesses());
	fflush(stdout);
	forget();
}

static unsigned int pmu_type(void)
{
	unsigned int type;
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/%s/type", pmu);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1)
		die(path);
	fclose(f);
	return type;
}

static int event(unsigned int select, int leader, uint64_t config2)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = pmu_type(),
		.config = select,
		.config2 = config2,
		.disabled = leader < 0,
		.read_format = PERF_FORMAT_GROUP,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, 0, leader, 0);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void control(int fd, unsigned long request)
{
	if (ioctl(fd, request, 0))
		die("ioctl");
}

static void read_all(const int *fd, int n)
{
	uint64_t values[1 + MAX_EVENTS];
	int i;

	for (i = 0; i < n; i++)
		if (read(fd[i], values, sizeof(values)) < 0)
			die("read");
}

static void close_all(const int *fd, int n)
{
	int i;

	for (i = 0; i < n; i++)
		close(fd[i]);
}

static void group(int n, const char *what)
{
	int fd[MAX_EVENTS], i;
	char text[64];

	fd[0] = event(1, -1, 0);
	for (i = 1; i < n; i++)
		fd[i] = event(1 + i, fd[0], 0);
	snprintf(text, sizeof(text), "%s: open", what);
	row(text);
	control(fd[0], PERF_EVENT_IOC_ENABLE);
	snprintf(text, sizeof(text), "%s: start", what);
	row(text);
	read_all(fd, 1);
	snprintf(text, sizeof(text), "%s: read", what);
	row(text);
	control(fd[0], PERF_EVENT_IOC_DISABLE);
	snprintf(text, sizeof(text), "%s: stop", what);
	row(text);
	close_all(fd, n);
	snprintf(text, sizeof(text), "%s: close", what);
	row(text);
}

/* One moment for all counters; only a driver that can is asked. */
static void snapshot(void)
{
	int fd[4], i;

	fd[0] = event(1, -1, SNAPSHOT);
	for (i = 1; i < 4; i++)
		fd[i] = event(1 + i, fd[0], 0);
	control(fd[0], PERF_EVENT_IOC_ENABLE);
	forget();
	read_all(fd, 1);
	row("group of four: snapshot");
	close_all(fd, 4);
	forget();
}

static void ungrouped(void)
{
	int fd[4], i;

	for (i = 0; i < 4; i++)
		fd[i] = event(1 + i, -1, 0);
	forget();
	for (i = 0; i < 4; i++)
		control(fd[i], PERF_EVENT_IOC_ENABLE);
	row("four events: start");
	read_all(fd, 4);
	row("four events: read");
	for (i = 0; i < 4; i++)
		control(fd[i], PERF_EVENT_IOC_DISABLE);
	row("four events: stop");
	close_all(fd, 4);
	forget();
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

/* How often perf's timer for turns expired on CPU 0. */
static unsigned long turns(void)
{
	unsigned long n = 0;
	char line[512];
	FILE *f = fopen(TRACING "/per_cpu/cpu0/trace", "r");

	if (!f)
		die("trace");
	while (fgets(line, sizeof(line), f))
		n += !!strstr(line, "function=perf_mux_hrtimer_handler");
	fclose(f);
	return n;
}

/*
 * perf takes turns every few milliseconds, as time allows: what is compared is
 * the cost of one turn.
 */
static void rotation(void)
{
	struct timespec pause = { .tv_sec = 1 };
	int fd[MAX_EVENTS], i;

	for (i = 0; i < MAX_EVENTS; i++) {
		fd[i] = event(1 + i, -1, 0);
		control(fd[i], PERF_EVENT_IOC_ENABLE);
	}
	trace_write("buffer_size_kb", "4096");
	trace_write("trace", "");
	trace_write("events/timer/hrtimer_expire_entry/enable", "1");
	forget();
	nanosleep(&pause, NULL);
	/* Four events need no turns, so that both numbers stand still. */
	for (i = 4; i < MAX_EVENTS; i++)
		control(fd[i], PERF_EVENT_IOC_DISABLE);
	trace_write("events/timer/hrtimer_expire_entry/enable", "0");
	printf("%s|a turn of eight events on four counters|%.0f\n", label,
	       (double)accesses() / turns());
	close_all(fd, MAX_EVENTS);
	forget();
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: ops LABEL PMU UNIT [snapshot]\n");
		return 64;
	}
	label = argv[1];
	pmu = argv[2];
	unit = argv[3];

	/* The first use may set up more than later ones. */
	close(event(1, -1, 0));
	forget();
	group(1, "one event");
	group(4, "group of four");
	if (argc > 4)
		snapshot();
	ungrouped();
	rotation();
	return 0;
}
