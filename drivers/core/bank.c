// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of one box: which event has which of them, and what the hardware
 * does not know yet.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "counters.h"
#include "encode.h"

/* An event that ran for so long has its control read when it stops. */
#define PMON_VERIFY_NS		1000000000ULL

static bool pmon_bank_agrees(const struct pmon_bank *bank,
			     const struct pmon_event *event)
{
	u64 slots;

	if (!event->shares_filter)
		return true;

	for (slots = bank->taken; slots; slots &= slots - 1)
		if (!pmon_events_agree(bank->slot[__ffs64(slots)].assigned,
				       event))
			return false;
	return true;
}

void pmon_bank_find(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs)
{
	unsigned int i;

	bank->layout = *layout;
	pmon_layout_prepare(&bank->layout);
	bank->regs = *regs;
	bank->own_filters = !bank->layout.shares_filter;
	bank->controlled = 0;
	bank->cleared = bank->layout.any;
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
	pmon_bank_knows_nothing(bank);
	bank->state = PMON_BOX_PRESENT;
	bank->unresponsive = false;
	bank->touched = bank->taken;
	bank->dirty = bank->taken || bank->free_running;
}

/*
 * The controls of @slots read as 0 when the box was found. Where a reset keeps
 * controls they need not be written before the first event counts.
 */
void pmon_bank_is_off(struct pmon_bank *bank, u64 slots)
{
	if (bank->layout.protocol && bank->layout.protocol->keeps)
		bank->written = slots & bank->controlled;
}

/*
 * Assign @slot to @event, whatever was assigned to it before. No register is
 * written before pmon_bank_apply().
 */
static void pmon_bank_seat(struct pmon_bank *bank, unsigned int slot,
			   struct pmon_event *event)
{
	u64 bit = BIT_ULL(slot);

	bank->slot[slot].assigned = event;
	event->assigned_to = slot;
	bank->taken |= bit;
	bank->target &= ~bit;
	if (!event->stopped)
		bank->target |= bit;
	bank->touched |= bit;
	bank->dirty = true;
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
	if (!pmon_assign(&a, event->allowed, prefer, bank->counting,
			 &path))
		return false;

	for (i = 0; i + 1 < path.length; i++)
		pmon_bank_seat(bank, path.slot[i],
			       bank->slot[path.slot[i + 1]].assigned);
	pmon_bank_seat(bank, path.slot[i], event);
	return true;
}

/*
 * An event that was deleted since the last apply, and that the hardware still
 * counts, gets its own counter back. Another event takes such a counter last,
 * and first one that no other event can have.
 */
bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 prefer = event->counted_on >= 0 ? BIT_ULL(event->counted_on) :
					      bank->layout.own;
	u64 unused = event->allowed & ~bank->taken;

	if (event->free_running) {
		pmon_free_running_add(bank, event);
		return true;
	}

	if (!pmon_bank_agrees(bank, event))
		return false;
	if (!unused)
		return pmon_bank_make_room(bank, event, prefer);

	pmon_bank_seat(bank, pmon_choose(unused, prefer, bank->counting),
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
	bank->target &= ~bit;
	bank->touched |= bit;
	bank->dirty = true;
	event->assigned_to = -1;
}

void pmon_bank_set_stopped(struct pmon_bank *bank, struct pmon_event *event,
			   bool stopped)
{
	event->stopped = stopped;
	bank->dirty = true;
	if (event->assigned_to >= 0 && !event->free_running)
		pmon_bank_seat(bank, event->assigned_to, event);
}

/*
 * Compare what the hardware counts on slot @i with what it is to count, and add
 * the difference to @change.
 */
static void pmon_bank_compare(struct pmon_bank *bank, unsigned int i,
			      struct pmon_change *change)
{
	const struct pmon_slot *slot = &bank->slot[i];
	u64 bit = BIT_ULL(i);
	const struct pmon_event *target = bank->target & bit ? slot->assigned :
							       NULL;

