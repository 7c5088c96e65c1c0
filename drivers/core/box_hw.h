/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Drive the counters of one box. Events are used only as struct pmon_event, and
 * hardware only as struct pmon_regs, so the same code runs in tests.
 *
 * pmon_hw_add() and pmon_hw_del() collect changes, and pmon_hw_apply() writes
 * all changes at once. The caller serialises all calls for a box.
 */
#ifndef PMON_BOX_HW_H
#define PMON_BOX_HW_H

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

/* Smaller gains need no check: at 2^38 a second, 2^28 take a millisecond. */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* Value read from a device that does not respond: all ones, never a count. */
#define PMON_NO_READING		(~0ULL)

/* Mark a control, or its high half, as unknown; no event has these values. */
#define PMON_CTL_UNKNOWN	(~0ULL)
#define PMON_CTL_HIGH		GENMASK_ULL(63, 32)

/* Counters with fewer bits wrap within minutes at the rate of a clock. */
#define PMON_WIDTH_WIDE		40
/*
 * The fastest known event, the occupancy of IRP, gains 2^39.2 a second, 128 in
 * a cycle of 5 GHz (Intel Xeon Processor E5-2600 v2 Uncore Performance
 * Monitoring Reference Manual, IRP Box Events).
 */
#define PMON_FASTEST_RATE_LOG2	40

/* ---- events and counters ------------------------------------------------ */

struct pmon_event {
	u64 ctl;		/* control value */
	u64 filter;		/* filter value, if @uses_filter */
	u64 allowed;		/* counters that can count the event */
	struct pmon_event *next;	/* of a free-running counter */
	s8 assigned_to;		/* counter assigned to the event, or -1 */
	s8 counted_on;		/* counter that counts the event, or -1 */
	u8 rate_log2;		/* as in &struct pmon_encoding */
	u8 uses_filter : 1;	/* u8: to sparse, a bool bit is a byte */
	u8 shares_filter : 1;	/* the box has a single filter register */
	u8 free_running : 1;	/* counted by a free-running counter */
	u8 snapshot : 1;	/* requested by the leader */
	/* Start or last read; lockless, so not a bit; also without a box. */
	bool failed;
};

struct pmon_hw_counter {
	/* Event that is counted (the first, if free-running), or NULL. */
	struct pmon_event *counted;
	/* Contents of the control. PMON_CTL_HIGH: the high half is unknown. */
	u64 ctl;
	u64 value;		/* last read; all bits, not only @mask */
	u64 latest;		/* value that verdict.c has not accepted yet */
	/* Value before the last reset, if known and not 0; else no reading. */
	u64 held;
	u64 mask;		/* valid bits of the counter */
	u64 read_at;		/* time of the last read, or start, in ticks */
	u64 began;		/* time of the start of @counted, in ticks */
	u64 baseline;		/* value at the start, or last restart */
	u32 ctr_reg;		/* offset of the counter */
};

struct pmon_box_hw;

struct pmon_hw_ops {
	/* Offset of the event's count (local64_t) from &struct pmon_event. */
	ptrdiff_t count;
	u64 (*clock)(void);	/* time in ns, without sleep */
	/* Length of sleep in ns; 0 once all boxes were checked after sleep. */
	u64 (*sleep_ns)(void);
	const u64 *ticks;	/* coarse time; costs next to nothing */
	u64 second;		/* ticks in a second */
	/* Report a new state, failed events, a disturbance or a stall. */
	void (*report)(struct pmon_box_hw *hw);
};

/* See the table in state.c. */
enum pmon_box_state {
	PMON_BOX_READY,
	PMON_BOX_UNRESPONSIVE,	/* registers read as all-ones, or D3 */
	PMON_BOX_NO_CPU,	/* no CPU that reaches the box is online */
	PMON_BOX_REMOVED,	/* device removed, or bound elsewhere */
};

/* Masks have a bit for each counter of @layout. */
struct pmon_box_hw {
	struct pmon_layout layout;
	struct pmon_regs regs;
	const struct pmon_hw_ops *ops;
	enum pmon_box_state state;
	u64 taken;		/* an event is assigned */
	u64 active;		/* the hardware counts an event */
	u64 dirty;		/* an event was added or deleted since apply */
	u64 controlled;		/* with a control, so not free-running */
	u64 zeroed;		/* a tick resets these before they can wrap */
	u64 reset_at;		/* time of the last reset, in ticks */
	u64 checked;		/* last check in pmon_hw_tick(), in ticks */
	bool used;		/* register written since the last release */
	bool filtered;		/* a filter register was written, too */
	/* Set up in apply: box was reset, or a box control write failed. */
	bool needs_setup;
	bool has_lost;		/* a deleted event failed; the caller clears */
	/* Register to probe: the first that did not respond. */
	u32 probe_reg;
	u8 probe_bytes;
	/* If unresponsive: time of the first all-ones or last probe, in ns. */
	u64 probed;
	u64 unresponsive_ns;	/* time without response until @probed */
	/* Number of changes by another program or firmware. */
	unsigned int disturbed;
	unsigned int restarts;	/* changes found by ticks, and recoveries */
	unsigned int refused;	/* failed starts of events */
	unsigned int drops;	/* times without response for too long */
	unsigned int lost;	/* failed last reads of events */
	/* Events with &pmon_layout.clock that gained nothing in a second. */
	unsigned int stalls;
	u64 frozen_ns;		/* total freeze time of snapshots and ticks */
	/* Control bits that select the event and read back as written. */
	u64 ctl_event;
	struct pmon_event *assigned[PMON_COUNTERS_MAX];	/* if @controlled */
	struct pmon_hw_counter *counter;	/* one for each in @layout */
};

