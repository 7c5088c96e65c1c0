// SPDX-License-Identifier: GPL-2.0-only
/*
 * cxlops TYPE CPMU CONFIG...: print the cost of perf's operations on a CPMU, in
 * register accesses that the emulator counts. For each of four CONFIGs open a
 * stopped event alone and one in a group; then print a line for each operation:
 * "OPERATION|reads|writes|reads of configuration|writes except freezes". This
 * process queries the emulator itself. If it started another process for that,
 * events would run for over a second, and their stop would also read a control.
 */
#include <sys/ioctl.h>

#include "../../guest/guest.h"

#define EVENTS	4

static const char *cpmu;
static int one[EVENTS], group[EVENTS];

static int open_event(uint32_t type, uint64_t config, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = type, .config = config,
		.disabled = leader < 0, .read_format = leader == -2 ? 0 :
						       PERF_FORMAT_GROUP,
	};
	int fd = event_on(&attr, 0, leader < 0 ? -1 : leader);

	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void said(const char *operation)
{
	unsigned long reads = 0, writes = 0, back = 0, own = 0, r, w;
	char class[32];
	const char *line;

	for (line = ask("cpmu %s count", cpmu); line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "class=%31s reads=%lu writes=%lu", class, &r,
			   &w) != 3)
			continue;
		reads += r;
		writes += w;
		back += strcmp(class, "event-ctl") ? 0 : r;
		own += strcmp(class, "box-ctl") ? w : 0;
	}
	printf("%s|%lu|%lu|%lu|%lu\n", operation, reads, writes, back, own);
}

static void fresh(void)
{
	ask("count reset");
}

static void control(const char *operation, int fd, unsigned long what,
		    unsigned long flag)
{
	fresh();
	if (ioctl(fd, what, flag))
		die(operation);
	said(operation);
}

static void reading(const char *operation, int fd)
{
	uint64_t value[1 + EVENTS];

	fresh();
	if (read(fd, value, sizeof(value)) <= 0)
		die(operation);
	said(operation);
}

int main(int argc, char **argv)
{
	uint32_t type;
	unsigned int i;

	if (argc != 3 + EVENTS)
		return 2;
	type = strtoul(argv[1], NULL, 0);
	cpmu = argv[2];
	for (i = 0; i < EVENTS; i++) {
		one[i] = open_event(type, strtoull(argv[3 + i], NULL, 0), -2);
		group[i] = open_event(type, strtoull(argv[3 + i], NULL, 0),
				      i ? group[0] : -1);
	}

	control("first start", one[0], PERF_EVENT_IOC_ENABLE, 0);
	control("first start beside it", one[1], PERF_EVENT_IOC_ENABLE, 0);
	reading("read", one[0]);
	control("stop beside it", one[1], PERF_EVENT_IOC_DISABLE, 0);
	control("start beside it", one[1], PERF_EVENT_IOC_ENABLE, 0);
	control("stop again", one[1], PERF_EVENT_IOC_DISABLE, 0);
	control("stop", one[0], PERF_EVENT_IOC_DISABLE, 0);
	control("start", one[0], PERF_EVENT_IOC_ENABLE, 0);
	control("stop", one[0], PERF_EVENT_IOC_DISABLE, 0);
	control("start of four", group[0], PERF_EVENT_IOC_ENABLE,
		PERF_IOC_FLAG_GROUP);
	reading("read of four", group[0]);
	control("stop of four", group[0], PERF_EVENT_IOC_DISABLE,
		PERF_IOC_FLAG_GROUP);
	control("start after them", one[0], PERF_EVENT_IOC_ENABLE, 0);
	control("stop after them", one[0], PERF_EVENT_IOC_DISABLE, 0);
	control("start of four again", group[0], PERF_EVENT_IOC_ENABLE,
		PERF_IOC_FLAG_GROUP);
	control("stop of four again", group[0], PERF_EVENT_IOC_DISABLE,
		PERF_IOC_FLAG_GROUP);
	return 0;
}
