/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counters of one box: what the hardware counts, what it shall count, and
 * how it gets there. Knows events only as struct pmon_event and hardware only
 * as struct pmon_regs, so it runs the same in a test.
 *
 * Changes are collected (add, del, start, stop) and made at once by
 * pmon_bank_apply(). An event that leaves and comes back in between costs
 * nothing. The caller serialises all calls for one bank.
 */
#ifndef PMON_BANK_H
#define PMON_BANK_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/regs.h>

/* A counter may gain this much without a check; the fastest takes 1 ms. */
#define PMON_DELTA_SMALL	BIT_ULL(28)

/* What a device that does not answer reads as; no count that counters hold. */
#define PMON_NO_READING		(~0ULL)

bool pmon_delta_possible(u64 delta, u64 ns, u8 rate_log2);

/* ---- events and counters ------------------------------------------------ */

/* An event, as a bank sees it. */
struct pmon_event {
	u64 ctl;		/* its control value */
	u64 filter;		/* of the filter register, if it @uses_filter */
	u64 allowed;		/* counters that can count it */
	/* The next on its free-running counter, or in @ended of the bank. */
	struct pmon_event *next;
	s8 assigned_to;		/* the counter that it has, or -1 */
	s8 counted_on;		/* that counts it in hardware, or -1 */
	u8 rate_log2;		/* as in &struct pmon_encoding */
	u8 uses_filter : 1;	/* u8: to sparse a bit of bool is a byte */
	u8 shares_filter : 1;	/* with all events in its box that use one */
	u8 free_running : 1;	/* so may be its counter's other events */
	u8 snapshot : 1;	/* its leader requests one moment */
	/*
	 * It could not be started, or its last reading failed. It gains nothing
	 * until a work item of its PMU has put it in perf's error state. Of a
	 * byte of its own: changed without a lock.
	 */
	bool failed;
};

/* One counter of a box. */
struct pmon_slot {
	/*
	 * The event that the hardware counts there, or NULL. Of a free-running
	 * counter: the first of those that it counts or is to count.
	 */
	struct pmon_event *counted;
	u64 ctl;		/* what the control register holds */
	u64 value;		/* as last read, with more bits than @mask */
	u64 mask;		/* bits of the counter */
	u64 since;		/* not later than that reading, in ns */
	u64 began;		/* when @counted was started, in ticks */
	u64 baseline;		/* @value less this was gained, with wraps */
	/* What the filter register holds; of a shared one slot 0 has it. */
	u64 filter;
	u32 ctr_reg;		/* the counter */
};

struct pmon_bank;

/* What a bank needs of its surroundings. */
struct pmon_bank_ops {
	/*
	 * Where a local64_t is that counts for an event, from the beginning of
	 * &struct pmon_event: no call, because all readings come here.
	 */
	ptrdiff_t count;
	u64 (*clock)(void);	/* nanoseconds that pass, but in sleep */
	/* How long the last sleep was, until pmon_bank_resume() was called. */
	u64 (*slept)(void);
	const u64 *ticks;	/* coarser, and costs next to nothing */
	u64 second;		/* so many ticks are one */
	/*
	 * A counter or a control was changed by another program or firmware, a
	 * box has become unresponsive or responds again, events are @failed
	 * now, or a clock stood still.
	 */
	void (*report)(struct pmon_bank *bank);
	/* The last reading of an event failed, and it is @failed. */
	void (*lost)(struct pmon_event *event);
};

/* The table in state.c describes each. */
enum pmon_box_state {
	PMON_BOX_READY,
	PMON_BOX_UNRESPONSIVE,	/* registers read as all-ones */
	PMON_BOX_D3,		/* the PCI function was found in D3 */
	PMON_BOX_NO_CPU,	/* that reaches the registers is online */
	PMON_BOX_REMOVED,	/* the device, or it has another driver */
};

