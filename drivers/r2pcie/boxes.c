// SPDX-License-Identifier: GPL-2.0-only
/*
 * List registers, box controls, events and constraints of the boxes.
 *
 * Counters, widths and bits of the controls are from the Intel Xeon Processor
 * E5-2600 v2 Uncore Performance Monitoring Reference Manual, 329468-002, 2.9.2
 * and tables 2-174 and 2-175 (page 165), for v1 from 327043-001, table 2-106
 * (page 113). Offsets are as in intel_uncore for all PCI boxes of these
 * processors. The page with R2PCIe's box control was not at hand: it has the
 * bits that the manual has for Cbo, home agent and memory controller (pages 33,
 * 56, 79). Names of events are from Intel's tables.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "boxes.h"

/* Enable bit of a counter control */
#define R2_ENABLE		BIT_ULL(22)

#define NAME(_name, _event, _umask) \
	{ .name = _name, .event = "event=" _event ",umask=" _umask }

static const struct pmon_alias r2_names_v1[] = {
	NAME("clockticks", "0x01", "0x00"),
	NAME("ring_ad_used_cw_even", "0x07", "0x01"),
	NAME("ring_ad_used_cw_odd", "0x07", "0x02"),
	NAME("ring_ad_used_ccw_even", "0x07", "0x04"),
	NAME("ring_ad_used_ccw_odd", "0x07", "0x08"),
	NAME("ring_ak_used_cw_even", "0x08", "0x01"),
	NAME("ring_ak_used_cw_odd", "0x08", "0x02"),
	NAME("ring_ak_used_ccw_even", "0x08", "0x04"),
	NAME("ring_ak_used_ccw_odd", "0x08", "0x08"),
	NAME("ring_bl_used_cw_even", "0x09", "0x01"),
	NAME("ring_bl_used_cw_odd", "0x09", "0x02"),
	NAME("ring_bl_used_ccw_even", "0x09", "0x04"),
	NAME("ring_bl_used_ccw_odd", "0x09", "0x08"),
	NAME("ring_iv_used_any", "0x0a", "0x0f"),
	NAME("rxr_cycles_ne_drs", "0x10", "0x08"),
	NAME("rxr_cycles_ne_ncb", "0x10", "0x10"),
	NAME("rxr_cycles_ne_ncs", "0x10", "0x20"),
	NAME("rxr_ak_bounces", "0x12", "0x00"),
	NAME("txr_cycles_ne_ad", "0x23", "0x01"),
	NAME("txr_cycles_ne_ak", "0x23", "0x02"),
	NAME("txr_cycles_ne_bl", "0x23", "0x04"),
	NAME("txr_cycles_full_ad", "0x25", "0x01"),
	NAME("txr_cycles_full_ak", "0x25", "0x02"),
	NAME("txr_cycles_full_bl", "0x25", "0x04"),
	NAME("txr_nacks_ad", "0x26", "0x01"),
	NAME("txr_nacks_ak", "0x26", "0x02"),
	NAME("txr_nacks_bl", "0x26", "0x04"),
	NAME("iio_credits_used_drs", "0x32", "0x08"),
	NAME("iio_credits_used_ncb", "0x32", "0x10"),
	NAME("iio_credits_used_ncs", "0x32", "0x20"),
	NAME("iio_credits_acquired_drs", "0x33", "0x08"),
	NAME("iio_credits_acquired_ncb", "0x33", "0x10"),
	NAME("iio_credits_acquired_ncs", "0x33", "0x20"),
	NAME("iio_credits_reject_drs", "0x34", "0x08"),
	NAME("iio_credits_reject_ncb", "0x34", "0x10"),
	NAME("iio_credits_reject_ncs", "0x34", "0x20"),
	{}
};

