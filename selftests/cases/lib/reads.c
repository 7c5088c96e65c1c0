// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads PMU CPU CONFIG COUNT RATE PAUSE: opens an event and reads it COUNT times,
 * with pauses of so many microseconds. RATE is what it gains in a microsecond at
 * most: a reading that is below the one before, or above what can have come since,
 * is wrong. Prints "reads=COUNT wrong=N total=LAST".
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

static unsigned int type_of(const char *pmu)
{
	unsigned int type = 0;
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", pmu);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%u", &type) != 1) {
		perror(path);
		exit(1);
	}
	fclose(f);
	return type;
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1 };
	struct timespec pause = { };
	uint64_t value, last = 0, since, rate, wrong = 0, count, i;
	int fd;

	if (argc < 7)
		return 64;
	attr.type = type_of(argv[1]);
	attr.config = strtoull(argv[3], NULL, 0);
	count = strtoull(argv[4], NULL, 0);
	rate = strtoull(argv[5], NULL, 0);
	pause.tv_nsec = 1000 * strtol(argv[6], NULL, 0);
	fd = syscall(SYS_perf_event_open, &attr, -1, atoi(argv[2]), -1, 0);
	if (fd < 0) {
		perror("perf_event_open");
		return 1;
	}
	since = now_us();
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (i = 0; i < count; i++) {
		uint64_t before = now_us();

		if (read(fd, &value, sizeof(value)) != sizeof(value))
			return 1;
		/* From before the last reading to after this one. */
		wrong += value < last || value - last > (now_us() - since + 2) * rate;
		nanosleep(&pause, NULL);
		since = before;
		last = value;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &value, sizeof(value)) != sizeof(value))
		return 1;
	printf("reads=%lu wrong=%lu total=%lu\n", count, wrong, value);
	return 0;
}
