// SPDX-License-Identifier: GPL-2.0-only
/* Prints what pmonctl plr has read, as a table or JSON. */
#include "plr_print.h"

#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "lines.h"
#include "reasons.h"

static bool is_not_limited(const struct part *p)
{
	return !p->reasons && !p->error;
}

static bool is_unreadable(const struct part *p)
{
	return p->error;
}

static bool same_error(const struct part *a, const struct part *b)
{
	return a->error == b->error;
}

static void add_rest(struct text *t, const struct parts *all,
		     bool (*wanted)(const struct part *p))
{
	struct lines l = lines_of(all, wanted, same_error);

	for (size_t i = 0; i < l.count; i++) {
		int error = l.line[i].parts.part[0]->error;

		struct text place = { NULL, 0 };

		line_add_place(&place, &l.line[i]);
		text_add_shown(t, place.s);
		if (error)
			text_add(t, ": unreadable (%s)\n", error_name(error));
		else
			text_add(t, ": not limited\n");
		text_free(&place);
	}
	lines_free(&l);
}

/* How many parts are limited now, and have been, and are not known. */
struct tally {
	size_t now, old, unknown, unread;
};

static struct tally count(const struct parts *all)
{
	struct tally n = { 0, 0, 0, 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];

		n.unread += !!p->error;
		n.now += !!p->now;
		n.old += !p->now && p->reasons && p->known;
		n.unknown += !p->now && p->reasons && !p->known;
	}
	return n;
}

static void add_headline(struct text *t, const struct parts *all)
{
	struct tally n = count(all);

	if (n.unread == all->count) {
		text_add(t, "What limits cannot be read.\n");
	} else if (!n.now && !n.old && !n.unknown) {
		text_add(t, "No limit is recorded");
		if (n.unread)
			text_add(t, " in what can be read; %zu of %zu parts "
				 "cannot", n.unread, all->count);
		text_add(t, ".\n");
	} else {
		text_add(t, "%zu of %zu limited now", n.now, all->count);
		if (n.old)
			text_add(t, ", %zu more since the last clear", n.old);
		if (n.unknown)
			text_add(t, ", %zu now or before (?)", n.unknown);
		text_add(t, "\n\n");
	}
}

static void add_turbo(struct text *t, size_t parts, const struct parts *all)
{
	if (parts)
		text_add(t, "FREQUENCY alone in %zu of %zu: turbo limit of a busy "
			 "host\n", parts, all->count);
}

static uint64_t in_force(const struct parts *all)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < all->count; i++)
		mask |= all->part[i].now;
	if (!all->single)
		mask &= ~reasons_of_turbo();
	return reasons_brief(mask);
}

void plr_print(const struct parts *all, bool moves)
{
	struct text t = { NULL, 0 }, rest = { NULL, 0 };
	size_t turbo;

	if (moves)
		text_add(&t, "Looking moves the hardware's record into openpmon's "
			 "log; --once does not.\n");
	add_headline(&t, all);
	turbo = lines_add_table(&t, all, history_now());
	add_turbo(&rest, turbo, all);
	add_rest(&rest, all, is_unreadable);
	add_rest(&rest, all, is_not_limited);
	reasons_add_meanings(&rest, in_force(all));
	if (rest.len)
		text_add(&t, "\n%s", rest.s);
	print_text(stdout, t.s);
	text_free(&t);
	text_free(&rest);
}

void plr_print_cleared(const struct parts *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += !!all->part[i].cleared;
	if (n) {
		say_nothing();
		say("Cleared in %zu %s.", n, n == 1 ? "part" : "parts");
	}
}

static void json_history(const struct part *p)
{
	const struct history *h = p->history;

	if (!h || !h->seen)
		return;
	json_open("history", '[');
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!(h->seen >> bit & 1))
			continue;
		json_open(NULL, '{');
		json_text("reason", reason_name(bit));
		json_number("last_ns", (long)h->last[bit]);
		json_number("limited_ns", (long)h->limited[bit]);
		if (h->since[bit])
			json_number("since_ns", (long)h->since[bit]);
		json_close('}');
	}
	json_close(']');
}

static void json_part(const struct part *p)
{
	json_open(NULL, '{');
	json_text("name", p->name);
	if (p->cpus)
		json_text("cpus", p->cpus);
	if (p->error)
		json_text("error", error_name(p->error));
	else
		json_reasons("reasons", p->reasons);
	if (p->known)
		json_reasons("now", p->now);
	if (p->watched)
		json_reasons("active", p->active);
	if (p->cleared)
		json_reasons("cleared", p->cleared);
	json_history(p);
	json_close('}');
}

static void json_domain(const struct domain *d, const struct parts *all)
{
	json_open(NULL, '{');
	json_text("name", d->name);
	json_number("package", d->package);
	json_number("domain", d->id);
	json_text("cpus", d->cpus);
	json_open("parts", '[');
	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == d)
			json_part(&all->part[i]);
	json_close(']');
	json_close('}');
}

void plr_print_json(const struct machine *m, struct parts *all)
{
	long long now = history_now();

	json_open(NULL, '{');
	json_number("format", 1);
	if (now)
		json_number("uptime_ns", (long)now);
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++)
		if (parts_of(all, &m->domain[i]))
			json_domain(&m->domain[i], all);
	json_close(']');
	json_close('}');
}
