// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plans. A box that becomes active is set up completely, so that nothing that
 * others left there counts; its counters are known to be 0 then and are not
 * read. A box that becomes idle is frozen and read, and stays frozen. In an
 * active box, counters change either while the others count on, or with the
 * box frozen for a moment: whichever takes fewer accesses. No counter register
 * is ever written.
 */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "plan.h"

static unsigned int pmon_cost(const struct pmon_situation *now, u8 bytes)
{
	return now->split && bytes > 4 ? 2 : 1;
}

static void pmon_plan_write(const struct pmon_situation *now,
			    struct pmon_plan *plan, u32 reg, u64 val, u8 bytes)
{
	if (plan->op)
		plan->op[plan->n] = (struct pmon_op) {
			.reg = reg, .val = val, .bytes = bytes,
		};
	plan->n++;
	plan->cost += pmon_cost(now, bytes);
}

static void pmon_plan_read(const struct pmon_situation *now,
			   struct pmon_plan *plan, unsigned int slot)
{
	if (plan->op)
		plan->op[plan->n] = (struct pmon_op) {
			.reg = pmon_slot_ctr(now->layout, slot), .bytes = 8,
			.read = true, .slot = slot,
		};
	plan->n++;
	plan->cost += pmon_cost(now, 8);
}

static void pmon_plan_box(const struct pmon_situation *now,
			  struct pmon_plan *plan, u64 val)
{
	pmon_plan_write(now, plan, now->layout->box_ctl, val,
			now->layout->protocol->bytes);
}

/*
 * The select is in the low half, and select 0 counts nothing. So where an
 * access of 8 bytes takes two, stopping takes one and leaves the high half.
 */
u64 pmon_ctl_stopped(bool split, u64 ctl)
{
	return split ? ctl & GENMASK_ULL(63, 32) : 0;
}

/*
 * A control of 8 bytes that is reached in halves needs only the low one when
 * the high one stays as it is.
 */
static void pmon_plan_ctl(const struct pmon_situation *now,
			  struct pmon_plan *plan, unsigned int slot,
			  u64 before, u64 val)
{
	u8 bytes = now->layout->ctl_bytes;

	if (now->split && before >> 32 == val >> 32)
		bytes = 4;
	pmon_plan_write(now, plan, pmon_slot_ctl(now->layout, slot), val,
			bytes);
}

static void pmon_plan_filter(const struct pmon_situation *now,
			     struct pmon_plan *plan)
{
	if (now->filter_write)
		pmon_plan_write(now, plan, now->layout->filter.reg, now->filter,
				now->layout->filter.bytes);
}

/*
 * One event ends, another with the same control begins: the counter counts
 * on, and one reading is the end of the one and the start of the other.
 */
static bool pmon_slot_hands_over(const struct pmon_situation *now,
				 const struct pmon_slot *slot)
{
	return !now->filter_write &&
	       slot->change == (PMON_LEAVE | PMON_ARRIVE) &&
	       slot->ctl == slot->next;
}

static void pmon_plan_start(const struct pmon_situation *now,
			    struct pmon_plan *plan)
{
	unsigned int i;

	pmon_plan_box(now, plan, now->layout->protocol->reset);
	pmon_plan_filter(now, plan);
	for (i = 0; i < pmon_layout_slots(now->layout); i++)
		if (now->slot[i].change & PMON_ARRIVE)
			pmon_plan_ctl(now, plan, i, 0, now->slot[i].next);
	pmon_plan_box(now, plan, now->layout->protocol->run);
}

static void pmon_plan_stop(const struct pmon_situation *now,
			   struct pmon_plan *plan)
{
	unsigned int i;

	pmon_plan_box(now, plan, now->layout->protocol->freeze);
	for (i = 0; i < pmon_layout_slots(now->layout); i++)
		if (now->slot[i].change & PMON_LEAVE)
			pmon_plan_read(now, plan, i);
}

static void pmon_plan_while_counting(const struct pmon_situation *now,
				     struct pmon_plan *plan)
{
	const struct pmon_slot *slot = now->slot;
	unsigned int i, n = pmon_layout_slots(now->layout);

	for (i = 0; i < n; i++) {
		if (!(slot[i].change & PMON_LEAVE))
			continue;
		if (!pmon_slot_hands_over(now, &slot[i]))
			pmon_plan_ctl(now, plan, i, slot[i].ctl,
				      pmon_ctl_stopped(now->split,
						       slot[i].ctl));
		pmon_plan_read(now, plan, i);
	}
	pmon_plan_filter(now, plan);
	for (i = 0; i < n; i++) {
		u64 before = slot[i].ctl;

		if (slot[i].change & PMON_LEAVE)
			before = pmon_ctl_stopped(now->split, before);
		if (slot[i].change & PMON_ARRIVE &&
		    !pmon_slot_hands_over(now, &slot[i]))
			pmon_plan_ctl(now, plan, i, before, slot[i].next);
	}
}

static void pmon_plan_while_frozen(const struct pmon_situation *now,
				   struct pmon_plan *plan)
{
	const struct pmon_slot *slot = now->slot;
	unsigned int i, n = pmon_layout_slots(now->layout);

	plan->freezes = true;
	pmon_plan_stop(now, plan);
	pmon_plan_filter(now, plan);
	for (i = 0; i < n; i++)
		if (slot[i].change && !pmon_slot_hands_over(now, &slot[i]))
			pmon_plan_ctl(now, plan, i, slot[i].ctl, slot[i].next);
	pmon_plan_box(now, plan, now->layout->protocol->run);
}

static bool pmon_freezing_is_cheaper(const struct pmon_situation *now)
{
	struct pmon_plan counting = {}, frozen = {};

	pmon_plan_while_counting(now, &counting);
	pmon_plan_while_frozen(now, &frozen);
	return frozen.cost < counting.cost;
}

static void pmon_plan_begin(struct pmon_plan *plan)
{
	plan->n = 0;
	plan->cost = 0;
	plan->freezes = false;
}

void pmon_plan_changes(const struct pmon_situation *now,
		       struct pmon_plan *plan)
{
	pmon_plan_begin(plan);
	if (!now->running && now->keeps)
		pmon_plan_start(now, plan);
	else if (now->running && !now->keeps)
		pmon_plan_stop(now, plan);
	else if (now->running && pmon_freezing_is_cheaper(now))
		pmon_plan_while_frozen(now, plan);
	else if (now->running)
		pmon_plan_while_counting(now, plan);
}

void pmon_plan_snapshot(const struct pmon_situation *now, u64 slots,
			struct pmon_plan *plan)
{
	bool several = slots & (slots - 1);

	pmon_plan_begin(plan);
	plan->freezes = several;
	if (several)
		pmon_plan_box(now, plan, now->layout->protocol->freeze);
	for (; slots; slots &= slots - 1)
		pmon_plan_read(now, plan, __ffs64(slots));
	if (several)
		pmon_plan_box(now, plan, now->layout->protocol->run);
}

void pmon_plan_release(const struct pmon_situation *now,
		       struct pmon_plan *plan)
{
	pmon_plan_begin(plan);
	pmon_plan_box(now, plan, now->layout->protocol->reset);
	pmon_plan_box(now, plan, now->layout->protocol->run);
}
