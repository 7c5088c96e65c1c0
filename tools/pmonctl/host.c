// SPDX-License-Identifier: GPL-2.0-only
/* The running host: files, clock, programs and perf events. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

int host_open(const char *path, int flags)
{
	return open(path, flags | O_CLOEXEC);
}

bool host_may_change(void)
{
	return !geteuid();
}

bool clock_runs(void)
{
	return true;
}

static long long nanoseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

long long clock_ns(void)
{
	return nanoseconds(CLOCK_MONOTONIC);
}

long long clock_boot_ns(void)
{
	return nanoseconds(CLOCK_BOOTTIME);
}

void clock_pause_ms(long long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	if (ms > 0)
		nanosleep(&t, NULL);
}

bool clock_wait_ms(int fd, long long ms)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };

	return poll(&in, 1, (int)ms) > 0;
}

/*
 * Programs run from the system's directories only, without a shell, with PATH as their only
 * variable, because MODPROBE_OPTIONS, for example, would change their effect.
 */

/* Commands of syslog(2): read all, get the size. */
#define LOG_READ_ALL	3
#define LOG_SIZE	10

#define DIRS "/usr/sbin:/usr/bin:/sbin:/bin"

bool program_run(const char *const words[])
{
	static const char *const environment[] = { "PATH=" DIRS, NULL };
	int error = ENOENT, status;
	pid_t pid = -1;

	fflush(NULL);
	/* If our parent ignores SIGCHLD, waitpid() has no status. */
	signal(SIGCHLD, SIG_DFL);
	/* posix_spawn() does not change the words. */
	for_each_token(dir, xstrdup(DIRS), ":")
		if (error == ENOENT)
			error = posix_spawn(&pid, xasprintf("%s/%s", dir, words[0]), NULL, NULL,
					    (char **)words, (char **)environment);
	if (error)
		return complain("%s: cannot be run: %s; it is looked for in " DIRS, words[0],
				strerror(error));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

/* NULL without rights. */
char *kernel_log(void)
{
	int size = klogctl(LOG_SIZE, NULL, 0), n;
	char *text = size < 0 ? NULL : xcalloc((size_t)size + 1, 1);

	n = text ? klogctl(LOG_READ_ALL, text, size) : -1;
	return n < 0 ? NULL : text;
}

int count_open(long type, const uint64_t config[3], unsigned int cpu, int leader)
{
	const bool of_job = cpu == CPU_OF_JOB;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (__u32)type,
		.config = config[0],
		.config1 = config[1],
		.config2 = config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_GROUP,
		.disabled = of_job, .inherit = of_job, .enable_on_exec = of_job,
	};

	return (int)syscall(SYS_perf_event_open, &attr, of_job ? 0 : -1, (int)cpu, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

/* A read returns no bytes if the event is in error state, for example without its device. */
bool count_read(int fd, struct count *c)
{
	struct {
		uint64_t events, enabled_ns, running_ns, value[1 + GROUP_OTHERS];
	} group = { .events = 0 };

	if (read(fd, &group, sizeof(group)) <= 0)
		return false;
	*c = (struct count){
		.value = group.value[0],
		.enabled_ns = group.enabled_ns, .running_ns = group.running_ns,
	};
	memcpy(c->other, group.value + 1, sizeof(c->other));
	return true;
}

/* Enabling also clears perf's error state; if that fails, the next count_read() fails, too. */
void count_switch(int fd, bool on)
{
	ioctl(fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
}
