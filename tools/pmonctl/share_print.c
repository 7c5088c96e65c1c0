// SPDX-License-Identifier: GPL-2.0-only
/* Prints which share of a job's time was limited, and by what. */
#include <stdlib.h>

#include "output.h"
#include "share.h"
#include "table.h"

#define MS 1000000LL

/* All modules together; of one reason: the CPUs that it limited, too. */
struct total {
	long long ran, observed;
	long long limited[REASON_BITS];
	struct cpus cpus[REASON_BITS];
	size_t modules;
};

static struct total *add_up(const struct shares *s)
{
	struct total *t = xrealloc(NULL, sizeof(*t));

	*t = (struct total){ .ran = s->elsewhere };
	for (size_t i = 0; i < s->count; i++) {
		const struct share *share = &s->share[i];

		t->modules += !!share->ran;
		t->ran += share->ran;
		t->observed += share->observed;
		for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
			t->limited[bit] += share->limited[bit];
			if (share->limited[bit])
				cpus_join(&t->cpus[bit], &share->cpus);
		}
	}
	return t;
}

static long percent(long long part, long long whole)
{
	return whole ? (long)((100 * (part / 1000) + whole / 2000) /
			      (whole / 1000 ? whole / 1000 : 1)) : 0;
}

static bool any_limit(const struct total *t)
{
	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (t->limited[bit])
			return true;
	return false;
}

/* The reason that took most first; coarse ones before their fine ones. */
static unsigned int next_bit(const struct total *t, uint64_t done)
{
	unsigned int best = REASON_BITS;

	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (!(done >> bit & 1) && t->limited[bit] &&
		    (best == REASON_BITS || t->limited[bit] > t->limited[best]))
			best = bit;
	return best;
}

static void print_table(const struct total *t)
{
	static const char *const head[] = {
		"SHARE", "CPU TIME", "REASON", "CPUS", NULL
	};
	struct table table;
	uint64_t done = 0;
	unsigned int bit;

	table_start_headed(&table, head);
	while ((bit = next_bit(t, done)) < REASON_BITS) {
		struct text cpus = { NULL, 0 };

		cpus_add_text(&cpus, &t->cpus[bit]);
		table_cell(&table, "%3ld %%",
			   percent(t->limited[bit], t->observed));
		table_cell(&table, "%.1f s", (double)t->limited[bit] / 1e9);
		table_cell(&table, "%s", reason_name(bit));
		table_cell(&table, "%s", cpus.s ? cpus.s : "-");
		text_free(&cpus);
		done |= 1ULL << bit;
	}
	table_print(&table);
}

static void say_lack(const struct total *t, const struct work *w)
{
	if (t->ran && percent(t->observed, t->ran) < 100)
		say("For %ld %% of that time it is not known what limited.",
		    100 - percent(t->observed, t->ran));
	if (w->cpu_ns >= 0 && percent(t->ran, w->cpu_ns) < 95 &&
	    w->cpu_ns > 20 * MS)
		say("That is %ld %% of its CPU time; the rest is of threads "
		    "that ended before they were looked at.",
		    percent(t->ran, w->cpu_ns));
	if (w->too_many)
		say("It has more threads than can be looked at.");
}

void shares_print(const struct shares *s, const struct work *w)
{
	struct total *t = add_up(s);
	struct text cpus = { NULL, 0 };

	cpus_add_text(&cpus, &s->cpus);
	if (t->ran)
		say("%s: %.1f s, %.1f s of CPU time on CPUs %s (%zu %s)",
		    w->what, (double)w->ms / 1e3, (double)t->ran / 1e9, cpus.s,
		    t->modules, t->modules == 1 ? "module" : "modules");
	else
		say("%s: %.1f s, in which it was not seen to run", w->what,
		    (double)w->ms / 1e3);
	say_lack(t, w);
	if (any_limit(t)) {
		say_nothing();
		print_table(t);
	} else if (t->observed) {
		say("Nothing limited it.");
	}
	say_nothing();
	say("Sampled every %d ms: the CPU time of each thread, the CPU that "
	    "it was on, and what limited the module of that CPU.",
	    SHARE_STEP_MS);
	text_free(&cpus);
	free(t);
}

static void json_limited(const long long *limited)
{
	json_open("reasons", '[');
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!limited[bit])
			continue;
		json_open(NULL, '{');
		json_text("reason", reason_name(bit));
		json_number("ms", (long)(limited[bit] / MS));
		json_close('}');
	}
	json_close(']');
}

static void json_share(const struct share *share)
{
	struct text cpus = { NULL, 0 };

	cpus_add_text(&cpus, &share->cpus);
	json_open(NULL, '{');
	json_number("package", share->part->domain->package);
	json_number("domain", share->part->domain->id);
	json_text("name", share->part->name);
	json_text("cpus", cpus.s);
	json_number("ran_ms", (long)(share->ran / MS));
	json_number("observed_ms", (long)(share->observed / MS));
	json_limited(share->limited);
	json_close('}');
	text_free(&cpus);
}

void shares_print_json(const struct shares *s, const struct work *w,
		       const char *name)
{
	struct total *t = add_up(s);
	struct text cpus = { NULL, 0 };

	cpus_add_text(&cpus, &s->cpus);
	json_open(name, '{');
	json_number("format", 1);
	json_text("work", w->what);
	json_number("step_ms", SHARE_STEP_MS);
	json_number("ms", (long)w->ms);
	if (w->cpu_ns >= 0)
		json_number("cpu_ms", (long)(w->cpu_ns / MS));
	json_text("cpus", cpus.s ? cpus.s : "");
	json_number("ran_ms", (long)(t->ran / MS));
	json_number("observed_ms", (long)(t->observed / MS));
	json_limited(t->limited);
	json_open("parts", '[');
	for (size_t i = 0; i < s->count; i++)
		if (s->share[i].ran)
			json_share(&s->share[i]);
	json_close(']');
	json_close('}');
	text_free(&cpus);
	free(t);
}
