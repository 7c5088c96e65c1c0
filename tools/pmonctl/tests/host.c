// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of host.c in pmonctl-test: a tree below --sysroot has the clock, the
 * programs and the events.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "output.h"

/* Runs a program of the tree. True when it worked. */
static bool run(const char *name, char *words[])
{
	char *path FREED = root_path("/sbin/%s", name);
	int status;
	pid_t pid;

	fflush(NULL);
	if (posix_spawn(&pid, path, NULL, NULL, words, environ) ||
	    waitpid(pid, &status, 0) < 0)
		abort();
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/*
 * No time passes where a tree has a file sbin/pause, but the clock says that it did;
 * and if that is a program, it is run with the time in milliseconds before and after.
 */
static long long time_ms;

bool clock_runs(void)
{
	return sysfs_exists("/sbin/pause");
}

long long clock_ms(void)
{
	return time_ms;
}

void clock_pause_ms(long long ms)
{
	char *from FREED = xasprintf("%lld", time_ms), *to FREED = xasprintf("%lld", time_ms + ms);
	char *path FREED = root_path("/sbin/pause");

	time_ms += ms;
	if (!access(path, X_OK))
		run("pause", (char *[]){ "pause", from, to, NULL });
}

/* The programs that load modules note what they are asked for. */
bool programs_allowed(void)
{
	return true;
}

bool program_run(const char *const words[])
{
	return run(words[0], (char **)words);
}

/*
 * The file counts of the tree has a
 * line "TYPE CONFIG CPU RATE" for each event that can be opened, with what it
 * counts in a millisecond of the tree's clock, or "EACCES" or "EBUSY" in the
 * place of that; and, if there is more, "MORE FROM", what it counts more after
 * that millisecond, and "AWAY", until when it has no counter, and "ENDS HEALS":
 * one that is on between these ends in error, and stays so until it is switched
 * on after the latter. Where the tree has a file counters/TYPE, time in which more
 * events of that type than it says are on at once, on one CPU, is complained of.
 */

/* of a descriptor; counted: milliseconds until since, for which it was on */
static unsigned long long rates[1024], counted[1024], since[1024];
static bool off[1024];
static unsigned long long more[1024], from[1024], ends[1024], heals[1024];
static bool ended[1024];
static long type_of[1024];
static unsigned int cpu_of[1024];

static int refuse(int error)
{
	errno = error;
	return -1;
}

/* A descriptor of its own, so that it can be closed: of a file that shows whose it is. */
static int open_rate(const char *rate, unsigned long long beside,
		     unsigned long long later, unsigned long long away)
{
	int fd;

	if (!strcmp(rate, "EACCES"))
		return refuse(EACCES);
	if (!strcmp(rate, "EBUSY"))
		return refuse(EBUSY);
	fd = root_open("/counts", O_RDONLY);
	if (fd < 0 || fd >= 1024)
		abort();
	rates[fd] = strtoull(rate, NULL, 10);
	more[fd] = beside;
	from[fd] = later;
	counted[fd] = 0;
	since[fd] = (unsigned long long)clock_ms();
	if (since[fd] < away)
		since[fd] = away;
	off[fd] = false;
	ended[fd] = false;
	return fd;
}

int count_open(long type, const uint64_t config[3], unsigned int cpu)
{
	char *text FREED = sysfs_read("/counts");
	int fd = refuse(text ? EINVAL : errno);

	for_each_part(line, text, "\n") {
		unsigned long long want, beside = 0, later = 0, away = 0;
		unsigned long long bad = 0, good = 0;
		unsigned int on;
		char rate[32];
		long of;

		if (sscanf(line, "%ld %llx %u %31s %llu %llu %llu %llu %llu",
			   &of, &want, &on, rate, &beside, &later, &away,
			   &bad, &good) < 4 ||
		    of != type || want != config[0] || on != cpu)
			continue;
		fd = open_rate(rate, beside, later, away);
		if (fd >= 0) {
			type_of[fd] = type;
			cpu_of[fd] = cpu;
			ends[fd] = bad;
			heals[fd] = good;
		}
	}
	return fd;
}

/* Those of the same box that have been on, this one included. */
static long beside_it(int fd)
{
	long on = 0;

	for (int i = 0; i < 1024; i++)
		on += type_of[i] == type_of[fd] && cpu_of[i] == cpu_of[fd] &&
		      !off[i] && !ended[i] && fcntl(i, F_GETFD) >= 0;
	return on;
}

static void check_counters(int fd)
{
	long most = sysfs_read_long("/counters/%ld", type_of[fd]);

	if (most >= 0 && beside_it(fd) > most)
		complain("%ld events of type %ld are on at once",
			 beside_it(fd), type_of[fd]);
}

/* Until now, or until it ended. */
static void settle(int fd)
{
	unsigned long long now = (unsigned long long)clock_ms();
	bool ends_now = !ended[fd] && !off[fd] && now > ends[fd] &&
			since[fd] < heals[fd];
	unsigned long long end = ends_now ? ends[fd] : now;

	if (end > since[fd] && !off[fd] && !ended[fd]) {
		check_counters(fd);
		counted[fd] += end - since[fd];
	}
	if (now > since[fd])
		since[fd] = now;
	ended[fd] |= ends_now;
}

void count_switch(int fd, bool on)
{
	settle(fd);
	if (ended[fd] && (!on || since[fd] < heals[fd]))
		return;
	ended[fd] = false;
	off[fd] = !on;
}

/* Half of the time it was multiplexed away, and has counted half. */
bool count_read(int fd, struct count *c)
{
	unsigned long long ms, now = (unsigned long long)clock_ms();

	settle(fd);
	if (ended[fd])
		return false;
	ms = counted[fd];
	*c = (struct count){
		rates[fd] * ms / 2 + (now > from[fd] ?
			more[fd] * (now - from[fd]) / 2 : 0), ms * 1000000, ms * 1000000 / 2,
	};
	return true;
}
