// SPDX-License-Identifier: GPL-2.0-only
/* The counters of one box. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "assign.h"
#include "bank.h"
#include "count.h"
#include "free.h"

void pmon_event_init(struct pmon_event *event, const struct pmon_type *type,
		     const struct pmon_layout *layout, u64 config, u64 config1)
{
	*event = (struct pmon_event) {
		.ctl = config & type->ctl_mask,
		.allowed = pmon_allowed(type, layout, config),
		.want = -1,
		.hw = -1,
	};

	if (pmon_layout_is_free(layout)) {
		event->free_running = true;
		event->next = NULL;
		return;
	}

	if (type->fixed_config && config == type->fixed_config)
		event->ctl = layout->fixed.enable;

	if (config & type->filter_enable && layout->filter.bytes) {
		event->uses_filter = true;
		event->filter = config1 & type->filter_mask;
	}
}

bool pmon_events_agree(const struct pmon_event *a, const struct pmon_event *b)
{
	return !a->uses_filter || !b->uses_filter || a->filter == b->filter;
}

static unsigned int pmon_bank_slots(const struct pmon_bank *bank)
{
	return pmon_layout_slots(&bank->layout);
}

/* What shall count on a slot. */
static struct pmon_event *pmon_slot_target(const struct pmon_slot *slot)
{
	return slot->want && !slot->want->stopped ? slot->want : NULL;
}

static bool pmon_bank_agrees(const struct pmon_bank *bank,
			     const struct pmon_event *event)
{
	unsigned int i;

	for (i = 0; i < pmon_bank_slots(bank); i++) {
		const struct pmon_event *other = bank->slot[i].want;

		if (other && !pmon_events_agree(other, event))
			return false;
	}
	return true;
}

/*
 * An event that was just taken away goes back to its own counter, where it is
 * still counted; others leave such counters alone if they can.
 */
static bool pmon_bank_assign(const struct pmon_bank *bank,
			     const struct pmon_event *event,
			     struct pmon_chain *chain)
{
	u64 prefer = event->hw >= 0 ? BIT_ULL(event->hw) : 0;
	struct pmon_assignment a;
	u64 avoid = 0;
	unsigned int i;

	a.taken = 0;
	for (i = 0; i < pmon_bank_slots(bank); i++) {
		const struct pmon_slot *slot = &bank->slot[i];

		if (slot->hw)
			avoid |= BIT_ULL(i);
		if (slot->want) {
			a.taken |= BIT_ULL(i);
			a.allowed[i] = slot->want->allowed;
		}
	}
	return pmon_assign(&a, event->allowed, prefer, avoid, chain);
}

static void pmon_bank_seat(struct pmon_bank *bank, u8 slot,
			   struct pmon_event *event)
{
	bank->slot[slot].want = event;
	event->want = slot;
}

bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event)
{
	struct pmon_chain chain;
	unsigned int i;

	if (event->free_running) {
		pmon_free_add(bank, event);
		return true;
	}

	if (!pmon_bank_agrees(bank, event) ||
	    !pmon_bank_assign(bank, event, &chain))
		return false;

	for (i = 0; i + 1 < chain.length; i++)
		pmon_bank_seat(bank, chain.slot[i],
			       bank->slot[chain.slot[i + 1]].want);
	pmon_bank_seat(bank, chain.slot[i], event);
	bank->dirty = true;
	return true;
}

void pmon_bank_del(struct pmon_bank *bank, struct pmon_event *event)
{
	if (event->want < 0)
		return;

	if (event->free_running) {
		pmon_free_del(bank, event);
		return;
	}

	bank->slot[event->want].want = NULL;
	event->want = -1;
	bank->dirty = true;
}

void pmon_bank_set_stopped(struct pmon_bank *bank, struct pmon_event *event,
			   bool stopped)
{
	event->stopped = stopped;
	bank->dirty = true;
}

static void pmon_bank_disturbed(struct pmon_bank *bank)
{
	bank->disturbed++;
	bank->ops->disturbed(bank);
}

/* What a counter may gain without questions; the fastest takes a millisecond. */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* The clock is read after the counter, and was read before it the last time. */
static bool pmon_bank_believes(const struct pmon_bank *bank, u64 delta,
			       u64 since)
{
	return delta < PMON_DELTA_SMALL ||
	       pmon_delta_possible(delta, bank->ops->clock() - since);
}

