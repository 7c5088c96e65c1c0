// SPDX-License-Identifier: GPL-2.0-only
/* What mailboxes answer, how soon, and whether bits are as they should be. */
#include "qualify_plr.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output.h"
#include "parts.h"
#include "reasons.h"

/* So that each module is read some times, however few there are. */
#define READS 200

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
	const long long *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct latency {
	long long ns[READS];
	size_t count, silent;
	const char *first;		/* that does not answer */
	int error;
};

static void time_one(struct latency *l, struct part *p)
{
	long long begin = now_ns();

	part_read(p);
	if (p->error) {
		if (!l->silent++) {
			l->first = p->domain->name;
			l->error = p->error;
		}
	} else if (l->count < READS) {
		l->ns[l->count++] = now_ns() - begin;
	}
}

static bool has_core(const struct parts *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (part_is_core(&all->part[i]))
			return true;
	return false;
}

static void judge_mailbox(struct parts *all, struct verdicts *v)
{
	struct latency l = { .count = 0 };

	/* A mailbox that is silent costs time each time: once is enough. */
	while (has_core(all) && !l.silent && l.count < READS && verdicts_go_on(v))
		for (size_t i = 0; i < all->count && verdicts_go_on(v); i++)
			if (part_is_core(&all->part[i]))
				time_one(&l, &all->part[i]);
	qsort(l.ns, l.count, sizeof(*l.ns), compare_times);
	if (l.silent)
		verdict_add(v, FAILED, "mailboxes", "%zu modules do not answer, "
			    "the first in %s: %s", l.silent, l.first,
			    error_name(l.error));
	else if (l.count)
		verdict_add(v, PASSED, "mailboxes", "%zu answers, half of them "
			    "in %.0f us, the slowest in %.0f us", l.count,
			    (double)l.ns[l.count / 2] / 1000,
			    (double)l.ns[l.count - 1] / 1000);
	else
		verdict_add(v, UNTESTED, "mailboxes", "no module was asked");
}

/* The coarse bits that must be set with these fine ones; reserved: no bit. */
static uint64_t coarse_of(uint64_t reasons, bool *reserved)
{
	uint64_t mask = 0;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		int coarse = reason_coarse(bit);

		if (!(reasons >> bit & 1))
			continue;
		if (coarse < 0)
			*reserved = true;
		else
			mask |= 1ULL << coarse;
	}
	return mask;
}

static const struct part *die_of(const struct parts *all, const struct part *p)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == p->domain &&
		    !strcmp(all->part[i].name, "die"))
			return &all->part[i];
	return NULL;
}

/*
 * Which rule a part breaks, or NULL. A clear is of some names, and of the die
 * or of a module: a fine reason without its coarse one, and a module whose die
 * has none, prove nothing, and set *excused.
 */
static const char *broken_rule(const struct parts *all, const struct part *p,
			       bool *excused)
{
	const struct part *die = die_of(all, p);
	bool reserved = false;
	uint64_t coarse = coarse_of(p->reasons, &reserved);

	if (reserved)
		return "a bit is set that has no meaning";
	if (coarse & ~p->reasons ||
	    (part_is_core(p) && die && !die->error && p->reasons && !die->reasons))
		*excused = true;
	return NULL;
}

struct tally {
	size_t read, set, broken, excused, meshes;
	const char *rule;		/* that the first one breaks */
	const struct part *first;	/* that breaks one, or is excused */
};

static struct tally hold_against_rules(const struct parts *all)
{
	struct tally t = { .read = 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		bool excused = false;
		const char *breaks = p->error ? NULL :
				     broken_rule(all, p, &excused);

		t.meshes += p->error && part_is_mesh(p);
		t.read += !p->error;
		t.set += !p->error && p->reasons;
		t.broken += !!breaks;
		t.excused += !breaks && excused;
		if (breaks ? !t.rule : excused && !t.first)
			t.first = p;
		if (breaks && !t.rule)
			t.rule = breaks;
	}
	return t;
}

static void judge_rules(struct parts *all, struct verdicts *v)
{
	struct text cleared = { NULL, 0 };
	struct tally t;

	/* Modules first: what comes meanwhile is at the die, too. */
	for (size_t i = all->count; i-- && verdicts_go_on(v);)
		part_read(&all->part[i]);
	t = hold_against_rules(all);
	if (t.excused)
		text_add(&cleared, "; %zu may have been cleared and cannot be judged",
			 t.excused);
	if (t.rule)
		verdict_add(v, FAILED, "limits", "%s, first in %s of %s; so in "
			    "%zu of %zu parts", t.rule, t.first->name,
			    t.first->domain->name, t.broken, t.read);
	else if (t.excused && t.excused == t.set)
		verdict_add(v, UNTESTED, "limits", "%zu parts cannot be judged, "
			    "as reasons were cleared, first in %s of %s",
			    t.excused, t.first->name, t.first->domain->name);
	else
		verdict_add(v, t.read ? PASSED : UNTESTED, "limits", "%zu parts, "
			    "%zu with a reason; each fine one has its coarse "
			    "one, each module's die has one; %zu meshes do not "
			    "answer%s", t.read, t.set, t.meshes,
			    cleared.s ? cleared.s : "");
	text_free(&cleared);
}

void plr_judge(const struct machine *m, const struct options *opt,
	       struct verdicts *v)
{
	struct parts all = { NULL, 0, false };

	if (m->domains && parts_find(&all, m, opt)) {
		judge_mailbox(&all, v);
		judge_rules(&all, v);
	} else {
		verdict_add(v, UNTESTED, "limits",
			    "this machine or kernel has none");
	}
	parts_free(&all);
}
