// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count with the two counters of a unit, whose selects share one register. A
 * counter is read before its select changes, for the old event, and again
 * afterwards, for the new event. Counters are never written.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vfalls.h"

/* A gain above 2^11 per ns means that another guest wrote the counter. */
#define MAX_PER_NS_LOG2	11

/* Time without access after which the end of an event rereads the selects. */
#define CHECK_NS	1000000000ULL

/* Count the gain up to @value, read after @when; report an impossible gain. */
static void vfalls_pair_account(struct vfalls_pair *pair, unsigned int i,
				u64 value, u64 when)
{
	struct vfalls_counter *counter = &pair->counter[i];
	u64 delta = (value - counter->value) & pair->unit.layout->counter_mask;
	u64 ns = pair->ops->clock() - counter->read_ns;

	counter->value = value;
	counter->read_ns = when;
	if (!counter->counted || !delta)
		return;
	if (delta >> MAX_PER_NS_LOG2 > ns)
		pair->ops->disturbed(pair);
	else
		pair->ops->gain(counter->counted, delta);
}

unsigned int vfalls_pair_read(struct vfalls_pair *pair, unsigned int counters)
{
	const struct vfalls_layout *layout = pair->unit.layout;
	unsigned int i, reg = 0, done = 0;
	u64 word = 0, when = pair->ops->clock();
	int ret = 0;

	for (i = 0; i < 2; i++) {
		if (!(counters & BIT(i)))
			continue;
		/* one register may have both counters */
		if (layout->reg[i] != reg) {
			reg = layout->reg[i];
			ret = vfalls_get(pair->ops, pair->unit.reg + reg,
					 &word);
		}
		if (ret)
			continue;
		vfalls_pair_account(pair, i, word >> layout->shift[i] &
				    layout->counter_mask, when);
		done |= BIT(i);
	}
	return done;
}

int vfalls_pair_add(struct vfalls_pair *pair, struct perf_event *event,
		    u8 select)
{
	struct vfalls_counter *choice = NULL;
	unsigned int i;

	/* prefer the counter that counts the event, then an idle one */
	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (counter->assigned)
			continue;
		if (!choice || counter->counted == event ||
		    (choice->counted && choice->counted != event))
			choice = counter;
	}
	if (!choice)
		return -EAGAIN;
	choice->assigned = event;
	choice->select = select;
	return 0;
}

void vfalls_pair_del(struct vfalls_pair *pair, struct perf_event *event)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (pair->counter[i].assigned == event)
			pair->counter[i].assigned = NULL;
}

static u64 vfalls_pair_fields(const struct vfalls_pair *pair,
			      unsigned int counters)
{
	const struct vfalls_layout *layout = pair->unit.layout;
	u64 bits = 0;
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (counters & BIT(i))
			bits |= layout->select_mask << layout->select_shift[i];
	return bits;
}

/*
 * Return the new selects. A counter without an event keeps its select if no
 * select stops the counter, or if this driver did not write the select.
 */
static u64 vfalls_pair_new_select(const struct vfalls_pair *pair)
{
	const struct vfalls_layout *layout = pair->unit.layout;
	u64 target = pair->select;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];

		if (counter->assigned || (layout->off && counter->selected))
			target &= ~vfalls_pair_fields(pair, BIT(i));
		if (counter->assigned)
			target |= (u64)counter->select <<
				  layout->select_shift[i];
	}
	return target;
}

/*
 * Take over the selects as just read. Return true if another guest has changed
 * a select in use. Then the counter counts no event any more, and counts since
 * the last read are lost.
 */
static bool vfalls_pair_compare(struct vfalls_pair *pair, u64 select)
{
	unsigned int i, changed = 0;

	for (i = 0; i < 2; i++)
		if ((select ^ pair->select) &
		    vfalls_pair_fields(pair, BIT(i))) {
			changed |= BIT(i);
			pair->counter[i].selected = false;
		}
	pair->checked_ns = pair->ops->clock();
	pair->select = select;
	if (!(changed & vfalls_pair_active(pair, NULL)))
		return false;
	pair->ops->disturbed(pair);
	for (i = 0; i < 2; i++)
		if (changed & BIT(i))
			pair->counter[i].counted = NULL;
	return true;
}

