// SPDX-License-Identifier: GPL-2.0-only
/* Reading the counters of a box, and what a reading says of the box. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "count.h"
#include "counters.h"

void pmon_bank_disturbed(struct pmon_bank *bank)
{
	bank->disturbed++;
	bank->ops->disturbed(bank);
}

/* So often is a counter read again that reads as all-ones. */
#define PMON_READ_TRIES		3

/*
 * UPI and B2CXL units of Granite Rapids read as all-ones now and then (likwid
 * PR 639).
 */
static u64 pmon_bank_read_again(const struct pmon_bank *bank, u32 reg)
{
	u64 value = ~0ULL;
	unsigned int n;

	if (!bank->ops->unresponsive || bank->unresponsive)
		return value;
	for (n = 0; n < PMON_READ_TRIES && !pmon_reading_valid(value); n++)
		value = pmon_read_settled(&bank->regs, reg);
	return value;
}

u64 pmon_bank_read_slot(const struct pmon_bank *bank,
			const struct pmon_slot *slot)
{
	u64 value = pmon_read_settled(&bank->regs, slot->ctr_reg);

	return pmon_reading_valid(value) ?
	       value : pmon_bank_read_again(bank, slot->ctr_reg);
}

void pmon_bank_set_unresponsive(struct pmon_bank *bank)
{
	if (!bank->ops->unresponsive || bank->unresponsive)
		return;

	WRITE_ONCE(bank->unresponsive, true);
	bank->probed = bank->ops->clock();
	bank->ops->unresponsive(bank);
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
			 pmon_bank_ctl_bytes(bank));
}

bool pmon_bank_ctl_answers(const struct pmon_bank *bank, unsigned int i)
{
	return pmon_bank_read_ctl(bank, i) != pmon_bank_ctl_bits(bank);
}

/*
 * The bits of the control of slot @i that are compared: those that say which
 * event it counts. Others may not be implemented.
 */
static u64 pmon_bank_ctl_checked(const struct pmon_bank *bank, unsigned int i)
{
	const struct pmon_counter *counter = &bank->layout.counter[i];
	u64 mask = counter->kind == PMON_COUNTER_FIXED ? counter->enable :
							  bank->ctl_event;

	/* A high half may hold anything until it is written. */
	if (bank->regs.ops->split && bank->halves & BIT_ULL(i))
		mask &= U32_MAX;
	return mask & pmon_bank_ctl_bits(bank);
}

bool pmon_bank_ctl_holds(const struct pmon_bank *bank, unsigned int i, u64 ctl)
{
	return ctl == pmon_bank_ctl_bits(bank) ||
	       !((ctl ^ bank->slot[i].ctl) & pmon_bank_ctl_checked(bank, i));
}

/*
 * A counter that went back has wrapped, unless the box was reset (@may_reset):
 * then it holds anything, and its control shows it. The box is set up again at
 * the next wrap tick. A control that was stopped since, or does not respond,
 * shows nothing: then it has wrapped if its event can have gained so much.
 */
static bool pmon_bank_was_reset(struct pmon_bank *bank,
				const struct pmon_slot *slot, u64 delta, u64 ns)
{
	u8 rate_log2 = slot->counted->rate_log2 ?:
		       bank->layout.protocol->rate_log2;
	unsigned int i = slot - bank->slot;

	if (!bank->layout.protocol->may_reset)
		return false;
	if (slot->ctl != pmon_ctl_stopped(bank, slot->ctl)) {
		u64 ctl = pmon_bank_read_ctl(bank, i);

		if (ctl != pmon_bank_ctl_bits(bank))
			return !pmon_bank_ctl_holds(bank, i, ctl);
	}
	return !pmon_wrap_possible(delta, ns, rate_log2);
}

/*
 * Slow path of pmon_bank_poll(), for a large gain and all-ones. If the counter
 * was reset, or gained more than any counter can, another program wrote it:
 * what it counted since the last reading is not known, and the event gains
 * nothing. The clock is read after the counter, so the time that has passed is
 * never too short.
 */
