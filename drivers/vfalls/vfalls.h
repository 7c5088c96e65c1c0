/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pmon_vfalls, what knows neither perf nor devices: calls of the hypervisor,
 * its registers and the units that they belong to, pairs of counters, settings
 * (vf_perf_api 1.11). Pure.
 */
#ifndef PMON_VFALLS_H
#define PMON_VFALLS_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/box.h>

struct perf_event;
struct vfalls_pair;

/* ---- calls of the hypervisor: units.c (section 3.2) ---------------------- */

/* Status of calls, numbered as sun4v hypervisors do. Others are errors, too. */
enum vfalls_status {
	VFALLS_EOK = 0,
	VFALLS_EWOULDBLOCK = 9,
	VFALLS_ENOACCESS = 10,
};

/* How often a call is made that would block, before it is given up. */
#define VFALLS_TRIES		16

/**
 * struct vfalls_ops - the hypervisor, and what a pair reports; in any context
 * @get: VFALLS_GET_PERFREG; what it returns is the status, and @value changes
 *	only with VFALLS_EOK
 * @set: VFALLS_SET_PERFREG, likewise
 * @blocked: a call would have blocked; @last: and was given up
 * @denied: a bit for each register that this guest was refused
 * @gain: the event counted @delta more
 * @failed: the event was not started, or ended and its last reading failed
 *	(@last)
 * @disturbed: another guest has changed something
 * @clock: nanoseconds that pass
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
 * Read or write a register. Returns 0, -EAGAIN after VFALLS_TRIES calls that
 * would have blocked, or -EIO. In any context.
 */
int vfalls_get(const struct vfalls_ops *ops, unsigned int reg, u64 *value);
int vfalls_set(const struct vfalls_ops *ops, unsigned int reg, u64 value);

/* ---- registers and units: units.c (section 3.1) -------------------------- */

#define VFALLS_REGS		90
#define VFALLS_REG_STRAND	0	/* the PCR of the calling strand */
#define VFALLS_REG_L2		1	/* of the calling node's L2 banks */
#define VFALLS_REG_DRAM		2
#define VFALLS_REG_ZAMBEZI	18	/* from here on: API 1.1 */

#define VFALLS_NODES		4
#define VFALLS_MCUS		2
#define VFALLS_ZAMBEZIS		4
#define VFALLS_LPUS		4

/* Units that the API knows, numbered as their registers are. */
#define VFALLS_DRAMS		(VFALLS_NODES * VFALLS_MCUS)
#define VFALLS_ZAMBEZI_UNITS	(VFALLS_LPUS + 2)
#define VFALLS_UNITS \
	(VFALLS_DRAMS + VFALLS_ZAMBEZIS * VFALLS_ZAMBEZI_UNITS)

#define VFALLS_NAME_SIZE	24

/**
 * enum vfalls_kind - what a unit is
 * @VFALLS_DRAM: a memory controller: a select, and two counters in one register
 * @VFALLS_LPU: a link port of a Zambezi: a select, two counters
 * @VFALLS_GPD: the general part of a Zambezi, likewise
 * @VFALLS_ASU: the address serialization of a Zambezi, likewise
 */
enum vfalls_kind {
	VFALLS_DRAM,
	VFALLS_LPU,
	VFALLS_GPD,
	VFALLS_ASU,
};

/**
 * struct vfalls_layout - where a unit has its selects and counters
 * @counter_mask: bits of a counter
 * @select_mask: bits of a select
 * @select_shift: the selects' lowest bits in the first register
 * @reg: the registers of the counters, from the select's on; the last is the
 *	unit's last
 * @shift: the counters' lowest bits there
 * @off: select 0 stops a counter. Otherwise it always counts something
 * @period_ns: how often the counters must be read
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
 * struct vfalls_unit - a pair of counters with their select
 * @layout: of its registers
 * @kind: enum vfalls_kind
 * @node: of a memory controller: its node; else the Zambezi
 * @index: memory controller of the node, or unit of the Zambezi
 * @reg: its select; the counters follow
 */
struct vfalls_unit {
	const struct vfalls_layout *layout;
	u8 kind;
	u8 node;
	u8 index;
	u8 reg;
};

