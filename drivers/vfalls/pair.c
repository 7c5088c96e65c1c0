// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two counters of a unit, and the register with both selects. A counter is
 * read before its select changes, which ends the count of the old event, and
 * again afterwards, which begins that of the new one. No counter register is
 * ever written.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vfalls.h"

#define BOTH	(BIT(0) | BIT(1))

/*
 * 2^41 a second, far above the rate that the period of reading assumes: a
 * counter that gained more was written by somebody.
 */
#define MOST_PER_NS_LOG2	11

void vfalls_pair_init(struct vfalls_pair *pair, const struct vfalls_unit *unit,
		      const struct vfalls_hv *hv,
		      const struct vfalls_pair_ops *ops)
{
	*pair = (struct vfalls_pair) {
		.hv = hv, .ops = ops, .layout = vfalls_layout(unit),
		.reg = unit->reg,
	};
}

static void vfalls_pair_disturbed(struct vfalls_pair *pair)
{
	WRITE_ONCE(pair->disturbed, pair->disturbed + 1);
	pair->ops->disturbed();
}

/* Returns @ret. A register that is not permitted is noted for later events. */
static int vfalls_pair_note_denied(struct vfalls_pair *pair, int ret)
{
	if (ret == -EACCES)
		WRITE_ONCE(pair->denied, true);
	return ret;
}

static int vfalls_pair_get(struct vfalls_pair *pair, unsigned int reg,
			   u64 *value)
{
	return vfalls_pair_note_denied(pair, vfalls_get(pair->hv,
							pair->reg + reg,
							value));
}

static int vfalls_pair_select(struct vfalls_pair *pair, u64 select)
{
	int ret = vfalls_pair_note_denied(pair, vfalls_set(pair->hv, pair->reg,
							   select));

	if (ret)
		return ret;
	pair->select = select;
	pair->used = true;
	return 0;
}

/* Bits of the selects of @counters. */
static u64 vfalls_pair_fields(const struct vfalls_pair *pair,
			      unsigned int counters)
{
	const struct vfalls_layout *layout = pair->layout;
	u64 bits = 0;
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (counters & BIT(i))
			bits |= layout->select_mask << layout->select_shift[i];
	return bits;
}

/*
 * A counter was read as @value, after @when. Its event, if it counts one, has
 * the gain, unless no counter can gain that much in the time.
 */
static void vfalls_pair_note(struct vfalls_pair *pair, unsigned int i,
			     u64 value, u64 when)
{
	struct vfalls_counter *counter = &pair->counter[i];
	u64 delta = (value - counter->value) & pair->layout->counter_mask;
	u64 ns = pair->ops->clock() - counter->since;

	counter->value = value;
	counter->since = when;
	if (!counter->counted || !delta)
		return;
	if (delta >> MOST_PER_NS_LOG2 > ns)
		vfalls_pair_disturbed(pair);
	else
		pair->ops->gain(counter->counted, delta);
}

unsigned int vfalls_pair_read(struct vfalls_pair *pair, unsigned int counters)
{
	const struct vfalls_layout *layout = pair->layout;
	unsigned int i, reg = 0, done = 0;
	u64 word = 0, when = pair->ops->clock();
	int ret = 0;

	for (i = 0; i < 2; i++) {
		if (!(counters & BIT(i)))
			continue;
		/* Both may be in one register. */
		if (layout->reg[i] != reg) {
			reg = layout->reg[i];
			ret = vfalls_pair_get(pair, reg, &word);
		}
		if (ret)
			continue;
		vfalls_pair_note(pair, i, word >> layout->shift[i] &
				 layout->counter_mask, when);
		done |= BIT(i);
	}
	return done;
}

/* The counter that still counts the event, else one that counts nothing. */
static int vfalls_pair_choose(const struct vfalls_pair *pair,
			      const struct vfalls_event *event)
{
	int i, choice = -EAGAIN;

	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];

		if (counter->assigned)
			continue;
		if (counter->counted == event)
			return i;
		if (choice < 0 || pair->counter[choice].counted)
			choice = i;
	}
	return choice;
}

int vfalls_pair_add(struct vfalls_pair *pair, struct vfalls_event *event)
{
	int i = vfalls_pair_choose(pair, event);

	if (i < 0)
		return i;
	pair->counter[i].assigned = event;
	pair->dirty = true;
	return 0;
}

void vfalls_pair_del(struct vfalls_pair *pair, struct vfalls_event *event)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		if (pair->counter[i].assigned == event)
			pair->counter[i].assigned = NULL;
	pair->dirty = true;
}

