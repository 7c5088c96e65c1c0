// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count events on the counters of one box: which event has which counter, and
 * which register accesses start, read and stop them.
 *
 * A box that becomes active is set up completely, so that nothing that others
 * left there counts; its counters are known to be 0 then and are not read. (The
 * high half of a control that is reached in halves is left out when the last
 * that we wrote there was 0.) A box that becomes idle is frozen and read, and
 * stays frozen. In an active box, counters change while the others count on. No
 * counter register is ever written.
 *
 * Where a reset keeps counters and controls (@keeps), all controls are written
 * once, and a counter is read when its event starts, while it is off or the box
 * is frozen: nothing is missed. One event alone starts and stops with one write
 * of its control, and no freeze. So do all events of a box that has no box
 * control.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "assign.h"
#include "counters.h"

/* ---- reading ------------------------------------------------------------ */

void pmon_bank_disturbed(struct pmon_bank *bank)
{
	bank->disturbed++;
	bank->ops->disturbed(bank);
}

/* A register still reads as all-ones. */
static void pmon_bank_set_unresponsive(struct pmon_bank *bank)
{
	if (bank->unresponsive)
		return;

	WRITE_ONCE(bank->unresponsive, true);
	bank->probed = bank->ops->clock();
	bank->ops->report(bank);
}

/* So often is a counter read again that reads as all-ones. */
#define PMON_READ_TRIES		3

/*
 * UPI and B2CXL units of Granite Rapids read as all-ones now and then (likwid
 * PR 639).
 */
static u64 pmon_bank_read_again(const struct pmon_bank *bank, u32 reg,
				u64 value)
{
	unsigned int n;

	for (n = 0; n < PMON_READ_TRIES && !pmon_reading_valid(value); n++)
		value = pmon_read_settled(&bank->regs, reg);
	return value;
}

/* Read a counter of which nothing shows a carry between its halves. */
static u64 pmon_bank_read_slot(const struct pmon_bank *bank,
			       const struct pmon_slot *slot)
{
	return pmon_bank_read_again(bank, slot->ctr_reg,
				    pmon_read_settled(&bank->regs,
						      slot->ctr_reg));
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

/*
 * How much of a control is read: where that takes two accesses, only the low
 * half if the event is there.
 */
static u8 pmon_bank_ctl_bytes(const struct pmon_bank *bank)
{
	return bank->regs.ops->split && !(bank->ctl_event >> 32) ?
	       4 : bank->layout.ctl_bytes;
}

/* All bits of what is read of a control. */
static u64 pmon_bank_ctl_bits(const struct pmon_bank *bank)
{
	return GENMASK_ULL(8 * pmon_bank_ctl_bytes(bank) - 1, 0);
}

/* Read the control of slot @i, or its low half. */
static u64 pmon_bank_read_ctl(const struct pmon_bank *bank, unsigned int i)
{
	return pmon_read(&bank->regs, bank->slot[i].ctl_reg,
			 pmon_bank_ctl_bytes(bank));
}

/*
 * Does @ctl, read from the control of slot @i, say the event that was written
 * there? Bits that do not say it may not be implemented; all-ones is no answer.
 */
static bool pmon_bank_ctl_holds(const struct pmon_bank *bank, unsigned int i,
				u64 ctl)
{
	const struct pmon_counter *counter = &bank->layout.counter[i];
	u64 bits = pmon_bank_ctl_bits(bank);
	u64 mask = bits & (counter->kind == PMON_COUNTER_FIXED ?
			   counter->enable : bank->ctl_event);

	return ctl == bits || !((ctl ^ bank->slot[i].ctl) & mask);
}

/*
 * A counter that went back has wrapped, or the box was reset: then its control
 * was reset, too, unless we have stopped it since. The box is set up again at
 * the next wrap tick.
 */
static bool pmon_bank_was_reset(struct pmon_bank *bank,
				const struct pmon_slot *slot, u64 before)
{
	unsigned int i = slot - bank->slot;
	u64 ctl;

	if ((slot->value & slot->mask) >= (before & slot->mask) ||
	    slot->ctl != slot->counted->ctl)
		return false;
	ctl = pmon_bank_read_ctl(bank, i);
	return ctl == pmon_bank_ctl_bits(bank) ||
	       !pmon_bank_ctl_holds(bank, i, ctl);
}

/* Instead of a gain: there was no answer. */
#define PMON_NO_READING		(~0ULL)

/*
 * Slow path of pmon_bank_poll(), for a large gain and all-ones. If the counter
 * was reset, or gained more than any counter can, another program wrote it:
 * what it counted since the last reading is not known, and the event gains
 * nothing. The clock is read after the counter, so the time that has passed is
 * never too short.
 */
static u64 pmon_bank_recheck(struct pmon_bank *bank, struct pmon_slot *slot,
			     u64 value)
{
	u64 before = slot->value, delta;

	value = pmon_bank_settle(bank, slot, value);
	value = pmon_bank_read_again(bank, slot->ctr_reg, value);
	if (!pmon_reading_valid(value)) {
		pmon_bank_set_unresponsive(bank);
		return PMON_NO_READING;
	}

	slot->value = value;
	delta = pmon_delta(before, value, slot->mask);
	if (delta < PMON_DELTA_SMALL)
		return delta;
	if (pmon_delta_possible(delta, bank->ops->clock() - slot->since,
				slot->counted->rate_log2 ?:
				bank->layout.protocol->rate_log2) &&
	    !pmon_bank_was_reset(bank, slot, before))
		return delta;

	bank->filters_known = 0;
	pmon_bank_disturbed(bank);
	return 0;
}

/*
 * Read a counter. Returns what it has gained. All bits of the register are
 * compared, so a counter that has wrapped and all-ones take the slow path.
 */
static u64 pmon_bank_poll(struct pmon_bank *bank, struct pmon_slot *slot)
{
	u64 value = pmon_read(&bank->regs, slot->ctr_reg, 8);
	u64 gain = value - slot->value;

	if (unlikely(gain >= PMON_DELTA_SMALL))
		return pmon_bank_recheck(bank, slot, value);
	slot->value = value;
	return gain;
}

/* A failed event gains nothing. */
static void pmon_bank_gain(const struct pmon_bank *bank,
			   struct pmon_event *event, u64 gain)
{
	if (gain && !event->failed)
		bank->ops->gain(event, gain);
}

/*
 * Read a counter that counts an event; @when is not later than now. Returns
 * false when there was no answer.
 */
static bool pmon_bank_take(struct pmon_bank *bank, struct pmon_slot *slot,
			   u64 when)
{
	u64 gain = pmon_bank_poll(bank, slot);

	if (unlikely(gain == PMON_NO_READING))
		return false;
	slot->since = when;
	pmon_bank_gain(bank, slot->counted, gain);
	return true;
}

/*
 * Read several. Returns the slots that were not read: after one that makes the
 * box unresponsive no other is accessed.
 */
static u64 pmon_bank_take_all(struct pmon_bank *bank, u64 slots, u64 when)
{
	while (slots && pmon_bank_take(bank, &bank->slot[__ffs64(slots)], when))
		slots &= slots - 1;
	return slots;
}

/* ---- events that fail ---------------------------------------------------- */

/* The last reading of an event failed: what it counted since is lost. */
static void pmon_bank_lost_event(struct pmon_bank *bank,
				 struct pmon_event *event)
{
	if (event->failed)
		return;

	WRITE_ONCE(event->failed, true);
	bank->lost++;
	bank->ops->lost(event);
	bank->ops->report(bank);
}

/* The last reading of the events of @slots failed. */
static void pmon_bank_lost(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1)
		pmon_bank_lost_event(bank, bank->slot[__ffs64(slots)].counted);
}

