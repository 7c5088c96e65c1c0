// SPDX-License-Identifier: GPL-2.0-only
/*
 * wishes MS ROUNDS during CPU CPU: the event plr/observed/ is enabled on one
 * CPU, and on another one while hardware is looked at for the first.
 * wishes MS ROUNDS close CPU CPU INTERVAL: it is enabled on the first CPU, and
 * one that was never enabled is closed on the other, while a look that writing
 * the file INTERVAL of another domain makes is under way.
 * Prints in how many rounds the event that waited began within MS.
 * wishes MS 1 disable CPU CPU: it is enabled, and disabled after MS; says
 * "ready" if it did not begin, and keeps it open until it is killed.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TYPE		"/sys/bus/event_source/devices/plr/type"
#define OBSERVED	0x40
/* From the beginning of a look to what comes while it is under way. */
#define MEANWHILE_US	700
/* Until a watch that nobody wishes any more has ended. */
#define QUIET_US	100000

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config = OBSERVED, .disabled = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	FILE *f = fopen(TYPE, "r");
	int fd;

	if (!f || fscanf(f, "%u", &attr.type) != 1)
		die(TYPE);
	fclose(f);
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	if (fd < 0)
		die("perf_event_open");
	return fd;
}

static void enable(int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		die("PERF_EVENT_IOC_ENABLE");
}

static int has_begun(int fd)
{
	uint64_t count_running[2];

	if (read(fd, count_running, sizeof(count_running)) != sizeof(count_running))
		die("read");
	return count_running[1] != 0;
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(file);
	close(fd);
}

static int during(int ms, int first, int second)
{
	int one = open_event(first), other = open_event(second), begun;

	enable(one);
	usleep(MEANWHILE_US);
	enable(other);
	usleep(ms * 1000);
	begun = has_begun(other);
	close(one);
	close(other);
	return begun;
}

static int with_close(int ms, int cpu, int closed, const char *interval)
{
	int one = open_event(cpu), other = open_event(closed), begun;
	pid_t child = fork();

	if (!child) {
		put(interval, "60000");
		_exit(0);
	}
	usleep(MEANWHILE_US);
	enable(one);
	close(other);
	usleep(ms * 1000);
	begun = has_begun(one);
	close(one);
	waitpid(child, NULL, 0);
	put(interval, "0");
	return begun;
}

static void disabled(int ms, int cpu)
{
	int one = open_event(cpu);

	enable(one);
	usleep(ms * 1000);
	if (ioctl(one, PERF_EVENT_IOC_DISABLE, 0))
		die("PERF_EVENT_IOC_DISABLE");
	if (has_begun(one))
		return;
	puts("ready");
	fflush(stdout);
	pause();
}

int main(int argc, char **argv)
{
	int rounds, begun = 0, n;

	if (argc < 6)
		return 64;
	if (!strcmp(argv[3], "disable")) {
		disabled(atoi(argv[1]), atoi(argv[4]));
		return 1;
	}
	rounds = atoi(argv[2]);
	for (n = 0; n < rounds; n++) {
		int ms = atoi(argv[1]), a = atoi(argv[4]), b = atoi(argv[5]);

		begun += argc == 6 ? during(ms, a, b) :
				     with_close(ms, a, b, argv[6]);
		usleep(QUIET_US);
	}
	printf("%d\n", begun);
	return 0;
}
