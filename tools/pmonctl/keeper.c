// SPDX-License-Identifier: GPL-2.0-only
/* Keeps domains and modules watched, by open events of the plr PMU. */
#include "keeper.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "descriptors.h"
#include "event.h"

/* What one event has watched. */
struct kept {
	const struct part *part;	/* a module, or the die for its domain */
	int event;			/* -1: none */
};

static void open_kept(struct keeper *k, struct kept *kept)
{
	kept->event = part_event(kept->part);
	if (kept->event < 0)
		k->error = errno;
}

static void add(struct keeper *k, const struct part *p)
{
	k->kept = xrealloc(k->kept, (k->count + 1) * sizeof(*k->kept));
	k->kept[k->count] = (struct kept){ p, -1 };
	open_kept(k, &k->kept[k->count++]);
}

/* Where all of a domain are asked for the die stands before its modules. */
static void add_domain(struct keeper *k, const struct domain *d)
{
	for (size_t i = 0; i < k->all->count; i++) {
		const struct part *p = &k->all->part[i];

		if (p->domain != d)
			continue;
		add(k, p);
		if (!part_is_core(p))
			return;
	}
}

void keeper_open(struct keeper *k, const struct machine *m,
		 const struct parts *all)
{
	descriptors_allow();
	*k = (struct keeper){ .all = all };
	for (size_t i = 0; i < m->domains; i++)
		add_domain(k, &m->domain[i]);
}

static bool is_watched(const struct part *p)
{
	char *active = part_file(p, "active");
	bool watched = active;

	free(active);
	return watched;
}

static bool is_known(const struct keeper *k, const struct kept *kept)
{
	if (part_is_core(kept->part))
		return is_watched(kept->part);
	for (size_t i = 0; i < k->all->count; i++)
		if (k->all->part[i].domain == kept->part->domain &&
		    is_watched(&k->all->part[i]))
			return true;
	return false;
}

static void close_kept(struct kept *kept)
{
	if (kept->event >= 0)
		close(kept->event);
	kept->event = -1;
}

void keeper_renew(struct keeper *k)
{
	for (size_t i = 0; i < k->count; i++) {
		if (is_known(k, &k->kept[i]))
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

int keeper_error(const struct keeper *k, struct parts *all)
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
	int error = keeper_error(k, all);
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
