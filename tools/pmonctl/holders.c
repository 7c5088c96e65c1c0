// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which processes have perf events open. The kernel shows that a file is one,
 * and not of which counter.
 */
#include "holders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "root.h"
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

/* False where the process does not let us look. */
static bool count_events(const char *pid, size_t *events)
{
	struct text dir = { NULL, 0 };
	struct names fds;
	bool shown;

	text_add(&dir, "/proc/%s/fd", pid);
	shown = sysfs_can_list(dir.s) || errno == ENOENT || errno == ESRCH;
	fds = sysfs_children(dir.s, "");
	*events = 0;
	for (size_t i = 0; i < fds.count; i++)
		*events += is_event(pid, fds.name[i]);
	names_free(&fds);
	text_free(&dir);
	return shown;
}

/* "Uid:	1000	1000	1000	1000" */
static long owner_of(const char *pid)
{
	char *text = sysfs_read("/proc/%s/status", pid);
	const char *line = text ? strstr(text, "\nUid:") : NULL;
	long uid = line ? strtol(line + strlen("\nUid:"), NULL, 10) : -1;

	free(text);
	return uid;
}

static void add_holder(struct holders *h, const char *pid, size_t events)
{
	struct holder one = { .pid = strtol(pid, NULL, 10), .events = events };

	one.name = sysfs_read("/proc/%s/comm", pid);
	if (!one.name)		/* it has ended */
		return;
	one.command = sysfs_read_words("/proc/%s/cmdline", pid);
	if (!one.command)
		one.command = xstrdup(one.name);
	one.uid = owner_of(pid);
	h->holder = xrealloc(h->holder, (h->count + 1) * sizeof(one));
	h->holder[h->count++] = one;
}

struct holders holders_find(void)
{
	struct names pids = sysfs_children("/proc", "");
	struct holders h = { NULL, 0, 0 };

	for (size_t i = 0; i < pids.count; i++) {
		size_t events;

		if (!count_events(pids.name[i], &events))
			h.hidden++;
		else if (events)
			add_holder(&h, pids.name[i], events);
	}
	names_free(&pids);
	return h;
}

void holders_free(struct holders *h)
{
	for (size_t i = 0; i < h->count; i++) {
		free(h->holder[i].name);
		free(h->holder[i].command);
	}
	free(h->holder);
}

char *holders_names(void)
{
	struct holders h = holders_find();
	struct text t = { NULL, 0 };

	text_add(&t, "%s", "");
	for (size_t i = 0; i < h.count && i < NAMED; i++)
		text_add(&t, "%s%s (%ld)", i ? ", " : "", h.holder[i].name,
			 h.holder[i].pid);
	if (h.count > NAMED)
		text_add(&t, " and %zu more", h.count - NAMED);
	holders_free(&h);
	return t.s;
}