	if (slot->counted == target)
		return;
	if (slot->counted)
		change->leave |= bit;
	if (!target)
		return;

	change->arrive |= bit;
	change->filters |= pmon_needs_filter(bank, i, target);
	if (slot->counted && slot->ctl == target->ctl)
		change->over |= bit;
}

/* The controls of @slots were written: the hardware counts their events. */
static void pmon_bank_arrived(struct pmon_bank *bank, u64 slots, u64 when)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->counted = slot->assigned;
		slot->counted->counted_on = __ffs64(slots);
		slot->since = when;
		slot->began = when;
	}
}

/* The hardware no longer counts the events of @slots. */
static void pmon_bank_left(struct pmon_bank *bank, u64 slots)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		slot->counted->counted_on = -1;
		slot->counted = NULL;
	}
}

/*
 * Fail the events of @slots, which did not start. They keep their counters, but
 * are not started again before perf disables and enables them.
 */
static void pmon_bank_fail_slots(struct pmon_bank *bank, u64 slots)
{
	bank->counting &= ~slots;
	for (; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];
		struct pmon_event *event = slot->counted ?: slot->assigned;

		WRITE_ONCE(event->failed, true);
		event->counted_on = -1;
		slot->counted = NULL;
		if (slot->assigned == event)
			bank->target &= ~(slots & -slots);
	}
}

/*
 * Some registers refused the last write, so the events in @failed did not
 * start: all, if the box itself could not be reset or run. If no event is left
 * the box is frozen.
 */
void pmon_bank_give_up(struct pmon_bank *bank)
{
	pmon_bank_fail_slots(bank, bank->failed);
	bank->failed = 0;
	if (!bank->target) {
		bank->counting = 0;
		bank->running = bank->free_running_counts;
		pmon_change_end(bank);
	}
	bank->refused++;
	bank->ops->refused(bank);
}

static void pmon_bank_begin(struct pmon_bank *bank)
{
	u64 when = bank->ops->clock();
	u64 slots, filters = 0;

	bank->known = 0;
	/* While the box was idle another program may have written filters. */
	if (likely(!bank->layout.protocol->keeps))
		bank->filters_known = 0;
	slots = bank->target & bank->filters_known & bank->written;
	if (unlikely(slots))
		pmon_bank_recall(bank, slots);
	slots = bank->layout.filter_bytes ? bank->target : 0;
	for (; slots; slots &= slots - 1)
		filters |= pmon_needs_filter(bank, __ffs64(slots),
				bank->slot[__ffs64(slots)].assigned);
	pmon_change_begin(bank, bank->target, filters);
	if (unlikely(bank->failed))
		pmon_bank_give_up(bank);
	pmon_bank_arrived(bank, bank->target, when);
}

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

static void pmon_bank_end(struct pmon_bank *bank)
{
	pmon_bank_verify(bank, bank->counting);
	pmon_change_end(bank);
	pmon_bank_left(bank, bank->counting);
}

static void pmon_bank_change(struct pmon_bank *bank)
{
	struct pmon_change change = { };
	u64 slots;

	for (slots = bank->touched; slots; slots &= slots - 1)
		pmon_bank_compare(bank, __ffs64(slots), &change);
	if (!(change.leave | change.arrive))
		return;

	pmon_bank_verify(bank, change.leave & ~change.over);
	if (change.filters)
		change.over &= bank->own_filters ? ~change.filters : 0;
	pmon_change_active(bank, &change);
	/* Leave first: an event may have moved from one slot to another. */
	pmon_bank_left(bank, change.leave);
	if (unlikely(bank->failed))
		pmon_bank_give_up(bank);
	pmon_bank_arrived(bank, change.arrive & bank->target, change.when);
}

/* Read one register of a box that did not respond. Does it now? */
static bool pmon_bank_probe(struct pmon_bank *bank)
{
	u64 slots = bank->counting & bank->controlled ?: bank->controlled;

	bank->probed = bank->ops->clock();
	if (slots)
		return pmon_bank_ctl_answers(bank, __ffs64(slots));
	return pmon_reading_valid(pmon_read(&bank->regs, bank->slot[0].ctr_reg,
					    8));
}

