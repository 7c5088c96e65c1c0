// SPDX-License-Identifier: GPL-2.0-only
/* Runs a job, handles signals and RLIMIT_NOFILE, finds programs with perf events. */
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static struct rlimit before;	/* rlim_max 0: not known */

void descriptors_allow(void)
{
	struct rlimit most;

	if (!before.rlim_max && getrlimit(RLIMIT_NOFILE, &before))
		return;
	most = (struct rlimit){ before.rlim_max, before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &most);
}

static const int caught[] = { SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT };
static sigset_t expected;	/* signals not ignored at the start */
static atomic_int came;

static void on_signal(int number)
{
	if (number != SIGCHLD)
		came = number;
}

void signals_catch(bool for_job)
{
	/* A signal ends pauses in spite of SA_RESTART. */
	struct sigaction action = { .sa_flags = SA_RESTART }, old;

	for_each_in(number, caught) {
		bool keyboard = *number == SIGINT || *number == SIGQUIT;

		/* Skip signals already ignored, as by nohup or by the shell of a background job. */
		if (*number != SIGCHLD && !sigaction(*number, NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaddset(&expected, *number);
		action.sa_handler = for_job && keyboard ? SIG_IGN : on_signal;
		sigaction(*number, &action, NULL);
	}
}

bool signals_stopped(void)
{
	return came;
}

/* Also blocks SIGPIPE and SIGXFSZ, so that writes return errors and adopt undoes its changes. */
void signals_hold(void)
{
	static const int blocked[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };
	sigset_t set;

	sigemptyset(&set);
	for_each_in(number, blocked)
		sigaddset(&set, *number);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int child_start(struct child *c, char **words)
{
	posix_spawnattr_t attr;
	int error;

	/* Become the parent of the job's orphans, to count their CPU time. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	posix_spawnattr_init(&attr);
	/* The job gets default handlers. */
	posix_spawnattr_setsigdefault(&attr, &expected);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	/* The job gets the limit of files that we began with. Our events stay open above it. */
	if (before.rlim_max)
		setrlimit(RLIMIT_NOFILE, &before);
	error = posix_spawnp(&c->pid, *words, NULL, &attr, words, environ);
	descriptors_allow();
	posix_spawnattr_destroy(&attr);
	if (!error)
		return 0;
	complain("%s: cannot be run: %s", *words, strerror(error));
	return error == ENOENT ? 127 : 126;
}

/* Reaps orphans. The job stays a zombie for child_end(). */
static bool has_ended(const struct child *c)
{
	for (;;) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == c->pid)
			return true;
		if (!info.si_pid)
			return false;
		waitpid(info.si_pid, NULL, 0);
	}
}

void child_wait(struct child *c, long long ms)
{
	int number;

	if (!has_ended(c))
		clock_pause_ms(ms);
	number = atomic_exchange(&came, 0);
	if (number)
		kill(c->pid, number);
	c->ended = has_ended(c);
}

int child_end(struct child *c)
{
	struct rusage usage;
	struct timeval cpu;
	int status = 0;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	getrusage(RUSAGE_CHILDREN, &usage);
	timeradd(&usage.ru_utime, &usage.ru_stime, &cpu);
	c->cpu_ns = cpu.tv_sec * 1000000000LL + cpu.tv_usec * 1000LL;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Finds other processes with perf events. /proc does not show which counters they use. */

/* Number of processes that a message names; it counts the others. */
#define NAMED 4

static bool has_event(const char *pid)
{
	for_each_name(fd, sysfs_children("", "/proc/%s/fd", pid)) {
		char *link = sysfs_link("/proc/%s/fd/%s", pid, fd);

		if (link && !strcmp(link, "anon_inode:[perf_event]"))
			return true;
	}
	return false;
}

char *holders_names(void)
{
	struct text t = { NULL, 0 };
	size_t holders = 0;

	text_add(&t, "%s", "");
	for_each_name(pid, sysfs_children("", "/proc")) {
		bool self = strtol(pid, NULL, 10) == (long)getpid();
		char *name = !self && has_event(pid) ? sysfs_read("/proc/%s/comm", pid) :
							     NULL;

		if (name && holders++ < NAMED)
			text_add(&t, "%s%s (%s)", t.len ? ", " : "", name, pid);
	}
	if (holders > NAMED)
		text_add(&t, " and %zu more", holders - NAMED);
	return t.s;
}