static const struct pmon_alias r2_names_v2[] = {
	NAME("clockticks", "0x01", "0x00"),
	NAME("ring_ad_used_cw_vr0_even", "0x07", "0x01"),
	NAME("ring_ad_used_cw_vr0_odd", "0x07", "0x02"),
	NAME("ring_ad_used_ccw_vr0_even", "0x07", "0x04"),
	NAME("ring_ad_used_ccw_vr0_odd", "0x07", "0x08"),
	NAME("ring_ad_used_cw_vr1_even", "0x07", "0x10"),
	NAME("ring_ad_used_cw_vr1_odd", "0x07", "0x20"),
	NAME("ring_ad_used_cw", "0x07", "0x33"),
	NAME("ring_ad_used_ccw_vr1_even", "0x07", "0x40"),
	NAME("ring_ad_used_ccw_vr1_odd", "0x07", "0x80"),
	NAME("ring_ad_used_ccw", "0x07", "0xcc"),
	NAME("ring_ak_used_cw_vr0_even", "0x08", "0x01"),
	NAME("ring_ak_used_cw_vr0_odd", "0x08", "0x02"),
	NAME("ring_ak_used_ccw_vr0_even", "0x08", "0x04"),
	NAME("ring_ak_used_ccw_vr0_odd", "0x08", "0x08"),
	NAME("ring_ak_used_cw_vr1_even", "0x08", "0x10"),
	NAME("ring_ak_used_cw_vr1_odd", "0x08", "0x20"),
	NAME("ring_ak_used_cw", "0x08", "0x33"),
	NAME("ring_ak_used_ccw_vr1_even", "0x08", "0x40"),
	NAME("ring_ak_used_ccw_vr1_odd", "0x08", "0x80"),
	NAME("ring_ak_used_ccw", "0x08", "0xcc"),
	NAME("ring_bl_used_cw_vr0_even", "0x09", "0x01"),
	NAME("ring_bl_used_cw_vr0_odd", "0x09", "0x02"),
	NAME("ring_bl_used_ccw_vr0_even", "0x09", "0x04"),
	NAME("ring_bl_used_ccw_vr0_odd", "0x09", "0x08"),
	NAME("ring_bl_used_cw_vr1_even", "0x09", "0x10"),
	NAME("ring_bl_used_cw_vr1_odd", "0x09", "0x20"),
	NAME("ring_bl_used_cw", "0x09", "0x33"),
	NAME("ring_bl_used_ccw_vr1_even", "0x09", "0x40"),
	NAME("ring_bl_used_ccw_vr1_odd", "0x09", "0x80"),
	NAME("ring_bl_used_ccw", "0x09", "0xcc"),
	NAME("ring_iv_used_cw", "0x0a", "0x33"),
	NAME("ring_iv_used_ccw", "0x0a", "0xcc"),
	NAME("ring_iv_used_any", "0x0a", "0xff"),
	NAME("rxr_cycles_ne_ncb", "0x10", "0x10"),
	NAME("rxr_cycles_ne_ncs", "0x10", "0x20"),
	NAME("rxr_inserts_ncb", "0x11", "0x10"),
	NAME("rxr_inserts_ncs", "0x11", "0x20"),
	NAME("rxr_ak_bounces", "0x12", "0x00"),
	NAME("rxr_ak_bounces_cw", "0x12", "0x01"),
	NAME("rxr_ak_bounces_ccw", "0x12", "0x02"),
	NAME("rxr_occupancy_drs", "0x13", "0x08"),
	NAME("txr_cycles_ne_ad", "0x23", "0x01"),
	NAME("txr_cycles_ne_ak", "0x23", "0x02"),
	NAME("txr_cycles_ne_bl", "0x23", "0x04"),
	NAME("txr_cycles_full_ad", "0x25", "0x01"),
	NAME("txr_cycles_full_ak", "0x25", "0x02"),
	NAME("txr_cycles_full_bl", "0x25", "0x04"),
	NAME("txr_nack_cw_ad", "0x26", "0x01"),
	NAME("txr_nack_cw_ak", "0x26", "0x02"),
	NAME("txr_nack_cw_bl", "0x26", "0x04"),
	NAME("txr_nack_ccw_ad", "0x28", "0x01"),
	NAME("txr_nack_ccw_ak", "0x28", "0x02"),
	NAME("txr_nack_ccw_bl", "0x28", "0x04"),
	NAME("iio_credits_used_drs", "0x32", "0x08"),
	NAME("iio_credits_used_ncb", "0x32", "0x10"),
	NAME("iio_credits_used_ncs", "0x32", "0x20"),
	NAME("iio_credits_acquired_drs", "0x33", "0x08"),
	NAME("iio_credits_acquired_ncb", "0x33", "0x10"),
	NAME("iio_credits_acquired_ncs", "0x33", "0x20"),
	NAME("iio_credits_reject_drs", "0x34", "0x08"),
	{}
};

