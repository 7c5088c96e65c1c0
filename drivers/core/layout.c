// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks the layout that a leaf hands over: widths, overlapping registers, and
 * what its protocol needs.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "count.h"

/* In what time does a counter gain half of its range at most? */
static u64 pmon_counter_period_ns(const struct pmon_layout *layout,
				  const struct pmon_counter *counter)
{
	u8 rate_log2 = counter->rate_log2;

	if (!rate_log2 && layout->protocol)
		rate_log2 = layout->protocol->rate_log2;
	return pmon_wrap_period_ns(counter->width,
				   rate_log2 ?: PMON_RATE_LOG2);
}

u64 pmon_layout_period_ns(const struct pmon_layout *layout)
{
	u64 period = PMON_PERIOD_MAX_NS;
	unsigned int i;

	for (i = 0; i < layout->counters; i++)
		period = min(period,
			     pmon_counter_period_ns(layout,
						    &layout->counter[i]));
	return period;
}

bool pmon_layout_is_free_running(const struct pmon_layout *layout)
{
	unsigned int i;

	for (i = 0; i < layout->counters; i++)
		if (layout->counter[i].kind != PMON_COUNTER_FREE_RUNNING)
			return false;
	return true;
}

bool pmon_layout_shares_filter(const struct pmon_layout *layout)
{
	return layout->filter_bytes && layout->counters > 1 &&
	       layout->counter[0].filter == layout->counter[1].filter;
}

/*
 * A reset of a counter as wide as this seems to gain less than PMON_DELTA_SMALL
 * in one of 256 cases; of narrower ones it does more often, up to always.
 */
#define PMON_WIDTH_SURE		36

static bool pmon_width_is_odd(const struct pmon_layout *layout, u8 width)
{
	return (width < PMON_WIDTH_SURE && layout->protocol->may_reset) ||
	       width == PMON_WIDTH_MAX;
}

static bool pmon_layout_has_odd_width(const struct pmon_layout *layout)
{
	unsigned int i;

	if (!layout->protocol)
		return false;
	for (i = 0; i < layout->counters; i++)
		if (layout->counter[i].kind != PMON_COUNTER_FREE_RUNNING &&
		    pmon_width_is_odd(layout, layout->counter[i].width))
			return true;
	return false;
}

void pmon_layout_prepare(struct pmon_layout *layout)
{
	unsigned int i;

	layout->any = 0;
	layout->own = 0;
	for (i = 0; i < layout->counters; i++)
		if (layout->counter[i].kind == PMON_COUNTER_ANY)
			layout->any |= BIT_ULL(i);
		else
			layout->own |= BIT_ULL(i);
	layout->shares_filter = pmon_layout_shares_filter(layout);
	layout->free_running = pmon_layout_is_free_running(layout);
	layout->odd_width = pmon_layout_has_odd_width(layout);
}

/* Is a counter so wide that it cannot wrap twice between two readings? */
static bool pmon_width_valid(const struct pmon_layout *layout,
			     const struct pmon_counter *counter)
{
	return counter->width >= PMON_WIDTH_MIN &&
	       counter->width <= PMON_WIDTH_MAX &&
	       pmon_counter_period_ns(layout, counter) >= PMON_PERIOD_MIN_NS;
}

/*
 * A protocol must not rely on a box control that the box lacks. Nothing is written to counters that all run by themselves
 * (@free_running), so theirs says nothing but how fast they are.
 */
static bool pmon_protocol_valid(const struct pmon_protocol *protocol,
				bool free_running)
{
	if (protocol->rate_log2 > PMON_RATE_LOG2)
		return false;
	if (free_running)
		return !protocol->bytes && !protocol->keeps;
	if (protocol->bytes != 0 && protocol->bytes != 4 &&
	    protocol->bytes != 8)
		return false;
	return protocol->bytes || protocol->keeps;
}

/* A range of registers, @first included and @end not. */
struct pmon_extent {
	u64 first;
	u64 end;
};

static struct pmon_extent pmon_extent(const struct pmon_layout *layout,
				      u32 first, u8 bytes)
{
	bool one = layout->indexed && bytes;

	return (struct pmon_extent){ first, (u64)first + (one ? 1 : bytes) };
}

static struct pmon_extent pmon_overflow_extent(const struct pmon_layout *layout)
{
	return pmon_extent(layout, layout->overflow_reg,
			   layout->overflow_reg ? 8 : 0);
}

static bool pmon_extents_overlap(struct pmon_extent a, struct pmon_extent b)
{
	return a.first < b.end && b.first < a.end &&
	       a.first < a.end && b.first < b.end;
}

/* Kinds of registers that a counter has, ordered as @pmon_register_names. */
#define PMON_REGISTERS	3

static const char * const pmon_register_names[PMON_REGISTERS] = {
	"ctr", "ctl", "filter",
};

