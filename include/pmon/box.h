/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a counter box is, as data: where its registers lie, which values
 * freeze, reset and run it, and what its type knows beyond that. Nothing
 * here is code, so a box type is a row and a new kind of box is a new
 * protocol.
 */
#ifndef PMON_BOX_H
#define PMON_BOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/format.h>

/* Counters of a box. */
#define PMON_SLOTS_MAX		64
/* Widths of counters. */
#define PMON_WIDTH_MIN		1
#define PMON_WIDTH_MAX		64
/* The fastest counter there is gains less than 2^38 a second. */
#define PMON_RATE_LOG2		38

/**
 * struct pmon_protocol - how a box is started and stopped
 * @freeze: stops all counters, keeps them
 * @reset: stops all counters, clears them and their controls, see @keeps
 * @run: lets the counters count
 * @bytes: width of the box control register that takes these values: 4 or 8,
 *	or 0 for a box that has none
 * @keeps: @reset clears neither counters nor controls, or there is no @reset.
 *	A counter is read when its event starts, and controls are cleared one
 *	by one.
 * @rate_log2: no counter gains more than two to this power in a second. 0:
 *	nothing is known but that it is not more than %PMON_RATE_LOG2.
 *
 * Without a box control (@bytes is 0) the counters are stopped one by one, and
 * events of a group are read one after the other, each exact. What the counters
 * held is then unknown: @keeps must be set.
 */
struct pmon_protocol {
	u64 freeze;
	u64 reset;
	u64 run;
	u8 bytes;
	bool keeps;
	u8 rate_log2;
};

/**
 * enum pmon_counter_kind - what a counter counts
 * @PMON_COUNTER_ANY: what its control selects
 * @PMON_COUNTER_FIXED: one event, while its control says so
 * @PMON_COUNTER_FREE_RUNNING: one event, always: it has no control, is only
 *	read, and any number of events share it
 */
enum pmon_counter_kind {
	PMON_COUNTER_ANY,
	PMON_COUNTER_FIXED,
	PMON_COUNTER_FREE_RUNNING,
};

/**
 * struct pmon_counter - one counter of a box
 * @config: of a fixed or free-running one: config word of the event it counts
 * @enable: of a fixed one: what its control holds while it counts
 * @ctr: the counter; accessed with 8 bytes, of which the low @width bits are
 *	meant
 * @ctl: its control, unless it runs by itself
 * @filter: a register that an event on it may set, see struct pmon_type: one
 *	for all counters of a box, or one for each
 * @width: in bits
 * @kind: enum pmon_counter_kind
 * @rate_log2: as in &struct pmon_protocol, of this counter; 0: as that says
 */
struct pmon_counter {
	u64 config;
	u64 enable;
	u32 ctr;
	u32 ctl;
	u32 filter;
	u8 width;
	u8 kind;
	u8 rate_log2;
};

/**
 * struct pmon_layout - where one box has its registers
 * @protocol: how the box is frozen, reset and run. When all its counters run by
 *	themselves, NULL or one that says how fast they are (@rate_log2), and
 *	nothing else
 * @counter: the counters; the leaf's table, of which the engine makes a copy
 * @counters: how many, up to PMON_SLOTS_MAX
 * @ctl_bytes: width of a counter's control, 4 or 8
 * @filter_bytes: width of a filter register: 4, 8, or 0 when there are none
 * @indexed: offsets count registers (MSRs), not bytes
 * @box_ctl: box control register
 * @prefer: counters that events get first that can have others, too; these stay
 *	free then for events that cannot
 * @clock: what the control of an event holds that counts in each cycle of a
 *	clock that runs; 0: none is known. Such an event that gains nothing in a
 *	second is logged: another program has frozen the box
 * @data: what &pmon_type.encode needs to know of this box, of which the engine
 *	makes a copy; or NULL
 * @data_bytes: how much that is
 * @any: counters of %PMON_COUNTER_ANY; this and what follows comes from
 *	pmon_layout_prepare()
 * @own: all others, each for an event of its own
 * @shares_filter: there is one filter register for several counters
 */
struct pmon_layout {
	const struct pmon_protocol *protocol;
	const struct pmon_counter *counter;
	u8 counters;
	u8 ctl_bytes;
	u8 filter_bytes;
	bool indexed;
	u32 box_ctl;
	u64 prefer;
	u64 clock;
	const void *data;
	u32 data_bytes;
	u64 any;
	u64 own;
	bool shares_filter;
};

/* Note what is asked for often, once the table is there. The engine does it. */
void pmon_layout_prepare(struct pmon_layout *layout);

/**
 * struct pmon_alias - one file in events/, with .scale and .unit
 * @name: NULL ends a table
 * @event: e.g. "event=0x05,umask=0xcf"
 * @scale: contents of the .scale file, or NULL
 * @unit: contents of the .unit file, or NULL
 */
struct pmon_alias {
	const char *name;
	const char *event;
	const char *scale;
	const char *unit;
};