/* ---- encode.c: register values of an event ------------------------------- */

/* Encode an event. Returns 0, or the error of &pmon_type.encode. */
int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config);

/* Get the counters that can count an event; 0: none in this box. */
u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config);

/* ---- state.c: states of a box -------------------------------------------- */

enum pmon_failure {
	/* A start failed: a register did not respond or refused a write. */
	PMON_START_FAILED,
	/* The last read failed: the count since the previous read is lost. */
	PMON_END_FAILED,
	/* The box does not count: fail all events, assigned or counted. */
	PMON_ALL_FAIL,
};

void pmon_hw_fail(struct pmon_box_hw *hw, u64 counters, enum pmon_failure why);
void pmon_hw_detach(struct pmon_box_hw *hw, u64 counters);
void pmon_hw_set_unknown(struct pmon_box_hw *hw);
void pmon_hw_set_state(struct pmon_box_hw *hw, enum pmon_box_state state);

/* An unresponsive box that has not responded for this time is dropped. */
#define PMON_RESPONSE_NS	200000000ULL

/* Return true if the box is unresponsive, and not dropped yet. */
static inline bool pmon_hw_is_probed(const struct pmon_box_hw *hw)
{
	return READ_ONCE(hw->state) == PMON_BOX_UNRESPONSIVE &&
	       READ_ONCE(hw->unresponsive_ns) < PMON_RESPONSE_NS;
}

void pmon_hw_no_response(struct pmon_box_hw *hw, bool blocked);
void pmon_hw_restart_probes(struct pmon_box_hw *hw);

/* ---- assign.c, changes.c, program.c, verdict.c, life.c ------------------- */

/* Initialise @hw; mark registers unknown. Does not copy @layout->counter. */
void pmon_hw_init(struct pmon_box_hw *hw, const struct pmon_layout *layout,
		  const struct pmon_regs *regs);

u64 pmon_assign(struct pmon_event **assigned, u64 taken,
		struct pmon_event *event, u64 prefer, u64 avoid);

/* Assign a counter to an event; returns false if none can count it now. */
bool pmon_hw_add(struct pmon_box_hw *hw, struct pmon_event *event);
/* Free an event's counter. The hardware may count on until pmon_hw_apply(). */
void pmon_hw_del(struct pmon_box_hw *hw, struct pmon_event *event);

/* Difference between what events want and what hardware counts. */
struct pmon_change {
	u64 stop;	/* counters to read a last time */
	u64 start;	/* counters on which events start */
};

/* A call would cost a hundredth of a start. */
static __always_inline struct pmon_change
pmon_hw_compare(const struct pmon_box_hw *hw)
{
	struct pmon_change change = { };
	u64 dirty;

	for (dirty = hw->dirty; dirty; dirty &= dirty - 1) {
		unsigned int i = __ffs64(dirty);
		const struct pmon_hw_counter *counter = &hw->counter[i];
		const struct pmon_event *next = hw->assigned[i], *event;
		u64 bit = BIT_ULL(i);
		bool differs = counter->counted != next;

		if (!(hw->controlled & bit))
			for (differs = false, event = counter->counted; event;
			     event = event->next)
				differs |= event->counted_on !=
					   event->assigned_to;
		if (!differs)
			continue;
		change.stop |= hw->active & bit;
		change.start |= hw->taken & bit;
	}
	return change;
}

void pmon_hw_end_unread(struct pmon_box_hw *hw, u64 counters);
void pmon_hw_apply(struct pmon_box_hw *hw);

void pmon_hw_read_one(struct pmon_box_hw *hw, unsigned int counter);
/* Freeze the box, read @counters, let the box run. */
void pmon_hw_snapshot(struct pmon_box_hw *hw, u64 counters);

/* Check that the box still counts, and read all active counters. */
void pmon_hw_tick(struct pmon_box_hw *hw);
void pmon_hw_resume(struct pmon_box_hw *hw);
unsigned int pmon_hw_tick_accesses(const struct pmon_box_hw *hw);

/* Probe an unresponsive box with one access; true: it responds. */
bool pmon_hw_probe(struct pmon_box_hw *hw);
/* Set up a box that responds again. */
void pmon_hw_recover(struct pmon_box_hw *hw);

bool pmon_hw_is_behind(const struct pmon_box_hw *hw);

/* Read all counters, clear a used box and let it run. Set state NO_CPU. */
void pmon_hw_release(struct pmon_box_hw *hw);
bool pmon_hw_set_ready(struct pmon_box_hw *hw, u64 counters);

#endif /* PMON_BOX_HW_H */