/*
 * A register refused a write, so the events of @slots do not start. They gain
 * nothing until they are disabled.
 */
static void pmon_bank_refused(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_event *event = bank->slot[__ffs64(slots)].assigned;

		if (event)
			WRITE_ONCE(event->failed, true);
	}
	bank->refused++;
	bank->ops->report(bank);
}

/*
 * ---- counters that run by themselves ---------------------------------------
 *
 * Nothing controls them, so an event is the difference of two readings, and any
 * number of events can share a counter. As with other counters, changes are
 * collected until apply.
 */

/*
 * Can counter @i have gained @delta since it was last read, or was it reset,
 * with its device? The clock is read after the counter, and @pmon_slot.since
 * was taken before the last reading.
 */
static bool pmon_free_running_plausible(const struct pmon_bank *bank,
					unsigned int i, u64 delta)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	u8 rate_log2 = bank->layout.counter[i].rate_log2;

	if (!rate_log2 && protocol)
		rate_log2 = protocol->rate_log2;
	return delta < PMON_DELTA_SMALL ||
	       pmon_delta_possible(delta,
				   bank->ops->clock() - bank->slot[i].since,
				   rate_log2);
}

/*
 * Read a counter, and add to its total what it has gained since it was last
 * read for any event. If no counter can gain that much it was reset, with its
 * device: what it counted since then is lost for all its events. Returns false
 * when the hardware did not answer.
 */
static bool pmon_free_running_reading(struct pmon_bank *bank, unsigned int i,
				      bool counts)
{
	struct pmon_slot *slot = &bank->slot[i];
	u64 value = pmon_bank_read_slot(bank, slot);
	u64 delta;

	if (!pmon_reading_valid(value))
		return false;

	delta = pmon_delta(slot->value, value, slot->mask);
	slot->value = value;
	if (likely(pmon_free_running_plausible(bank, i, delta)))
		slot->total += delta;
	else if (counts)
		pmon_bank_disturbed(bank);
	return true;
}

/*
 * Is the event in the bank's list? It is from add, until the apply after del.
 */
static bool pmon_free_running_listed(const struct pmon_event *event)
{
	return event->assigned_to >= 0 || event->counted_on >= 0;
}

static void pmon_free_running_add(struct pmon_bank *bank,
				  struct pmon_event *event)
{
	if (!pmon_free_running_listed(event)) {
		event->next = bank->free_running;
		bank->free_running = event;
	}
	event->assigned_to = __ffs64(event->allowed);
	bank->dirty |= event->allowed;
}

static void pmon_free_running_unlist(struct pmon_bank *bank,
				     struct pmon_event *event)
{
	struct pmon_event **link = &bank->free_running;

	while (*link != event)
		link = &(*link)->next;
	*link = event->next;
	event->next = NULL;
}

static void pmon_free_running_del(struct pmon_bank *bank,
				  struct pmon_event *event)
{
	bank->dirty |= event->allowed;
	event->assigned_to = -1;
	if (!pmon_free_running_listed(event))
		pmon_free_running_unlist(bank, event);
}

/*
 * The first reading of an event. Until the counter answers, the event gains
 * nothing and is @late: its gain would be everything that the counter holds.
 */
static bool pmon_free_running_first(struct pmon_bank *bank,
				    struct pmon_event *event)
{
	struct pmon_slot *slot = &bank->slot[event->counted_on];
	u64 when = bank->ops->clock();