/**
 * struct pmon_constraint - events that only some counters can count
 * @config: an event is meant when its config word,
 * @mask: anded with this, equals @config
 * @counters: the counters that can count it; 0 ends a table
 *
 * The first row that fits an event decides.
 */
struct pmon_constraint {
	u64 config;
	u64 mask;
	u64 counters;
};

/* Select and unit mask in the low 16 bits, as in all PMON controls. */
#define PMON_ON_COUNTERS(event, allowed) \
	{ .config = (event), .mask = 0xff, .counters = (allowed) }
#define PMON_UMASK_ON_COUNTERS(event, umask, allowed) \
	{ .config = (event) | (umask) << 8, .mask = 0xffff, \
	  .counters = (allowed) }

/**
 * struct pmon_encoding - how a box counts an event
 * @ctl: what its control holds while it counts
 * @filter: what the filter register holds then, when it @uses_filter
 * @allowed: the counters that can count it; one that runs by itself is alone
 * @uses_filter: it counts only with @filter
 * @rate_log2: as in &struct pmon_protocol, of this event, when it is faster; 0:
 *	as that says
 */
struct pmon_encoding {
	u64 ctl;
	u64 filter;
	u64 allowed;
	bool uses_filter;
	u8 rate_log2;
};

/**
 * struct pmon_type - what is known about one kind of box
 * @name: e.g. "imc"
 * @fields: format terms; "snapshot" is added by the engine. Bits of config that
 *	they have are those of the control, unless @encode says otherwise
 * @snapshot_word: "snapshot" is bit 63 of this config word; 0: of config2
 * @aliases: named events, or NULL
 * @constraints: or NULL; of counters of %PMON_COUNTER_ANY
 * @ctl_set: bits that are set in the control of each event, e.g. an enable bit
 * @ctl_event: bits of a control that say which event, and that each box has:
 *	another program has written a control that does not keep these. 0: all
 *	that @fields have of config
 * @reserved: or NULL; events that no counter of %PMON_COUNTER_ANY counts, only
 *	a fixed or free-running one of the layout; @counters is not looked at, a
 *	@mask of 0 ends the table
 * @fixed_config: config of the only event that counters have for their own, and
 *	that no other counts; 0: the layout says which there are
 * @filter_enable: an event with one of these config bits set uses the filter
 *	register, 0 = none does
 * @filter_mask: bits of config1 that go there
 * @encode: where rows do not say it, how an event is encoded; @constraints,
 *	@fixed_config, @filter_enable and @filter_mask are not looked at then,
 *	and @ctl_set is added. Called when an event is opened, and at no other
 *	time: with &pmon_layout.data of the box, and the event's words of
 *	configuration without bits that no term has. It touches no register, and
 *	may be called for a box whose device is about to go. Returns 0, or
 *	-EINVAL when the box has no such event.
 * @no_freeze: its boxes cannot be frozen, so there is no "snapshot"
 * @refusal: what sampling and events of tasks are refused with; 0: -EINVAL
 * @free_running: all its counters run by themselves; of the other members only
 *	@name, @fields, @aliases and @refusal matter
 */
struct pmon_type {
	const char *name;
	const struct pmon_field *fields;
	const struct pmon_alias *aliases;
	const struct pmon_constraint *constraints;
	const struct pmon_constraint *reserved;
	u64 ctl_set;
	u64 ctl_event;
	u64 fixed_config;
	u64 filter_enable;
	u64 filter_mask;
	int (*encode)(const struct pmon_layout *layout, const u64 *config,
		      struct pmon_encoding *encoding);
	int refusal;
	u8 snapshot_word;
	bool no_freeze;
	bool free_running;
};

/**
 * pmon_layout_valid() - can the engine drive such a box?
 * @layout: to be checked
 * @size: bytes (or MSRs) that may be reached, 0 when not bounded
 *
 * Return: NULL, or the name of the first member that is out of range.
 */
const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size);

/**
 * pmon_wrap_period_ns() - how often must a counter be read?
 * @width: of the counter, PMON_WIDTH_MIN to PMON_WIDTH_MAX
 * @rate_log2: the logarithm of what it gains in a second at most, up to
 *	PMON_RATE_LOG2
 *
 * Return: nanoseconds in which it gains half of its range, rounded down; at
 * most a minute.
 */
u64 pmon_wrap_period_ns(u8 width, u8 rate_log2);

/**
 * pmon_layout_period_ns() - how often must the counters of a box be read?
 * @layout: a valid one
 *
 * Return: nanoseconds, the shortest time of all its counters, see
 * pmon_wrap_period_ns().
 */
u64 pmon_layout_period_ns(const struct pmon_layout *layout);

/* Can events of the one be counted on the other, encoded as they are? */
bool pmon_layouts_alike(const struct pmon_layout *a,
			const struct pmon_layout *b);

/* Do all its counters run by themselves? */
bool pmon_layout_is_free_running(const struct pmon_layout *layout);

#endif /* PMON_BOX_H */
