// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads PMU CPU CONFIG COUNT [RATE PAUSE]: open an event and read it COUNT
 * times, PAUSE microseconds apart, or without a pause. A reading is wrong if it
 * is below the last one, or above it by more than RATE events in each
 * microsecond since. Print "reads=COUNT wrong=N total=LAST".
 */
#include <sys/ioctl.h>

#include "../../guest/guest.h"

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1 };
	uint64_t value, last = 0, since, rate = 0, wrong = 0, count, i;
	unsigned long pause = 0;
	int fd;

	if (argc != 5 && argc != 7)
		return 64;
	attr.type = pmu_type_or_end(argv[1]);
	attr.config = strtoull(argv[3], NULL, 0);
	count = strtoull(argv[4], NULL, 0);
	if (argc == 7) {
		rate = strtoull(argv[5], NULL, 0);
		pause = strtoul(argv[6], NULL, 0);
	}
	fd = event_on(&attr, atoi(argv[2]), -1);
	if (fd < 0)
		die("perf_event_open");
	since = now_ns();
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < count; i++) {
		uint64_t before = now_ns();

		if (read(fd, &value, sizeof(value)) != sizeof(value))
			return 1;
		/* Measure from before the last reading to after this one. */
		wrong += value < last || (rate && value - last >
			 ((now_ns() - since) / 1000 + 2) * rate);
		if (pause)
			nap_us(pause);
		since = before;
		last = value;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &value, sizeof(value)) != sizeof(value))
		return 1;
	printf("reads=%lu wrong=%lu total=%lu\n", count, wrong, value);
	return 0;
}