	event->late = !pmon_free_running_reading(bank, event->counted_on,
						 false);
	if (event->late)
		return false;

	slot->since = when;
	event->before = slot->total;
	return true;
}

/* Bring an event up to date. False when the hardware did not answer. */
static bool pmon_free_running_read(struct pmon_bank *bank,
				   struct pmon_event *event)
{
	u64 total;

	if (unlikely(event->late))
		return pmon_free_running_first(bank, event);
	if (!pmon_free_running_reading(bank, event->counted_on, true)) {
		pmon_bank_set_unresponsive(bank);
		return false;
	}

	total = bank->slot[event->counted_on].total;
	pmon_bank_gain(bank, event, total - event->before);
	event->before = total;
	return true;
}

static void pmon_free_running_begin(struct pmon_bank *bank,
				    struct pmon_event *event)
{
	event->counted_on = event->assigned_to;
	event->late = bank->unresponsive;
	if (!event->late && unlikely(!pmon_free_running_first(bank, event)))
		pmon_bank_set_unresponsive(bank);
}

static void pmon_free_running_end(struct pmon_bank *bank,
				  struct pmon_event *event)
{
	if (bank->unresponsive || !pmon_free_running_read(bank, event))
		pmon_bank_lost_event(bank, event);
	event->counted_on = -1;
}

static void pmon_free_running_end_all(struct pmon_bank *bank)
{
	struct pmon_event *event;

	for (event = bank->free_running; event; event = event->next)
		if (event->counted_on >= 0)
			pmon_free_running_end(bank, event);
}

static void pmon_free_running_apply(struct pmon_bank *bank)
{
	struct pmon_event *event, *next;

	bank->free_running_counts = false;
	for (event = bank->free_running; event; event = next) {
		bool counts = event->assigned_to >= 0;

		next = event->next;
		if (counts && event->counted_on < 0)
			pmon_free_running_begin(bank, event);
		else if (!counts && event->counted_on >= 0)
			pmon_free_running_end(bank, event);
		bank->free_running_counts |= event->counted_on >= 0;
		if (!pmon_free_running_listed(event))
			pmon_free_running_unlist(bank, event);
	}
	bank->running |= bank->free_running_counts;
}

static void pmon_free_running_fail(struct pmon_bank *bank)
{
	struct pmon_event *event;

	for (event = bank->free_running; event; event = event->next)
		WRITE_ONCE(event->failed, true);
}

static void pmon_free_running_sync(struct pmon_bank *bank, u64 when)
{
	struct pmon_event *event;

	for (event = bank->free_running; event && !bank->unresponsive;
	     event = event->next)
		if (event->counted_on >= 0 &&
		    pmon_free_running_read(bank, event))
			bank->slot[event->counted_on].since = when;
}

/*
 * What a counter gained before it was reset is not known. After a wrap it holds
 * less, too, and so soon after sleep that is taken for a reset: an event that
 * lacks some is better than one with the range of a counter too much.
 */
static void pmon_free_running_resume(struct pmon_bank *bank)
{
	struct pmon_event *event;
	struct pmon_slot *slot;
	u64 value;

	for (event = bank->free_running; event; event = event->next) {
		if (event->counted_on < 0)
			continue;
		slot = &bank->slot[event->counted_on];
		value = pmon_read_settled(&bank->regs, slot->ctr_reg);
		if (pmon_reading_valid(value) &&
		    (value & slot->mask) < (slot->value & slot->mask))
			slot->value = value;
	}
}

static void pmon_free_running_lose(struct pmon_bank *bank)
{
	struct pmon_event *event, *next;

	bank->free_running_counts = false;
	for (event = bank->free_running; event; event = next) {
		next = event->next;
		event->counted_on = -1;
		if (!pmon_free_running_listed(event))
			pmon_free_running_unlist(bank, event);
	}
}

/* ---- events that fail together ------------------------------------------- */

/*
 * Events that are counted, or are about to be, fail: they would look as if they
 * counted.
 */
static void pmon_bank_fail_all(struct pmon_bank *bank)
{
	u64 slots;

	for (slots = bank->active | bank->taken; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->counted)
			WRITE_ONCE(slot->counted->failed, true);
		if (slot->assigned)
			WRITE_ONCE(slot->assigned->failed, true);
	}
	pmon_free_running_fail(bank);
}

/* ---- what is known of the registers ------------------------------------- */

/*
 * What no reset of the box control is known to clear may hold anything: filters
 * and the high halves of controls. Which controls were written matters only
 * where a reset keeps them.
 */
static void pmon_bank_forget(struct pmon_bank *bank)
{
	bank->filters_known = 0;
	bank->hi_unknown = ~0ULL;
	if (bank->layout.protocol && bank->layout.protocol->keeps)
		bank->programmed = 0;
}

/*
 * As when the box was found: what controls and counters hold is not known
 * either, so a control that was cleared meanwhile is no other program's change.
 */
static void pmon_bank_forget_all(struct pmon_bank *bank)
{
	u64 slots;

	pmon_bank_forget(bank);
	bank->programmed = 0;
	for (slots = bank->controlled; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->ctl = 0;
		slot->value = 0;
	}
}

