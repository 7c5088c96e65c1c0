// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fill registers with pseudo-random values at power-on: specifications define no
 * values, and firmware may have used the registers.  A machine always starts with
 * the same values.  A counter runs if the random control selects an event.
 */
#include "qemu/osdep.h"
#include "pmon.h"

static void fill_counter(struct pmon_unit *u, unsigned int i, uint64_t *state)
{
	struct pmon_counter *c = &u->ctr[i];
	bool fixed = i >= u->lay.counters;
	unsigned int bytes = u->kind == PMON_KIND_MSR ? 8 :
			     fixed ? 4 : u->lay.ctl_bytes;

	if (!u->free) {
		pmon_unit_set_ctl(u, i, pmon_part(pmon_random(state), 0, bytes));
		c->left = true;
	}
	/* after the control: a random control may reset the counter */
	c->value = pmon_random(state) & pmon_mask(c->width);
}

static void fill_unit(struct pmon_unit *u, uint64_t seed)
{
	uint64_t state = seed ^ (uint64_t)u->pkg << 32 ^ u->type << 16 ^ u->id;
	unsigned int i, counters = pmon_unit_counters(u);

	pmon_random(&state);	/* skip: similar seeds make similar first numbers */
	for (i = 0; i < counters; i++)
		fill_counter(u, i, &state);
	if (u->free)
		return;
	u->filter = u->lay.filter ? pmon_part(pmon_random(&state), 0, 4) : 0;
	u->status = u->lay.status ? pmon_random(&state) & ((1ull << MIN(counters, 63)) - 1) : 0;
	if (u->ring)
		pmon_ring_power_on(u, pmon_random(&state));
	else
		pmon_unit_set_box(u, pmon_random(&state) & !u->lay.boxless);
}

void pmon_power_on(uint64_t seed)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (!u->global && u->kind != PMON_KIND_NONE)
			fill_unit(u, seed);
	}
}
