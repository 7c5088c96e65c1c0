/* SPDX-License-Identifier: GPL-2.0-only */
/* Declare code that uses neither perf nor devices. Spec: vf_perf_api 1.11. */
#ifndef PMON_VFALLS_H
#define PMON_VFALLS_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

struct perf_event;
struct vfalls_pair;

/* ---- hypervisor calls: units.c (section 3.2) ----------------------------- */

/* Status of a call, as numbered by sun4v; other values are errors, too */
enum vfalls_status {
	VFALLS_EOK = 0,
	VFALLS_EWOULDBLOCK = 9,
	VFALLS_ENOACCESS = 10,
};

/* Tries of a call that would block */
#define VFALLS_TRIES		16

/* Hypervisor calls, and reports about a pair; called in any context */
struct vfalls_ops {
	/* get() and set() return the status; get() sets @value if VFALLS_EOK */
	unsigned long (*get)(unsigned long reg, u64 *value);
	unsigned long (*set)(unsigned long reg, u64 value);
	/* report a call that would have blocked; @last: no further try */
	void (*blocked)(bool last);
	/* registers that the hypervisor refused, one bit each */
	unsigned long *denied;
	void (*gain)(struct perf_event *event, u64 delta);
	/* report a failed start of an event, or (@last) a failed last read */
	void (*failed)(struct perf_event *event, bool last);
	/* report that another guest has changed a select or a counter */
	void (*disturbed)(struct vfalls_pair *pair);
	u64 (*clock)(void);	/* monotonic, in ns */
};

/* Defined in hcall.S; used as vfalls_ops.get and .set */
unsigned long vfalls_get_perfreg(unsigned long reg, u64 *value);
unsigned long vfalls_set_perfreg(unsigned long reg, u64 value);

/*
 * Access a register, in any context. Returns 0, -EAGAIN if VFALLS_TRIES calls
 * would have blocked, or -EIO for another error.
 */
int vfalls_get(const struct vfalls_ops *ops, unsigned int reg, u64 *value);
int vfalls_set(const struct vfalls_ops *ops, unsigned int reg, u64 value);

/* ---- registers and units: units.c (section 3.1) -------------------------- */

#define VFALLS_REGS		90
#define VFALLS_REG_STRAND	0	/* PCR of the calling strand */
#define VFALLS_REG_L2		1	/* L2 banks of the strand's node */
#define VFALLS_REG_DRAM		2
#define VFALLS_REG_ZAMBEZI	18	/* first register that needs API 1.1 */

#define VFALLS_NODES		4
#define VFALLS_MCUS		2
#define VFALLS_ZAMBEZIS		4
#define VFALLS_LPUS		4

/* Numbers of units. Units are in the order of their registers. */
#define VFALLS_DRAMS		(VFALLS_NODES * VFALLS_MCUS)
#define VFALLS_ZAMBEZI_UNITS	(VFALLS_LPUS + 2)
#define VFALLS_UNITS \
	(VFALLS_DRAMS + VFALLS_ZAMBEZIS * VFALLS_ZAMBEZI_UNITS)

#define VFALLS_NAME_SIZE	24

/* Kinds of units, each with a select register and two counters */
enum vfalls_kind {
	VFALLS_DRAM,	/* memory controller, counters in one register */
	VFALLS_LPU,	/* link port of a Zambezi */
	VFALLS_GPD,	/* general part of a Zambezi */
	VFALLS_ASU,	/* address serialization of a Zambezi */
};

/* Registers of a kind of unit; masks are shifted to bit 0 */
struct vfalls_layout {
	u64 counter_mask;
	u64 select_mask;
	u8 select_shift[2];	/* lowest bit of each select */
	u8 reg[2];	/* offsets of the counters from the select register */
	u8 shift[2];	/* lowest bit of each counter in its register */
	bool off;	/* select 0 stops a counter; if false, no select does */
	u64 period_ns;	/* period of reads */
};

/* A unit: two counters and their select register */
struct vfalls_unit {
	const struct vfalls_layout *layout;
	u8 kind;	/* enum vfalls_kind */
	u8 node;	/* node of the controller, or number of the Zambezi */
	u8 index;	/* number within the node or Zambezi */
	u8 reg;	/* select register; the counters follow */
};