/* The counters of one box. Masks are of slots. */
struct pmon_bank {
	struct pmon_layout layout;
	struct pmon_regs regs;
	const struct pmon_bank_ops *ops;
	enum pmon_box_state state;
	u64 taken;		/* an event has it */
	u64 active;		/* the hardware counts an event there */
	u64 dirty;		/* an event was added or deleted since apply */
	u64 controlled;		/* has a control; the others are free-running */
	/*
	 * Its control was written since the last reset; if that keeps controls,
	 * since nothing was known of them.
	 */
	u64 programmed;
	/*
	 * @slot.value is what the counter holds when it starts. After a reset
	 * all but the fixed one, of which no public document says that it is
	 * cleared.
	 */
	u64 baseline_valid;
	u64 hi_unknown;		/* the high half of a control, where split */
	u64 filters_known;	/* the filter register holds @slot.filter */
	bool used;		/* written to since it was handed back */
	bool filtered;		/* its filter register, too */
	/*
	 * A write of its control was refused, or it was reset or overwritten:
	 * no event counts, and pmon_bank_apply() sets it up again.
	 */
	bool halted;
	/*
	 * A control was found changed in this stop or tick, or since: values
	 * that went back were reset.
	 */
	bool was_reset;
	u64 probed;		/* when an unresponsive one was, in ns */
	/* How often another program or firmware changed something ... */
	unsigned int disturbed;
	unsigned int restarts;	/* ... and with that had reset the box */
	unsigned int refused;	/* how often events could not be started */
	unsigned int lost;	/* events that could not be read a last time */
	/* How often an event gained nothing that counts &pmon_layout.clock. */
	unsigned int stood_still;
	u64 frozen_ns;		/* for which it was, although it had events */
	/* Bits that say which event, and that read as they were written. */
	u64 ctl_event;
	struct pmon_event *assigned[PMON_SLOTS_MAX];	/* if @controlled */
	/* Had failed when they were taken off; apply reports them. */
	struct pmon_event *ended;
	struct pmon_slot *slot;	/* as many as @layout has */
};

/* ---- encode.c: what an event is in the registers of a box ---------------- */

/* Describe an event. Returns 0, or the error of &pmon_type.encode. */
int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config);

/* The counters that can count an event; 0: the box cannot. */
u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config);

/* ---- state.c: what a box is, and what becomes of its events -------------- */

enum pmon_failure {
	/* A register refused a write or did not answer: events do not start. */
	PMON_START_FAILED,
	/* The last reading failed: what was counted since is lost. */
	PMON_END_FAILED,
	/* Events would look as if they counted, with a counter or counted. */
	PMON_ALL_FAIL,
};

void pmon_bank_fail(struct pmon_bank *bank, u64 slots, enum pmon_failure why);
void pmon_bank_detach(struct pmon_bank *bank, u64 slots, u64 unread);
void pmon_bank_set_unknown(struct pmon_bank *bank);
void pmon_bank_set_state(struct pmon_bank *bank, enum pmon_box_state state);

/* ---- counters.c --------------------------------------------------------- */

/* The box is there, in an unknown state. Its table of counters is kept. */
void pmon_bank_init(struct pmon_bank *bank, const struct pmon_layout *layout,
		    const struct pmon_regs *regs);

/*
 * Just found, and the controls of @slots select nothing. Where a reset keeps
 * controls they need not be written before the first event counts.
 */
void pmon_bank_mark_off(struct pmon_bank *bank, u64 slots);

u64 pmon_assign(struct pmon_event **assigned, u64 taken,
		struct pmon_event *event, u64 prefer, u64 avoid);

/* Give an event a counter; false when there is none for it. */
bool pmon_bank_add(struct pmon_bank *bank, struct pmon_event *event);
/* Take its counter away. It may still be counted until apply. */
void pmon_bank_del(struct pmon_bank *bank, struct pmon_event *event);
/* Write controls for the events added and deleted since the last call. */
void pmon_bank_apply(struct pmon_bank *bank);

u64 pmon_bank_read(struct pmon_bank *bank, u64 slots);
void pmon_bank_read_at(struct pmon_bank *bank, u64 slots, u64 when);
/* Bring the events of @slots up to date as of one moment. */
void pmon_bank_snapshot(struct pmon_bank *bank, u64 slots);

/* Bring all up to date, now and then, and check that the box still counts. */
void pmon_bank_tick(struct pmon_bank *bank);
void pmon_bank_resume(struct pmon_bank *bank);
/* How many accesses of hardware a tick takes, of a box that answers. */
unsigned int pmon_bank_tick_accesses(const struct pmon_bank *bank);

/* Probe an unresponsive box; one that responds again is set up. */
bool pmon_bank_probe(struct pmon_bank *bank);

/*
 * Bring all up to date; clear the box and let it run, if it was used and
 * answers. It is PMON_BOX_NO_CPU then.
 */
void pmon_bank_hand_back(struct pmon_bank *bank);

#endif /* PMON_BANK_H */
