// SPDX-License-Identifier: GPL-2.0-only
/*
 * groups PMU CPU [MICROSECONDS]: each line of standard input is "WANT CONFIG...": a
 * group of events with these configs is opened, counts for some time and is
 * closed. WANT is 1 when it can be opened. Prints each line that came out
 * otherwise, with what happened, and then how many lines there were.
 */
#include <sys/ioctl.h>

#include "../../guest/guest.h"

#define EVENTS_MAX 8

static int open_event(unsigned int type, uint64_t config, int cpu, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config,
		.disabled = leader < 0,
	};

	return event_on(&attr, cpu, leader);
}

static void count(int leader, long us)
{
	ioctl(leader, PERF_EVENT_IOC_ENABLE, 0);
	if (us)
		nap_us(us);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, 0);
}

/* 0, or why the group cannot be opened. */
static int try_group(unsigned int type, int cpu, long us, char *configs)
{
	int fd[EVENTS_MAX], n = 0, error = 0;
	char *word;

	for (word = strtok(configs, "\n "); word && n < EVENTS_MAX && !error;
	     word = strtok(NULL, "\n ")) {
		fd[n] = open_event(type, strtoull(word, NULL, 0), cpu,
				   n ? fd[0] : -1);
		if (fd[n] < 0)
			error = errno;
		else
			n++;
	}
	if (!error && n)
		count(fd[0], us);
	while (n)
		close(fd[--n]);
	return error;
}

int main(int argc, char **argv)
{
	unsigned int type, lines = 0;
	char line[512], said[512];

	if (argc < 3)
		return 64;
	type = pmu_type_or_end(argv[1]);
	while (fgets(line, sizeof(line), stdin)) {
		int error;

		line[strcspn(line, "\n")] = '\0';
		strcpy(said, line);
		error = try_group(type, atoi(argv[2]),
				  argc > 3 ? atol(argv[3]) : 0, line + 1);
		if (error != (said[0] == '1' ? 0 : EINVAL))
			printf("%s: %s\n", said, error ? strerror(error) : "opened");
		lines++;
	}
	printf("%u\n", lines);
	return 0;
}
