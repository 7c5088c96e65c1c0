// SPDX-License-Identifier: GPL-2.0-only
/*
 * How old a reason is, and for how long it has limited.
 */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs.h"

#define SECOND 1000000000LL

/* What has limited for less than this is a matter of the last look. */
#define WORTH_A_WORD (10 * SECOND)

long long history_now(void)
{
	char *text = sysfs_read("/proc/uptime");
	double s = text ? strtod(text, NULL) : 0;

	free(text);
	return s > 0 && s < 1e9 ? (long long)(s * 1e9) : 0;
}

/*
 * "POWER 81000212345 96300265432 15300053087 1", and at times one number more;
 * other lines are skipped.
 */
static void take_line(struct history *h, const char *line)
{
	long long first, last, limited, after = 0;
	char name[64];
	uint64_t mask;

	if (sscanf(line, "%63s %18lld %18lld %18lld %*d %18lld", name, &first,
		   &last, &limited, &after) < 4 ||
	    first < 0 || last < 0 || limited < 0 || after < 0)
		return;
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (strcmp(name, reason_name(bit)))
			continue;
		mask = 1ULL << bit;
		h->seen |= mask;
		h->first[bit] = first;
		h->last[bit] = last;
		h->limited[bit] = limited;
		h->after[bit] = after;
	}
}

/* A time; 0 where there is none. */
static long long read_time(const struct part *p, const char *name)
{
	char *text = part_file(p, name);
	long long ns = text ? atoll(text) : 0;

	free(text);
	return ns > 0 ? ns : 0;
}

bool history_read(struct part *p)
{
	char *text = part_file(p, "history"), *save, *line;
	struct history *h = p->history;
	bool there = text;

	if (!h)
		h = xrealloc(NULL, sizeof(*h));
	*h = (struct history){ .seen = 0 };
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(h, line);
	h->cleared = read_time(p, "cleared_ns");
	h->unseen = read_time(p, "unseen_ns");
	p->history = h;
	free(text);
	return there;
}

uint64_t history_since(const struct part *p, long long from)
{
	const struct history *h = p->history;
	uint64_t mask = 0;

	for (unsigned int bit = 0; h && from && bit < REASON_BITS; bit++)
		if (h->seen >> bit & 1 && h->first[bit] &&
		    h->last[bit] >= from)
			mask |= 1ULL << bit;
	return mask;
}

static void add_duration(struct text *t, long long ns)
{
	long long s = ns / SECOND;

	if (s < 120)
		text_add(t, "%lld s", s);
	else if (s < 2 * 3600)
		text_add(t, "%lld min", s / 60);
	else if (s < 48 * 3600)
		text_add(t, "%lld h", s / 3600);
	else
		text_add(t, "%lld d", s / 86400);
}

void history_add_time(struct text *t, const struct group *g, uint64_t mask)
{
	long long longest = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct history *h = g->part[i]->history;

		for (unsigned int bit = 0; h && bit < REASON_BITS; bit++)
			if (mask >> bit & 1 && h->limited[bit] > longest)
				longest = h->limited[bit];
	}
	if (longest >= WORTH_A_WORD) {
		text_add(t, " for ");
		add_duration(t, longest);
	}
}

/*
 * When a part had a reason last; or false, and the time before which it had not.
 * Hardware does not say when it has set a bit: what no watch has seen is younger
 * than the last look, than its clear, or than the last boot, and that is all
 * there is to say.
 */
static bool history_last(const struct history *h, unsigned int bit,
			 long long *when)
{
	if (!(h->seen >> bit & 1)) {
		*when = h->unseen;
		return false;
	}
	if (h->first[bit] && !h->after[bit]) {
		*when = h->last[bit];
		return true;
	}
	*when = h->after[bit];
	return false;
}

/*
 * The age of one reason. Of parts that share a line it is the youngest that is
 * known; where one of unknown age may be younger, what is true of all of them.
 */
static void add_age(struct text *t, const struct group *g, unsigned int bit,
		    long long now)
{
	long long last = -1, after = -1, oldest = -1, when;
	bool known;

	for (size_t i = 0; i < g->count; i++) {
		const struct history *h = g->part[i]->history;

		if (!h)
			continue;
		known = history_last(h, bit, &when);
		if (known && when > last)
			last = when;
		if (!known && when > after)
			after = when;
		if (oldest < 0 || when < oldest)
			oldest = when;
	}
	if (oldest < 0)
		oldest = 0;
	known = last > after;
	when = known ? last : oldest;
	if (!now || when > now)
		return;
	text_add(t, known ? " " : " up to ");
	add_duration(t, now - when);
	text_add(t, " ago");
}

void history_add_ages(struct text *t, const struct group *g, uint64_t mask,
		      long long now)
{
	size_t before = t->len;

	while (mask) {
		struct text age = { NULL, 0 };
		uint64_t alike = 0;
		char *names;

		for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
			struct text one = { NULL, 0 };

			if (!(mask >> bit & 1))
				continue;
			text_add(&one, "%s", "");
			add_age(&one, g, bit, now);
			if (!alike)
				text_add(&age, "%s", one.s);
			if (!strcmp(age.s, one.s))
				alike |= 1ULL << bit;
			text_free(&one);
		}
		names = reasons_text(alike);
		text_add(t, "%s%s%s", t->len > before ? ", " : "", names,
			 age.s);
		free(names);
		text_free(&age);
		mask &= ~alike;
	}
}
