// SPDX-License-Identifier: GPL-2.0-only
/* The filter registers of a box. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "filter.h"

u64 pmon_filter_differs(struct pmon_bank *bank, unsigned int i,
			const struct pmon_event *event)
{
	struct pmon_slot *slot;
	u64 bit;

	if (!bank->own_filters)
		i = 0;
	slot = &bank->slot[i];
	bit = BIT_ULL(i);
	if (bank->filters_known & bit && slot->filter == event->filter)
		return 0;

	slot->filter = event->filter;
	bank->filters_known &= ~bit;
	return bit;
}

u64 pmon_unknown_filters(const struct pmon_bank *bank, u64 slots)
{
	u64 filters = 0;

	slots &= ~bank->filters_known;
	for (; slots && bank->own_filters; slots &= slots - 1)
		if (bank->slot[__ffs64(slots)].assigned->uses_filter)
			filters |= slots & -slots;
	return filters;
}

/*
 * A filter register was not written: the events of @slots that use it would
 * count something else, so they fail.
 */
static void pmon_filter_failed(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1)
		if (bank->slot[__ffs64(slots)].assigned->uses_filter)
			bank->failed |= BIT_ULL(__ffs64(slots));
}

/*
 * Write a filter register. Whether it was left on is noted for the box to be
 * handed back, whatever else is forgotten. Returns 0 when it was written.
 */
static int pmon_write_filter(struct pmon_bank *bank, unsigned int i, u64 value)
{
	const struct pmon_layout *layout = &bank->layout;
	int ret = pmon_write(&bank->regs, layout->counter[i].filter, value,
			     layout->filter_bytes);

	if (ret)
		return ret;
	if (value != layout->filter_off)
		bank->filters_on |= BIT_ULL(i);
	else
		bank->filters_on &= ~BIT_ULL(i);
	return 0;
}

void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots)
{
	for (; filters; filters &= filters - 1) {
		unsigned int i = __ffs64(filters);

		if (!pmon_write_filter(bank, i, bank->slot[i].filter))
			bank->filters_known |= BIT_ULL(i);
		else if (bank->own_filters)
			bank->failed |= BIT_ULL(i);
		else
			pmon_filter_failed(bank, slots);
	}
}

void pmon_filters_off(struct pmon_bank *bank)
{
	u64 slots = bank->filters_on & bank->controlled;

	for (; slots; slots &= slots - 1)
		pmon_write_filter(bank, __ffs64(slots),
				  bank->layout.filter_off);
}
