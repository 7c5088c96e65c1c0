// SPDX-License-Identifier: GPL-2.0-only
/*
 * In the place of clock.c in pmonctl-test: no time passes, but the clock says
 * that it did, and the program sbin/pause of the tree, where it has one, is
 * run with the time in milliseconds before and after.
 */
#include "clock.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "files.h"

static long long now;

bool clock_runs(void)
{
	return sysfs_exists("/sbin/pause");
}

long long clock_ms(void)
{
	return now;
}

void clock_pause_ms(long long ms)
{
	char *path = root_path("/sbin/pause");
	struct text from = { NULL, 0 }, to = { NULL, 0 };
	char *words[] = { path, NULL, NULL, NULL };
	int status;
	pid_t pid;

	text_add(&from, "%lld", now);
	now += ms;
	text_add(&to, "%lld", now);
	words[1] = from.s;
	words[2] = to.s;
	fflush(NULL);
	if (posix_spawn(&pid, path, NULL, NULL, words, environ) ||
	    waitpid(pid, &status, 0) < 0)
		abort();
	text_free(&from);
	text_free(&to);
	free(path);
}
