/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Describe counter boxes to the core (drivers/core): offsets of registers,
 * control values that freeze, reset and run a box, and the events of a type.
 */
#ifndef PMON_BOX_H
#define PMON_BOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/format.h>

#define PMON_COUNTERS_MAX		64
#define PMON_WIDTH_MIN		1
#define PMON_WIDTH_MAX		64
/* Default of each rate_log2; polls of wide counters assume a higher rate. */
#define PMON_RATE_LOG2		38

/**
 * struct pmon_protocol - control values of a box
 * @freeze: stops all counters and keeps their contents
 * @reset: stops all counters; unless @no_reset, zeroes counters and controls
 * @run: lets the counters count
 * @bytes: width of the box control register, 4 or 8; 0: no box control. With 0,
 *	@no_reset must be set, unless all counters are free-running
 * @no_reset: @reset zeroes neither counters nor controls, or there is no @reset
 * @rate_log2: binary logarithm of the largest increase of a counter in a
 *	second; 0: %PMON_RATE_LOG2
 */
struct pmon_protocol {
	u64 freeze;
	u64 reset;
	u64 run;
	u8 bytes;
	bool no_reset;
	u8 rate_log2;
};

/**
 * enum pmon_counter_kind - what a counter can count
 * @PMON_COUNTER_GENERAL: any event that its control can select
 * @PMON_COUNTER_FIXED: one event, enabled by its control
 * @PMON_COUNTER_FREE_RUNNING: one event, always; no control
 */
enum pmon_counter_kind {
	PMON_COUNTER_GENERAL,
	PMON_COUNTER_FIXED,
	PMON_COUNTER_FREE_RUNNING,
};

/**
 * struct pmon_counter - one counter of a box
 * @config: config word of the event of a dedicated counter
 * @enable: control value that enables a fixed counter
 * @freeze: bit of the box control that freezes this counter alone, or 0
 * @ctr: offset of the counter, which is accessed with 8 bytes
 * @ctl: offset of its control, unless free-running
 * @filter: offset of the filter register; the same for all counters if shared
 * @width: number of valid low bits of the counter
 * @kind: enum pmon_counter_kind
 * @rate_log2: replaces &pmon_protocol.rate_log2 unless 0
 */
struct pmon_counter {
	u64 config;
	u64 enable;
	u64 freeze;
	u32 ctr;
	u32 ctl;
	u32 filter;
	u8 width;
	u8 kind;
	u8 rate_log2;
};

/**
 * struct pmon_layout - registers of a box
 * @protocol: box control. If all counters are free-running: NULL, or only
 *	@rate_log2 is set
 * @counter: the counters; copied by the core
 * @counters: number of counters, up to PMON_COUNTERS_MAX
 * @ctl_bytes: width of an event control, 4 or 8
 * @filter_bytes: width of a filter register: 4, 8, or 0 for none
 * @indexed: offsets count registers (MSRs), not bytes
 * @box_ctl: offset of the box control register
 * @prefer: counters to assign first, because fewer events need these counters
 * @clock: control value of an event that counts each cycle of a running clock,
 *	or 0. If the event gains nothing in a second, the core logs a frozen box
 * @data: argument of &pmon_type.encode, copied by the core, or NULL
 * @data_bytes: size of @data
 * @general: general-purpose counters
 * @dedicated: fixed and free-running counters, each with one event
 * @shares_filter: several counters share a filter register
 *
 * The core sets the members from @general on.
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
	u64 general;
	u64 dedicated;
	bool shares_filter;
};

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
 * struct pmon_constraint - counters of an event
 * @config: value to compare with the config word of the event
 * @mask: bits to compare; if several rows match, the first applies
 * @allowed: counters that can count the event; 0 ends a table
 */
struct pmon_constraint {
	u64 config;
	u64 mask;
	u64 allowed;
};

/* All PMON controls have the event select in bits 0-7, the umask in 8-15. */
#define PMON_ON_COUNTERS(event, counters) \
	{ .config = (event), .mask = 0xff, .allowed = (counters) }
#define PMON_UMASK_ON_COUNTERS(event, umask, counters) \
	{ .config = (event) | (umask) << 8, .mask = 0xffff, \
	  .allowed = (counters) }

/**
 * struct pmon_encoding - register values of an event
 * @ctl: value of the control
 * @filter: value of the filter register if @uses_filter
 * @allowed: counters that can count the event: a single free-running counter,
 *	or any set of other counters
 * @uses_filter: the event needs @filter
 * @rate_log2: replaces &pmon_counter.rate_log2 unless 0
 */
struct pmon_encoding {
	u64 ctl;
	u64 filter;
	u64 allowed;
	bool uses_filter;
	u8 rate_log2;
};

/**
 * struct pmon_type - one kind of box
 * @name: e.g. "imc"
 * @fields: format terms; the core adds "snapshot"
 * @aliases: named events, or NULL
 * @constraints: events that need certain general-purpose counters, or NULL
 * @reserved: events that no general-purpose counter counts, e.g. events of
 *	dedicated counters, or NULL; a row with @mask 0 ends the table
 * @ctl_set: bits to set in the control of each event, e.g. an enable bit
 * @ctl_event: bits of a control that select the event and that each box
 *	implements; 0: the bits of config in @fields. A change of these bits
 *	shows that another program has written the control
 * @fixed_config: config of the only event of fixed counters, which no other
 *	counter can count; 0: each fixed counter has its &pmon_counter.config
 * @filter_enable: an event uses the filter register if config has any of these
 *	bits; 0: no filter
 * @filter_mask: bits of config1 that go to the filter register
 * @encode: encode an event from its config words, reduced to bits that have a
 *	term, with "snapshot" of the group's leader. Accesses no register: the
 *	device may be removed. Returns 0, or -EINVAL if the box has no such
 *	event. NULL: config is the control value, and the members above give the
 *	counters and the filter
 * @refusal: error for sampling events and events of tasks; 0: -EINVAL
 * @snapshot_word: config word whose bit 63 is "snapshot"; 0: config2
 * @no_freeze: boxes cannot be frozen, so there is no "snapshot"
 * @free_running: all counters are free-running; only @name, @fields, @aliases
 *	and @refusal are used
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
 * pmon_layout_valid() - check that the core can drive a box
 * @layout: layout to check
 * @size: bytes (or MSRs) that may be accessed, 0: no limit
 *
 * Return: NULL, or the first invalid member, or "register" for a bad offset.
 */
const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size);

/**
 * pmon_wrap_period_ns() - longest time between two reads of a counter
 * @width: bits of the counter, PMON_WIDTH_MIN to PMON_WIDTH_MAX
 * @rate_log2: binary logarithm of the largest increase in a second, up to 63
 *
 * Return: nanoseconds in which the counter gains half of its range; at most a
 * minute.
 */
u64 pmon_wrap_period_ns(u8 width, u8 rate_log2);

/**
 * pmon_layout_period_ns() - longest time between two reads of a box's counters
 * @layout: valid layout
 *
 * Return: the shortest pmon_wrap_period_ns() of all counters.
 */
u64 pmon_layout_period_ns(const struct pmon_layout *layout);

/* Return true if box @b can count events encoded for box @a. */
bool pmon_layouts_alike(const struct pmon_layout *a,
			const struct pmon_layout *b);

bool pmon_layout_is_free_running(const struct pmon_layout *layout);

#endif /* PMON_BOX_H */