/*
 * Events of versions 3 and 4. Intel's table of version 3 lacks _used_all names.
 * The umask of such an event is the union of the four directions, so the event
 * counts their sum.
 */
static const struct pmon_alias r2_names_v3[] = {
	NAME("clockticks", "0x01", "0x00"),
	NAME("ring_ad_used_cw_even", "0x07", "0x01"),
	NAME("ring_ad_used_cw_odd", "0x07", "0x02"),
	NAME("ring_ad_used_ccw_even", "0x07", "0x04"),
	NAME("ring_ad_used_ccw_odd", "0x07", "0x08"),
	NAME("ring_ad_used_cw", "0x07", "0x03"),
	NAME("ring_ad_used_ccw", "0x07", "0x0c"),
	NAME("ring_ad_used_all", "0x07", "0x0f"),
	NAME("ring_ak_used_cw_even", "0x08", "0x01"),
	NAME("ring_ak_used_cw_odd", "0x08", "0x02"),
	NAME("ring_ak_used_ccw_even", "0x08", "0x04"),
	NAME("ring_ak_used_ccw_odd", "0x08", "0x08"),
	NAME("ring_ak_used_cw", "0x08", "0x03"),
	NAME("ring_ak_used_ccw", "0x08", "0x0c"),
	NAME("ring_ak_used_all", "0x08", "0x0f"),
	NAME("ring_bl_used_cw_even", "0x09", "0x01"),
	NAME("ring_bl_used_cw_odd", "0x09", "0x02"),
	NAME("ring_bl_used_ccw_even", "0x09", "0x04"),
	NAME("ring_bl_used_ccw_odd", "0x09", "0x08"),
	NAME("ring_bl_used_cw", "0x09", "0x03"),
	NAME("ring_bl_used_ccw", "0x09", "0x0c"),
	NAME("ring_bl_used_all", "0x09", "0x0f"),
	NAME("ring_iv_used_cw", "0x0a", "0x03"),
	NAME("ring_iv_used_ccw", "0x0a", "0x0c"),
	NAME("ring_iv_used_any", "0x0a", "0x0f"),
	NAME("rxr_cycles_ne_ncb", "0x10", "0x10"),
	NAME("rxr_cycles_ne_ncs", "0x10", "0x20"),
	NAME("rxr_inserts_ncb", "0x11", "0x10"),
	NAME("rxr_inserts_ncs", "0x11", "0x20"),
	NAME("ring_ak_bounces_up", "0x12", "0x01"),
	NAME("ring_ak_bounces_dn", "0x12", "0x02"),
	NAME("rxr_occupancy_drs", "0x13", "0x08"),
	NAME("txr_cycles_ne_ad", "0x23", "0x01"),
	NAME("txr_cycles_ne_ak", "0x23", "0x02"),
	NAME("txr_cycles_ne_bl", "0x23", "0x04"),
	NAME("txr_cycles_full_ad", "0x25", "0x01"),
	NAME("txr_cycles_full_ak", "0x25", "0x02"),
	NAME("txr_cycles_full_bl", "0x25", "0x04"),
	NAME("txr_nack_cw_dn_ad", "0x26", "0x01"),
	NAME("txr_nack_cw_dn_bl", "0x26", "0x02"),
	NAME("txr_nack_cw_dn_ak", "0x26", "0x04"),
	NAME("txr_nack_cw_up_ad", "0x26", "0x08"),
	NAME("txr_nack_cw_up_bl", "0x26", "0x10"),
	NAME("txr_nack_cw_up_ak", "0x26", "0x20"),
	NAME("sbo0_credits_acquired_ad", "0x28", "0x01"),
	NAME("sbo0_credits_acquired_bl", "0x28", "0x02"),
	NAME("sbo0_credit_occupancy_ad", "0x2a", "0x01"),
	NAME("sbo0_credit_occupancy_bl", "0x2a", "0x02"),
	NAME("stall_no_sbo_credit_sbo0_ad", "0x2c", "0x01"),
	NAME("stall_no_sbo_credit_sbo1_ad", "0x2c", "0x02"),
	NAME("stall_no_sbo_credit_sbo0_bl", "0x2c", "0x04"),
	NAME("stall_no_sbo_credit_sbo1_bl", "0x2c", "0x08"),
	NAME("iio_credit_prq_qpi0", "0x2d", "0x01"),
	NAME("iio_credit_prq_qpi1", "0x2d", "0x02"),
	NAME("iio_credit_isoch_qpi0", "0x2d", "0x04"),
	NAME("iio_credit_isoch_qpi1", "0x2d", "0x08"),
	NAME("iio_credits_used_drs", "0x32", "0x08"),
	NAME("iio_credits_used_ncb", "0x32", "0x10"),
	NAME("iio_credits_used_ncs", "0x32", "0x20"),
	NAME("iio_credits_acquired_drs", "0x33", "0x08"),
	NAME("iio_credits_acquired_ncb", "0x33", "0x10"),
	NAME("iio_credits_acquired_ncs", "0x33", "0x20"),
	{}
};

