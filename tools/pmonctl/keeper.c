// SPDX-License-Identifier: GPL-2.0-only
#include "keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "event.h"
#include "sysfs.h"

/* A server has more modules than a shell allows files. */
static void allow_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void keeper_open(struct keeper *k, const struct machine *m,
		 const struct parts *all)
{
	allow_files();
	*k = (struct keeper){ .count = m->domains };
	k->event = xrealloc(NULL, (k->count + 1) * sizeof(*k->event));
	for (size_t i = 0; i < k->count; i++) {
		k->event[i] = -1;
		if (!parts_of(all, &m->domain[i]))
			continue;
		k->event[i] = event_open_on("plr", "observed",
					    m->domain[i].cpus);
		if (k->event[i] < 0)
			k->error = errno;
	}
}

void keeper_close(struct keeper *k)
{
	for (size_t i = 0; i < k->count; i++)
		if (k->event[i] >= 0)
			close(k->event[i]);
	free(k->event);
	*k = (struct keeper){ .event = NULL };
}

/* Debian's levels above 2 ask for more, before any driver is asked. */
static const char *rights_text(void)
{
	if (sysfs_read_long("/proc/sys/kernel/perf_event_paranoid") > 2)
		return "having it watched takes root, or CAP_SYS_ADMIN while "
		       "kernel.perf_event_paranoid is above 2";
	return "having it watched takes root, or CAP_PERFMON";
}

void keeper_complain(const struct keeper *k, const struct part *p)
{
	int error = k->error;
	const char *why = "the perf event plr/observed/ does not watch it";

	if (error == EACCES || error == EPERM)
		why = rights_text();
	else if (error == EOPNOTSUPP)
		why = "firmware blocks clearing, so that it cannot be watched";
	complain("%s: nobody watches this domain, and %s%s%s%s",
		 p->domain->name, why, error ? " (" : "",
		 error ? error_name(error) : "", error ? ")" : "");
}
