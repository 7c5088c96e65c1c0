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

/* Milliseconds as nanoseconds; "-", and what is no number, is 0. */
static long long take_time(const char *text)
{
	long long ms = atoll(text);

	return ms > 0 && ms < 1000000000000LL ? ms * 1000000 : 0;
}

/* "POWER 15300 96300 81000": time, last seen, since; other lines are skipped. */
static void take_line(struct history *h, const char *line)
{
	char name[64], limited[20], last[20], since[20];

	if (sscanf(line, "%63s %19s %19s %19s", name, limited, last, since) != 4)
		return;
	for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
		if (strcmp(name, bit == OBSERVED ? "observed" : reason_name(bit)) ||
		    !take_time(last))
			continue;
		if (bit != OBSERVED)
			h->seen |= 1ULL << bit;
		h->last[bit] = take_time(last);
		h->since[bit] = take_time(since);
		h->limited[bit] = take_time(limited);
	}
}

bool history_read(struct part *p)
{
	char *text = part_file(p, "time_in_reason"), *save, *line;
	struct history *h = p->history;
	bool there = text;

	if (!h)
		h = xrealloc(NULL, sizeof(*h));
	*h = (struct history){ .seen = 0 };
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(h, line);
	p->history = h;
	free(text);
	return there;
}

uint64_t history_since(const struct part *p, long long from)
{
	const struct history *h = p->history;
	uint64_t mask = 0;

	for (unsigned int bit = 0; h && bit < REASON_BITS; bit++)
		if (h->seen >> bit & 1 && h->last[bit] >= from)
			mask |= 1ULL << bit;
	return mask;
}

bool history_observed(const struct part *p, long long from)
{
	return p->history && p->history->last[OBSERVED] &&
	       p->history->last[OBSERVED] >= from;
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
			if (mask >> bit & 1 && h->since[bit] &&
			    h->last[bit] - h->since[bit] > longest)
				longest = h->last[bit] - h->since[bit];
	}
	if (longest >= WORTH_A_WORD) {
		text_add(t, " for ");
		add_duration(t, longest);
	}
}

/*
 * When a part had a reason last; or false: hardware does not say when it has set
 * a bit that no watch has seen, and since the last boot is all there is to say.
 */
static bool history_last(const struct history *h, unsigned int bit,
			 long long *when)
{
	*when = h->seen >> bit & 1 ? h->last[bit] : 0;
	return h->seen >> bit & 1;
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
		names = reasons_text(reasons_brief(alike));
		text_add(t, "%s%s%s", t->len > before ? ", " : "", names,
			 age.s);
		free(names);
		text_free(&age);
		mask &= ~alike;
	}
}