/*
 * Bit 8 of an event is bit 21 of a counter control. Credit events are from the
 * manual, others from intel_uncore.
 */
static const struct pmon_alias r2_qpi_names[] = {
	NAME("clockticks", "0x014", "0x00"),
	NAME("txl_flits_active", "0x000", "0x06"),
	NAME("drs_data", "0x102", "0x08"),
	NAME("ncb_data", "0x103", "0x04"),
	NAME("vna_credit_return_occupancy", "0x11b", "0x00"),
	NAME("vna_credit_returns", "0x11c", "0x00"),
	{}
};

#define R2_EVENT	GENMASK_ULL(7, 0)
#define R2_UMASK	GENMASK_ULL(15, 8)
#define R2_EDGE		BIT_ULL(18)
#define R2_EVENT_EXT	BIT_ULL(21)
#define R2_INVERT	BIT_ULL(23)
/* A counter adds at most 31 per cycle (2.9.2), so 5 threshold bits suffice. */
#define R2_THRESHOLD	GENMASK_ULL(28, 24)
#define R2_QPI_THRESHOLD GENMASK_ULL(31, 24)

#define R2_QPI_CTL	(R2_EVENT | R2_EVENT_EXT | R2_UMASK | R2_EDGE | \
			 R2_QPI_THRESHOLD)

/* This event counts packets that match filters in a second PCI function. */
#define R2_QPI_MATCHES	0x38

#define FIELD(_name, _mask) { .name = _name, .word = 0, .mask = _mask }

