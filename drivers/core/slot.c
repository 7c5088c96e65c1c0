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

void pmon_bank_is_silent(struct pmon_bank *bank)
{
	if (!bank->ops->silent)
		return;

	bank->silent = true;
	bank->ops->silent(bank);
}

void pmon_bank_is_mute(struct pmon_bank *bank)
{
	if (bank->mute)
		return;

	bank->mute = true;
	bank->ops->refused(bank);
}

/* What the event of a slot gains in a second at most, as a logarithm. */
static u8 pmon_bank_rate_log2(const struct pmon_bank *bank,
			      const struct pmon_slot *slot)
{
	u8 rate_log2 = slot->counted ? slot->counted->rate_log2 : 0;

	return rate_log2 ?: bank->layout.protocol->rate_log2;
}

static bool pmon_bank_tells_wrap(struct pmon_bank *bank, unsigned int i)
{
	const struct pmon_layout *layout = &bank->layout;
	u64 bits = pmon_read(&bank->regs, layout->overflow_reg, 8);

	return pmon_reading_valid(bits) &&
	       bits & BIT_ULL(layout->counter[i].bit);
}

/*
 * The overflow register says that the counter has wrapped. It may have after it
 * was read, so it is read again. Returns what it has gained with that wrap.
 */
static u64 pmon_bank_take_wrap(struct pmon_bank *bank, struct pmon_slot *slot,
			       u64 *value)
{
	u64 again = pmon_read_settled(&bank->regs, slot->ctr_reg);
	u64 delta;

	if (pmon_reading_valid(again))
		*value = again;
	delta = pmon_delta(slot->value, *value, slot->mask);
	return pmon_slot_went_back(slot, slot->value, *value) ?
	       delta : delta + slot->mask + 1;
}

/*
 * For boxes with an interrupt for each wrap: a counter may have gained more
 * than its range since it was last read, but has wrapped once at most. It has
 * if its @value is smaller than before, if the interrupt that is being served
 * names it, or, if so much time has passed that it may have wrapped past its
 * old value, if its bit in the overflow register is set. A wrap that was added
 * before its interrupt was served is in @ahead, and not added again.
 */
static noinline u64 pmon_bank_unwrap(struct pmon_bank *bank,
				     struct pmon_slot *slot, u64 *value)
{
	u64 bit = BIT_ULL(slot - bank->slot), now = bank->ops->clock();
	u64 delta = pmon_delta(slot->value, *value, slot->mask);
	bool long_ago = now - slot->since >=
			pmon_wrap_period_ns(hweight64(slot->mask),
					    pmon_bank_rate_log2(bank, slot));
	bool ahead = bank->ahead & bit;

	slot->since = now;
	bank->ahead &= ~bit;
	if (pmon_slot_went_back(slot, slot->value, *value)) {
		bank->ahead |= bit & ~bank->wrapped;
		return delta;
	}
	if (bank->wrapped & bit)
		return ahead ? delta : delta + slot->mask + 1;

	if (ahead) {
		bank->ahead |= bit;
	} else if (long_ago && pmon_bank_tells_wrap(bank, slot - bank->slot)) {
		bank->ahead |= bit;
		return pmon_bank_take_wrap(bank, slot, value);
	}
	return delta;
}

/*
 * A carry between the two halves makes a value too large by 2^32 or more. A
 * value that has gained less since the last reading was not torn; any other one
 * is read again.
 */
static u64 pmon_bank_settle(const struct pmon_bank *bank,
			    const struct pmon_slot *slot, u64 value)
{
	if (!bank->regs.ops->settled || !pmon_reading_valid(value) ||
	    pmon_delta(slot->value, value, slot->mask) <= U32_MAX)
		return value;
	return bank->regs.ops->settled(&bank->regs, slot->ctr_reg);
}

u64 pmon_bank_read_ctl(const struct pmon_bank *bank, unsigned int i)
{
	return pmon_read(&bank->regs, bank->slot[i].ctl_reg,
			 bank->layout.ctl_bytes);
}

/*
 * Does the control of slot @i still hold what was written to it? All-ones means
 * that the device does not answer, and says nothing about the control.
 */
bool pmon_bank_ctl_stands(const struct pmon_bank *bank, unsigned int i,
			  u64 ctl)
{
	const struct pmon_counter *counter = &bank->layout.counter[i];
	u64 mask = counter->kind == PMON_COUNTER_FIXED ? counter->enable :
							  bank->ctl_mask;
	u64 all = pmon_bank_ctl_bits(bank);

	/* A high half may hold anything until it is written. */
	if (bank->regs.ops->split && bank->halves & BIT_ULL(i))
		mask &= U32_MAX;
	return ctl == all || !((ctl ^ bank->slot[i].ctl) & mask & all);
}

/*
 * Do the controls that are in use hold what was written? A reset clears all of
 * them, so one is read. Where they are parts of a register another program can
 * have changed any of them, and one access reads all.
 */