struct vfalls_unit vfalls_unit(unsigned int n);
/* Print the name of the PMU; return the length. */
int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size);
/* Return true if @select counts an event in the unit. */
bool vfalls_has_event(const struct vfalls_unit *unit, u64 select);
/* Return the format terms and named events. */
const struct pmon_type *vfalls_type(const struct vfalls_unit *unit);

/*
 * Print a row of the table of section 3.1: number, node, group, name, local and
 * global address. Returns the length.
 */
int vfalls_reg_format(unsigned int reg, char *buf, size_t size);

/* Set the bits of readable registers; the API version is 1.@minor. */
void vfalls_probe(const struct vfalls_ops *ops, unsigned int minor,
		  unsigned long *readable);

/* ---- two counters of a unit: pair.c -------------------------------------- */

/* A counter of a pair */
struct vfalls_counter {
	/* event to count from the next vfalls_pair_apply() on, or NULL */
	struct perf_event *assigned;
	struct perf_event *counted;	/* counted in hardware, or NULL */
	u64 value;	/* last value read */
	u64 read_ns;	/* time just before the last read */
	u8 select;	/* of @assigned */
	bool selected;	/* this driver wrote the select in the register */
};

/*
 * The two counters of a unit.
 *
 * vfalls_pair_add() and vfalls_pair_del() only record changes, and
 * vfalls_pair_apply() writes them, so an event removed and added again costs no
 * hypervisor call. The caller serialises all functions of a pair.
 */
struct vfalls_pair {
	const struct vfalls_ops *ops;	/* set by the caller */
	struct vfalls_unit unit;	/* set by the caller */
	u64 select;	/* value of the select register if @programmed */
	u64 checked_ns;	/* time of the last access to the select register */
	bool programmed;	/* the select register was written */
	struct vfalls_counter counter[2];
};

/* Assign a counter to @event. Returns 0, or -EAGAIN if no counter is free. */
int vfalls_pair_add(struct vfalls_pair *pair, struct perf_event *event,
		    u8 select);
/* Unassign the counter. The event counts until vfalls_pair_apply(). */
void vfalls_pair_del(struct vfalls_pair *pair, struct perf_event *event);
/*
 * Write the selects of events added and removed since the last call. If the
 * start of an event fails, call ops->failed() and unassign the counter.
 */
void vfalls_pair_apply(struct vfalls_pair *pair);

/* Return a bit for each counter that counts @event or, if NULL, any event. */
unsigned int vfalls_pair_active(const struct vfalls_pair *pair,
				const struct perf_event *event);

/* Read @counters, each register once. Returns the counters read, as bits. */
unsigned int vfalls_pair_read(struct vfalls_pair *pair, unsigned int counters);
/*
 * Read the counters of events. If another guest has changed a select, write the
 * selects again instead; counts since the last read are lost.
 */
void vfalls_pair_poll(struct vfalls_pair *pair);
/* Stop counters that could not be stopped before; no event may be assigned. */
void vfalls_pair_turn_off(struct vfalls_pair *pair);

/* ---- settings: hold.c ---------------------------------------------------- */

/* The value that events need in some bits of a register */
struct vfalls_hold {
	unsigned int users;	/* events that need @value */
	u64 value;	/* valid if @users > 0, or if @unrestored */
	u64 original;	/* bits before the first event */
	bool unrestored;	/* @original could not be written */
	bool logged;	/* the caller has logged @unrestored */
};

/*
 * Set bits @mask to @value for an event. Returns 0, -EBUSY while other events
 * need another value, or an error of vfalls_get() or vfalls_set(). The caller
 * serialises calls for a hold.
 */
int vfalls_hold_begin(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		      unsigned int reg, u64 mask, u64 value);

/*
 * End an event; restore the bits after the last event. Returns 0, 1 if others
 * had changed the bits, or an error. After an error the hold is @unrestored
 * until vfalls_hold_restore() or vfalls_hold_begin() succeeds.
 */
int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		    unsigned int reg, u64 mask);

/* Restore an @unrestored hold. Returns like vfalls_hold_end(). */
int vfalls_hold_restore(struct vfalls_hold *hold, const struct vfalls_ops *ops,
			unsigned int reg, u64 mask);

#endif