void pmon_bank_find(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs)
{
	unsigned int i;

	bank->layout = *layout;
	pmon_layout_prepare(&bank->layout);
	bank->regs = *regs;
	bank->controlled = 0;
	for (i = 0; i < layout->counters; i++) {
		const struct pmon_counter *counter = &layout->counter[i];
		struct pmon_slot *slot = &bank->slot[i];

		slot->mask = GENMASK_ULL(counter->width - 1, 0);
		slot->ctr_reg = counter->ctr;
		slot->ctl_reg = counter->ctl;
		slot->ctl = 0;
		slot->value = 0;
		if (counter->kind != PMON_COUNTER_FREE_RUNNING)
			bank->controlled |= BIT_ULL(i);
	}
	pmon_bank_forget_all(bank);
	bank->state = PMON_BOX_PRESENT;
	bank->unresponsive = false;
	bank->dirty = bank->taken;
	if (bank->free_running)
		bank->dirty |= bank->layout.own;
}

void pmon_bank_is_off(struct pmon_bank *bank, u64 slots)
{
	if (bank->layout.protocol && bank->layout.protocol->keeps)
		bank->programmed = slots & bank->controlled;
}

/*
 * The box control was written with the reset value, which clears every counter
 * and control of the box. No public document says so of the fixed counter, nor
 * of the high halves of controls: a high half that was not 0 is written again
 * with the next event.
 */
static void pmon_bank_note_reset(struct pmon_bank *bank)
{
	u64 slots;

	for (slots = bank->programmed; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->ctl >> 32)
			bank->hi_unknown |= BIT_ULL(__ffs64(slots));
		slot->ctl = 0;
		slot->value = 0;
	}
	bank->programmed = 0;
	bank->baseline_valid = bank->layout.any;
}

/* ---- writing ------------------------------------------------------------ */

/* Write the box control. Returns 0, or an error when it was not written. */
static int pmon_write_box(struct pmon_bank *bank, u64 val)
{
	return pmon_write(&bank->regs, bank->layout.box_ctl, val,
			  bank->layout.protocol->bytes);
}

/*
 * A write of the box control was refused, so nothing counts: all events fail,
 * and the next change sets the box up anew.
 */
static void pmon_box_refused(struct pmon_bank *bank)
{
	bank->halted = true;
	pmon_bank_refused(bank, bank->taken);
}

static void pmon_run_box(struct pmon_bank *bank)
{
	if (unlikely(pmon_write_box(bank, bank->layout.protocol->run)))
		pmon_box_refused(bank);
}

/*
 * A control of 8 bytes that is reached in halves needs only the low one when
 * the high one is known and stays as it is. Returns 0 when it was written;
 * otherwise the counter may count on, and is read before an event starts.
 */
static int pmon_write_ctl(struct pmon_bank *bank, unsigned int i, u64 val)
{
	struct pmon_slot *slot = &bank->slot[i];
	u8 bytes = bank->layout.ctl_bytes;
	int ret;

	if (bank->regs.ops->split && slot->ctl >> 32 == val >> 32 &&
	    !(bank->hi_unknown & BIT_ULL(i)))
		bytes = 4;
	ret = pmon_write(&bank->regs, slot->ctl_reg, val, bytes);
	if (likely(!ret))
		slot->ctl = val;
	else
		bank->baseline_valid &= ~BIT_ULL(i);
	return ret;
}

/* The control of slot @i was written in all its bytes. */
static void pmon_ctl_programmed(struct pmon_bank *bank, unsigned int i)
{
	bank->programmed |= BIT_ULL(i);
	bank->hi_unknown &= ~BIT_ULL(i);
}

/* Write the control of each event in @slots. One that is refused fails. */
static void pmon_start_slots(struct pmon_bank *bank, u64 slots)
{
	u64 refused = 0;

	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		if (likely(!pmon_write_ctl(bank, i,
					   bank->slot[i].assigned->ctl)))
			pmon_ctl_programmed(bank, i);
		else
			refused |= BIT_ULL(i);
	}
	if (unlikely(refused))
		pmon_bank_refused(bank, refused);
}

/*
 * What a control that held @ctl holds once its counter is stopped. The select
 * is in the low half, and select 0 counts nothing. So where an access of 8
 * bytes takes two, stopping takes one and leaves the high half.
 */
static u64 pmon_ctl_stopped(const struct pmon_bank *bank, u64 ctl)
{
	return bank->regs.ops->split ? ctl & GENMASK_ULL(63, 32) : 0;
}

/* Stop the counters of @slots that are not known to be stopped. */
static void pmon_stop_slots(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);
		u64 ctl = bank->slot[i].ctl;
		u64 stopped = pmon_ctl_stopped(bank, ctl);

		if (bank->programmed & BIT_ULL(i) && ctl == stopped)
			continue;
		if (!pmon_write_ctl(bank, i, stopped))
			pmon_ctl_programmed(bank, i);
	}
}

/*
 * Read the counters of @slots whose value is not known: their events start
 * there. One that does not answer fails.
 */
static void pmon_read_baselines(struct pmon_bank *bank, u64 slots)
{
	for (slots &= ~bank->baseline_valid; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		u64 value = bank->unresponsive ?
			    ~0ULL : pmon_bank_read_slot(bank, slot);

		if (!pmon_reading_valid(value)) {
			pmon_bank_set_unresponsive(bank);
			pmon_bank_refused(bank, slots);
			return;
		}
		slot->value = value;
		bank->baseline_valid |= BIT_ULL(__ffs64(slots));
	}
}

/* ---- filter registers: written only by events that use them ------------- */

/* The slot of the filter register that an event on slot @i uses. */
static unsigned int pmon_filter_slot(const struct pmon_bank *bank,
				     unsigned int i)
{
	return bank->layout.shares_filter ? 0 : i;
}

/*
 * The filter registers, each named by its slot, that the events assigned to
 * @slots need and that do not hold their filters.
 */
