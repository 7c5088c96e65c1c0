// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check the layout that a driver hands over, and how often its counters must be
 * read.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <pmon/box.h>

#define PMON_SECOND_NS		1000000000ULL

/* All counters are read this often at least. */
#define PMON_PERIOD_MAX_NS	60000000000ULL
/*
 * A counter that would have to be read more often cannot be driven: what the
 * readings cost, and what delays them, is too much.
 */
#define PMON_PERIOD_MIN_NS	5000000ULL

/*
 * How often counters are read: as if none gained more than 2^PMON_RATE_LOG2 a
 * second, 64 increments in each cycle of a 4 GHz clock, unless its protocol
 * says less. One that is twice as fast is still read before it has gained its
 * whole range.
 */
u64 pmon_wrap_period_ns(u8 width, u8 rate_log2)
{
	unsigned int half_log2 = width - 1;

	if (half_log2 < rate_log2)
		return PMON_SECOND_NS >> (rate_log2 - half_log2);

	/* Beyond 2^6 seconds the maximum holds, and nothing may overflow. */
	return min(PMON_SECOND_NS << min(half_log2 - rate_log2, 6U),
		   PMON_PERIOD_MAX_NS);
}

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

void pmon_layout_prepare(struct pmon_layout *layout)
{
	unsigned int i;

	layout->any = 0;
	layout->own = 0;
	for (i = 0; i < layout->counters; i++) {
		if (layout->counter[i].kind == PMON_COUNTER_ANY)
			layout->any |= BIT_ULL(i);
		else
			layout->own |= BIT_ULL(i);
	}
	layout->shares_filter = pmon_layout_shares_filter(layout);
	layout->free_running = pmon_layout_is_free_running(layout);
}

/*
 * Can each register of a counter be reached? Those that overlap are found where
 * the tables of the hardware are checked.
 */
static bool pmon_counter_in_reach(const struct pmon_layout *layout,
				  const struct pmon_counter *counter, u64 size)
{
	u64 unit = layout->indexed ? 1 : 8;

	if (counter->ctr + unit > size)
		return false;
	if (counter->kind == PMON_COUNTER_FREE_RUNNING)
		return true;
	return counter->ctl + min_t(u64, unit, layout->ctl_bytes) <= size &&
	       counter->filter + min_t(u64, unit, layout->filter_bytes) <= size;
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	const struct pmon_counter *counter = layout->counter;
	u64 end = size ?: U32_MAX;

	if (!layout->counters || layout->counters > PMON_SLOTS_MAX)
		return "counters";
	if (!layout->protocol && !pmon_layout_is_free_running(layout))
		return "protocol";
	if (layout->box_ctl >= end)
		return "box_ctl";
	for (; counter < layout->counter + layout->counters; counter++) {
		if (counter->width < PMON_WIDTH_MIN ||
		    counter->width > PMON_WIDTH_MAX ||
		    pmon_counter_period_ns(layout, counter) <
			    PMON_PERIOD_MIN_NS)
			return "width";
		if (!pmon_counter_in_reach(layout, counter, end))
			return "register";
	}
	return NULL;
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
