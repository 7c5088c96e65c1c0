// SPDX-License-Identifier: GPL-2.0-only
/* Keeps domains watched, by an open event of the plr PMU in each. */
#include "keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "event.h"

void keeper_open(struct keeper *k, const struct machine *m,
		 const struct parts *all)
{
	event_allow_files();
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

void keeper_complain(const struct keeper *k, const struct part *p)
{
	int error = k->error;
	const char *why = "the perf event plr/observed/ does not watch it";
	const char *rights = "";

	if (error == EACCES || error == EPERM) {
		why = "having it watched takes ";
		rights = event_rights();
	} else if (error == EOPNOTSUPP) {
		why = "firmware blocks clearing, so that it cannot be watched";
	}
	complain("%s: nobody watches this domain, and %s%s%s%s%s",
		 p->domain->name, why, rights, error ? " (" : "",
		 error ? error_name(error) : "", error ? ")" : "");
}
