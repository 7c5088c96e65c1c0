// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the boxes count: format terms, and which counters can count an event.
 *
 * Ring utilisation: the manual of version 2 says in a note that only counters 2
 * and 3 can be used for it (2.9.2), while its tables of events say any. Those
 * two are right by both. No other version's manual has the note.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "names.h"
#include "types.h"

#define R2_EVENT	GENMASK_ULL(7, 0)
#define R2_UMASK	GENMASK_ULL(15, 8)
#define R2_EDGE		BIT_ULL(18)
#define R2_EVENT_EXT	BIT_ULL(21)
#define R2_INVERT	BIT_ULL(23)
/* R2PCIe adds up to 31 in a cycle (2.9.2): a higher threshold does nothing. */
#define R2_THRESHOLD	GENMASK_ULL(28, 24)
#define R2_QPI_THRESHOLD GENMASK_ULL(31, 24)

#define R2_CTL		(R2_EVENT | R2_UMASK | R2_EDGE | R2_THRESHOLD)
#define R2_QPI_CTL	(R2_EVENT | R2_EVENT_EXT | R2_UMASK | R2_EDGE | \
			 R2_QPI_THRESHOLD)

/* It counts packets that match what a second function's registers hold. */
#define R2_QPI_MATCHES	0x38

#define FIELD(_name, _mask) { .name = _name, .word = 0, .mask = _mask }

static const struct pmon_field r2_fields[] = {
	FIELD("event", R2_EVENT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("inv", R2_INVERT),
	FIELD("thresh", R2_THRESHOLD),
	{}
};

/* Version 2 has no invert: software must write 0 there. */
static const struct pmon_field r2_fields_v2[] = {
	FIELD("event", R2_EVENT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("thresh", R2_THRESHOLD),
	{}
};

static const struct pmon_field r2_qpi_fields[] = {
	FIELD("event", R2_EVENT | R2_EVENT_EXT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("inv", R2_INVERT),
	FIELD("thresh", R2_QPI_THRESHOLD),
	{}
};

static const struct pmon_field r2_qpi_fields_v2[] = {
	FIELD("event", R2_EVENT | R2_EVENT_EXT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("thresh", R2_QPI_THRESHOLD),
	{}
};

/* The first rows are of ring events, on version 2 alone. */
#define R2_RING_EVENTS	4

static const struct pmon_constraint r2_constraints_v2[] = {
	PMON_ON_COUNTERS(0x07, 0xc),
	PMON_ON_COUNTERS(0x08, 0xc),
	PMON_ON_COUNTERS(0x09, 0xc),
	PMON_ON_COUNTERS(0x0a, 0xc),
	PMON_ON_COUNTERS(0x10, 0x3),
	PMON_ON_COUNTERS(0x11, 0x3),
	PMON_ON_COUNTERS(0x12, 0x1),
	PMON_ON_COUNTERS(0x13, 0x1),
	PMON_ON_COUNTERS(0x23, 0x1),
	PMON_ON_COUNTERS(0x24, 0x3),
	PMON_ON_COUNTERS(0x25, 0x1),
	PMON_ON_COUNTERS(0x26, 0x3),
	PMON_ON_COUNTERS(0x28, 0x3),
	PMON_ON_COUNTERS(0x32, 0x3),
	PMON_ON_COUNTERS(0x33, 0x3),
	PMON_ON_COUNTERS(0x34, 0x3),
	{}
};

/* Bounces of the AK ring (0x12) are counted anywhere from version 3 on. */
static const struct pmon_constraint r2_constraints_v3[] = {
	PMON_ON_COUNTERS(0x10, 0x3),
	PMON_ON_COUNTERS(0x11, 0x3),
	PMON_ON_COUNTERS(0x13, 0x1),
	PMON_ON_COUNTERS(0x23, 0x1),
	PMON_ON_COUNTERS(0x24, 0x1),
	PMON_ON_COUNTERS(0x25, 0x1),
	PMON_ON_COUNTERS(0x26, 0x3),
	PMON_ON_COUNTERS(0x27, 0x1),
	PMON_ON_COUNTERS(0x28, 0x3),
	PMON_ON_COUNTERS(0x29, 0x3),
	PMON_ON_COUNTERS(0x2a, 0x1),
	PMON_ON_COUNTERS(0x2b, 0x3),
	PMON_ON_COUNTERS(0x2c, 0x3),
	PMON_ON_COUNTERS(0x2d, 0x3),
	PMON_ON_COUNTERS(0x32, 0x3),
	PMON_ON_COUNTERS(0x33, 0x3),
	PMON_ON_COUNTERS(0x34, 0x3),
	PMON_ON_COUNTERS(0x35, 0x3),
	{}
};

/* No event of QPI adds more in a cycle. */
#define R2_QPI_MOST	128

/*
 * What matches is told in another function, which stays with the kernel's
 * driver: whatever that holds would be counted.
 */
static int r2_qpi_encode(const struct pmon_layout *layout, const u64 *config,
			 struct pmon_encoding *encoding)
{
	if ((config[0] & R2_EVENT) == R2_QPI_MATCHES ||
	    FIELD_GET(R2_QPI_THRESHOLD, config[0]) > R2_QPI_MOST)
		return -EINVAL;
	encoding->ctl = config[0] & (R2_QPI_CTL | R2_INVERT);
	encoding->allowed = layout->any;
	return 0;
}

#define R2_TYPE(_fields, _mask, _constraints, _names) {			\
	.name = "r2pcie", .fields = (_fields), .aliases = (_names),	\
	.constraints = (_constraints),					\
	.ctl_mask = (_mask), .ctl_set = R2_ENABLE,			\
}

const struct pmon_type r2_type_v1 =
	R2_TYPE(r2_fields, R2_CTL | R2_INVERT,
		r2_constraints_v2 + R2_RING_EVENTS, r2_names_v1);
const struct pmon_type r2_type_v2 =
	R2_TYPE(r2_fields_v2, R2_CTL, r2_constraints_v2, r2_names_v2);
const struct pmon_type r2_type_v3 =
	R2_TYPE(r2_fields, R2_CTL | R2_INVERT, r2_constraints_v3, r2_names_v3);

#define R2_QPI_TYPE(_fields, _mask) {					\
	.name = "qpi", .fields = (_fields), .aliases = r2_qpi_names,	\
	.ctl_mask = (_mask), .ctl_set = R2_ENABLE,			\
	.encode = r2_qpi_encode,					\
}

const struct pmon_type r2_qpi_type =
	R2_QPI_TYPE(r2_qpi_fields, R2_QPI_CTL | R2_INVERT);
const struct pmon_type r2_qpi_type_v2 =
	R2_QPI_TYPE(r2_qpi_fields_v2, R2_QPI_CTL);