u64 pmon_bank_recheck(struct pmon_bank *bank, struct pmon_slot *slot, u64 value)
{
	u64 before = slot->value, since = slot->since;
	u64 delta, ns;
	bool back;

	value = pmon_bank_settle(bank, slot, value);
	if (!pmon_reading_valid(value))
		value = pmon_bank_read_again(bank, slot->ctr_reg);
	if (!pmon_reading_valid(value)) {
		pmon_bank_set_unresponsive(bank);
		return PMON_NO_READING;
	}

	delta = pmon_delta(before, value, slot->mask);
	slot->value = value;
	back = pmon_slot_went_back(slot, before, value);
	if (!slot->counted || delta < bank->layout.max_delta ||
	    (delta < PMON_DELTA_SMALL && !back))
		return delta;
	ns = bank->ops->clock() - since;
	if (pmon_delta_possible(delta, ns) &&
	    !(back && pmon_bank_was_reset(bank, slot, delta, ns)))
		return delta;

	bank->filters_known = 0;
	pmon_bank_disturbed(bank);
	return 0;
}

u64 pmon_bank_take_all(struct pmon_bank *bank, u64 slots, u64 when)
{
	u64 silent = 0;

	for (; slots; slots &= slots - 1) {
		if (likely(pmon_bank_take(bank, &bank->slot[__ffs64(slots)],
					  when)))
			continue;
		if (bank->unresponsive)
			return silent | slots;
		silent |= slots & -slots;
	}
	return silent;
}

/* The bits of the counters of @slots in the register of overflows. */
static u64 pmon_bank_wrap_bits(const struct pmon_bank *bank, u64 slots)
{
	u64 bits = 0;

	for (; slots; slots &= slots - 1)
		bits |= BIT_ULL(bank->layout.counter[__ffs64(slots)].bit);
	return bits;
}

void pmon_bank_clear_wraps(struct pmon_bank *bank, u64 slots)
{
	pmon_write(&bank->regs, bank->layout.overflow_reg,
		   pmon_bank_wrap_bits(bank, slots), 8);
}

/*
 * A refused reading is made up for by the next one, but the last one of an
 * event is not: what it counted since the reading before is lost. It fails like
 * one that could not be started.
 */
void pmon_bank_lost_event(struct pmon_bank *bank, struct pmon_event *event)
{
	if (event->failed)
		return;

	WRITE_ONCE(event->failed, true);
	bank->ops->lost(event);
	bank->lost++;
}

void pmon_bank_count_lost(struct pmon_bank *bank, unsigned int before)
{
	if (likely(bank->lost == before))
		return;

	bank->lost = before + 1;
	bank->ops->refused(bank);
}

void pmon_bank_lost(struct pmon_bank *bank, u64 slots)
{
	unsigned int lost = bank->lost;

	for (; unlikely(slots); slots &= slots - 1)
		pmon_bank_lost_event(bank, bank->slot[__ffs64(slots)].counted);
	pmon_bank_count_lost(bank, lost);
}

/*
 * What no reset of the box control is known to clear may hold anything: filters
 * and the high halves of controls. Which controls were written matters only
 * where a reset keeps them.
 */
void pmon_bank_forget(struct pmon_bank *bank)
{
	bank->filters_known = 0;
	bank->halves = ~0ULL;
	if (bank->layout.protocol && bank->layout.protocol->keeps)
		bank->written = 0;
}

/*
 * As when the box was found: also what its controls and counters hold is not
 * known, so a control that was cleared meanwhile is no other program's change.
 */
void pmon_bank_knows_nothing(struct pmon_bank *bank)
{
	u64 slots;

	pmon_bank_forget(bank);
	bank->written = 0;
	for (slots = bank->controlled; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->ctl = 0;
		slot->value = 0;
	}
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
