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

static void pmon_write_box(struct pmon_bank *bank, u64 val)
{
	u8 bytes = bank->layout.protocol->bytes;

	if (likely(bytes))
		pmon_write(&bank->regs, bank->layout.box_ctl, val, bytes);
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
 * the high one is known and stays as it is.
 */
static void pmon_write_ctl(struct pmon_bank *bank, unsigned int i, u64 val)
{
	struct pmon_slot *slot = &bank->slot[i];
	u8 bytes = bank->layout.ctl_bytes;

	if (bank->regs.ops->split && slot->ctl >> 32 == val >> 32 &&
	    !(bank->halves & BIT_ULL(i)))
		bytes = 4;
	pmon_write(&bank->regs, slot->ctl_reg, val, bytes);
	slot->ctl = val;
	bank->written |= BIT_ULL(i);
	bank->halves &= ~BIT_ULL(i);
}

static void pmon_stop_ctl(struct pmon_bank *bank, unsigned int i)
{
	if (likely(!bank->layout.protocol->no_off))
		pmon_write_ctl(bank, i,
			       pmon_ctl_stopped(bank, bank->slot[i].ctl));
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

static void pmon_write_filter(struct pmon_bank *bank)
{
	pmon_write(&bank->regs, bank->layout.filter.reg, bank->filter,
		   bank->layout.filter.bytes);
	bank->filter_known = true;
}

/*
 * A reset clears every counter and control of the box. Of the fixed counter
 * and of the high halves of controls no public document says so: what a high
 * half held may be there still.
 */
static void pmon_reset_box(struct pmon_bank *bank)
{
	u64 slots;

	pmon_write_box(bank, bank->layout.protocol->reset);
	bank->used = true;
	if (unlikely(bank->layout.protocol->keeps))
		return;

	for (slots = bank->written; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->ctl >> 32)
			bank->halves |= BIT_ULL(__ffs64(slots));
		slot->ctl = 0;
		slot->value = 0;
	}
	bank->written = 0;
	bank->known = bank->cleared;
}

/* Counters that do not count yet, and may hold anything: there they start. */
static void pmon_learn_values(struct pmon_bank *bank, u64 slots)
{
	for (slots &= ~bank->known; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);

		if (!pmon_reading_valid(value)) {
			pmon_bank_is_silent(bank);
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
			pmon_write_ctl(bank, i, bank->slot[i].want->ctl);
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
	if (change->filter_write)
		pmon_write_filter(bank);
	if (likely(!bank->layout.protocol->keeps)) {
		pmon_learn_values(bank, change->arrive);
		pmon_write_ctls(bank, change, slots);
		return;
	}

	pmon_write_ctls(bank, change, slots);
	bank->known &= ~(change->arrive & ~change->over);
	pmon_learn_values(bank, change->arrive);
}

void pmon_change_begin(struct pmon_bank *bank, u64 slots, bool filter_write)
{
	u64 left;

	pmon_reset_box(bank);
	if (unlikely(bank->layout.protocol->keeps)) {
		bank->known = 0;
		pmon_stop_slots(bank, bank->controlled & ~slots);
	}
	if (filter_write)
		pmon_write_filter(bank);
	for (left = slots; left; left &= left - 1)
		pmon_write_ctl(bank, __ffs64(left),
			       bank->slot[__ffs64(left)].want->ctl);
	pmon_learn_values(bank, slots);
	pmon_write_box(bank, bank->layout.protocol->run);
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

static void pmon_change_while_frozen(struct pmon_bank *bank,
				     const struct pmon_change *change)
{
	pmon_write_box(bank, bank->layout.protocol->freeze);
	pmon_read_slots(bank, change->leave, change->when);
	pmon_change_arrive(bank, change, change->leave | change->arrive);
	pmon_write_box(bank, bank->layout.protocol->run);
	bank->frozen_ns += bank->ops->clock() - change->when;
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
	if (pmon_freezing_is_cheaper(bank, change))
		pmon_change_while_frozen(bank, change);
	else
		pmon_change_while_counting(bank, change);
}

void pmon_change_snapshot(struct pmon_bank *bank, u64 slots)
{
	u64 when = bank->ops->clock();

	if (!(slots & (slots - 1)) || !bank->layout.protocol->bytes) {
		pmon_read_slots(bank, slots, when);
		return;
	}

	pmon_write_box(bank, bank->layout.protocol->freeze);
	pmon_read_slots(bank, slots, when);
	pmon_write_box(bank, bank->layout.protocol->run);
	bank->frozen_ns += bank->ops->clock() - when;
}

void pmon_change_release(struct pmon_bank *bank)
{
	pmon_reset_box(bank);
	pmon_stop_slots(bank, bank->written);
	pmon_write_box(bank, bank->layout.protocol->run);
	bank->written = 0;
	bank->used = false;
	bank->filter_known = false;
	bank->halves = ~0ULL;
}
