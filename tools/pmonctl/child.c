// SPDX-License-Identifier: GPL-2.0-only
/* Runs a job, with all its descendants below this process. */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "descriptors.h"
#include "output.h"
#include "signals.h"

/* The job has signals as we had them. */
static void set_signals(posix_spawnattr_t *attr, const sigset_t *ignored)
{
	static const int caught[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++)
		if (!sigismember(ignored, caught[i]))
			sigaddset(&set, caught[i]);
	posix_spawnattr_setsigdefault(attr, &set);
	posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGDEF);
}

int child_start(struct child *c, char **words)
{
	posix_spawnattr_t attr;
	int error;

	/* What its descendants leave behind is ours, and is counted. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	posix_spawnattr_init(&attr);
	set_signals(&attr, signals_ignored());
	descriptors_as_before();
	error = posix_spawnp(&c->pid, *words, NULL, &attr, words, environ);
	descriptors_allow();
	posix_spawnattr_destroy(&attr);
	if (!error)
		return 0;
	c->pid = 0;
	complain("%s: cannot be run: %s", *words, strerror(error));
	return error == ENOENT ? 127 : 126;
}

/*
 * Orphans that have ended are reaped. The job itself stays a zombie, so that
 * it can be looked at once more.
 */
static bool has_ended(const struct child *c)
{
	for (;;) {
		siginfo_t info = { .si_pid = 0 };

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) ||
		    info.si_pid == c->pid)
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
	number = signals_take();
	if (number)
		kill(c->pid, number);
	c->ended = has_ended(c);
}

static long long ns_of(const struct timeval *t)
{
	return t->tv_sec * 1000000000LL + t->tv_usec * 1000LL;
}

int child_end(struct child *c)
{
	struct rusage usage;
	int status = 0;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	getrusage(RUSAGE_CHILDREN, &usage);
	c->cpu_ns = ns_of(&usage.ru_utime) + ns_of(&usage.ru_stime);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}