static u64 pmon_needed_filters(struct pmon_bank *bank, u64 slots)
{
	u64 filters = 0;

	for (; slots; slots &= slots - 1) {
		const struct pmon_event *event =
			bank->slot[__ffs64(slots)].assigned;
		unsigned int i = pmon_filter_slot(bank, __ffs64(slots));

		if (!event->uses_filter ||
		    (bank->filters_known & BIT_ULL(i) &&
		     bank->slot[i].filter == event->filter))
			continue;
		bank->slot[i].filter = event->filter;
		bank->filters_known &= ~BIT_ULL(i);
		filters |= BIT_ULL(i);
	}
	return filters;
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

/* Those of @slots whose event uses the filter register of slot @i. */
static u64 pmon_filter_users(const struct pmon_bank *bank, u64 slots,
			     unsigned int i)
{
	u64 users = 0;

	for (; slots; slots &= slots - 1)
		if (bank->slot[__ffs64(slots)].assigned->uses_filter &&
		    pmon_filter_slot(bank, __ffs64(slots)) == i)
			users |= slots & -slots;
	return users;
}

/*
 * Write the filters @filters before the events of @slots start. Those that
 * would count something else, because a filter is refused, fail.
 */
static void pmon_write_filters(struct pmon_bank *bank, u64 filters, u64 slots)
{
	for (; filters; filters &= filters - 1) {
		unsigned int i = __ffs64(filters);

		if (!pmon_write_filter(bank, i, bank->slot[i].filter))
			bank->filters_known |= BIT_ULL(i);
		else
			pmon_bank_refused(bank,
					  pmon_filter_users(bank, slots, i));
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

/* ---- starting and stopping a box ---------------------------------------- */

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

/*
 * The first events of a box whose reset keeps counters and controls (@keeps):
 * stop what other programs, or a group that ended with a freeze, have left
 * counting. While the box is idle a counter whose control is programmed is
 * stopped, by that or by the freeze, so it can be read. Several are frozen once
 * they are enabled: what a freeze does to a counter that is not is open (CXL
 * 4.0, table 8-183).
 */
static void pmon_begin_kept(struct pmon_bank *bank, u64 slots, u64 filters)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	bool alone = pmon_is_alone(bank, slots);
	u64 stopped = slots;

	if (alone)
		stopped &= bank->programmed;
	if (!protocol->bytes)
		stopped = 0;
	pmon_stop_slots(bank, bank->controlled & ~stopped);
	pmon_write_filters(bank, filters, slots);
	if (alone)
		pmon_read_baselines(bank, slots);
	pmon_start_slots(bank, slots);
	if (!alone) {
		if (unlikely(pmon_write_box(bank, protocol->reset))) {
			pmon_box_refused(bank);
			return;
		}
		pmon_read_baselines(bank, slots);
	}
	if (protocol->bytes)
		pmon_run_box(bank);
}

/* The first events of a box that is reset. */
static void pmon_begin_reset(struct pmon_bank *bank, u64 slots, u64 filters)
{
	if (unlikely(pmon_write_box(bank, bank->layout.protocol->reset))) {
		pmon_box_refused(bank);
		return;
	}
	pmon_bank_note_reset(bank);
	pmon_write_filters(bank, filters, slots);
	pmon_start_slots(bank, slots);
	pmon_read_baselines(bank, slots);
	pmon_run_box(bank);
}

/* The controls of @slots were written: the hardware counts their events. */
static void pmon_bank_started(struct pmon_bank *bank, u64 slots, u64 when)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->counted = slot->assigned;
		slot->counted->counted_on = __ffs64(slots);
		slot->since = when;
		slot->began = when;
		slot->baseline = slot->value;
	}
}

/* The hardware no longer counts the events of @slots. */
static void pmon_bank_stopped(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->counted->counted_on = -1;
		slot->counted = NULL;
	}
}

static void pmon_bank_begin(struct pmon_bank *bank)
{
	u64 when = bank->ops->clock(), slots = bank->taken, filters;

	bank->used = true;
	bank->baseline_valid = 0;
	/* While the box was idle another program may have written filters. */
	bank->filters_known = 0;
	filters = bank->layout.filter_bytes ?
		  pmon_needed_filters(bank, slots) : 0;
	if (unlikely(bank->layout.protocol->keeps))
		pmon_begin_kept(bank, slots, filters);
	else
		pmon_begin_reset(bank, slots, filters);
	pmon_bank_started(bank, slots, when);
}

/* An event that ran for so long has its control read when it stops. */
#define PMON_VERIFY_NS		1000000000ULL

/*
 * Events of @slots are about to stop: read the control of the first that ran
 * for a second or longer. If another program wrote it meanwhile the count is in
 * part that of another event. An access is too much for events that are
 * shorter.
 */
static void pmon_bank_verify(struct pmon_bank *bank, u64 slots)
{
	u64 now = bank->ops->clock();

	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		if (now - bank->slot[i].began < PMON_VERIFY_NS)
			continue;
		if (!pmon_bank_ctl_holds(bank, i, pmon_bank_read_ctl(bank, i)))
			pmon_bank_disturbed(bank);
		return;
	}
}

/*
 * Events of @slots have stopped and were read. One that counts a clock that
 * runs, and gained nothing in a second, was frozen all the time: there are
 * freezes that no register shows.
 */
static void pmon_bank_check_clock(struct pmon_bank *bank, u64 slots)
{
	u64 now;

	if (likely(!bank->layout.clock))
		return;
	for (now = bank->ops->clock(); slots; slots &= slots - 1) {
		const struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->counted->ctl != bank->layout.clock ||
		    slot->value != slot->baseline ||
		    now - slot->began < PMON_VERIFY_NS)
			continue;
		bank->stood_still++;
		bank->ops->report(bank);
	}
}

