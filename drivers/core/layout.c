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

void pmon_layout_prepare(struct pmon_layout *layout)
{
	bool may_reset = layout->protocol && layout->protocol->may_reset;
	unsigned int i;

	layout->any = 0;
	layout->own = 0;
	layout->max_delta = PMON_DELTA_SMALL;
	for (i = 0; i < layout->counters; i++) {
		if (layout->counter[i].kind == PMON_COUNTER_ANY)
			layout->any |= BIT_ULL(i);
		else
			layout->own |= BIT_ULL(i);
		if (may_reset && layout->counter[i].width < PMON_WIDTH_SURE &&
		    layout->counter[i].kind != PMON_COUNTER_FREE_RUNNING)
			layout->max_delta = 0;
	}
	layout->shares_filter = pmon_layout_shares_filter(layout);
	layout->free_running = pmon_layout_is_free_running(layout);
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
 * A protocol must not rely on a box control that the box lacks. Nothing is
 * written to counters that all run by themselves (@free_running), so theirs
 * says nothing but how fast they are.
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

/* A register of a layout, by number; @name is the member that says where. */
struct pmon_register {
	const char *name;
	u64 first;
	u64 bytes;
};

/*
 * Number 0 is the box control, 1 the register of overflows, then come three for
 * each counter. One that there is not, or that was there before, has 0 bytes.
 */
static struct pmon_register pmon_register(const struct pmon_layout *layout,
					  unsigned int n)
{
	const struct pmon_counter *counter = &layout->counter[n < 2 ? 0 :
							      (n - 2) / 3];
	bool free_running = counter->kind == PMON_COUNTER_FREE_RUNNING;
	const struct pmon_protocol *protocol = layout->protocol;
	struct pmon_register reg;

	if (n == 0)
		reg = (struct pmon_register) { "box_ctl", layout->box_ctl,
			pmon_layout_is_free_running(layout) ?
			0 : protocol->bytes };
	else if (n == 1)
		reg = (struct pmon_register) { "overflow",
			layout->overflow_reg, layout->overflow_reg ? 8 : 0 };
	else if (n % 3 == 2)
		reg = (struct pmon_register) { "ctr", counter->ctr, 8 };
	else if (n % 3 == 0)
		reg = (struct pmon_register) { "ctl", counter->ctl,
			free_running ? 0 : layout->ctl_bytes };
	else
		reg = (struct pmon_register) { "filter", counter->filter,
			free_running || (n > 4 &&
				pmon_layout_shares_filter(layout)) ?
			0 : layout->filter_bytes };
	if (layout->indexed && reg.bytes)
		reg.bytes = 1;
	return reg;
}

/* Can each register be reached, and are they apart? */
static const char *pmon_registers_valid(const struct pmon_layout *layout,
					u64 size)
{
	unsigned int n, i;

	for (n = 0; n < 2 + 3 * layout->counters; n++) {
		struct pmon_register mine = pmon_register(layout, n), other;

		if (mine.first + mine.bytes > size)
			return mine.name;
		for (i = 0; i < n && mine.bytes; i++) {
			other = pmon_register(layout, i);
			if (other.bytes &&
			    mine.first < other.first + other.bytes &&
			    other.first < mine.first + mine.bytes)
				return mine.name;
		}
	}
	return NULL;
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	bool free_running = pmon_layout_is_free_running(layout);
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
	return pmon_registers_valid(layout, size ?: U32_MAX);
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
