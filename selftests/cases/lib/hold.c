// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold: keep perf events open in a guest, and run the commands of standard
 * input, one a line:
 *
 *	open PMU CPU CONFIG [LEADER] [off] [pinned] [snapshot]
 *				open an event; events are numbered from 0. PMU is a
 *				name or the number of a type, LEADER the number of
 *				the group's leader. With "snapshot", `read` reads the
 *				group at one moment; COUNT is the last event's
 *	group PMU CPU CONFIG...	count a group for a moment and close it; print
 *				"yes", or the name of the error
 *	read TAG [NUMBER]	print "TAG PMU CPU COUNT" for each event, or for
 *				one. COUNT may be the name of an error, or "end"
 *				for an event that perf has ended
 *	disable, enable [NUMBER]	disable or enable all events, or one
 *	moving CPU PMU US [NUMBER]
 *				take the CPU offline, and enable all events, or
 *				one, US microseconds after PMU's cpumask changed
 *	close [NUMBER]		close all events, or one; others keep their numbers
 *	! COMMAND		run a command by the shell
 *
 * Prints "open PMU CPU ERROR" for an event that cannot be opened.
 */
#include <inttypes.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "../../guest/guest.h"

#define MAX_HELD	512
#define MAX_GROUP	8

static struct held {
	int fd, cpu;
	char pmu[64];
} held[MAX_HELD];
static unsigned int nr_held;

static int type_of(const char *pmu)
{
	int type;

	return sscanf(pmu, "%d", &type) == 1 ? type : pmu_type(pmu);
}

static void hold_open(const char *how)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct held *new = &held[nr_held];
	unsigned int leader = MAX_HELD;
	unsigned long long config;

	if (nr_held == MAX_HELD ||
	    sscanf(how, "%63s %d %lli %u", new->pmu, &new->cpu, &config,
		   &leader) < 3)
		exit(64);
	attr.type = type_of(new->pmu);
	attr.config = config;
	attr.disabled = !!strstr(how, " off");
	attr.pinned = !!strstr(how, " pinned");
	if (strstr(how, " snapshot")) {
		attr.config2 = SNAPSHOT;
		attr.read_format = PERF_FORMAT_GROUP;
	}
	new->fd = event_on(&attr, new->cpu, leader < nr_held ? held[leader].fd : -1);
	if (new->fd < 0)
		printf("open %s %d %s\n", new->pmu, new->cpu,
		       strerrorname_np(errno));
	else
		nr_held++;
}

static void hold_group(char *how)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1 };
	int fd[MAX_GROUP], n = 0, cpu;
	char *word;

	attr.type = type_of(strtok(how, " "));
	cpu = atoi(strtok(NULL, " "));
	while (n < MAX_GROUP && (word = strtok(NULL, " "))) {
		attr.config = strtoull(word, NULL, 0);
		fd[n] = event_on(&attr, cpu, n ? fd[0] : -1);
		if (fd[n] < 0)
			break;
		attr.disabled = 0;
		n++;
	}
	puts(word ? strerrorname_np(errno) : "yes");
	if (!word) {
		ioctl(fd[0], PERF_EVENT_IOC_ENABLE, 0);
		usleep(1);
		ioctl(fd[0], PERF_EVENT_IOC_DISABLE, 0);
	}
	while (n)
		close(fd[--n]);
}

/* Test whether a command with an optional number applies to event @i. */
static bool meant(unsigned int i, const char *which)
{
	return held[i].fd >= 0 && (!*which || strtoul(which, NULL, 10) == i);
}

static void hold_read(const char *how)
{
	char tag[64];
	unsigned int i;
	int rest = 0;

	if (sscanf(how, "%63s %n", tag, &rest) != 1)
		exit(64);
	for (i = 0; i < nr_held; i++) {
		uint64_t count[1 + MAX_GROUP];
		ssize_t n;

		if (!meant(i, how + rest))
			continue;
		n = read(held[i].fd, count, sizeof(count));
		printf("%s %s %d ", tag, held[i].pmu, held[i].cpu);
		/* A snapshot has a group's size and counts. Print the last count. */
		if (n > 0)
			printf("%" PRIu64 "\n", count[n / sizeof(*count) - 1]);
		else
			printf("%s\n", n ? strerrorname_np(errno) : "end");
	}
}

static void hold_request(unsigned long request, const char *which)
{
	unsigned int i;

	for (i = 0; i < nr_held; i++)
		if (meant(i, which) && ioctl(held[i].fd, request, 0))
			printf("ioctl %s %d %s\n", held[i].pmu, held[i].cpu,
			       strerrorname_np(errno));
}

static void read_cpumask(const char *pmu, char *mask, size_t size)
{
	if (!read_text(mask, size, PMUS "/%s/cpumask", pmu))
		exit(2);
}

static void hold_moving(const char *how)
{
	char pmu[64], before[64], now[64];
	unsigned int cpu, us;
	int rest = 0;
	pid_t child;

	if (sscanf(how, "%u %63s %u %n", &cpu, pmu, &us, &rest) < 3)
		exit(64);
	read_cpumask(pmu, before, sizeof(before));
	child = fork();
	if (!child)
		_exit(!cpu_set_online(cpu, false));
	do
		read_cpumask(pmu, now, sizeof(now));
	while (!strcmp(before, now) && !waitpid(child, NULL, WNOHANG));
	usleep(us);
	hold_request(PERF_EVENT_IOC_ENABLE, how + rest);
	waitpid(child, NULL, 0);
}

static void hold_close_one(unsigned int number)
{
	if (number >= nr_held || held[number].fd < 0)
		exit(64);
	close(held[number].fd);
	held[number].fd = -1;
}

static void hold_close(void)
{
	while (nr_held--)
		if (held[nr_held].fd >= 0)
			close(held[nr_held].fd);
	nr_held = 0;
}

int main(void)
{
	char line[512];

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "open ", 5))
			hold_open(line + 5);
		else if (!strncmp(line, "group ", 6))
			hold_group(line + 6);
		else if (!strncmp(line, "read ", 5))
			hold_read(line + 5);
		else if (!strncmp(line, "disable", 7))
			hold_request(PERF_EVENT_IOC_DISABLE, line + 7);
		else if (!strncmp(line, "enable", 6))
			hold_request(PERF_EVENT_IOC_ENABLE, line + 6);
		else if (!strncmp(line, "moving ", 7))
			hold_moving(line + 7);
		else if (!strcmp(line, "close"))
			hold_close();
		else if (!strncmp(line, "close ", 6))
			hold_close_one(strtoul(line + 6, NULL, 10));
		else if (line[0] != '!' || system(line + 1))
			return 1;
		fflush(stdout);
	}
	return 0;
}