bool pmon_bank_ctls_stand(struct pmon_bank *bank)
{
	u64 slots = bank->counting, ctl;
	bool stand = true;

	pmon_regs_begin(&bank->regs);
	do {
		unsigned int i = __ffs64(slots);

		ctl = pmon_bank_read_ctl(bank, i);
		stand &= pmon_bank_ctl_stands(bank, i, ctl);
		slots &= slots - 1;
	} while (slots && bank->regs.ops->begin &&
		 ctl != pmon_bank_ctl_bits(bank));
	pmon_regs_end(&bank->regs);
	if (ctl == pmon_bank_ctl_bits(bank))
		pmon_bank_is_silent(bank);
	return stand;
}

/* Another program wrote a counter or reset the box, and maybe filters. */
static void pmon_bank_disbelieves(struct pmon_bank *bank)
{
	bank->filters_known = 0;
	pmon_bank_disturbed(bank);
}

/*
 * A counter that went back has wrapped, unless the box was reset (@may_reset):
 * then it holds anything, and its control shows it. The box is set up again at
 * the next wrap tick. A control that was stopped since, or does not answer,
 * shows nothing: then it has wrapped if its event can have gained so much.
 */
static noinline bool pmon_bank_was_reset(struct pmon_bank *bank,
					 const struct pmon_slot *slot,
					 u64 delta, u64 ns)
{
	unsigned int i = slot - bank->slot;

	if (!bank->layout.protocol->may_reset || bank->wrapped & BIT_ULL(i))
		return false;
	if (slot->ctl != pmon_ctl_stopped(bank, slot->ctl)) {
		u64 ctl = pmon_bank_read_ctl(bank, i);

		if (ctl != pmon_bank_ctl_bits(bank))
			return !pmon_bank_ctl_stands(bank, i, ctl);
	}
	if (pmon_wrap_possible(delta, ns, pmon_bank_rate_log2(bank, slot)))
		return false;
	pmon_bank_disbelieves(bank);
	return true;
}

/*
 * The slow path of pmon_bank_poll(), for a large gain or all-ones. If the
 * counter was reset, or gained more than any counter can, another program wrote
 * it: what it counted since the last reading is not known, and the event gains
 * nothing. The clock is read after the counter, so the time that has passed is
 * never too short.
 */
u64 pmon_bank_doubt(struct pmon_bank *bank, struct pmon_slot *slot, u64 value)
{
	u64 before = slot->value, since = slot->since;
	u64 delta, ns;

	value = pmon_bank_settle(bank, slot, value);
	if (!pmon_reading_valid(value)) {
		pmon_bank_is_silent(bank);
		return PMON_NO_READING;
	}

	delta = bank->layout.overflow ? pmon_bank_unwrap(bank, slot, &value) :
					pmon_delta(before, value, slot->mask);
	slot->value = value;
	if (!slot->counted || delta < PMON_DELTA_SMALL)
		return delta;
	ns = bank->ops->clock() - since;
	if (!pmon_delta_possible(delta, ns)) {
		pmon_bank_disbelieves(bank);
		return 0;
	}
	return pmon_slot_went_back(slot, before, value) &&
	       pmon_bank_was_reset(bank, slot, delta, ns) ? 0 : delta;
}

static __always_inline bool pmon_bank_take_slot(struct pmon_bank *bank,
						struct pmon_slot *slot,
						u64 when)
{
	u64 gain = pmon_bank_poll(bank, slot);

	if (gain == PMON_NO_READING)
		return false;
	slot->since = when;
	if (slot->counted && gain)
		bank->ops->gain(slot->counted, gain);
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

/*
 * Where a refused reading is made up for by the next one (no @silent), the last
 * one of an event is not: what it counted since the reading before is lost. It
 * fails like one that could not be started.
 */
void pmon_bank_lost(struct pmon_bank *bank, u64 slots)
{
	if (likely(!slots) || bank->ops->silent)
		return;

	for (; slots; slots &= slots - 1)
		WRITE_ONCE(bank->slot[__ffs64(slots)].counted->failed, true);
	bank->refused++;
	bank->ops->refused(bank);
}

/*
 * Filters, the high halves of controls and the register of overflows may hold
 * anything. Which controls were written (@written) matters only where a reset
 * keeps them.
 */
void pmon_bank_forget(struct pmon_bank *bank)
{
	bank->filters_known = 0;
	bank->halves = ~0ULL;
	bank->ahead = ~0ULL;
	if (bank->layout.protocol->keeps)
		bank->written = 0;
}

/*
 * No interrupt and no notifier tells the driver that a device was reset while
 * its box was idle. A stopped counter that does not hold what it did when it
 * was last read shows it: then nothing is known of filters and controls. One
 * that held 0 does not, so its filter may hold anything.
 */
void pmon_bank_recall(struct pmon_bank *bank, u64 slots)
{
	bool stands = true;

	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		u64 value = pmon_read_settled(&bank->regs, slot->ctr_reg);

		if (!pmon_reading_valid(value))
			continue;
		stands &= !pmon_delta(slot->value, value, slot->mask);
		if (!pmon_slot_stands(slot, slot->value, value))
			bank->filters_known &= ~(slots & -slots);
		slot->value = value;
		bank->known |= slots & -slots;
	}
	if (likely(stands))
		return;

	bank->known = 0;
	pmon_bank_forget(bank);
}