/* Version 2 has all terms but "inv", which must be 0. */
static const struct pmon_field r2_fields[] = {
	FIELD("inv", R2_INVERT),
	FIELD("event", R2_EVENT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("thresh", R2_THRESHOLD),
	{}
};

static const struct pmon_field r2_qpi_fields[] = {
	FIELD("inv", R2_INVERT),
	FIELD("event", R2_EVENT | R2_EVENT_EXT),
	FIELD("umask", R2_UMASK),
	FIELD("edge", R2_EDGE),
	FIELD("thresh", R2_QPI_THRESHOLD),
	{}
};

#define ON(_event, _counters)	PMON_ON_COUNTERS(_event, _counters)

/*
 * For ring events of version 2 the manual permits only counters 2 and 3
 * (2.9.2), Intel's tables permit all. Counters 2 and 3 satisfy both sources.
 */

/* Number of leading rows that only version 2 uses */
#define R2_RING_EVENTS	4

static const struct pmon_constraint r2_constraints_v2[] = {
	ON(0x07, 0xc), ON(0x08, 0xc), ON(0x09, 0xc),
	ON(0x0a, 0xc), ON(0x10, 0x3), ON(0x11, 0x3),
	ON(0x12, 0x1), ON(0x13, 0x1), ON(0x23, 0x1),
	ON(0x24, 0x3), ON(0x25, 0x1), ON(0x26, 0x3),
	ON(0x28, 0x3), ON(0x32, 0x3), ON(0x33, 0x3),
	ON(0x34, 0x3),
	{}
};

/* Since version 3 any counter counts bounces of the AK ring (0x12). */
static const struct pmon_constraint r2_constraints_v3[] = {
	ON(0x10, 0x3), ON(0x11, 0x3), ON(0x13, 0x1),
	ON(0x23, 0x1), ON(0x24, 0x1), ON(0x25, 0x1),
	ON(0x26, 0x3), ON(0x27, 0x1), ON(0x28, 0x3),
	ON(0x29, 0x3), ON(0x2a, 0x1), ON(0x2b, 0x3),
	ON(0x2c, 0x3), ON(0x2d, 0x3), ON(0x32, 0x3),
	ON(0x33, 0x3), ON(0x34, 0x3), ON(0x35, 0x3),
	{}
};

/*
 * Edge and invert apply to the comparison with the threshold, so the threshold
 * must not be 0 (327043-001, tables 2-86 and 2-106).
 */
static const struct pmon_constraint r2_threshold_constraints[] = {
	{ .config = R2_EDGE, .mask = R2_EDGE | R2_THRESHOLD },
	{ .config = R2_INVERT, .mask = R2_INVERT | R2_THRESHOLD },
	{}
};

/* Largest increment per cycle */
#define R2_QPI_MAX	128

/* Encode an event. R2_QPI_MATCHES is rejected: intel_uncore has its filters. */
static int r2_qpi_encode(const struct pmon_layout *layout, const u64 *config,
			 struct pmon_encoding *encoding)
{
	unsigned int threshold = FIELD_GET(R2_QPI_THRESHOLD, config[0]);

	if ((config[0] & R2_EVENT) == R2_QPI_MATCHES ||
	    threshold > R2_QPI_MAX ||
	    (config[0] & (R2_EDGE | R2_INVERT) && !threshold))
		return -EINVAL;
	encoding->ctl = config[0] & (R2_QPI_CTL | R2_INVERT);
	encoding->allowed = layout->general;
	return 0;
}

#define R2_TYPE(_fields, _constraints, _names) {			\
	.name = "r2pcie", .fields = (_fields), .aliases = (_names),	\
	.constraints = (_constraints),					\
	.reserved = r2_threshold_constraints,				\
	.ctl_set = R2_ENABLE,						\
}

static const struct pmon_type r2_type_v1 =
	R2_TYPE(r2_fields, r2_constraints_v2 + R2_RING_EVENTS, r2_names_v1);
static const struct pmon_type r2_type_v2 =
	R2_TYPE(r2_fields + 1, r2_constraints_v2, r2_names_v2);
static const struct pmon_type r2_type_v3 =
	R2_TYPE(r2_fields, r2_constraints_v3, r2_names_v3);

#define R2_QPI_TYPE(_fields) {						\
	.name = "qpi", .fields = (_fields), .aliases = r2_qpi_names,	\
	.ctl_set = R2_ENABLE, .encode = r2_qpi_encode,			\
}

static const struct pmon_type r2_qpi_type =
	R2_QPI_TYPE(r2_qpi_fields);
static const struct pmon_type r2_qpi_type_v2 =
	R2_QPI_TYPE(r2_qpi_fields + 1);

#define R2_CTR0		0xa0
#define R2_CTL0		0xd8

/* Events "clockticks" */
#define R2_CLOCKTICKS		0x01
#define R2_QPI_CLOCKTICKS	0x14

/* Most events need counter 0 or 1, so assign 2 and 3 first. */
#define R2_PREFERRED	(BIT(2) | BIT(3))

#define R2_RESET_CTLS	BIT(0)
#define R2_RESET_CTRS	BIT(1)
#define R2_FREEZE	BIT(8)

/*
 * Bits of the box control that are always set. On versions 1, 3 and 4 bit 16
 * lets the box freeze with the other boxes, as in intel_uncore. On version 2
 * the behaviour is undefined unless bits 16 and 17 are 1 (page 33).
 */
#define R2_FREEZE_ENABLE	BIT(16)
#define R2_RESERVED_ONES	(BIT(16) | BIT(17))

/*
 * Log2 of R2PCIe's highest rate: 31 per cycle (2.9.2: 5 bits) at 4.4 GHz. For
 * QPI, with 128 per cycle at 1/8 of the transfer rate, the default suffices.
 */
#define R2_RATE_LOG2	37

#define R2_CONTROL(_always, _rate) {				\
	.freeze = (_always) | R2_FREEZE,			\
	.reset = (_always) | R2_FREEZE | R2_RESET_CTLS | R2_RESET_CTRS, \
	.run = (_always),					\
	.bytes = 4,						\
	.rate_log2 = (_rate),					\
}