/* Stop all counters. If the box cannot be frozen, by their controls. */
static void pmon_bank_freeze(struct pmon_bank *bank)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;

	if (pmon_is_alone(bank, bank->active))
		pmon_stop_slots(bank, bank->active);
	else if (unlikely(pmon_write_box(bank, protocol->freeze)) &&
		 protocol->keeps)
		pmon_stop_slots(bank, bank->programmed);
}

static void pmon_bank_end(struct pmon_bank *bank)
{
	pmon_bank_verify(bank, bank->active);
	pmon_bank_freeze(bank);
	/* The time of these readings is not used: each start sets it anew. */
	pmon_bank_lost(bank, pmon_bank_take_all(bank, bank->active, 0));
	pmon_bank_check_clock(bank, bank->active);
	pmon_bank_stopped(bank, bank->active);
}

/* ---- changing an active box --------------------------------------------- */

/**
 * struct pmon_change - what happens to the counters of an active box
 * @stop: slots whose event stops: they are read a last time
 * @start: slots on which an event starts: their control is written
 * @reuse: slots of both on which an event of the same control follows. The
 *	counter counts on, and one reading is the end of the one and the start
 *	of the other.
 */
struct pmon_change {
	u64 stop;
	u64 start;
	u64 reuse;
};

/*
 * Compare what the hardware counts on the slots of @dirty with what it is to
 * count.
 */
static struct pmon_change pmon_bank_compare(struct pmon_bank *bank, u64 dirty)
{
	struct pmon_change change = { };

	for (dirty &= bank->controlled; dirty; dirty &= dirty - 1) {
		const struct pmon_slot *slot = &bank->slot[__ffs64(dirty)];
		u64 bit = dirty & -dirty;

		if (slot->counted == slot->assigned)
			continue;
		if (slot->counted)
			change.stop |= bit;
		if (slot->assigned)
			change.start |= bit;
		if (slot->counted && slot->assigned &&
		    slot->ctl == slot->assigned->ctl)
			change.reuse |= bit;
	}
	return change;
}

/* Read the events of @slots a last time. */
static void pmon_read_stopped(struct pmon_bank *bank, u64 slots, u64 when)
{
	u64 unread = pmon_bank_take_all(bank, slots, when);

	bank->baseline_valid &= ~unread;
	pmon_bank_lost(bank, unread);
}

/*
 * The baselines of events that start: where a reset keeps counters (@keeps)
 * what the counter holds now, unless another event has just stopped there.
 */
static void pmon_start_baselines(struct pmon_bank *bank,
				 const struct pmon_change *change)
{
	if (bank->layout.protocol->keeps)
		bank->baseline_valid &= ~(change->start & ~change->stop);
	pmon_read_baselines(bank, change->start);
}

/* The box stays active, and events stop or start while the others count on. */
static void pmon_bank_change(struct pmon_bank *bank, u64 dirty)
{
	struct pmon_change change = pmon_bank_compare(bank, dirty);
	u64 filters, when;

	if (!(change.stop | change.start))
		return;

	pmon_bank_verify(bank, change.stop & ~change.reuse);
	filters = pmon_needed_filters(bank, change.start);
	if (filters)
		change.reuse &= bank->layout.shares_filter ? 0 : ~filters;
	when = bank->ops->clock();
	pmon_stop_slots(bank, change.stop & ~change.reuse);
	pmon_read_stopped(bank, change.stop, when);
	pmon_bank_check_clock(bank, change.stop);
	pmon_start_baselines(bank, &change);
	pmon_write_filters(bank, filters, change.start);
	pmon_start_slots(bank, change.start & ~change.reuse);
	/* Stop first: an event may have moved from one slot to another. */
	pmon_bank_stopped(bank, change.stop);
	pmon_bank_started(bank, change.start, when);
}

/*
 * Change a box that does not respond, without an access: events that stop are
 * not read a last time, those that start fail like any that cannot be started,
 * and the others wait for the next tick.
 */
static void pmon_bank_change_unresponsive(struct pmon_bank *bank, u64 dirty)
{
	struct pmon_change change = pmon_bank_compare(bank, dirty);

	pmon_bank_lost(bank, change.stop);
	pmon_bank_stopped(bank, change.stop);
	bank->baseline_valid &= ~change.stop;
	bank->active &= ~change.stop;
	if (change.start)
		pmon_bank_refused(bank, change.start);
	WRITE_ONCE(bank->running, bank->active);
}

/* Nothing was counted, so nothing is read a last time. */
static void pmon_bank_end_halted(struct pmon_bank *bank)
{
	pmon_bank_stopped(bank, bank->active);
	bank->halted = false;
	if (!bank->taken)
		pmon_bank_freeze(bank);
	bank->active = 0;
}

void pmon_bank_apply(struct pmon_bank *bank)
{
	u64 dirty = bank->dirty;

	bank->dirty = 0;
	if (bank->state != PMON_BOX_PRESENT)
		return;
	if (unlikely(bank->halted))
		pmon_bank_end_halted(bank);
	if (unlikely(bank->unresponsive)) {
		pmon_bank_change_unresponsive(bank, dirty);
	} else {
		if (bank->active && bank->taken)
			pmon_bank_change(bank, dirty);
		else if (!bank->active && pmon_bank_enters_d3(bank))
			return;
		else if (bank->taken)
			pmon_bank_begin(bank);
		else if (bank->active)
			pmon_bank_end(bank);
		bank->active = bank->taken;
		WRITE_ONCE(bank->running, bank->taken);
	}
	if (unlikely(bank->free_running))
		pmon_free_running_apply(bank);
}

