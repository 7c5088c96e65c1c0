// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes. A box that becomes active is set up completely, so that nothing that
 * others left there counts; its counters are known to be 0 then and are not
 * read. (The high half of a control that is reached in halves is left out when
 * the last that we wrote there was 0.) A box that becomes idle is frozen and
 * read, and stays frozen. In an active box, counters change either while the
 * others count on, or with the box frozen for a moment: whichever takes fewer
 * accesses. No counter register is ever written.
 *
 * Where a reset keeps counters and controls (@keeps), all controls are written
 * once, and a counter is read when its event starts, while it is off or the box
 * is frozen: nothing is missed. One event alone begins and ends with one write
 * of its control, and no freeze. So do all events of a box that has no box
 * control.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "counters.h"
#include "count.h"

/* Write the box control. Returns 0, or an error when it was not written. */
static int pmon_write_box(struct pmon_bank *bank, u64 val)
{
	return pmon_write(&bank->regs, bank->layout.box_ctl, val,
			  bank->layout.protocol->bytes);
}

/*
 * A control of 8 bytes that is reached in halves needs only the low one when
 * the high one is known and stays as it is. Returns 0 when it was written.
 */
static int pmon_write_ctl(struct pmon_bank *bank, unsigned int i, u64 val)
{
	struct pmon_slot *slot = &bank->slot[i];
	u8 bytes = bank->layout.ctl_bytes;
	int ret;

	if (bank->regs.ops->split && slot->ctl >> 32 == val >> 32 &&
	    !(bank->halves & BIT_ULL(i)))
		bytes = 4;
	ret = pmon_write(&bank->regs, slot->ctl_reg, val, bytes);
	if (likely(!ret))
		slot->ctl = val;
	return ret;
}

/* ---- filter registers: written only by events that use them ------------- */

u64 pmon_needs_filter(struct pmon_bank *bank, unsigned int i,
		      const struct pmon_event *event)
{
	struct pmon_slot *slot;
	u64 bit;

	if (!event->uses_filter)
		return 0;
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

/*
 * Of slots with a filter register of their own: those whose event uses it, and
 * of which it is not known what it holds.
 */
static u64 pmon_unknown_filters(const struct pmon_bank *bank, u64 slots)
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

/*
 * Write these registers, each with the filter of its slot. Events of @slots
 * whose filter is refused have failed.
 */
static void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots)
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

/* The box is handed back: turn off those that we have left on. */
static void pmon_filters_off(struct pmon_bank *bank)
{
	u64 slots = bank->filters_on & bank->controlled;

	for (; slots; slots &= slots - 1)
		pmon_write_filter(bank, __ffs64(slots),
				  bank->layout.filter_off);
}

/* ---- controls and counters ---------------------------------------------- */

/* The controls of @slots were written in all their bytes. */
static void pmon_ctls_written(struct pmon_bank *bank, u64 slots)
{
	bank->written |= slots;
	bank->halves &= ~slots;
}

/*
 * Write the control of each event in @slots. One whose control is refused is
 * added to @failed, and does not start.
 */
static void pmon_start_slots(struct pmon_bank *bank, u64 slots)
{
	u64 left;

	for (left = slots; left; left &= left - 1) {
		unsigned int i = __ffs64(left);

		if (unlikely(pmon_write_ctl(bank, i,
					    bank->slot[i].assigned->ctl)))
			bank->failed |= BIT_ULL(i);
	}
	pmon_ctls_written(bank, slots & ~bank->failed);
}

/*
 * Write the stopped value to the control of slot @i, which was written before.
 * If that is refused the counter counts on, so it must be read before the next
 * event starts on it.
 */
static void pmon_stop_ctl(struct pmon_bank *bank, unsigned int i)
{
	if (unlikely(pmon_write_ctl(bank, i,
				    pmon_ctl_stopped(bank,
						     bank->slot[i].ctl))))
		bank->known &= ~BIT_ULL(i);
}

/*
 * Write the stopped value to the controls of @slots that are not known to hold
 * it. Returns those that were not known to: their counters may have counted
 * until now.
 */
static u64 pmon_stop_slots(struct pmon_bank *bank, u64 slots)
{
	u64 counted = 0;

	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);
		u64 ctl = bank->slot[i].ctl;
		u64 stopped = pmon_ctl_stopped(bank, ctl);

		if (bank->written & BIT_ULL(i) && ctl == stopped)
			continue;
		counted |= BIT_ULL(i);
		if (!pmon_write_ctl(bank, i, stopped))
			pmon_ctls_written(bank, BIT_ULL(i));
	}
	return counted;
}

/*
 * The box control was written with the reset value, which clears every counter
 * and control of the box. No public document says so of the fixed counter, nor
 * of the high halves of controls: a high half that was not 0 is written again
 * with the next event.
 */
