// SPDX-License-Identifier: GPL-2.0-only
/* Looks at all directories of reasons twice, a second apart. */
#include "look.h"

#include "clock.h"
#include "history.h"
#include "keeper.h"

/* Between the two looks; a watch begins within the first of these. */
#define LOOK_MS 1000
#define BEGIN_MS 500

/* The driver looks ten times a second for us, others may ask for more. */
#define STEP_MS 50

/* A reason that is active in any of these intervals is in force now. */
static void take_active(struct part *p)
{
	if (part_read_active(p))
		p->now |= p->active;
	p->known |= p->watched;
}

static bool all_watched(const struct parts *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (!all->part[i].known)
			return false;
	return true;
}

/*
 * The first look of a watch says what was there before, so active is there
 * from the second one on.
 */
static void wait_for_watch(struct parts *all)
{
	long long end = clock_ms() + BEGIN_MS;

	for (;;) {
		for (size_t i = 0; i < all->count; i++)
			if (!all->part[i].known)
				take_active(&all->part[i]);
		if (all_watched(all) || clock_ms() >= end)
			return;
		clock_pause_ms(STEP_MS);
	}
}

/* The second look; what is new in it, or was seen meanwhile, is in force. */
static void take_reasons(struct part *p, long long begin)
{
	uint64_t before = p->reasons;
	bool compare = !p->known && !p->error;

	part_read(p);
	history_read(p);
	if (compare)
		p->now |= p->reasons & ~before;
	p->now |= history_since(p, begin);
	p->reasons |= p->now;
	if (p->error)
		p->known = false;
}

void look_twice(const struct machine *m, struct parts *all,
		struct numbers *numbers)
{
	struct keeper keeper;
	long long begin, end;

	keeper_open(&keeper, m, all);
	wait_for_watch(all);
	begin = history_now();
	end = clock_ms() + LOOK_MS;
	numbers_begin(numbers);
	for (size_t i = 0; i < all->count; i++)
		if (!all->part[i].known)
			part_read(&all->part[i]);
	while (clock_ms() < end) {
		clock_pause_ms(STEP_MS);
		for (size_t i = 0; i < all->count; i++)
			if (all->part[i].known)
				take_active(&all->part[i]);
	}
	numbers_end(numbers, all);
	for (size_t i = 0; i < all->count; i++)
		take_reasons(&all->part[i], begin);
	keeper_close(&keeper);
}

void look_once(struct parts *all, struct numbers *numbers)
{
	if (numbers)
		numbers_begin(numbers);
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		take_active(p);
		part_read(p);
		history_read(p);
		p->reasons |= p->now;
		if (p->error)
			p->known = false;
	}
	if (numbers)
		numbers_end(numbers, all);
}
