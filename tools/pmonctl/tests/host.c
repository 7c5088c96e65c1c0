// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of host.c in pmonctl-test: a tree below --sysroot has the clock, the
 * programs and the events.
 */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/* A typed key comes before time passes. */
bool clock_wait_ms(int fd, long long ms)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };

	if (poll(&in, 1, 100) > 0)
		return true;
	clock_pause_ms(ms);
	return false;
}

/* The programs that load modules note what they are asked for. */
bool programs_allowed(void)
{
	return true;
}

char *kernel_log(void)
{
	return sysfs_read("/log");
}

bool program_run(const char *const words[])
{
	return run(words[0], (char **)words);
}

/*
 * The file counts of the tree has a line "TYPE CONFIG CPU RATE" for each event that can
 * be opened, with what it counts in a millisecond of the tree's clock, or "EACCES" or
 * "EBUSY" in the place of that; and, if there is more, "MORE FROM", what it counts more
 * after that millisecond, and "AWAY", until when it has no counter, and "ENDS HEALS":
 * one that is on between these ends in error, and stays so until it is switched on after
 * the latter. Of a group the leader says that, but for the rates. Where the tree has a
 * file counters/TYPE, time in which more events of that type than it says are on at once,
 * on one CPU, is complained of; where it has a file gapless/TYPE, a moment in which the only
 * event of that type was closed. Events that are read while it has a file offline/CPU have
 * ended for good: no time passes for them.
 */
static struct event {
	bool open, off, ended, gone;
	long type;
	unsigned int cpu;
	long long rate, more, from, ends, heals;
	long long ms, since;		/* for which it was on until since, in ms */
	long long enabled, at;		/* and, with a counter or without, until at */
	int leader, other[GROUP_OTHERS], others;	/* of its group */
} events[1024];				/* by descriptor */

/* Whether there was one, and none is open now. */
static bool has_gap(long type)
{
	bool was = false, is = false;

	for (int i = 0; i < 1024; i++) {
		was |= events[i].open && events[i].type == type;
		is |= events[i].open && events[i].type == type && fcntl(i, F_GETFD) >= 0;
	}
	return was && !is;
}

/* A descriptor of its own, so that it can be closed: of a file that shows whose it is. */
int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader)
{
	char *text FREED = sysfs_read("/counts");

	errno = text ? EINVAL : errno;
	for_each_part(line, text, "\n") {
		struct event e = { .open = true, .leader = leader };
		unsigned long long of;
		char rate[32];
		int fd;

		if (sscanf(line, "%ld %llx %u %31s %lld %lld %lld %lld %lld", &e.type, &of, &e.cpu,
			   rate, &e.more, &e.from, &e.since, &e.ends, &e.heals) < 4 ||
		    e.type != type || of != config[0] || e.cpu != cpu)
			continue;
		errno = !strcmp(rate, "EACCES") ? EACCES : EBUSY;
		if (*rate == 'E')
			return -1;
		if (sysfs_exists("/gapless/%ld", type) && has_gap(type))
			complain("no event of type %ld was open", type);
		fd = root_open("/counts", O_RDONLY);
		if (fd < 0 || fd >= 1024)
			abort();
		e.rate = strtoll(rate, NULL, 10);
		e.since = e.since > time_ms ? e.since : time_ms;
		e.at = time_ms;
		events[fd] = e;
		if (leader >= 0)
			events[leader].other[events[leader].others++] = fd;
		return fd;
	}
	return -1;
}

/* More events than its box has counters must not be on, itself included. */
static void check_counters(const struct event *e)
{
	long most = sysfs_read_long("/counters/%ld", e->type), on = 0;

	for (int i = 0; i < 1024; i++) {
		const struct event *by = events[i].leader < 0 ? &events[i] :
					 &events[events[i].leader];

		on += events[i].open && events[i].type == e->type && events[i].cpu == e->cpu &&
		      !by->off && !by->ended && fcntl(i, F_GETFD) >= 0;
	}
	if (most >= 0 && on > most)
		complain("%ld events of type %ld are on at once", on, e->type);
}

/* Until now, or until it ended. */
static void settle(struct event *e)
{
	bool ends_now = !e->ended && !e->off && time_ms > e->ends && e->since < e->heals;
	long long end = ends_now ? e->ends : time_ms;

	e->gone |= sysfs_exists("/offline/%u", e->cpu);
	if (!e->off && !e->ended && !e->gone)
		e->enabled += end - e->at;
	e->at = time_ms;
	if (e->gone)
		return;
	if (end > e->since && !e->off && !e->ended) {
		check_counters(e);
		e->ms += end - e->since;
	}
	e->since = time_ms > e->since ? time_ms : e->since;
	e->ended |= ends_now;
}

void count_switch(int fd, bool on)
{
	struct event *e = &events[fd];

	settle(e);
	if (e->ended && (!on || e->since < e->heals))
		return;
	e->ended = false;
	e->off = !on;
}

static uint64_t counted(const struct event *e, long long ms)
{
	long long later = time_ms > e->from ? time_ms - e->from : 0;

	return (uint64_t)(e->rate * ms + e->more * later) / 2;
}

/* Half of the time it was multiplexed away, and has counted half. */
bool count_read(int fd, struct count *c)
{
	struct event *e = &events[fd];

	settle(e);
	*c = (struct count){
		.value = counted(e, e->ms),
		.enabled_ns = e->enabled * 1000000, .running_ns = e->ms * 1000000 / 2,
	};
	for (int i = 0; i < e->others; i++)
		c->other[i] = counted(&events[e->other[i]], e->ms);
	return !e->ended;
}
