// SPDX-License-Identifier: GPL-2.0-only
/* Assign counters to events. Knows no box and no register. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>

#include "box_hw.h"

/* Element of from[]: the new event takes the counter. */
#define PMON_FROM_NEW	0xff

/*
 * Find a shortest augmenting path by breadth-first search, because all counters
 * in event->allowed are taken, and move the events on the path. Not inline,
 * because most events move nothing.
 */
static noinline u64 pmon_assign_moving(struct pmon_event **assigned, u64 taken,
				       struct pmon_event *event, u64 prefer,
				       u64 avoid)
{
	/* Only written elements are read. */
	u8 from[PMON_COUNTERS_MAX] __uninitialized;
	u8 queue[PMON_COUNTERS_MAX] __uninitialized;
	u8 by = PMON_FROM_NEW;
	u64 next = event->allowed, seen = 0, moved;
	unsigned int head = 0, tail = 0, counter;

	do {
		for (seen |= next; next; next &= next - 1) {
			queue[tail] = __ffs64(next);
			from[queue[tail++]] = by;
		}
		if (head == tail)
			return 0;
		by = queue[head++];
		next = assigned[by]->allowed & ~seen;
	} while (!(next & ~taken));
	/* Event @by can move to a free counter. */
	moved = pmon_assign(assigned, taken, assigned[by], prefer, avoid);
	for (counter = by; from[counter] != PMON_FROM_NEW;
	     counter = from[counter]) {
		moved |= BIT_ULL(counter);
		assigned[counter] = assigned[from[counter]];
	}
	assigned[counter] = event;
	return moved | BIT_ULL(counter);
}

/*
 * Assign a counter to @event, from @prefer first and from @avoid last. Moves as
 * few of the events in @assigned (of counters @taken) as possible, because the
 * move of a running event costs accesses. Returns the counters with new events;
 * 0, with @assigned unchanged, if the events cannot count together.
 */
u64 pmon_assign(struct pmon_event **assigned, u64 taken,
		struct pmon_event *event, u64 prefer, u64 avoid)
{
	u64 unused = event->allowed & ~taken, others;
	unsigned int counter;

	for (others = event->shares_filter ? taken : 0; others;
	     others &= others - 1) {
		const struct pmon_event *other = assigned[__ffs64(others)];

		if (other->shares_filter && other->filter != event->filter)
			return 0;
	}
	if (unlikely(!unused))
		return pmon_assign_moving(assigned, taken, event, prefer,
					  avoid);

	if (unused & prefer)
		unused &= prefer;
	else if (unused & ~avoid)
		unused &= ~avoid;
	counter = __ffs64(unused);
	assigned[counter] = event;
	return BIT_ULL(counter);
}
