/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pure part of pmon_vfalls, without perf and devices: hypervisor calls,
 * registers, units, pairs of counters, settings (vf_perf_api 1.11).
 */
#ifndef PMON_VFALLS_H
#define PMON_VFALLS_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

struct perf_event;
struct vfalls_pair;

/* ---- hypervisor calls: units.c (section 3.2) ----------------------------- */

/* Status of a call, by sun4v numbers. All other values are errors. */
enum vfalls_status {
	VFALLS_EOK = 0,
	VFALLS_EWOULDBLOCK = 9,
	VFALLS_ENOACCESS = 10,
};

/* Number of tries of a call that would block. */
#define VFALLS_TRIES		16

/**
 * struct vfalls_ops - hypervisor calls, and reports of a pair; any context
 * @get: VFALLS_GET_PERFREG; returns the status, sets @value if VFALLS_EOK
 * @set: VFALLS_SET_PERFREG; returns the status
 * @blocked: a call would have blocked; @last: no further try
 * @denied: registers that the hypervisor refused, one bit each
 * @gain: the event has counted @delta more
 * @failed: the start of an event failed, or (@last) the last read at its end
 * @disturbed: another guest has changed a select or a counter
 * @clock: monotonic time in ns
 */
struct vfalls_ops {
	unsigned long (*get)(unsigned long reg, u64 *value);
	unsigned long (*set)(unsigned long reg, u64 value);
	void (*blocked)(bool last);
	unsigned long *denied;
	void (*gain)(struct perf_event *event, u64 delta);
	void (*failed)(struct perf_event *event, bool last);
	void (*disturbed)(struct vfalls_pair *pair);
	u64 (*clock)(void);
};

/* hcall.S: &vfalls_ops.get and &vfalls_ops.set */
unsigned long vfalls_get_perfreg(unsigned long reg, u64 *value);
unsigned long vfalls_set_perfreg(unsigned long reg, u64 value);

/*
 * Read or write a register. Any context. Returns 0, -EAGAIN if VFALLS_TRIES
 * calls would have blocked, or -EIO for any other status.
 */
int vfalls_get(const struct vfalls_ops *ops, unsigned int reg, u64 *value);
int vfalls_set(const struct vfalls_ops *ops, unsigned int reg, u64 value);

/* ---- registers and units: units.c (section 3.1) -------------------------- */

#define VFALLS_REGS		90
#define VFALLS_REG_STRAND	0	/* PCR of the calling strand */
#define VFALLS_REG_L2		1	/* L2 banks of the calling node */
#define VFALLS_REG_DRAM		2
#define VFALLS_REG_ZAMBEZI	18	/* from here on: API 1.1 */

#define VFALLS_NODES		4
#define VFALLS_MCUS		2
#define VFALLS_ZAMBEZIS		4
#define VFALLS_LPUS		4

/* Units of the API, in the order of the registers. */
#define VFALLS_DRAMS		(VFALLS_NODES * VFALLS_MCUS)
#define VFALLS_ZAMBEZI_UNITS	(VFALLS_LPUS + 2)
#define VFALLS_UNITS \
	(VFALLS_DRAMS + VFALLS_ZAMBEZIS * VFALLS_ZAMBEZI_UNITS)

#define VFALLS_NAME_SIZE	24

/**
 * enum vfalls_kind - kind of a unit
 * @VFALLS_DRAM: memory controller: a select, two counters in one register
 * @VFALLS_LPU: link port of a Zambezi: a select, two counters
 * @VFALLS_GPD: general part of a Zambezi: a select, two counters
 * @VFALLS_ASU: address serialization of a Zambezi: a select, two counters
 */
enum vfalls_kind {
	VFALLS_DRAM,
	VFALLS_LPU,
	VFALLS_GPD,
	VFALLS_ASU,
};

/**
 * struct vfalls_layout - registers of a kind of unit
 * @counter_mask: mask of a counter, shifted to bit 0
 * @select_mask: mask of a select, shifted to bit 0
 * @select_shift: lowest bit of each select in the select register
 * @reg: register of each counter, relative to the select register; the last is
 *	the last register of the unit
 * @shift: lowest bit of each counter in the register
 * @off: select 0 stops a counter; if false, a counter never stops
 * @period_ns: period of reads, in ns
 */
struct vfalls_layout {
	u64 counter_mask;
	u64 select_mask;
	u8 select_shift[2];
	u8 reg[2];
	u8 shift[2];
	bool off;
	u64 period_ns;
};

/**
 * struct vfalls_unit - a pair of counters with the select register
 * @layout: layout of the registers
 * @kind: enum vfalls_kind
 * @node: node of a memory controller, or number of the Zambezi
 * @index: memory controller of the node, or unit of the Zambezi
 * @reg: number of the select register; the counters follow
 */