struct vfalls_unit vfalls_unit(unsigned int n);
/* The PMU's name. Returns its length. */
int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size);
/* Does this select count an event there? */
bool vfalls_has_event(const struct vfalls_unit *unit, u64 select);
/* The format terms and named events of its PMU. */
const struct pmon_type *vfalls_type(const struct vfalls_unit *unit);

/*
 * Number, node, group, name, local and global address of a register, as the
 * table of the specification has them. Returns the length.
 */
int vfalls_reg_format(unsigned int reg, char *buf, size_t size);

/*
 * Read each register of version 1.@minor, and set the bits of those that can be
 * read, or could be but for other accesses at that moment.
 */
void vfalls_probe(const struct vfalls_ops *ops, unsigned int minor,
		  unsigned long *readable);

/* ---- the two counters of a unit: pair.c ---------------------------------- */

/**
 * struct vfalls_counter - one of a pair
 * @assigned: the event that has it, or NULL
 * @counted: the event that the hardware counts there, or NULL
 * @value: as last read
 * @since: not later than that, in nanoseconds
 * @select: what selects @assigned
 */
struct vfalls_counter {
	struct perf_event *assigned;
	struct perf_event *counted;
	u64 value;
	u64 since;
	u8 select;
};

/**
 * struct vfalls_pair - the two counters of a unit
 * @ops: the hypervisor, and what is reported
 * @unit: which one
 * @select: what its first register holds, once it is @used
 * @used: it was written
 * @counter: both
 *
 * Changes are noted (add, del) and made at once by vfalls_pair_apply(); an
 * event that leaves and comes back in between costs no call. The caller
 * sets @ops and @unit, and serialises all calls for one pair.
 */
struct vfalls_pair {
	const struct vfalls_ops *ops;
	struct vfalls_unit unit;
	u64 select;
	bool used;
	struct vfalls_counter counter[2];
};

/* Give an event a counter. Returns 0, or -EAGAIN when both are taken. */
int vfalls_pair_add(struct vfalls_pair *pair, struct perf_event *event,
		    u8 select);
/* Take it away. The event may still be counted until vfalls_pair_apply(). */
void vfalls_pair_del(struct vfalls_pair *pair, struct perf_event *event);
/*
 * Write the selects for the events that were added and deleted since the last
 * call. An event that cannot be started has no counter any more.
 */
void vfalls_pair_apply(struct vfalls_pair *pair);

/* The counters, as bits, that count an event; NULL: any event. */
unsigned int vfalls_pair_counting(const struct vfalls_pair *pair,
				  const struct perf_event *event);

/* Read @counters, each register once. Returns those that were read. */
unsigned int vfalls_pair_read(struct vfalls_pair *pair, unsigned int counters);
/*
 * Bring all up to date. If another guest has selected other events the pair is
 * set up again, and what was counted since the last reading is lost.
 */
void vfalls_pair_tick(struct vfalls_pair *pair);
/* It is idle: stop what could not be stopped before. */
void vfalls_pair_release(struct vfalls_pair *pair);

/* ---- settings: hold.c ---------------------------------------------------- */

/**
 * struct vfalls_hold - bits of a register that have a value while events count
 * @users: events that need @value there
 * @value: what they need
 * @before: what was there
 * @left: no event needs @value any more, and @before could not be written
 * @logged: that was logged; the caller's
 */
struct vfalls_hold {
	unsigned int users;
	u64 value;
	u64 before;
	bool left;
	bool logged;
};

/*
 * One more event needs @value in the bits @mask of @reg. The caller serialises.
 * Returns 0, -EBUSY while other events need another value, or an error of the
 * register.
 */
int vfalls_hold_begin(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		      unsigned int reg, u64 mask, u64 value);

/*
 * One event less needs the value: after the last one the bits are again what
 * they were. Returns 0, 1 when they had not the value any more, because the
 * kernel or another guest has written them, or an error of the register: then
 * the hold is @left, until vfalls_hold_restore() or vfalls_hold_begin()
 * succeeds.
 */
int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		    unsigned int reg, u64 mask);

/* Write what was there before a hold that is left. Returns as the end does. */
int vfalls_hold_restore(struct vfalls_hold *hold, const struct vfalls_ops *ops,
			unsigned int reg, u64 mask);

#endif