/*
 * A counter was read. If it has gone back or jumped, nobody knows what it
 * counted since the last reading: that is left out. Returns false when there
 * was no answer.
 */
static bool pmon_bank_reading(struct pmon_bank *bank, unsigned int i, u64 value)
{
	u8 width = pmon_slot_width(&bank->layout, i);
	struct pmon_slot *slot = &bank->slot[i];
	u64 delta;

	if (!pmon_reading_valid(value, width))
		return false;

	delta = pmon_delta(slot->value, value, width);
	slot->value = value & GENMASK_ULL(width - 1, 0);
	if (!slot->hw || !delta)
		return true;

	if (pmon_bank_believes(bank, delta, slot->since))
		bank->ops->gain(slot->hw, delta);
	else
		pmon_bank_disturbed(bank);
	return true;
}

/* Not earlier than @when, which is known where many counters are read. */
static void pmon_bank_reading_at(struct pmon_bank *bank, unsigned int i,
				 u64 value, u64 when)
{
	if (pmon_bank_reading(bank, i, value))
		bank->slot[i].since = when;
}

static void pmon_bank_run_op(struct pmon_bank *bank, const struct pmon_op *op,
			     u64 when)
{
	if (op->read)
		pmon_bank_reading_at(bank, op->slot,
				     pmon_read(&bank->regs, op->reg, op->bytes),
				     when);
	else
		pmon_write(&bank->regs, op->reg, op->val, op->bytes);
}

/* Returns when it began. */
static u64 pmon_bank_run_plan(struct pmon_bank *bank,
			      const struct pmon_plan *plan)
{
	u64 begin = bank->ops->clock();
	unsigned int i;

	for (i = 0; i < plan->n; i++)
		pmon_bank_run_op(bank, &plan->op[i], begin);

	if (plan->freezes)
		bank->frozen_ns += bank->ops->clock() - begin;
	return begin;
}

static struct pmon_situation pmon_bank_situation(const struct pmon_bank *bank)
{
	return (struct pmon_situation) {
		.layout = &bank->layout,
		.slot = bank->slot,
		.split = bank->regs.ops->split,
		.running = bank->running,
	};
}

/* The filter that an arriving event needs and the register does not hold. */
static void pmon_bank_ask_filter(const struct pmon_bank *bank,
				 const struct pmon_event *event,
				 struct pmon_situation *now)
{
	if (!event->uses_filter ||
	    (bank->filter_known && bank->filter == event->filter))
		return;

	now->filter_write = true;
	now->filter = event->filter;
}

/* Note in each slot what changes there. False: nothing does. */
static bool pmon_bank_compare(struct pmon_bank *bank,
			      struct pmon_situation *now)
{
	bool changes = false;
	unsigned int i;

	for (i = 0; i < pmon_bank_slots(bank); i++) {
		struct pmon_slot *slot = &bank->slot[i];
		struct pmon_event *target = pmon_slot_target(slot);

		slot->change = 0;
		now->keeps |= !!target;
		if (slot->hw == target)
			continue;

		changes = true;
		slot->next = pmon_ctl_stopped(now->split, slot->ctl);
		if (slot->hw)
			slot->change |= PMON_LEAVE;
		if (target) {
			slot->change |= PMON_ARRIVE;
			slot->next = target->ctl;
			pmon_bank_ask_filter(bank, target, now);
		}
	}
	return changes;
}

/* A reset clears every counter and control of the box. */
static void pmon_bank_was_reset(struct pmon_bank *bank)
{
	unsigned int i;

	for (i = 0; i < pmon_bank_slots(bank); i++) {
		bank->slot[i].ctl = 0;
		bank->slot[i].value = 0;
	}
	bank->used = true;
}

/* The plan was carried out at @when: the hardware counts what it shall. */
static void pmon_bank_settle(struct pmon_bank *bank,
			     const struct pmon_situation *now, u64 when)
{
	struct pmon_slot *slot = bank->slot;
	unsigned int i, n = pmon_bank_slots(bank);

	for (i = 0; i < n; i++)
		if (slot[i].change & PMON_LEAVE)
			slot[i].hw->hw = -1;

	for (i = 0; i < n; i++) {
		if (!slot[i].change)
			continue;
		slot[i].hw = pmon_slot_target(&slot[i]);
		/* In a box that became idle the controls stay as they are. */
		if (now->keeps)
			slot[i].ctl = slot[i].next;
		slot[i].since = when;
		if (slot[i].hw)
			slot[i].hw->hw = i;
	}

	if (now->filter_write) {
		bank->filter = now->filter;
		bank->filter_known = true;
	}
	bank->running = now->keeps;
}

