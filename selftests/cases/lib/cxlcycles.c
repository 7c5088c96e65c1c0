// SPDX-License-Identifier: GPL-2.0-only
/*
 * cxlcycles ADDRESS COUNT EVENT...: a CXL memory device goes and returns so many
 * times while these events ("PMU CONFIG", as in sysfs and for perf) are open and
 * count: cxl_pci is unbound, or the device removed from the bus; and they are
 * closed before it is back, or after. Prints what was not as it must be, then
 * "COUNT cycles".
 */
#include "../../guest/guest.h"

#define EVENTS	4
#define TRIES	3000
#define DRIVER	"/sys/bus/pci/drivers/cxl_pci"
#define DEVICES	"/sys/bus/pci/devices"

static const char *address;
static int event[EVENTS];

/* The PMU comes some time after the driver has bound. */
static int open_event(const char *what)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	unsigned int tries;
	char pmu[64];
	int fd = -1;

	if (sscanf(what, "%63s %lli", pmu, (long long *)&attr.config) != 2)
		return -1;
	for (tries = 0; fd < 0 && tries < TRIES; tries++) {
		int type = pmu_type(pmu);

		attr.type = type;
		if (type >= 0)
			fd = event_on(&attr, 0, -1);
		if (fd < 0)
			nap_us(2000);
	}
	if (fd < 0)
		printf("%s cannot be opened: %s\n", what, strerror(errno));
	return fd;
}

static void go(unsigned int cycle)
{
	if (!(cycle % 4 < 3 ? write_text(address, DRIVER "/unbind") :
			      write_text("1", DEVICES "/%s/remove", address)))
		printf("cycle %u: away: %s\n", cycle, strerror(errno));
}

static void come_back(unsigned int cycle)
{
	if (!(cycle % 4 < 3 ? write_text(address, DRIVER "/bind") :
			      write_text("1", "/sys/bus/pci/rescan")))
		printf("cycle %u: back: %s\n", cycle, strerror(errno));
}

/* What has failed reads as its end, for which perf prints <not counted>. */
static void look(unsigned int cycle, unsigned int i)
{
	uint64_t value = 0;
	ssize_t got = read(event[i], &value, sizeof(value));

	if (got)
		printf("cycle %u, event %u: %zd bytes, 0x%llx\n", cycle, i, got,
		       (unsigned long long)value);
}

static void close_all(void)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++)
		close(event[i]);
}

static int cycle_once(unsigned int cycle, char **events)
{
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		event[i] = open_event(events[i]);
		if (event[i] < 0)
			return -1;
	}
	go(cycle);
	for (i = 0; i < EVENTS; i++)
		look(cycle, i);
	if (cycle % 2)
		close_all();
	come_back(cycle);
	if (cycle % 2)
		return 0;
	for (i = 0; i < EVENTS; i++)
		look(cycle, i);
	close_all();
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int cycle, count;

	if (argc != 3 + EVENTS)
		return 2;
	address = argv[1];
	count = strtoul(argv[2], NULL, 0);
	for (cycle = 0; cycle < count; cycle++)
		if (cycle_once(cycle, argv + 3))
			return 1;
	printf("%u cycles\n", count);
	return 0;
}
