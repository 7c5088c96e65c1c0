// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes but this one have perf events open. The kernel shows that a
 * file is one, and not of which counter.
 */
#include "holders.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "sysfs.h"

#define EVENT "anon_inode:[perf_event]"

/* For a message; the rest are counted. */
#define NAMED 4

static bool is_event(const char *pid, const char *fd)
{
	char *link = sysfs_link("/proc/%s/fd/%s", pid, fd);
	bool yes = link && !strcmp(link, EVENT);

	free(link);
	return yes;
}

static bool has_event(const char *pid)
{
	struct text dir = { NULL, 0 };
	struct names fds;
	bool has = false;

	text_add(&dir, "/proc/%s/fd", pid);
	fds = sysfs_children(dir.s, "");
	for (size_t i = 0; i < fds.count && !has; i++)
		has = is_event(pid, fds.name[i]);
	names_free(&fds);
	text_free(&dir);
	return has;
}

char *holders_names(void)
{
	struct names pids = sysfs_children("/proc", "");
	struct text t = { NULL, 0 };
	size_t holders = 0;

	text_add(&t, "%s", "");
	for (size_t i = 0; i < pids.count; i++) {
		bool self = strtol(pids.name[i], NULL, 10) == (long)getpid();
		char *name = !self && has_event(pids.name[i]) ?
			sysfs_read("/proc/%s/comm", pids.name[i]) : NULL;

		if (name && holders++ < NAMED)
			text_add(&t, "%s%s (%s)", t.len ? ", " : "", name,
				 pids.name[i]);
		free(name);
	}
	names_free(&pids);
	if (holders > NAMED)
		text_add(&t, " and %zu more", holders - NAMED);
	return t.s;
}