static void pmon_was_reset(struct pmon_bank *bank)
{
	u64 slots;

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

/*
 * Read the counters of @slots whose value is not known: their events start at
 * that value. A counter that does not answer starts at the value that was read
 * when it was last stopped, or at 0 after a reset; where a reset keeps counters
 * (@keeps) another program may have used it since, and the event fails. One
 * that was @stopped and may have been reset since: so may its filter.
 */
static void pmon_learn_values(struct pmon_bank *bank, u64 slots, bool stopped)
{
	for (slots &= ~bank->known; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		u64 value = bank->unresponsive ?
			    ~0ULL : pmon_bank_read_slot(bank, slot);

		if (!pmon_reading_valid(value)) {
			pmon_bank_set_unresponsive(bank);
			if (bank->layout.protocol->keeps)
				bank->failed |= BIT_ULL(__ffs64(slots));
			continue;
		}
		if (stopped && !pmon_slot_stands(slot, slot->value, value))
			bank->filters_known &= ~(slots & -slots);
		slot->value = value;
		bank->known |= BIT_ULL(__ffs64(slots));
	}
}

/* The filters that a change writes, now that its counters were read. */
static u64 pmon_filters_of(const struct pmon_bank *bank,
			   const struct pmon_change *change)
{
	return change->filters |
	       pmon_unknown_filters(bank, change->arrive & ~change->over);
}

/*
 * While the box is frozen: write each control that changes once, with the value
 * for the event that arrives or, if none does, the stopped value.
 */
static void pmon_replace_slots(struct pmon_bank *bank,
			       const struct pmon_change *change)
{
	u64 slots = (change->leave | change->arrive) & ~change->over;

	for (; slots; slots &= slots - 1) {
		u64 bit = slots & -slots;

		if (change->arrive & bit)
			pmon_start_slots(bank, bit);
		else
			pmon_stop_ctl(bank, __ffs64(bit));
	}
}

/*
 * Where a reset keeps counters (@keeps) an event that arrives starts at what
 * its counter holds now. A counter that another event has just left, and that
 * is stopped, was read when that event left.
 */
static void pmon_learn_kept(struct pmon_bank *bank,
			    const struct pmon_change *change)
{
	bank->known &= ~(change->arrive & ~change->leave);
	pmon_learn_values(bank, change->arrive, true);
}

/*
 * The counters of @slots did not answer when their events left: it is not known
 * what they hold.
 */
static void pmon_not_read(struct pmon_bank *bank, u64 slots)
{
	bank->known &= ~slots;
	pmon_bank_lost(bank, slots);
}

/*
 * Do these slots, of a box whose reset keeps counters (@keeps), start and stop
 * by their controls alone? One does: what it counts is exact without a freeze,
 * because its counter is read while its control is stopped. Where there is no
 * box control all do.
 */
static bool pmon_is_alone(const struct pmon_bank *bank, u64 slots)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	return protocol->keeps &&
	       (!protocol->bytes || (slots && !(slots & (slots - 1))));
}

/* Those of @slots whose control holds anything but their next event. */
static u64 pmon_changed_slots(const struct pmon_bank *bank, u64 slots)
{
	u64 changed = 0;

	for (; slots; slots &= slots - 1) {
		const struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->ctl != slot->assigned->ctl)
			changed |= slots & -slots;
	}
	return changed;
}

/*
 * The first events of a box whose reset keeps counters and controls (@keeps):
 * stop what other programs, or a group that ended with a freeze, have left
 * counting. While the box is idle a counter whose control was @written is
 * stopped, by that or by the freeze, so it can be read. Several are frozen once
 * they are enabled: what a freeze does to a counter that is not is open (CXL
 * 4.0, table 8-183). If the box control is not written @slots have failed.
 */
static void pmon_begin_kept(struct pmon_bank *bank, u64 slots, u64 filters)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	bool alone = pmon_is_alone(bank, slots);
	u64 stopped = slots;

	bank->used = true;
	if (alone)
		stopped &= bank->written;
	if (!protocol->bytes)
		stopped = 0;
	bank->known &= ~pmon_stop_slots(bank, bank->controlled & ~stopped);
	if (unlikely(filters))
		pmon_write_filters(bank, filters, slots);
	if (alone)
		pmon_learn_values(bank, slots, false);
	else
		bank->known &= ~pmon_changed_slots(bank, slots);
	pmon_start_slots(bank, slots & ~bank->failed);
	if (!alone) {
		if (unlikely(pmon_write_box(bank, protocol->reset))) {
			bank->failed = slots;
			return;
		}
		pmon_learn_values(bank, slots, false);
	}
	if (protocol->bytes && unlikely(pmon_write_box(bank, protocol->run)))
		bank->failed = slots;
}

void pmon_change_begin(struct pmon_bank *bank, u64 slots, u64 filters)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	if (unlikely(protocol->keeps)) {
		pmon_begin_kept(bank, slots, filters);
		return;
	}
	if (unlikely(pmon_write_box(bank, protocol->reset))) {
		bank->failed = slots;
		return;
	}
	bank->used = true;
	pmon_was_reset(bank);
	if (unlikely(filters))
		pmon_write_filters(bank, filters, slots);
	pmon_start_slots(bank, slots);
	pmon_learn_values(bank, slots, false);
	if (unlikely(pmon_write_box(bank, protocol->run)))
		bank->failed = slots;
}

