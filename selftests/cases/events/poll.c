// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll PMU CONFIG CPU READS: opens one event, reads it READS times one right
 * after the other, stops it and prints the last count.
 */
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PMUS "/sys/bus/event_source/devices"

static unsigned int type_of(const char *pmu)
{
	unsigned int type = 0;
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), PMUS "/%s/type", pmu);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1) {
		fprintf(stderr, "poll: no PMU %s\n", pmu);
		exit(1);
	}
	fclose(f);
	return type;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	uint64_t count = 0;
	long reads;
	int fd;

	if (argc != 5) {
		fputs("usage: poll PMU CONFIG CPU READS\n", stderr);
		return 64;
	}
	attr.type = type_of(argv[1]);
	attr.config = strtoull(argv[2], NULL, 0);
	fd = syscall(SYS_perf_event_open, &attr, -1, atoi(argv[3]), -1, 0);
	if (fd < 0) {
		perror("poll: perf_event_open");
		return 1;
	}
	for (reads = atol(argv[4]); reads > 0; reads--)
		if (read(fd, &count, sizeof(count)) != sizeof(count))
			return 1;
	if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) ||
	    read(fd, &count, sizeof(count)) != sizeof(count))
		return 1;
	printf("%llu\n", (unsigned long long)count);
	return 0;
}