/* ---- which counters events get ------------------------------------------ */

/*
 * Assign @slot to @event, whatever was assigned to it before. No register is
 * written before pmon_bank_apply().
 */
static void pmon_bank_assign(struct pmon_bank *bank, unsigned int slot,
			     struct pmon_event *event)
{
	bank->slot[slot].assigned = event;
	event->assigned_to = slot;
	bank->taken |= BIT_ULL(slot);
	bank->dirty |= BIT_ULL(slot);
}

/*
 * All counters that @event can have are taken: move other events to free one.
 * False when no assignment holds them all.
 */
static bool pmon_bank_make_room(struct pmon_bank *bank,
				struct pmon_event *event, u64 prefer)
{
	struct pmon_assignment a;
	struct pmon_assign_path path;
	unsigned int i;
	u64 slots;

	a.taken = bank->taken;
	for (slots = bank->taken; slots; slots &= slots - 1) {
		i = __ffs64(slots);
		a.allowed[i] = bank->slot[i].assigned->allowed;
	}
	if (!pmon_assign(&a, event->allowed, prefer, bank->active, &path))
		return false;

	for (i = 0; i + 1 < path.length; i++)
		pmon_bank_assign(bank, path.slot[i],
				 bank->slot[path.slot[i + 1]].assigned);
	pmon_bank_assign(bank, path.slot[i], event);
	return true;
}

/* Can @event be in the box together with those that are there? */
static bool pmon_bank_agrees(const struct pmon_bank *bank,
			     const struct pmon_event *event)
{
	u64 slots;

	for (slots = event->shares_filter ? bank->taken : 0; slots;
	     slots &= slots - 1)
		if (!pmon_events_agree(bank->slot[__ffs64(slots)].assigned,
				       event))
			return false;
	return true;
}

/*
 * An event that was deleted since the last apply, and that the hardware still
 * counts, gets its own counter back. Another event takes such a counter last,
 * and first one that no other event can have.
 */
bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 prefer = event->counted_on >= 0 ?
		     BIT_ULL(event->counted_on) :
		     bank->layout.own | bank->layout.prefer;
	u64 unused = event->allowed & ~bank->taken;

	if (event->free_running) {
		pmon_free_running_add(bank, event);
		return true;
	}

	if (!pmon_bank_agrees(bank, event))
		return false;
	if (!unused)
		return pmon_bank_make_room(bank, event, prefer);

	pmon_bank_assign(bank, pmon_choose(unused, prefer, bank->active),
			 event);
	return true;
}

void pmon_bank_del(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 bit;

	if (event->assigned_to < 0)
		return;

	if (event->free_running) {
		pmon_free_running_del(bank, event);
		return;
	}

	bit = BIT_ULL(event->assigned_to);
	bank->slot[event->assigned_to].assigned = NULL;
	bank->taken &= ~bit;
	bank->dirty |= bit;
	event->assigned_to = -1;
}

/* ---- a box that does not respond, or was reset --------------------------- */

/*
 * Does the box answer? Read one control, of a counter in use if there is one,
 * or the first counter of a box without controls.
 */
static bool pmon_bank_probe(struct pmon_bank *bank)
{
	u64 slots = bank->active & bank->controlled ?: bank->controlled;

	bank->probed = bank->ops->clock();
	if (slots)
		return pmon_bank_read_ctl(bank, __ffs64(slots)) !=
		       pmon_bank_ctl_bits(bank);
	return pmon_reading_valid(pmon_read(&bank->regs, bank->slot[0].ctr_reg,
					    8));
}

/*
 * Set a box up again whose controls another program or firmware has reset or
 * overwritten, for the events that perf has added by now. What the box counted
 * since the last reading is lost.
 */
static void pmon_bank_restart(struct pmon_bank *bank)
{
	bank->restarts++;
	pmon_bank_disturbed(bank);
	pmon_bank_forget(bank);
	pmon_bank_stopped(bank, bank->active);
	if (!bank->taken)
		pmon_bank_freeze(bank);
	bank->active = 0;
	pmon_bank_apply(bank);
}

/*
 * Another program, firmware, S3 or S4 may have reset an active box. It does not
 * count then, and its counters do not show why. Its controls do: a reset clears
 * all of them, so one that is in use is read. Returns whether the box was set
 * up again.
 */
static bool pmon_bank_check(struct pmon_bank *bank)
{
	unsigned int i = __ffs64(bank->active);
	u64 ctl = pmon_bank_read_ctl(bank, i);

	if (ctl == pmon_bank_ctl_bits(bank))
		pmon_bank_set_unresponsive(bank);
	if (pmon_bank_ctl_holds(bank, i, ctl))
		return false;

	pmon_bank_restart(bank);
	return true;
}

/*
 * Returns whether a box that was unresponsive responds now. It may have missed
 * any write, so it is set up again.
 */
static bool pmon_bank_recovers(struct pmon_bank *bank)
{
	if (bank->state != PMON_BOX_PRESENT || !pmon_bank_probe(bank))
		return false;

	WRITE_ONCE(bank->unresponsive, false);
	bank->ops->report(bank);
	if (bank->active)
		pmon_bank_restart(bank);
	else
		pmon_bank_forget_all(bank);
	return !bank->unresponsive;
}

/*
 * An idle box has no tick: an event that is added for the first time probes it,
 * and one that perf adds again and again so often at most.
 */
#define PMON_PROBE_NS		250000000ULL