struct vfalls_unit {
	const struct vfalls_layout *layout;
	u8 kind;
	u8 node;
	u8 index;
	u8 reg;
};

struct vfalls_unit vfalls_unit(unsigned int n);
/* Print the name of the PMU; return the length. */
int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size);
/* Return true if @select counts an event in the unit. */
bool vfalls_has_event(const struct vfalls_unit *unit, u64 select);
/* Return the format terms and named events of the unit. */
const struct pmon_type *vfalls_type(const struct vfalls_unit *unit);

/*
 * Print a register as a row of the table of section 3.1: number, node, group,
 * name, local and global address. Return the length.
 */
int vfalls_reg_format(unsigned int reg, char *buf, size_t size);

/*
 * Read each register of API version 1.@minor; set the bits of readable
 * registers in @readable. A register that would block counts as readable.
 */
void vfalls_probe(const struct vfalls_ops *ops, unsigned int minor,
		  unsigned long *readable);

/* ---- two counters of a unit: pair.c -------------------------------------- */

/**
 * struct vfalls_counter - a counter of a pair
 * @assigned: event to count from the next vfalls_pair_apply() on, or NULL
 * @counted: event that the hardware counts, or NULL
 * @value: last value read
 * @read_ns: time before the last read, in ns
 * @select: select of @assigned
 */
struct vfalls_counter {
	struct perf_event *assigned;
	struct perf_event *counted;
	u64 value;
	u64 read_ns;
	u8 select;
};

/**
 * struct vfalls_pair - the two counters of a unit
 * @ops: hypervisor calls and reports
 * @unit: unit of the pair
 * @select: value of the select register; valid if @programmed
 * @programmed: the select register was written
 * @counter: both counters
 *
 * vfalls_pair_add() and vfalls_pair_del() only record changes;
 * vfalls_pair_apply() writes them. An event removed and added again in between
 * costs no call. The caller sets @ops and @unit, and serialises all calls for a
 * pair.
 */
struct vfalls_pair {
	const struct vfalls_ops *ops;
	struct vfalls_unit unit;
	u64 select;
	bool programmed;
	struct vfalls_counter counter[2];
};

/* Assign a counter to an event. Returns 0, or -EAGAIN if both are assigned. */
int vfalls_pair_add(struct vfalls_pair *pair, struct perf_event *event,
		    u8 select);
/* Unassign the counter. The event counts until vfalls_pair_apply(). */
void vfalls_pair_del(struct vfalls_pair *pair, struct perf_event *event);
/*
 * Write the selects for events added and removed since the last call. An event
 * that fails to start loses the counter, and ops->failed() is called.
 */
void vfalls_pair_apply(struct vfalls_pair *pair);

/* Return the counters, as bits, that count @event, or any event if NULL. */
unsigned int vfalls_pair_active(const struct vfalls_pair *pair,
				const struct perf_event *event);

/* Read @counters, each register once. Returns the counters read, as bits. */
unsigned int vfalls_pair_read(struct vfalls_pair *pair, unsigned int counters);
/*
 * Read both counters. If another guest has changed a select, write the selects
 * again; counts since the last read are lost then.
 */
void vfalls_pair_poll(struct vfalls_pair *pair);
/* Stop counters that could not be stopped before. No event is assigned. */
void vfalls_pair_turn_off(struct vfalls_pair *pair);

/* ---- settings: hold.c ---------------------------------------------------- */

/**
 * struct vfalls_hold - a value of some bits of a register while events count
 * @users: number of events that need @value
 * @value: value of the bits while @users is not 0
 * @original: value of the bits before the first event
 * @unrestored: @users is 0, but @original could not be written
 * @logged: @unrestored was logged; for the caller
 */
struct vfalls_hold {
	unsigned int users;
	u64 value;
	u64 original;
	bool unrestored;
	bool logged;
};

/*
 * Set the bits @mask of @reg to @value for an event. The caller serialises
 * calls for a hold. Returns 0, -EBUSY while other events need another value, or
 * an error of vfalls_get() or vfalls_set().
 */
int vfalls_hold_begin(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		      unsigned int reg, u64 mask, u64 value);

/*
 * End the use of the value by an event; after the last event restore the bits.
 * Returns 0; 1 if the kernel or another guest had changed the bits meanwhile;
 * or an error of the register: the hold is @unrestored then until
 * vfalls_hold_restore() or vfalls_hold_begin() succeeds.
 */
int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		    unsigned int reg, u64 mask);

/* Restore an @unrestored hold. Returns like vfalls_hold_end(). */
int vfalls_hold_restore(struct vfalls_hold *hold, const struct vfalls_ops *ops,
			unsigned int reg, u64 mask);

#endif
