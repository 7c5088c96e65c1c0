/* SPDX-License-Identifier: GPL-2.0-only */
/* How platforms, types, formats, events and constraints are written down. */
#ifndef PMON_UNCORE_ROWS_H
#define PMON_UNCORE_ROWS_H

#include <linux/bits.h>

#include <pmon/box.h>

#include "unit.h"

#define MSR	BIT(UNCORE_ACCESS_MSR)
#define MMIO	BIT(UNCORE_ACCESS_MMIO)
#define PCI	BIT(UNCORE_ACCESS_PCI)

#define ROWS(_rows)	.rows = _rows, .nr_rows = ARRAY_SIZE(_rows)

/*
 * Free-running counters: an event is 0xff with the number of a group, and of
 * a counter in it, as its unit mask. Groups begin at multiples of 16.
 */
#define FREE_EVENT(_group)	(0xff | (_group) << 12)

/*
 * Formats. Event select, unit mask, edge, invert and threshold are where
 * Intel's uncore manuals have them since the Xeon Processor E5-2600 v2 Product
 * Family Uncore Performance Monitoring Reference Manual (329468), section 1.4
 * "Uncore PMON - Typical Control/Counter Logic"; later fields are those of the
 * format attributes in arch/x86/events/intel/uncore_snbep.c of Linux.
 */

#define FIELD(_name, _mask)	{ .name = _name, .word = 0, .mask = _mask }
#define EVENT			FIELD("event", GENMASK_ULL(7, 0))
#define UMASK			GENMASK_ULL(15, 8)
#define EDGE			FIELD("edge", BIT_ULL(18))
#define INV			FIELD("inv", BIT_ULL(23))
#define THRESH			FIELD("thresh", GENMASK_ULL(31, 24))

#define NARROW_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18) | \
				 BIT_ULL(23) | GENMASK_ULL(31, 24))
#define FREE_MASK		(GENMASK_ULL(7, 0) | UMASK)

extern const struct pmon_field uncore_fields_narrow[];
extern const struct pmon_constraint uncore_reserved[];
extern const struct pmon_field uncore_fields_free[];

/* Events by a name of their own */

#define PLAIN(_name, _event)	{ .name = _name, .event = _event }
#define MIB(_name, _event, _scale) \
	{ .name = _name, .event = _event, .scale = _scale, .unit = "MiB" }

/* Which counters can count an event, where not all can */

#define ON(_event, _counters)	PMON_ON_COUNTERS(_event, _counters)
/* events @_first to @_first + 1, + 3, + 15 or + 31, aligned */
#define ON2(_first, _counters) \
	{ .config = _first, .mask = 0xfe, .counters = _counters }
#define ON4(_first, _counters) \
	{ .config = _first, .mask = 0xfc, .counters = _counters }
#define ON16(_first, _counters) \
	{ .config = _first, .mask = 0xf0, .counters = _counters }
#define ON32(_first, _counters) \
	{ .config = _first, .mask = 0xe0, .counters = _counters }

/*
 * The types. Every box has all of the event select and the unit mask; of what
 * only qualifies an event some have less.
 */

#define TYPE(_name, _fields, _mask, ...) \
	{ .name = _name, .fields = _fields, .ctl_mask = _mask, \
	  .ctl_event = GENMASK_ULL(7, 0) | UMASK, \
	  .reserved = uncore_reserved, ##__VA_ARGS__ }
#define NARROW(_name, ...) \
	TYPE(_name, uncore_fields_narrow, NARROW_MASK, ##__VA_ARGS__)
#define FREE(_name, ...) \
	TYPE(_name, uncore_fields_free, FREE_MASK, .free_running = true, \
	     ##__VA_ARGS__)

/* A unit type with its number in the table. */
#define ROW(_number, _pmu_type, ...) \
	{ .type = _number, .pmu_type = &(const struct pmon_type)_pmu_type, \
	  ##__VA_ARGS__ }

#endif