bool pmon_bank_responds(struct pmon_bank *bank, bool first)
{
	return likely(!bank->unresponsive) ||
	       ((first ||
		 bank->ops->clock() - bank->probed >= PMON_PROBE_NS) &&
		pmon_bank_recovers(bank));
}

bool pmon_bank_enters_d3(struct pmon_bank *bank)
{
	if (bank->state != PMON_BOX_PRESENT)
		return true;
	if (!bank->ops->in_d3(bank))
		return false;
	pmon_bank_lose(bank, PMON_BOX_D3);
	return true;
}

/* ---- events are read ---------------------------------------------------- */

void pmon_bank_read(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 gain;

	if (event->counted_on < 0 || unlikely(bank->unresponsive))
		return;
	if (event->free_running) {
		pmon_free_running_read(bank, event);
		return;
	}

	gain = pmon_bank_poll(bank, &bank->slot[event->counted_on]);
	if (gain != PMON_NO_READING)
		pmon_bank_gain(bank, event, gain);
}

/* One counter needs no freeze, and a box without control has none. */
void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots)
{
	u64 when = bank->ops->clock();
	bool frozen;

	slots &= bank->active;
	if (!slots || bank->unresponsive)
		return;

	frozen = slots & (slots - 1) && bank->layout.protocol->bytes &&
		 !pmon_write_box(bank, bank->layout.protocol->freeze);
	pmon_bank_take_all(bank, slots, when);
	if (!frozen)
		return;

	pmon_run_box(bank);
	bank->frozen_ns += bank->ops->clock() - when;
}

void pmon_bank_sync(struct pmon_bank *bank)
{
	u64 when = bank->ops->clock();

	if (!bank->unresponsive)
		pmon_bank_take_all(bank, bank->active, when);
	pmon_free_running_sync(bank, when);
}

/* Bring a box up to date that responds, or does again; else its events fail. */
void pmon_bank_tick(struct pmon_bank *bank)
{
	if (unlikely(bank->unresponsive)) {
		if (!pmon_bank_recovers(bank)) {
			pmon_bank_fail_all(bank);
			bank->ops->report(bank);
			return;
		}
	} else if (bank->active && !bank->dirty && pmon_bank_check(bank)) {
		return;
	}
	pmon_bank_sync(bank);
}

unsigned int pmon_bank_tick_accesses(const struct pmon_bank *bank)
{
	unsigned int registers = 1 + hweight64(READ_ONCE(bank->active));
	const struct pmon_event *event;

	for (event = bank->free_running; event; event = event->next)
		registers++;
	return bank->regs.ops->split ? 2 * registers : registers;
}

/*
 * After S3, S4 or suspend to idle. A box with active events is checked as at a
 * wrap tick, and set up again if it was reset. Of any other box it is not known
 * any more what its registers hold. Counters that run by themselves have no
 * control that would show it.
 */
void pmon_bank_resume(struct pmon_bank *bank)
{
	if (!bank->unresponsive)
		pmon_free_running_resume(bank);
	if (bank->active || bank->unresponsive)
		pmon_bank_tick(bank);
	else
		pmon_bank_forget_all(bank);
}

/* ---- a box is handed back, or goes --------------------------------------- */

/*
 * Clear the box and let it run, as a driver finds it after reset. Whether its
 * controls were written is forgotten in sleep.
 */
void pmon_bank_release(struct pmon_bank *bank)
{
	const struct pmon_layout *layout = &bank->layout;

	if (!bank->used || bank->state != PMON_BOX_PRESENT)
		return;

	if (layout->protocol->bytes)
		pmon_write_box(bank, layout->protocol->reset);
	if (layout->protocol->keeps)
		pmon_stop_slots(bank, bank->controlled);
	pmon_filters_off(bank);
	/* A bit that is left would be a wrap of the next owner's counter. */
	if (layout->overflow_reg)
		pmon_write(&bank->regs, layout->overflow_reg,
			   layout->overflow_bits, 8);
	pmon_bank_note_reset(bank);
	if (layout->protocol->bytes)
		pmon_write_box(bank, layout->protocol->run);
	bank->used = false;
	pmon_bank_forget(bank);
}

void pmon_bank_leave(struct pmon_bank *bank)
{
	if (bank->state != PMON_BOX_PRESENT)
		return;

	if (bank->unresponsive) {
		pmon_bank_lost(bank, bank->active);
		pmon_free_running_end_all(bank);
		if (pmon_bank_probe(bank)) {
			bank->unresponsive = false;
			pmon_bank_forget_all(bank);
		}
	} else {
		if (bank->active)
			pmon_bank_end(bank);
		bank->active = 0;
		pmon_free_running_end_all(bank);
	}
	if (!bank->unresponsive)
		pmon_bank_release(bank);
	pmon_bank_lose(bank, PMON_BOX_NO_CPU);
}

void pmon_bank_give_over(struct pmon_bank *bank)
{
	if (bank->used && bank->state == PMON_BOX_PRESENT &&
	    pmon_bank_probe(bank))
		pmon_bank_leave(bank);
}

void pmon_bank_lose(struct pmon_bank *bank, enum pmon_box_state state)
{
	if (bank->state < state)
		WRITE_ONCE(bank->state, state);
	WRITE_ONCE(bank->running, false);
	bank->halted = false;
	bank->filters_known = 0;
	if (state == PMON_BOX_REMOVED) {
		bank->used = false;
		bank->filters_on = 0;
	}
	if (state == PMON_BOX_D3)
		pmon_bank_fail_all(bank);
	pmon_bank_stopped(bank, bank->active);
	bank->active = 0;
	pmon_free_running_lose(bank);
}
