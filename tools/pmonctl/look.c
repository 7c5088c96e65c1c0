// SPDX-License-Identifier: GPL-2.0-only
/* What limits now, and what is on record. */
#include "look.h"

#include <errno.h>

#include "clock.h"
#include "history.h"

#define LOOK_MS 1000
#define BEGIN_MS 1000
#define STEP_MS 50

bool look_begin(struct keeper *k, struct parts *all)
{
	long long begin = history_now(), end = clock_ms() + BEGIN_MS;
	bool good;

	keeper_open(k, all);
	while (good = keeper_observed(k, begin), !good && clock_ms() < end)
		clock_pause_ms(STEP_MS);
	return good;
}

void look_since(struct parts *all, long long begin)
{
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		history_read(p);
		p->known = history_observed(p, begin);
		p->now = history_since(p, begin);
	}
}

/* Who may not read the hardware's record may read the driver's. */
static void take_reasons(struct parts *all, struct part *p)
{
	part_read(p);
	if (p->error == EACCES && p->history) {
		p->reasons = p->history->seen;
		p->error = 0;
		all->refused = true;
	}
	p->reasons |= p->now;
	if (p->error)
		p->known = false;
}

void look_for_a_second(struct parts *all)
{
	struct keeper keeper;
	long long begin;

	look_begin(&keeper, all);
	begin = history_now();
	clock_pause_ms(LOOK_MS);
	look_since(all, begin);
	for (size_t i = 0; i < all->count; i++) {
		part_read_active(&all->part[i]);
		take_reasons(all, &all->part[i]);
	}
	keeper_close(&keeper);
}

void look_once(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		history_read(p);
		p->known = part_read_active(p);
		p->now = p->known ? p->active : 0;
		take_reasons(all, p);
	}
}
