// SPDX-License-Identifier: GPL-2.0-only
/* Reading the counters of a box, and what a reading says of the box. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "count.h"
#include "slot.h"

void pmon_bank_disturbed(struct pmon_bank *bank)
{
	bank->disturbed++;
	bank->ops->disturbed(bank);
}

/* The clock is read after the counter, and was read before it the last time. */
static bool pmon_bank_believes(const struct pmon_bank *bank, u64 delta,
			       u64 since)
{
	return delta < PMON_DELTA_SMALL ||
	       pmon_delta_possible(delta, bank->ops->clock() - since);
}

void pmon_bank_is_silent(struct pmon_bank *bank)
{
	if (!bank->ops->silent)
		return;

	bank->silent = true;
	bank->ops->silent(bank);
}

/*
 * If a counter has gone back or jumped, nobody knows what it counted since the
 * last reading: that is left out.
 */
u64 pmon_bank_doubt(struct pmon_bank *bank, struct pmon_slot *slot, u64 value)
{
	u64 delta = (value - slot->value) & slot->mask;

	if (!pmon_reading_valid(value)) {
		pmon_bank_is_silent(bank);
		return PMON_NO_READING;
	}

	slot->value = value;
	if (!slot->hw || pmon_bank_believes(bank, delta, slot->since))
		return delta;

	pmon_bank_disturbed(bank);
	return 0;
}

static __always_inline bool pmon_bank_take_slot(struct pmon_bank *bank,
						struct pmon_slot *slot,
						u64 when)
{
	u64 gain = pmon_bank_poll(bank, slot);

	if (gain == PMON_NO_READING)
		return false;
	slot->since = when;
	if (slot->hw && gain)
		bank->ops->gain(slot->hw, gain);
	return true;
}

bool pmon_bank_take(struct pmon_bank *bank, unsigned int i, u64 when)
{
	return pmon_bank_take_slot(bank, &bank->slot[i], when);
}

u64 pmon_bank_take_all(struct pmon_bank *bank, u64 slots, u64 when)
{
	u64 silent = 0;

	for (; slots; slots &= slots - 1)
		if (unlikely(!pmon_bank_take_slot(bank,
						  &bank->slot[__ffs64(slots)],
						  when)))
			silent |= slots & -slots;
	return silent;
}

/* A reset clears what was written (@written), unless it keeps controls. */
void pmon_bank_forget(struct pmon_bank *bank)
{
	bank->filters_known = 0;
	bank->halves = ~0ULL;
	if (bank->layout.protocol->keeps)
		bank->written = 0;
}