#define R2_CONTROLS(_always) {					\
	[R2_KIND_R2PCIE] = R2_CONTROL(_always, R2_RATE_LOG2),	\
	[R2_KIND_QPI] = R2_CONTROL(_always, 0),			\
}

#define R2_WIDTHS(_r2pcie) {					\
	[R2_KIND_R2PCIE] = (_r2pcie), [R2_KIND_QPI] = 48,	\
}

static const struct r2_generation v1 = {
	.name = "v1", .ubox = 0x3ce0, .width = R2_WIDTHS(44),
	.box_control = R2_CONTROLS(R2_FREEZE_ENABLE),
	.type = { &r2_type_v1, &r2_qpi_type },
};

static const struct r2_generation v2 = {
	.name = "v2", .ubox = 0x0e1e, .status = 0xc01, .width = R2_WIDTHS(44),
	.box_control = R2_CONTROLS(R2_RESERVED_ONES),
	.type = { &r2_type_v2, &r2_qpi_type_v2 },
};

static const struct r2_generation v3 = {
	.name = "v3", .ubox = 0x2f1e, .width = R2_WIDTHS(48),
	.box_control = R2_CONTROLS(R2_FREEZE_ENABLE),
	.type = { &r2_type_v3, &r2_qpi_type },
};

static const struct r2_generation v4 = {
	.name = "v4", .ubox = 0x6f1e, .width = R2_WIDTHS(48),
	.box_control = R2_CONTROLS(R2_FREEZE_ENABLE),
	.type = { &r2_type_v3, &r2_qpi_type },
};

/* Sorted by version; the R2PCIe function of each version is first. */
const struct r2_function r2_functions[] = {
	{ 0x3c43, &v1, R2_KIND_R2PCIE, 0 },
	{ 0x3c41, &v1, R2_KIND_QPI, 0 },
	{ 0x3c42, &v1, R2_KIND_QPI, 1 },
	{ 0x0e34, &v2, R2_KIND_R2PCIE, 0 },
	{ 0x0e32, &v2, R2_KIND_QPI, 0 },
	{ 0x0e33, &v2, R2_KIND_QPI, 1 },
	{ 0x0e3a, &v2, R2_KIND_QPI, 2 },
	{ 0x2f34, &v3, R2_KIND_R2PCIE, 0 },
	{ 0x2f32, &v3, R2_KIND_QPI, 0 },
	{ 0x2f33, &v3, R2_KIND_QPI, 1 },
	{ 0x2f3a, &v3, R2_KIND_QPI, 2 },
	{ 0x6f34, &v4, R2_KIND_R2PCIE, 0 },
	{ 0x6f32, &v4, R2_KIND_QPI, 0 },
	{ 0x6f33, &v4, R2_KIND_QPI, 1 },
	{ 0x6f3a, &v4, R2_KIND_QPI, 2 },
	{}
};

/* Return the function with Intel's device ID, NULL if it has no box. */
const struct r2_function *r2_function_find(u16 device)
{
	const struct r2_function *function;

	for (function = r2_functions; function->device; function++)
		if (function->device == device)
			return function;
	return NULL;
}

/* Describe a box to drivers/core; @layout will point to @counter. */
void r2_layout(const struct r2_function *function,
	       struct pmon_counter counter[R2_COUNTERS],
	       struct pmon_layout *layout)
{
	const struct r2_generation *generation = function->generation;
	unsigned int i;

	for (i = 0; i < R2_COUNTERS; i++)
		counter[i] = (struct pmon_counter){
			.ctr = R2_CTR0 + 8 * i, .ctl = R2_CTL0 + 4 * i,
			.width = generation->width[function->kind],
			.kind = PMON_COUNTER_GENERAL,
		};
	*layout = (struct pmon_layout){
		.protocol = &generation->box_control[function->kind],
		.counter = counter, .counters = R2_COUNTERS, .ctl_bytes = 4,
		.box_ctl = R2_BOX_CTL, .prefer = R2_PREFERRED,
		.clock = R2_ENABLE | (function->kind == R2_KIND_QPI ?
				      R2_QPI_CLOCKTICKS : R2_CLOCKTICKS),
	};
}
