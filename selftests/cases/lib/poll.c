// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll PMU CONFIG CPU READS: opens one event, reads it READS times one right
 * after the other, stops it and prints the last count.
 */
#include <sys/ioctl.h>

#include "../../guest/guest.h"

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
	attr.type = pmu_type_or_end(argv[1]);
	attr.config = strtoull(argv[2], NULL, 0);
	fd = event_on(&attr, atoi(argv[3]), -1);
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
