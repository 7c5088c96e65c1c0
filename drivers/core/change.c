// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes. A box that becomes active is set up completely, so that nothing that
 * others left there counts; its counters are known to be 0 then and are not
 * read. A box that becomes idle is frozen and read, and stays frozen. In an
 * active box, counters change either while the others count on, or with the
 * box frozen for a moment: whichever takes fewer accesses. No counter register
 * is ever written.
 *
 * Where a reset keeps counters and controls (@keeps), all controls are written
 * once, and a counter is read when its event starts, after its control was
 * written: from then on it counts that event. Where there is no box control,
 * counters are stopped one by one.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "change.h"
#include "count.h"

/* Returns whether the box does what was written, or needs not be told. */
static bool pmon_write_box(struct pmon_bank *bank, u64 val)
{
	const struct pmon_layout *layout = &bank->layout;

	if (unlikely(!layout->protocol->bytes))
		return true;
	return !pmon_write(&bank->regs, layout->box_ctl, val,
			   layout->protocol->bytes);
}

/*
 * The select is in the low half, and select 0 counts nothing. So where an
 * access of 8 bytes takes two, stopping takes one and leaves the high half.
 */
u64 pmon_ctl_stopped(const struct pmon_bank *bank, u64 ctl)
{
	return bank->regs.ops->split ? ctl & GENMASK_ULL(63, 32) : 0;
}

/*
 * A control of 8 bytes that is reached in halves needs only the low one when
 * the high one is known and stays as it is. Returns whether it was written.
 */
static bool pmon_write_ctl(struct pmon_bank *bank, unsigned int i, u64 val)
{
	struct pmon_slot *slot = &bank->slot[i];
	u8 bytes = bank->layout.ctl_bytes;

	if (bank->regs.ops->split && slot->ctl >> 32 == val >> 32 &&
	    !(bank->halves & BIT_ULL(i)))
		bytes = 4;
	if (unlikely(pmon_write(&bank->regs, slot->ctl_reg, val, bytes)))
		return false;

	slot->ctl = val;
	bank->written |= BIT_ULL(i);
	bank->halves &= ~BIT_ULL(i);
	return true;
}

/* An event that cannot be told to the hardware does not start. */
static void pmon_start_ctl(struct pmon_bank *bank, unsigned int i)
{
	if (unlikely(!pmon_write_ctl(bank, i, bank->slot[i].want->ctl)))
		bank->failed |= BIT_ULL(i);
}

/* What is not stopped counts on. It is read when the next event starts there. */
static void pmon_stop_ctl(struct pmon_bank *bank, unsigned int i)
{
	if (unlikely(bank->layout.protocol->no_off))
		return;
	if (unlikely(!pmon_write_ctl(bank, i,
				     pmon_ctl_stopped(bank,
						      bank->slot[i].ctl))))
		bank->known &= ~BIT_ULL(i);
}

/* Controls of @slots that may count shall not. */
static void pmon_stop_slots(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);
		u64 ctl = bank->slot[i].ctl;

		if (!(bank->written & BIT_ULL(i)) ||
		    ctl != pmon_ctl_stopped(bank, ctl))
			pmon_stop_ctl(bank, i);
	}
}

/* Without it the events of @slots that use it would count something else. */
static void pmon_filter_failed(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1)
		if (bank->slot[__ffs64(slots)].want->uses_filter)
			bank->failed |= BIT_ULL(__ffs64(slots));
}

static void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots)
{
	const struct pmon_layout *layout = &bank->layout;

	for (; filters; filters &= filters - 1) {
		unsigned int i = __ffs64(filters);

		if (!pmon_write(&bank->regs, layout->counter[i].filter,
				bank->slot[i].filter, layout->filter_bytes))
			bank->filters_known |= BIT_ULL(i);
		else if (bank->own_filters)
			bank->failed |= BIT_ULL(i);
		else
			pmon_filter_failed(bank, slots);
	}
}

/*
 * A reset clears every counter and control of the box. Of the fixed counter
 * and of the high halves of controls no public document says so: what a high
 * half held may be there still.
 */
static bool pmon_reset_box(struct pmon_bank *bank)
{
	u64 slots;

	if (unlikely(!pmon_write_box(bank, bank->layout.protocol->reset)))
		return false;
	bank->used = true;
	if (unlikely(bank->layout.protocol->keeps))
		return true;

	for (slots = bank->written; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->ctl >> 32)
			bank->halves |= BIT_ULL(__ffs64(slots));
		slot->ctl = 0;
		slot->value = 0;
	}
	bank->written = 0;
	bank->known = bank->cleared;
	return true;
}

/*
 * Counters that may hold anything: there they start. One that does not answer
 * starts at the value that it had when it was last stopped or reset, unless
 * others are known to have used it since (@keeps).
 */
static void pmon_learn_values(struct pmon_bank *bank, u64 slots)
{
	for (slots &= ~bank->known; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);

		if (!pmon_reading_valid(value)) {
			pmon_bank_is_silent(bank);
			if (bank->layout.protocol->keeps)
				bank->failed |= BIT_ULL(__ffs64(slots));
			continue;
		}
		slot->value = value;
		bank->known |= BIT_ULL(__ffs64(slots));
	}
}

