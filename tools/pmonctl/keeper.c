// SPDX-License-Identifier: GPL-2.0-only
/* Keeps domains and modules watched, by open events of the plr PMU. */
#include "keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "descriptors.h"
#include "event.h"
#include "history.h"

/* What one event has watched. */
struct kept {
	struct part *part;		/* a module, or the die for its domain */
	int event;			/* -1: none */
};

static void open_kept(struct keeper *k, struct kept *kept)
{
	kept->event = part_event(kept->part);
	if (kept->event < 0)
		k->error = errno;
}

/* Where all of a domain are asked for the die stands before its modules. */
void keeper_open(struct keeper *k, struct parts *all)
{
	const struct domain *whole = NULL;

	descriptors_allow();
	*k = (struct keeper){ .kept = NULL };
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		if (p->domain == whole)
			continue;
		if (!part_is_core(p))
			whole = p->domain;
		k->kept = xrealloc(k->kept, (k->count + 1) * sizeof(*k->kept));
		k->kept[k->count] = (struct kept){ p, -1 };
		open_kept(k, &k->kept[k->count++]);
	}
}

bool keeper_observed(const struct keeper *k, long long from)
{
	for (size_t i = 0; i < k->count; i++)
		if (!history_read(k->kept[i].part) ||
		    !history_observed(k->kept[i].part, from))
			return false;
	return true;
}

static void close_kept(struct kept *kept)
{
	if (kept->event >= 0)
		close(kept->event);
	kept->event = -1;
}

void keeper_renew(struct keeper *k, long long from)
{
	for (size_t i = 0; i < k->count; i++) {
		if (history_observed(k->kept[i].part, from))
			continue;
		close_kept(&k->kept[i]);
		open_kept(k, &k->kept[i]);
	}
}

void keeper_close(struct keeper *k)
{
	for (size_t i = 0; i < k->count; i++)
		close_kept(&k->kept[i]);
	free(k->kept);
	*k = (struct keeper){ .kept = NULL };
}

/* Why one of the parts is not watched, or cannot be read: 0 when all can. */
static int find_error(const struct keeper *k, struct parts *all)
{
	if (k->error)
		return k->error;
	for (size_t i = 0; i < all->count; i++) {
		part_read(&all->part[i]);
		if (all->part[i].error)
			return all->part[i].error;
	}
	return 0;
}

void keeper_complain(const struct keeper *k, struct parts *all)
{
	int error = find_error(k, all);
	const char *why = "the perf event plr/observed/ does not watch it";
	const char *rights = "";

	if (k->error == EACCES || k->error == EPERM) {
		why = "having it watched takes ";
		rights = event_rights();
	} else if (!k->error && error == EOPNOTSUPP) {
		why = "firmware blocks clearing, so that it cannot be watched";
	} else if (!k->error && error) {
		why = "what has limited it cannot be read";
	}
	complain("%s: nobody watches this domain, and %s%s%s%s%s",
		 all->part[0].domain->name, why, rights, error ? " (" : "",
		 error ? error_name(error) : "", error ? ")" : "");
}
