// SPDX-License-Identifier: GPL-2.0-only
/*
 * From perf's configuration words to what is written for an event: its control,
 * its filter and the counters that can count it, done once, when it is opened.
 * And which of these counters it gets.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "encode.h"

static bool pmon_is_reserved(const struct pmon_constraint *reserved, u64 config)
{
	for (; reserved && reserved->mask; reserved++)
		if ((config & reserved->mask) == reserved->config)
			return true;
	return false;
}

u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config)
{
	const struct pmon_constraint *c = type->constraints;
	u64 own = layout->own;

	if (own && type->fixed_config && config != type->fixed_config)
		own = 0;
	for (; own; own &= own - 1)
		if (layout->counter[__ffs64(own)].config == config)
			return own & -own;
	if (type->fixed_config && config == type->fixed_config)
		return 0;
	if (pmon_is_reserved(type->reserved, config))
		return 0;

	for (; c && c->counters; c++)
		if ((config & c->mask) == c->config)
			return c->counters & layout->any;
	return layout->any;
}

/* What the rows of a type say of an event. */
static void pmon_type_encode(const struct pmon_type *type,
			     const struct pmon_layout *layout,
			     const u64 *config, struct pmon_encoding *encoding)
{
	u64 own;

	encoding->allowed = pmon_allowed(type, layout, config[0]);
	own = encoding->allowed & layout->own;
	encoding->ctl = own ? layout->counter[__ffs64(own)].enable :
			      (config[0] & type->ctl_mask) | type->ctl_set;
	encoding->uses_filter = config[0] & type->filter_enable &&
				layout->filter_bytes;
	encoding->filter = config[1] & type->filter_mask;
}

/* Is every counter that can count the event a free-running one? */
static bool pmon_is_free_running(const struct pmon_layout *layout, u64 allowed)
{
	u64 own = allowed & layout->own;

	return layout->free_running ||
	       (own && layout->counter[__ffs64(own)].kind ==
			       PMON_COUNTER_FREE_RUNNING);
}

int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config)
{
	struct pmon_encoding encoding = { };
	int ret;

	if (type->encode) {
		ret = type->encode(layout, config, &encoding);
		if (ret)
			return ret;
		encoding.ctl |= type->ctl_set;
		encoding.allowed &= layout->any | layout->own;
	} else {
		pmon_type_encode(type, layout, config, &encoding);
	}
	*event = (struct pmon_event) {
		.ctl = encoding.ctl,
		.allowed = encoding.allowed,
		.assigned_to = -1,
		.counted_on = -1,
		.rate_log2 = encoding.rate_log2,
		.free_running = pmon_is_free_running(layout, encoding.allowed),
	};
	if (event->free_running) {
		event->next = NULL;
	} else if (encoding.uses_filter) {
		event->uses_filter = true;
		event->shares_filter = layout->shares_filter;
		event->filter = encoding.filter;
	}
	return 0;
}

/*
 * ---- assignment ------------------------------------------------------------
 *
 * Events and counters are the two sides of a bipartite graph; a new event gets
 * its counter along a shortest augmenting path, found by a breadth-first
 * search. So an arrangement is found whenever there is one, and the fewest
 * events move.
 */

/* Ends the path back from a free counter: the new event takes this one. */
#define PMON_FROM_NEW	0xff

static void pmon_walk_back(struct pmon_assign_path *path, u8 slot,
			   const u8 *from)
{
	path->length = 0;
	while (slot != PMON_FROM_NEW) {
		path->slot[path->length++] = slot;
		slot = from[slot];
	}
}

bool pmon_assign(const struct pmon_assignment *a, u64 allowed, u64 prefer,
		 u64 avoid, struct pmon_assign_path *path)
{
	u8 from[PMON_SLOTS_MAX], queue[PMON_SLOTS_MAX];
	unsigned int head = 0, tail = 0;
	u64 seen = 0, next = allowed;
	u8 by = PMON_FROM_NEW;

	for (;;) {
		u64 unused = next & ~a->taken;

		if (unused) {
			u8 slot = pmon_choose(unused, prefer, avoid);

			from[slot] = by;
			pmon_walk_back(path, slot, from);
			return true;
		}
		for (seen |= next; next; next &= next - 1) {
			queue[tail] = __ffs64(next);
			from[queue[tail++]] = by;
		}
		if (head == tail)
			return false;
		by = queue[head++];
		next = a->allowed[by] & ~seen;
	}
}

void pmon_assignment_apply(struct pmon_assignment *a, u64 allowed,
			   const struct pmon_assign_path *path)
{
	unsigned int i;

	a->taken |= BIT_ULL(path->slot[0]);
	for (i = 0; i + 1 < path->length; i++)
		a->allowed[path->slot[i]] = a->allowed[path->slot[i + 1]];
	a->allowed[path->slot[i]] = allowed;
}
