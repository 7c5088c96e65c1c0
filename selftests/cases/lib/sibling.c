// SPDX-License-Identifier: GPL-2.0-only
/*
 * sibling PMU CONFIG CONFIG CPU: a group whose leader asks for one moment, and
 * then its second event alone, later. Prints what the group had of that, what
 * the event had by itself, and what it had in the end.
 */
#include <sys/ioctl.h>

#include "../../guest/guest.h"

#define SNAPSHOT	(1ULL << 63)

static void die(const char *what)
{
	fprintf(stderr, "sibling: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_event(unsigned int type, const char *config, uint64_t config2,
		      uint64_t format, int cpu, int group)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .read_format = format,
		.config = strtoull(config, NULL, 0), .config2 = config2,
	};
	int fd = event_on(&attr, cpu, group);

	if (fd < 0)
		die("event");
	return fd;
}

static uint64_t value_of(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		die("read");
	return value;
}

int main(int argc, char **argv)
{
	uint64_t group[3], alone, again;
	unsigned int type;
	int leader, event;

	if (argc != 5) {
		fputs("usage: sibling PMU CONFIG CONFIG CPU\n", stderr);
		return 64;
	}
	type = pmu_type_or_end(argv[1]);
	leader = open_event(type, argv[2], SNAPSHOT, PERF_FORMAT_GROUP,
			    atoi(argv[4]), -1);
	event = open_event(type, argv[3], 0, 0, atoi(argv[4]), leader);
	if (read(leader, group, sizeof(group)) != sizeof(group))
		die("read of the group");
	usleep(50000);
	alone = value_of(event);
	usleep(50000);
	again = value_of(event);
	ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	printf("group=%llu alone=%llu again=%llu end=%llu\n",
	       (unsigned long long)group[2], (unsigned long long)alone,
	       (unsigned long long)again, (unsigned long long)value_of(event));
	return 0;
}
