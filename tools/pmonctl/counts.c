// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of this kernel. What a tree says about its PMUs does not hold for it.
 */
#include "counts.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"

int count_open(long type, const uint64_t config[3], unsigned int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (__u32)type,
		.config = config[0],
		.config1 = config[1],
		.config2 = config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	if (!root_is_real()) {
		errno = ENODEV;
		return -1;
	}
	return (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/* Nothing is read of an event in error state, whose device has gone. */
bool count_read(int fd, struct count *c)
{
	return read(fd, c, sizeof(*c)) == (ssize_t)sizeof(*c);
}

/* What ends one in error state; should it stay so, the next read tells. */
void count_switch(int fd, bool on)
{
	ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}
