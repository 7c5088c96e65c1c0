// SPDX-License-Identifier: GPL-2.0-only
/* The numbers of a package, for those who find some of them. */
#include "number.h"

#include "clock.h"
#include "output.h"

struct number *numbers_of(struct numbers *n, long package)
{
	struct number none = {
		.package = package, .pl1 = { -1, -1 }, .pl2 = { -1, -1 },
		.energy_uj = -1, .range_uj = -1, .drawn_mw = -1,
		.now_khz = -1, .base_khz = -1, .max_khz = -1,
	};

	for (size_t i = 0; i < n->count; i++)
		if (n->number[i].package == package)
			return &n->number[i];
	n->number = xrealloc(n->number, (n->count + 1) * sizeof(none));
	n->number[n->count] = none;
	return &n->number[n->count++];
}

void numbers_read_since(struct numbers *n, long long ms)
{
	n->read_ms = (ms + clock_ms()) / 2;
}

void numbers_energy(const struct numbers *n, struct number *number,
		    long long now)
{
	number->energy_uj = now;
	number->energy_ms = n->read_ms;
}

void numbers_drawn(const struct numbers *n, struct number *number,
		   long long now)
{
	long long ms = n->read_ms - number->energy_ms;

	if (now < 0 || number->energy_uj < 0 || ms < 100)
		return;
	if (now < number->energy_uj)
		now += number->range_uj;
	if (now >= number->energy_uj)
		number->drawn_mw = (now - number->energy_uj) / ms;
}