/*
 * Write the selects. Write other bits, and the select of a counter that another
 * guest uses, as read just before.
 */
static int vfalls_pair_set(struct vfalls_pair *pair)
{
	u64 now;
	int ret = vfalls_get(pair->ops, pair->unit.reg, &now);

	if (ret)
		return ret;
	vfalls_pair_compare(pair, now);
	now = vfalls_pair_new_select(pair);
	ret = vfalls_set(pair->ops, pair->unit.reg, now);
	if (ret)
		return ret;
	pair->select = now;
	pair->programmed = true;
	return 0;
}

/* Write the selects if they change or if @force is set. */
static int vfalls_pair_write(struct vfalls_pair *pair, bool force)
{
	unsigned int i;
	int ret;

	if (force || vfalls_pair_new_select(pair) != pair->select) {
		ret = vfalls_pair_set(pair);
		if (ret)
			return ret;
	}
	for (i = 0; i < 2; i++)
		pair->counter[i].selected = pair->counter[i].assigned;
	return 0;
}

/* Read the counters of @stop a last time; report events whose read fails. */
static void vfalls_pair_stop(struct vfalls_pair *pair, unsigned int stop)
{
	unsigned int i, read = vfalls_pair_read(pair, stop);

	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (stop & ~read & BIT(i))
			pair->ops->failed(counter->counted, true);
		if (stop & BIT(i))
			counter->counted = NULL;
	}
}

/* Start events that do not count, also those whose select had changed. */
static void vfalls_pair_start(struct vfalls_pair *pair, bool force)
{
	int ret = vfalls_pair_write(pair, force);
	unsigned int i, start = 0, started = 0;

	for (i = 0; i < 2; i++)
		if (pair->counter[i].assigned && !pair->counter[i].counted)
			start |= BIT(i);
	if (!ret)
		started = vfalls_pair_read(pair, start);
	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (start & ~started & BIT(i)) {
			pair->ops->failed(counter->assigned, false);
			counter->assigned = NULL;
		}
		if (start & BIT(i))
			counter->counted = counter->assigned;
	}
}

unsigned int vfalls_pair_active(const struct vfalls_pair *pair,
				const struct perf_event *event)
{
	unsigned int i, counters = 0;

	for (i = 0; i < 2; i++) {
		const struct perf_event *counted = pair->counter[i].counted;

		if (counted && (!event || counted == event))
			counters |= BIT(i);
	}
	return counters;
}

/* Read the selects; return like vfalls_pair_compare(). */
static bool vfalls_pair_has_changed(struct vfalls_pair *pair)
{
	u64 select;

	return !vfalls_get(pair->ops, pair->unit.reg, &select) &&
	       vfalls_pair_compare(pair, select);
}

/* Return the counters whose event ends, as bits. */
static unsigned int vfalls_pair_ending(const struct vfalls_pair *pair)
{
	unsigned int i, ending = 0;

	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];

		if (counter->counted && counter->counted != counter->assigned)
			ending |= BIT(i);
	}
	return ending;
}

void vfalls_pair_apply(struct vfalls_pair *pair)
{
	unsigned int i, start = 0, stop = vfalls_pair_ending(pair);
	bool force = false;

	if (stop && pair->ops->clock() - pair->checked_ns >= CHECK_NS &&
	    vfalls_pair_has_changed(pair))
		stop = vfalls_pair_ending(pair);
	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];

		if (!counter->assigned || counter->counted == counter->assigned)
			continue;
		start |= BIT(i);
		/* another guest may have changed an idle counter's select */
		force |= !counter->counted;
	}
	if (!(stop | start))
		return;
	vfalls_pair_stop(pair, stop);
	vfalls_pair_start(pair, force);
}

void vfalls_pair_poll(struct vfalls_pair *pair)
{
	if (!vfalls_pair_active(pair, NULL))
		return;
	if (vfalls_pair_has_changed(pair))
		vfalls_pair_apply(pair);
	vfalls_pair_read(pair, vfalls_pair_active(pair, NULL));
}

void vfalls_pair_turn_off(struct vfalls_pair *pair)
{
	if (pair->programmed)
		vfalls_pair_write(pair, false);
}