static void pmon_read_slots(struct pmon_bank *bank, u64 slots, u64 when)
{
	for (; slots; slots &= slots - 1)
		pmon_bank_take(bank, __ffs64(slots), when);
}

/* Controls of events that arrive on some of @slots; of others, to be stopped. */
static void pmon_write_ctls(struct pmon_bank *bank,
			    const struct pmon_change *change, u64 slots)
{
	for (slots &= ~change->over; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		if (change->arrive & BIT_ULL(i))
			pmon_start_ctl(bank, i);
		else
			pmon_stop_ctl(bank, i);
	}
}

/*
 * Events arrive. Either their counters do not count yet, or what these did before
 * their control was written is not the event's.
 */
static void pmon_change_arrive(struct pmon_bank *bank,
			       const struct pmon_change *change, u64 slots)
{
	pmon_write_filters(bank, change->filters, change->arrive);
	if (likely(!bank->layout.protocol->keeps)) {
		pmon_learn_values(bank, change->arrive);
		pmon_write_ctls(bank, change, slots);
		return;
	}

	pmon_write_ctls(bank, change, slots);
	bank->known &= ~(change->arrive & ~change->over);
	pmon_learn_values(bank, change->arrive);
}

void pmon_change_begin(struct pmon_bank *bank, u64 slots, u64 filters)
{
	u64 left;

	if (unlikely(!pmon_reset_box(bank))) {
		bank->failed = slots;
		return;
	}
	if (unlikely(bank->layout.protocol->keeps)) {
		bank->known = 0;
		pmon_stop_slots(bank, bank->controlled & ~slots);
	}
	pmon_write_filters(bank, filters, slots);
	for (left = slots; left; left &= left - 1)
		pmon_start_ctl(bank, __ffs64(left));
	pmon_learn_values(bank, slots);
	if (unlikely(!pmon_write_box(bank, bank->layout.protocol->run)))
		bank->failed = slots;
}

void pmon_change_end(struct pmon_bank *bank)
{
	if (likely(bank->layout.protocol->bytes))
		pmon_write_box(bank, bank->layout.protocol->freeze);
	else
		pmon_stop_slots(bank, bank->counting);
	/* When that was matters no more: each start begins anew. */
	pmon_read_slots(bank, bank->counting, 0);
}

static void pmon_change_while_counting(struct pmon_bank *bank,
				       const struct pmon_change *change)
{
	u64 slots;

	for (slots = change->leave; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		if (!(change->over & BIT_ULL(i)))
			pmon_stop_ctl(bank, i);
		pmon_bank_take(bank, i, change->when);
	}
	pmon_change_arrive(bank, change, change->arrive);
}

/* A box that stays frozen counts nothing, neither for those that were there. */
static void pmon_run_again(struct pmon_bank *bank, u64 slots, u64 when)
{
	if (unlikely(!pmon_write_box(bank, bank->layout.protocol->run)))
		bank->failed = slots;
	bank->frozen_ns += bank->ops->clock() - when;
}

/* The box is frozen. */
static void pmon_change_while_frozen(struct pmon_bank *bank,
				     const struct pmon_change *change)
{
	pmon_read_slots(bank, change->leave, change->when);
	pmon_change_arrive(bank, change, change->leave | change->arrive);
	pmon_run_again(bank, bank->target, change->when);
	if (unlikely(bank->failed == bank->target))
		pmon_read_slots(bank, bank->counting & ~change->leave,
				change->when);
}

/*
 * A freeze, where there is one, takes two accesses of the box control and saves
 * one for each control that would be written twice.
 */
static bool pmon_freezing_is_cheaper(const struct pmon_bank *bank,
				     const struct pmon_change *change)
{
	u64 twice = change->leave & change->arrive & ~change->over;
	bool halves = bank->regs.ops->split &&
		      bank->layout.protocol->bytes > 4;

	return hweight64(twice) > (halves ? 4 : 2) &&
	       bank->layout.protocol->bytes;
}

void pmon_change_active(struct pmon_bank *bank, struct pmon_change *change)
{
	change->when = bank->ops->clock();
	if (pmon_freezing_is_cheaper(bank, change) &&
	    pmon_write_box(bank, bank->layout.protocol->freeze))
		pmon_change_while_frozen(bank, change);
	else
		pmon_change_while_counting(bank, change);
}

void pmon_change_snapshot(struct pmon_bank *bank, u64 slots)
{
	u64 when = bank->ops->clock();
	bool frozen = slots & (slots - 1) && bank->layout.protocol->bytes &&
		      pmon_write_box(bank, bank->layout.protocol->freeze);

	pmon_read_slots(bank, slots, when);
	if (frozen)
		pmon_run_again(bank, bank->counting, when);
}

void pmon_change_release(struct pmon_bank *bank)
{
	pmon_reset_box(bank);
	pmon_stop_slots(bank, bank->written);
	pmon_write_box(bank, bank->layout.protocol->run);
	bank->written = 0;
	bank->used = false;
	bank->filters_known = 0;
	bank->halves = ~0ULL;
}