void pmon_bank_apply(struct pmon_bank *bank)
{
	struct pmon_situation now = pmon_bank_situation(bank);
	struct pmon_plan plan = { .op = bank->op };
	u64 when;

	bank->dirty = false;
	if (bank->gone)
		return;
	if (pmon_layout_is_free(&bank->layout)) {
		pmon_free_apply(bank);
		return;
	}
	if (!pmon_bank_compare(bank, &now))
		return;

	pmon_plan_changes(&now, &plan);
	when = pmon_bank_run_plan(bank, &plan);
	if (!bank->running)
		pmon_bank_was_reset(bank);
	pmon_bank_settle(bank, &now, when);
}

static u64 pmon_bank_value(const struct pmon_bank *bank, unsigned int slot)
{
	return pmon_read(&bank->regs, pmon_slot_ctr(&bank->layout, slot), 8);
}

void pmon_bank_read(struct pmon_bank *bank, struct pmon_event *event)
{
	if (event->hw < 0)
		return;

	if (event->free_running)
		pmon_free_read(bank, event);
	else
		pmon_bank_reading(bank, event->hw,
				  pmon_bank_value(bank, event->hw));
}

static u64 pmon_bank_counting(const struct pmon_bank *bank)
{
	u64 slots = 0;
	unsigned int i;

	for (i = 0; i < pmon_bank_slots(bank); i++)
		if (bank->slot[i].hw)
			slots |= BIT_ULL(i);
	return slots;
}

void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots)
{
	struct pmon_situation now = pmon_bank_situation(bank);
	struct pmon_plan plan = { .op = bank->op };

	slots &= pmon_bank_counting(bank);
	if (!slots)
		return;

	pmon_plan_snapshot(&now, slots, &plan);
	pmon_bank_run_plan(bank, &plan);
}

void pmon_bank_sync(struct pmon_bank *bank)
{
	u64 slots, when = bank->ops->clock();

	for (slots = pmon_bank_counting(bank); slots; slots &= slots - 1) {
		unsigned int i = __ffs64(slots);

		pmon_bank_reading_at(bank, i, pmon_bank_value(bank, i), when);
	}
	pmon_free_sync(bank);
}

/* Does a control hold what was written there? */
static bool pmon_bank_ctl_stands(const struct pmon_bank *bank, unsigned int i)
{
	const struct pmon_layout *layout = &bank->layout;
	u64 mask = pmon_slot_is_fixed(layout, i) ? layout->fixed.enable :
						   bank->ctl_mask;
	u64 all = GENMASK_ULL(8 * layout->ctl_bytes - 1, 0);
	u64 ctl = pmon_read(&bank->regs, pmon_slot_ctl(layout, i),
			    layout->ctl_bytes);

	/* All-ones: the device does not answer, which is nobody's doing. */
	return ctl == all || !((ctl ^ bank->slot[i].ctl) & mask & all);
}

/* While a box is in use nobody looks, but before it is handed back. */
static void pmon_bank_inspect(struct pmon_bank *bank)
{
	bool stand = true;
	unsigned int i;

	for (i = 0; i < pmon_bank_slots(bank); i++)
		stand &= pmon_bank_ctl_stands(bank, i);
	if (!stand)
		pmon_bank_disturbed(bank);
}

void pmon_bank_release(struct pmon_bank *bank)
{
	struct pmon_situation now = pmon_bank_situation(bank);
	struct pmon_plan plan = { .op = bank->op };

	if (!bank->used || bank->gone)
		return;

	pmon_bank_inspect(bank);
	pmon_plan_release(&now, &plan);
	pmon_bank_run_plan(bank, &plan);
	bank->used = false;
	bank->filter_known = false;
}

void pmon_bank_lose(struct pmon_bank *bank)
{
	unsigned int i;

	bank->gone = true;
	bank->running = false;
	bank->used = false;
	bank->filter_known = false;
	for (i = 0; i < pmon_bank_slots(bank); i++) {
		if (bank->slot[i].hw)
			bank->slot[i].hw->hw = -1;
		bank->slot[i].hw = NULL;
	}
	pmon_free_lose(bank);
}

void pmon_bank_find(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs)
{
	bank->layout = *layout;
	bank->regs = *regs;
	bank->gone = false;
	bank->dirty = true;
}