/*
 * Set a box up again that was reset or overwritten, for its events and the
 * changes that were asked for meanwhile. What it counted since the last reading
 * is lost.
 */
static void pmon_bank_restart(struct pmon_bank *bank)
{
	bank->restarts++;
	pmon_bank_disturbed(bank);
	pmon_bank_forget(bank);
	pmon_bank_left(bank, bank->counting);
	bank->counting = 0;
	if (!bank->target)
		pmon_change_end(bank);
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
	unsigned int i = __ffs64(bank->counting);
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
	bank->ops->unresponsive(bank);
	if (bank->counting)
		pmon_bank_restart(bank);
	else
		pmon_bank_knows_nothing(bank);
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

/*
 * Events that count, or are about to, fail: they would look as if they counted.
 */
static void pmon_bank_fail_all(struct pmon_bank *bank)
{
	u64 slots;

	for (slots = bank->counting | bank->target; slots; slots &= slots - 1) {
		struct pmon_slot *slot = &bank->slot[__ffs64(slots)];

		if (slot->counted)
			WRITE_ONCE(slot->counted->failed, true);
		if (slot->assigned)
			WRITE_ONCE(slot->assigned->failed, true);
	}
	pmon_free_running_fail(bank);
}

bool pmon_bank_enters_d3(struct pmon_bank *bank)
{
	if (bank->state != PMON_BOX_PRESENT)
		return true;
	if (!bank->ops->in_d3 || !bank->ops->in_d3(bank))
		return false;
	pmon_bank_lose(bank, PMON_BOX_D3);
	return true;
}

/*
 * The programmable counters were changed before this. If no event counted, D3
 * was not checked yet.
 */
static void pmon_bank_apply_free_running(struct pmon_bank *bank)
{
	if (bank->target || bank->free_running_counts ||
	    !pmon_bank_enters_d3(bank))
		pmon_free_running_apply(bank);
}

/*
 * Change a box that does not respond, without an access: events that end are
 * not read a last time, those that begin fail like any that cannot be started,
 * and the others wait for the next tick.
 */
static void pmon_bank_apply_unresponsive(struct pmon_bank *bank)
{
	struct pmon_change change = { };
	u64 slots;

	for (slots = bank->touched; slots; slots &= slots - 1)
		pmon_bank_compare(bank, __ffs64(slots), &change);
	bank->touched = 0;
	pmon_bank_lost(bank, change.leave);
	pmon_bank_left(bank, change.leave);
	bank->counting &= ~change.leave;
	bank->known &= ~change.leave;
	if (change.arrive) {
		pmon_bank_fail_slots(bank, change.arrive);
		bank->refused++;
		bank->ops->refused(bank);
	}
	WRITE_ONCE(bank->running, bank->counting);
	if (bank->free_running)
		pmon_free_running_apply(bank);
}

void pmon_bank_apply(struct pmon_bank *bank)
{
	bank->dirty = false;
	if (bank->state != PMON_BOX_PRESENT)
		return;
	if (unlikely(bank->unresponsive)) {
		pmon_bank_apply_unresponsive(bank);
		return;
	}
	if (bank->counting && bank->target) {
		pmon_bank_change(bank);
	} else if (bank->target) {
		if (pmon_bank_enters_d3(bank))
			return;
		pmon_bank_begin(bank);
	} else if (bank->counting) {
		pmon_bank_end(bank);
	}
	bank->touched = 0;
	bank->counting = bank->target;
	WRITE_ONCE(bank->running, bank->target);
	if (unlikely(bank->free_running))
		pmon_bank_apply_free_running(bank);
}

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
	if (gain && gain != PMON_NO_READING)
		bank->ops->gain(event, gain);
}

