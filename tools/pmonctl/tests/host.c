// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces host.c in pmonctl-test, so that files, clock, programs and
 * events come from the tree that PMONCTL_TREE names.
 */
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

/* Links and ".." never lead out of the tree. A rename during the kernel's check gives EAGAIN. */
int host_open(const char *path, int flags)
{
	static int tree = -1;
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	const char *dir = getenv("PMONCTL_TREE");
	long fd;

	if (tree < 0)
		tree = open(dir ? dir : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	do
		fd = syscall(SYS_openat2, tree, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN);
	return (int)fd;
}

static char *in_tree(const char *path)
{
	const char *dir = getenv("PMONCTL_TREE");

	return xasprintf("%s%s", dir ? dir : "", path);
}

/* Runs a program of the tree. True for status 0. */
static bool run(const char *name, char *words[])
{
	char *sbin = xasprintf("/sbin/%s", name), *path = in_tree(sbin);
	int status;
	pid_t pid;

	fflush(NULL);
	if (posix_spawn(&pid, path, NULL, NULL, words, environ) ||
	    waitpid(pid, &status, 0) < 0)
		abort();
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/*
 * Simulated time. If the tree has a file sbin/pause, a pause only advances the clock. If that file
 * is executable, it then runs, with the times before and after the pause as arguments.
 */
static long long time_ms;

bool clock_runs(void)
{
	return sysfs_exists("/sbin/pause");
}

/*
 * The tree's file /ns has nanoseconds to add to the clock, and /step those that each reading of the
 * clock takes.
 */
long long clock_ns(void)
{
	long ns = sysfs_read_long("/ns"), step = sysfs_read_long("/step");
	static long long stepped;

	stepped += step > 0 ? step : 0;
	return time_ms * 1000000 + (ns > 0 ? ns : 0) + stepped;
}

static void settle_all(void);

void clock_pause_ms(long long ms)
{
	char *from = xasprintf("%lld", time_ms), *to = xasprintf("%lld", time_ms + ms);
	char *path = in_tree("/sbin/pause");

	if (ms <= 0)
		return;
	time_ms += ms;
	settle_all();
	if (!access(path, X_OK))
		run("pause", (char *[]){ "pause", from, to, NULL });
}

/* The first N calls wait for a key, if the tree's /keys has N. Later calls let time pass. */
bool clock_wait_ms(int fd, long long ms)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };
	static long waited;

	if (waited < sysfs_read_long("/keys")) {
		waited++;
		return poll(&in, 1, -1) > 0;
	}
	clock_pause_ms(ms);
	return false;
}

/* The resolution of /proc/uptime, 10 ms, is enough, because polls are 100 ms apart. */
long long clock_boot_ns(void)
{
	char *text = sysfs_read("/proc/uptime");
	double s = text ? strtod(text, NULL) : 0;

	return s > 0 && s < 1e9 ? (long long)(s * 1e9) : 0;
}

/* True unless the tree has a file /nobody: programs that load modules change only its files. */
bool host_may_change(void)
{
	return !sysfs_exists("/nobody");
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
 * The tree's file /counts has a line "TYPE CONFIG CPU RATE" for each event. CONFIG has the
 * threshold in its highest byte. RATE is in counts per simulated millisecond, or the error "EACCES"
 * or "EBUSY" of the open. Fields "MORE FROM AWAY ENDS HEALS" may follow. MORE adds to RATE after
 * the time FROM. The event has no counter until AWAY. Between ENDS and HEALS an enabled event goes
 * into error state, and stays there until it is enabled after HEALS. Times of a group's leader hold
 * for the group. A complaint is printed if more events are enabled on a CPU than the number in the
 * file counters/TYPE, or if the file gapless/TYPE exists and an event is opened after all others of
 * the type were closed. A file offline/CPU stops the time of that CPU's events for good.
 */
static struct event {
	bool open, off, ended, gone;
	long type;
	unsigned int cpu;
	long long rate, more, from, ends, heals;
	long long ms, since;		/* ms enabled with a counter, until time `since` */
	long long enabled, at;		/* ms enabled, with a counter or not, until `at` */
	int leader, other[GROUP_OTHERS], others;	/* the group */
} events[1024];				/* by descriptor */

/* Were events of the type open, and is none open now? */
static bool has_gap(long type)
{
	bool was = false, is = false;

	for (int i = 0; i < 1024; i++) {
		was |= events[i].open && events[i].type == type;
		is |= events[i].open && events[i].type == type && fcntl(i, F_GETFD) >= 0;
	}
	return was && !is;
}

/* Opens an event. Its index in events[] is a descriptor of /counts. */
int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader)
{
	char *text = sysfs_read("/counts");

	errno = text ? EINVAL : errno == ENOENT ? ENODEV : errno;
	for_each_token(line, text, "\n") {
		struct event e = { .open = true, .leader = leader };
		unsigned long long of;
		char rate[32];
		int fd;

		if (sscanf(line, "%ld %llx %u %31s %lld %lld %lld %lld %lld", &e.type, &of, &e.cpu,
			   rate, &e.more, &e.from, &e.since, &e.ends, &e.heals) < 4 ||
		    e.type != type || e.cpu != cpu ||
		    of != (config[0] | (config[1] & 0xff) << 56))
			continue;
		errno = !strcmp(rate, "EACCES") ? EACCES : EBUSY;
		if (*rate == 'E')
			return -1;
		if (sysfs_exists("/gapless/%ld", type) && has_gap(type))
			complain("no event of type %ld was open", type);
		fd = host_open("/counts", O_RDONLY);
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

/* Complains if more events are enabled than there are counters. */
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

/* Adds the enabled time up to now, or up to the error state. */
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

/* Before the tree changes */
static void settle_all(void)
{
	for (int i = 0; i < 1024; i++)
		if (events[i].open && fcntl(i, F_GETFD) >= 0)
			settle(&events[i]);
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

/* Reads an event as if it had a counter for half of the time. */
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