/* The event that a counter is to count, or NULL. */
static struct vfalls_event *vfalls_wanted(const struct vfalls_counter *counter)
{
	struct vfalls_event *event = counter->assigned;

	return event && !READ_ONCE(event->failed) ? event : NULL;
}

static void vfalls_pair_fail(struct vfalls_pair *pair,
			     struct vfalls_event *event, bool last)
{
	WRITE_ONCE(event->failed, true);
	pair->ops->failed(event, last);
}

/*
 * What the selects are to be. A counter without an event is off, or counts
 * whatever it did before.
 */
static u64 vfalls_pair_target(const struct vfalls_pair *pair)
{
	const struct vfalls_layout *layout = pair->layout;
	u64 target = pair->select;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		const struct vfalls_event *event =
			vfalls_wanted(&pair->counter[i]);

		if (!event && !layout->off)
			continue;
		target &= ~vfalls_pair_fields(pair, BIT(i));
		if (event)
			target |= (u64)event->select <<
				  layout->select_shift[i];
	}
	return target;
}

/* The events of @stop end. Those whose last reading is refused have failed. */
static void vfalls_pair_stop(struct vfalls_pair *pair, unsigned int stop)
{
	unsigned int i, read = vfalls_pair_read(pair, stop);

	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (stop & ~read & BIT(i))
			vfalls_pair_fail(pair, counter->counted, true);
		if (stop & BIT(i))
			counter->counted = NULL;
	}
}

/*
 * Write the selects. While nothing counted another guest may have written some:
 * they are written @anew.
 */
static int vfalls_pair_write(struct vfalls_pair *pair, bool anew)
{
	u64 target;
	int ret;

	/* Other bits of the register stay as they are. */
	ret = pair->known ? 0 : vfalls_pair_get(pair, 0, &pair->select);
	if (ret)
		return ret;
	pair->known = true;
	target = vfalls_pair_target(pair);
	return anew || target != pair->select ?
	       vfalls_pair_select(pair, target) : 0;
}

/* The events of @start are counted, unless a register is refused. */
static void vfalls_pair_start(struct vfalls_pair *pair, unsigned int start,
			      bool anew)
{
	unsigned int i, started = 0;

	if (!vfalls_pair_write(pair, anew))
		started = vfalls_pair_read(pair, start);
	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (start & started & BIT(i))
			counter->counted = counter->assigned;
		else if (start & BIT(i))
			vfalls_pair_fail(pair, counter->assigned, false);
	}
}

void vfalls_pair_apply(struct vfalls_pair *pair)
{
	bool anew = !vfalls_pair_counting(pair, NULL);
	unsigned int i, stop = 0, start = 0;

	pair->dirty = false;
	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];
		const struct vfalls_event *event = vfalls_wanted(counter);

		if (counter->counted == event)
			continue;
		if (counter->counted)
			stop |= BIT(i);
		if (event)
			start |= BIT(i);
	}
	if (!(stop | start))
		return;
	vfalls_pair_stop(pair, stop);
	vfalls_pair_start(pair, start, anew);
}

unsigned int vfalls_pair_counting(const struct vfalls_pair *pair,
				  const struct vfalls_event *event)
{
	unsigned int i, counters = 0;

	for (i = 0; i < 2; i++) {
		const struct vfalls_event *counted = pair->counter[i].counted;

		if (counted && (!event || counted == event))
			counters |= BIT(i);
	}
	return counters;
}

void vfalls_pair_tick(struct vfalls_pair *pair)
{
	unsigned int i, active = vfalls_pair_counting(pair, NULL);
	u64 select;

	/* What was asked for is done in a moment, and reads them. */
	if (!active || pair->dirty)
		return;
	if (vfalls_pair_get(pair, 0, &select) ||
	    !((select ^ pair->select) & vfalls_pair_fields(pair, active))) {
		vfalls_pair_read(pair, active);
		return;
	}
	pair->select = select;
	vfalls_pair_disturbed(pair);
	for (i = 0; i < 2; i++)
		pair->counter[i].counted = NULL;
	vfalls_pair_apply(pair);
}

void vfalls_pair_release(struct vfalls_pair *pair)
{
	u64 stopped = pair->select & ~vfalls_pair_fields(pair, BOTH);

	if (pair->layout->off && pair->used && pair->select != stopped)
		vfalls_pair_select(pair, stopped);
}