/* If the box cannot be frozen its counters are stopped by their controls. */
static void pmon_end_kept(struct pmon_bank *bank)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	if (pmon_is_alone(bank, bank->counting))
		pmon_stop_slots(bank, bank->counting);
	else if (unlikely(pmon_write_box(bank, protocol->freeze)))
		pmon_stop_slots(bank, bank->written);
}

void pmon_change_end(struct pmon_bank *bank)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	if (unlikely(protocol->keeps))
		pmon_end_kept(bank);
	else
		pmon_write_box(bank, protocol->freeze);
	/* The time of these readings is not used: each start sets it anew. */
	pmon_bank_lost(bank, pmon_bank_take_all(bank, bank->counting, 0));
}

static void pmon_change_while_counting(struct pmon_bank *bank,
				       const struct pmon_change *change)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	u64 slots = change->leave & ~change->over;

	for (; slots; slots &= slots - 1)
		pmon_stop_ctl(bank, __ffs64(slots));
	pmon_not_read(bank, pmon_bank_take_all(bank, change->leave,
					       change->when));

	if (unlikely(protocol->keeps)) {
		pmon_learn_kept(bank, change);
		pmon_write_filters(bank, pmon_filters_of(bank, change),
				   change->arrive);
		pmon_start_slots(bank, change->arrive & ~change->over &
				 ~bank->failed);
		return;
	}
	if (unlikely(change->filters))
		pmon_write_filters(bank, change->filters, change->arrive);
	pmon_learn_values(bank, change->arrive, false);
	pmon_start_slots(bank, change->arrive & ~change->over);
}

/* The box was frozen by the caller, and runs again after this. */
static void pmon_change_while_frozen(struct pmon_bank *bank,
				     const struct pmon_change *change)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	pmon_not_read(bank, pmon_bank_take_all(bank, change->leave,
					       change->when));
	if (!protocol->keeps)
		pmon_learn_values(bank, change->arrive, false);
	else
		pmon_learn_kept(bank, change);
	pmon_write_filters(bank, pmon_filters_of(bank, change),
			   change->arrive);
	pmon_replace_slots(bank, change);
	/* If it cannot be run all its events fail, those that stay included. */
	if (unlikely(pmon_write_box(bank, protocol->run))) {
		bank->failed = bank->target;
		pmon_bank_take_all(bank, bank->counting & ~change->leave,
				   change->when);
	}
	bank->frozen_ns += bank->ops->clock() - change->when;
}

/*
 * Freezing and running the box takes two writes of its control. It saves one
 * for each control that would otherwise be written twice: stopped, because one
 * event leaves, and started for the one that arrives.
 */
static bool pmon_freezing_is_cheaper(const struct pmon_bank *bank,
				     const struct pmon_change *change)
{
	u64 twice = change->leave & change->arrive;
	bool halves;

	/*
	 * Any other slot is written once anyway, and where a reset keeps
	 * controls each that changes is stopped first, frozen or not.
	 */
	if (likely(!twice) || bank->layout.protocol->keeps)
		return false;

	twice &= ~change->over;
	halves = bank->regs.ops->split && bank->layout.protocol->bytes > 4;
	return hweight64(twice) > (halves ? 4 : 2);
}

void pmon_change_active(struct pmon_bank *bank, struct pmon_change *change)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	change->when = bank->ops->clock();
	if (pmon_freezing_is_cheaper(bank, change) &&
	    !pmon_write_box(bank, protocol->freeze))
		pmon_change_while_frozen(bank, change);
	else
		pmon_change_while_counting(bank, change);
}

void pmon_change_snapshot(struct pmon_bank *bank, u64 slots)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	u64 when = bank->ops->clock();

	if (!(slots & (slots - 1)) || !protocol->bytes ||
	    unlikely(pmon_write_box(bank, protocol->freeze))) {
		pmon_bank_take_all(bank, slots, when);
		return;
	}

	pmon_bank_take_all(bank, slots, when);
	if (unlikely(pmon_write_box(bank, protocol->run)))
		bank->failed = bank->counting;
	bank->frozen_ns += bank->ops->clock() - when;
}

void pmon_change_release(struct pmon_bank *bank)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	if (protocol->bytes)
		pmon_write_box(bank, protocol->reset);
	/* Whether their controls were written is forgotten in sleep. */
	if (protocol->keeps)
		pmon_stop_slots(bank, bank->controlled);
	pmon_filters_off(bank);
	/* A bit that is left would be a wrap of the next owner's counter. */
	if (bank->layout.overflow_reg)
		pmon_bank_clear_wraps(bank, bank->controlled);
	pmon_was_reset(bank);
	if (protocol->bytes)
		pmon_write_box(bank, protocol->run);
	bank->used = false;
	pmon_bank_forget(bank);
}