static struct pmon_extent pmon_register(const struct pmon_layout *layout,
					unsigned int i, unsigned int which)
{
	const struct pmon_counter *counter = &layout->counter[i];
	bool free_running = counter->kind == PMON_COUNTER_FREE_RUNNING;
	bool shared = i && pmon_layout_shares_filter(layout);

	switch (which) {
	case 0:
		return pmon_extent(layout, counter->ctr, 8);
	case 1:
		return pmon_extent(layout, counter->ctl,
				   free_running ? 0 : layout->ctl_bytes);
	default:
		return pmon_extent(layout, counter->filter,
				   free_running || shared ?
				   0 : layout->filter_bytes);
	}
}

/* Can the register be reached, and does it overlap none of those before it? */
static bool pmon_register_valid(const struct pmon_layout *layout,
				unsigned int n, struct pmon_extent box,
				u32 size)
{
	struct pmon_extent mine = pmon_register(layout, n / PMON_REGISTERS,
						n % PMON_REGISTERS);
	unsigned int i;

	if (mine.end > (size ?: U32_MAX) || pmon_extents_overlap(mine, box) ||
	    pmon_extents_overlap(mine, pmon_overflow_extent(layout)))
		return false;
	for (i = 0; i < n; i++)
		if (pmon_extents_overlap(mine,
					 pmon_register(layout,
						       i / PMON_REGISTERS,
						       i % PMON_REGISTERS)))
			return false;
	return true;
}

static const char *pmon_registers_valid(const struct pmon_layout *layout,
					struct pmon_extent box, u32 size)
{
	unsigned int n;

	for (n = 0; n < PMON_REGISTERS * layout->counters; n++)
		if (!pmon_register_valid(layout, n, box, size))
			return pmon_register_names[n % PMON_REGISTERS];
	return NULL;
}

/* One filter register for all counters, or one for each. */
static bool pmon_filters_valid(const struct pmon_layout *layout)
{
	unsigned int i;

	if (layout->filter_bytes != 0 && layout->filter_bytes != 4 &&
	    layout->filter_bytes != 8)
		return false;
	if (!pmon_layout_shares_filter(layout))
		return true;
	for (i = 2; i < layout->counters; i++)
		if (layout->counter[i].filter != layout->counter[0].filter)
			return false;
	return true;
}

static const char *pmon_counters_valid(const struct pmon_layout *layout)
{
	unsigned int i;

	for (i = 0; i < layout->counters; i++) {
		if (layout->counter[i].kind > PMON_COUNTER_FREE_RUNNING)
			return "kind";
		if (layout->counter[i].rate_log2 > PMON_RATE_LOG2)
			return "rate_log2";
		if (!pmon_width_valid(layout, &layout->counter[i]))
			return "width";
		if (layout->counter[i].bit > 63)
			return "bit";
	}
	return NULL;
}

static bool pmon_overflow_valid(const struct pmon_layout *layout,
				struct pmon_extent box, u32 size)
{
	struct pmon_extent mine = pmon_overflow_extent(layout);

	return mine.end <= (size ?: U32_MAX) &&
	       !pmon_extents_overlap(mine, box);
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	bool free_running = pmon_layout_is_free_running(layout);
	struct pmon_extent box = { };
	const char *wrong;

	if (!layout->counters || layout->counters > PMON_SLOTS_MAX)
		return "counters";
	if (!layout->protocol && !free_running)
		return "protocol";
	if (layout->protocol &&
	    !pmon_protocol_valid(layout->protocol, free_running))
		return "protocol";
	wrong = pmon_counters_valid(layout);
	if (wrong)
		return wrong;
	if (!free_running && layout->ctl_bytes != 4 && layout->ctl_bytes != 8)
		return "ctl_bytes";
	if (!pmon_filters_valid(layout))
		return "filter";
	if (!free_running)
		box = pmon_extent(layout, layout->box_ctl,
				  layout->protocol->bytes);
	if (box.end > (size ?: U32_MAX))
		return "box_ctl";
	if (!pmon_overflow_valid(layout, box, size))
		return "overflow";
	return pmon_registers_valid(layout, box, size);
}

static bool pmon_counters_alike(const struct pmon_counter *a,
				const struct pmon_counter *b)
{
	return a->config == b->config && a->width == b->width &&
	       a->kind == b->kind;
}

bool pmon_layouts_alike(const struct pmon_layout *a,
			const struct pmon_layout *b)
{
	unsigned int i;

	if (a->counters != b->counters || a->data_bytes != b->data_bytes ||
	    (a->data_bytes && memcmp(a->data, b->data, a->data_bytes)))
		return false;
	for (i = 0; i < a->counters; i++)
		if (!pmon_counters_alike(&a->counter[i], &b->counter[i]))
			return false;
	return true;
}
