// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two counters of a unit, and the register with both selects. A counter
 * that can be off is stopped, read, and started; one that cannot is read before
 * its select changes, which ends the count of the old event, and again
 * afterwards, which begins that of the new one. The other counter is left
 * alone. No counter register is ever written.
 */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vfalls.h"

#define BOTH	(BIT(0) | BIT(1))

/*
 * 2^41 a second, far above the rate that the period of reading assumes: a
 * counter that gained more was written by somebody.
 */
#define BELIEVED_PER_NS_LOG2	11

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

/* A register that the hypervisor does not permit is noted for later events. */
static int vfalls_pair_judge(struct vfalls_pair *pair, int ret)
{
	if (ret == -EACCES)
		WRITE_ONCE(pair->denied, true);
	return ret;
}

static int vfalls_pair_get(struct vfalls_pair *pair, unsigned int reg,
			   u64 *value)
{
	return vfalls_pair_judge(pair,
				 vfalls_get(pair->hv, pair->reg + reg, value));
}

static int vfalls_pair_select(struct vfalls_pair *pair, u64 select)
{
	int ret = vfalls_pair_judge(pair,
				    vfalls_set(pair->hv, pair->reg, select));

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
	if (delta >> BELIEVED_PER_NS_LOG2 > ns)
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
	event->failed = false;
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

	return event && !event->failed ? event : NULL;
}

static void vfalls_pair_fail(struct vfalls_pair *pair,
			     struct vfalls_event *event, bool last)
{
	event->failed = true;
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

/* The counters, as bits, whose selects differ. */
static unsigned int vfalls_pair_differ(const struct vfalls_pair *pair, u64 a,
				       u64 b)
{
	unsigned int i, differ = 0;

	for (i = 0; i < 2; i++)
		if ((a ^ b) & vfalls_pair_fields(pair, BIT(i)))
			differ |= BIT(i);
	return differ;
}

/* The events of @leave do not count any more; those of @lost were not read. */
static void vfalls_pair_leave(struct vfalls_pair *pair, unsigned int leave,
			      unsigned int lost)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (leave & lost & BIT(i))
			vfalls_pair_fail(pair, pair->counter[i].counted, true);
		if (leave & BIT(i))
			pair->counter[i].counted = NULL;
	}
}

/* The events of @arrive are counted, if they are @started. */
static void vfalls_pair_arrive(struct vfalls_pair *pair, unsigned int arrive,
			       unsigned int started)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct vfalls_counter *counter = &pair->counter[i];

		if (arrive & started & BIT(i))
			counter->counted = counter->assigned;
		else if (arrive & BIT(i))
			vfalls_pair_fail(pair, counter->assigned, false);
	}
}

/*
 * Returns those of @arrive that have started. While nothing counted another
 * guest may have written selects: they are written @anew.
 */
static unsigned int vfalls_pair_switch(struct vfalls_pair *pair,
				       unsigned int leave, unsigned int arrive,
				       bool anew)
{
	u64 target = vfalls_pair_target(pair), kept;
	unsigned int change = vfalls_pair_differ(pair, pair->select, target);
	unsigned int read = leave;
	u64 stopped = pair->select & ~vfalls_pair_fields(pair, change);

	if (pair->layout->off) {
		if (stopped != pair->select &&
		    vfalls_pair_select(pair, stopped))
			arrive &= ~change;
		read |= arrive;
	} else if (anew) {
		change = arrive;
	}
	/* One reading ends an event and begins the next one. */
	read = vfalls_pair_read(pair, read);
	vfalls_pair_leave(pair, leave, ~read);
	if (pair->layout->off)
		arrive &= read;
	else
		arrive &= change | read | ~leave;

	kept = vfalls_pair_fields(pair, change & ~arrive);
	target = (target & ~kept) | (pair->select & kept);
	if ((anew || target != pair->select) && arrive & change &&
	    vfalls_pair_select(pair, target))
		arrive &= ~change;
	if (pair->layout->off)
		return arrive;
	/* What cannot stop has the new event from here on. */
	read = arrive & (change | ~leave);
	return (arrive & ~read) | vfalls_pair_read(pair, read);
}

static void vfalls_pair_change(struct vfalls_pair *pair, unsigned int leave,
			       unsigned int arrive)
{
	bool anew = !vfalls_pair_is_active(pair);
	unsigned int started = 0;

	/* Other bits of the register stay as they are. */
	if (!pair->known)
		pair->known = !vfalls_pair_get(pair, 0, &pair->select);
	if (pair->known)
		started = vfalls_pair_switch(pair, leave, arrive, anew);
	vfalls_pair_arrive(pair, arrive, started);
}

void vfalls_pair_apply(struct vfalls_pair *pair)
{
	unsigned int i, leave = 0, arrive = 0;

	pair->dirty = false;
	for (i = 0; i < 2; i++) {
		const struct vfalls_counter *counter = &pair->counter[i];
		const struct vfalls_event *event = vfalls_wanted(counter);

		if (counter->counted == event)
			continue;
		if (counter->counted)
			leave |= BIT(i);
		if (event)
			arrive |= BIT(i);
	}
	if (leave | arrive)
		vfalls_pair_change(pair, leave, arrive);
}

unsigned int vfalls_pair_counting(const struct vfalls_pair *pair,
				  const struct vfalls_event *a,
				  const struct vfalls_event *b)
{
	unsigned int i, counters = 0;

	for (i = 0; i < 2; i++) {
		const struct vfalls_event *counted = pair->counter[i].counted;

		if (counted && (counted == a || counted == b))
			counters |= BIT(i);
	}
	return counters;
}

bool vfalls_pair_is_active(const struct vfalls_pair *pair)
{
	return pair->counter[0].counted || pair->counter[1].counted;
}

void vfalls_pair_tick(struct vfalls_pair *pair)
{
	unsigned int i, active = 0;
	u64 select;

	for (i = 0; i < 2; i++)
		if (pair->counter[i].counted)
			active |= BIT(i);
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