void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots)
{
	slots &= bank->counting;
	if (slots && !bank->unresponsive)
		pmon_change_snapshot(bank, slots);
	if (unlikely(bank->failed))
		pmon_bank_give_up(bank);
}

void pmon_bank_sync(struct pmon_bank *bank)
{
	u64 slots, when = bank->ops->clock();

	for (slots = bank->counting; slots && !bank->unresponsive;
	     slots &= slots - 1)
		pmon_bank_take(bank, &bank->slot[__ffs64(slots)], when);
	pmon_free_running_sync(bank, when);
}

void pmon_bank_tick(struct pmon_bank *bank)
{
	if (unlikely(bank->unresponsive)) {
		if (!pmon_bank_recovers(bank)) {
			pmon_bank_fail_all(bank);
			bank->ops->unresponsive(bank);
			return;
		}
	} else if (bank->counting && !bank->dirty && pmon_bank_check(bank)) {
		return;
	}
	pmon_bank_sync(bank);
}

unsigned int pmon_bank_tick_accesses(const struct pmon_bank *bank)
{
	unsigned int registers = 1 + hweight64(READ_ONCE(bank->counting));
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
	if (unlikely(bank->unresponsive) && !pmon_bank_recovers(bank)) {
		pmon_bank_fail_all(bank);
		bank->ops->unresponsive(bank);
		return;
	}
	pmon_free_running_resume(bank);
	if (bank->counting)
		pmon_bank_tick(bank);
	else
		pmon_bank_knows_nothing(bank);
}

/*
 * Read all controls before a box is handed back, to count it in @disturbed if
 * another program wrote one. After sleep it is not known what they held.
 */
static void pmon_bank_inspect(struct pmon_bank *bank)
{
	u64 slots = bank->layout.protocol->keeps ? bank->written :
						   bank->controlled;
	bool stand = true;

	if (!bank->written)
		return;

	for (; slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		stand &= pmon_bank_ctl_holds(bank, i,
					     pmon_bank_read_ctl(bank, i));
	}
	if (!stand)
		pmon_bank_disturbed(bank);
}

void pmon_bank_release(struct pmon_bank *bank)
{
	if (!bank->used || bank->state != PMON_BOX_PRESENT)
		return;

	pmon_bank_inspect(bank);
	pmon_change_release(bank);
}

void pmon_bank_leave(struct pmon_bank *bank)
{
	if (bank->state != PMON_BOX_PRESENT)
		return;

	if (unlikely(bank->unresponsive)) {
		pmon_bank_lost(bank, bank->counting);
		pmon_free_running_end_all(bank);
		if (pmon_bank_probe(bank)) {
			bank->unresponsive = false;
			pmon_bank_knows_nothing(bank);
		}
	} else {
		if (bank->counting)
			pmon_bank_end(bank);
		bank->counting = 0;
		pmon_free_running_end_all(bank);
	}
	if (!bank->unresponsive)
		pmon_bank_release(bank);
	pmon_bank_lose(bank, PMON_BOX_NO_CPU);
}

void pmon_bank_give_over(struct pmon_bank *bank)
{
	u64 slots = bank->used && bank->state == PMON_BOX_PRESENT ?
		    bank->controlled : 0;

	while (slots && !pmon_bank_ctl_answers(bank, __ffs64(slots)))
		slots &= slots - 1;
	if (slots)
		pmon_bank_leave(bank);
}

void pmon_bank_lose(struct pmon_bank *bank, enum pmon_box_state state)
{
	if (bank->state < state)
		WRITE_ONCE(bank->state, state);
	WRITE_ONCE(bank->running, false);
	bank->filters_known = 0;
	if (state == PMON_BOX_REMOVED) {
		bank->used = false;
		bank->filters_on = 0;
	}
	if (state == PMON_BOX_D3)
		pmon_bank_fail_all(bank);
	pmon_bank_left(bank, bank->counting);
	bank->counting = 0;
	pmon_free_running_lose(bank);
}
