// SPDX-License-Identifier: GPL-2.0-only
/*
 * List the platforms: unit types, facts about their registers that are certain,
 * and registers that tables do not list.
 *
 * Names are the unit names of perf's event lists. Constraints are from the
 * Counter fields of these lists, or from intel_uncore for events without one.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"

#define MSR	BIT(UNCORE_ACCESS_MSR)
#define MMIO	BIT(UNCORE_ACCESS_MMIO)
#define PCI	BIT(UNCORE_ACCESS_PCI)

#define ROWS(_rows)	.rows = _rows, .nr_rows = ARRAY_SIZE(_rows)

/*
 * A free-running counter has event 0xff. The unit mask is 16 times the group
 * plus the number of the counter in the group.
 */
#define FREE_EVENT(_group)	(0xff | (_group) << 12)

/*
 * Formats: Intel Xeon Processor E5-2600 v2 Product Family Uncore Performance
 * Monitoring Reference Manual (329468), section 1.4, and later manuals; newer
 * fields: format attributes in arch/x86/events/intel/uncore_snbep.c of Linux.
 */

#define FIELD(_name, _mask)	{ .name = _name, .word = 0, .mask = _mask }
#define EVENT			FIELD("event", GENMASK_ULL(7, 0))
#define UMASK			GENMASK_ULL(15, 8)
#define EDGE			FIELD("edge", BIT_ULL(18))
#define INV			FIELD("inv", BIT_ULL(23))
#define THRESH			FIELD("thresh", GENMASK_ULL(31, 24))

#define PLAIN(_name, _event)	{ .name = _name, .event = _event }
#define MIB(_name, _event, _scale) \
	{ .name = _name, .event = _event, .scale = _scale, .unit = "MiB" }

/* Events that only some counters can count */

#define ON(_event, _counters)	PMON_ON_COUNTERS(_event, _counters)
/* Event @_first and the next 1, 3, 15 or 31; @_first is aligned. */
#define ON2(_first, _counters) \
	{ .config = _first, .mask = 0xfe, .allowed = _counters }
#define ON4(_first, _counters) \
	{ .config = _first, .mask = 0xfc, .allowed = _counters }
#define ON16(_first, _counters) \
	{ .config = _first, .mask = 0xf0, .allowed = _counters }
#define ON32(_first, _counters) \
	{ .config = _first, .mask = 0xe0, .allowed = _counters }

/* All boxes implement event and unit mask; other fields may lack bits. */

#define TYPE(_name, _fields, ...) \
	{ .name = _name, .fields = _fields, \
	  .ctl_event = GENMASK_ULL(7, 0) | UMASK, \
	  .reserved = reserved_events, ##__VA_ARGS__ }
#define NARROW(_name, ...)	TYPE(_name, narrow_fields, ##__VA_ARGS__)
#define FREE(_name, ...) \
	TYPE(_name, free_fields, .free_running = true, ##__VA_ARGS__)

/* @_number: number of the type in the table */
#define ROW(_number, _pmu_type, ...) \
	{ .type = _number, .pmu_type = &(const struct pmon_type)_pmu_type, \
	  ##__VA_ARGS__ }

/*
 * SPR_RAW_EVENT_MASK_EXT, SPR_CHA_EVENT_MASK_EXT, SPR_CHA_PMON_CTL_TID_EN,
 * SPR_CHA_PMON_BOX_FILTER_TID in arch/x86/events/intel/uncore_snbep.c of Linux
 */
#define CHA_FILTER_ENABLE	BIT_ULL(16)
#define CHA_FILTER_MASK		GENMASK_ULL(9, 0)

/*
 * Event 0xff is a fixed counter, or a free-running counter if the unit mask is
 * at least 0x10. Boxes without such counters reject the event, as in
 * intel_uncore (uncore_pmu_event_init(), is_freerunning_event()).
 */
#define FREE_RUNNING(bit) \
	{ .config = 0xff | BIT_ULL(bit), .mask = 0xff | BIT_ULL(bit) }

static const struct pmon_constraint reserved_events[] = {
	{ .config = 0xff, .mask = ~0ULL },
	FREE_RUNNING(12), FREE_RUNNING(13), FREE_RUNNING(14), FREE_RUNNING(15),
	{}
};

/* A 32-bit control has no fields above bit 31. */
static const struct pmon_field narrow_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV, THRESH, {}
};

static const struct pmon_field wide_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV, THRESH, {}
};

/* tid_en: count only requests of the thread in filter_tid, a box register. */
static const struct pmon_field cha_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(63, 32)),
	FIELD("tid_en", CHA_FILTER_ENABLE), EDGE, INV, THRESH,
	{ .name = "filter_tid", .word = 1, .mask = CHA_FILTER_MASK }, {}
};

/* ch_mask and fc_mask overlap umask, because event lists use either form. */
static const struct pmon_field iio_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV,
	FIELD("thresh", GENMASK_ULL(35, 24)),
	FIELD("ch_mask", GENMASK_ULL(47, 36)),
	FIELD("fc_mask", GENMASK_ULL(50, 48)), {}
};

static const struct pmon_field free_fields[] = {
	EVENT, FIELD("umask", UMASK), {}
};

/* A CAS moves a cache line of 64 bytes: 2^-14 MiB. */
#define LINES(_name, _event)	MIB(_name, _event, "6.103515625e-5")

static const struct pmon_alias clock_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	{}
};

static const struct pmon_alias imc_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	LINES("cas_count_read", "event=0x05,umask=0xcf"),
	LINES("cas_count_write", "event=0x05,umask=0xf0"),
	{}
};

/*
 * A CAS of HBM moves 32 bytes, according to two public measurements on a Xeon
 * Max and to the factor in Intel's metrics for VTune.
 */
#define HALF_LINES(_name, _event)	MIB(_name, _event, "3.0517578125e-5")

static const struct pmon_alias hbm_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x01"),
	HALF_LINES("cas_count_read", "event=0x05,umask=0xcf"),
	HALF_LINES("cas_count_write", "event=0x05,umask=0xf0"),
	{}
};

/*
 * Traffic of CXL memory, with perf's event names. Since Granite Rapids a read
 * is an insert in CXLCM, a write an insert in CXLDP. Before, a write is two
 * inserts in CXLCM, and no event counts reads (Intel PCM: src/pcm-memory.cpp).
 */
static const struct pmon_alias spr_cxlcm_aliases[] = {
	HALF_LINES("txc_pack_buf_inserts.mem_data", "event=0x02,umask=0x10"),
	{}
};

static const struct pmon_alias cxlcm_aliases[] = {
	LINES("rxc_pack_buf_inserts.mem_data", "event=0x41,umask=0x10"),
	{}
};

static const struct pmon_alias cxldp_aliases[] = {
	LINES("txc_agf_inserts.m2s_data", "event=0x02,umask=0x20"),
	{}
};

/* A controller has two subchannels, each with its own events. */
static const struct pmon_alias imc_sch_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	LINES("cas_count_read_sch0", "event=0x05,umask=0xcf"),
	LINES("cas_count_read_sch1", "event=0x06,umask=0xcf"),
	LINES("cas_count_write_sch0", "event=0x05,umask=0xf0"),
	LINES("cas_count_write_sch1", "event=0x06,umask=0xf0"),
	{}
};

/* A link carries 64 bytes of data in nine flits: 64 / 9 / 2^20 MiB each. */
#define FLITS(_name, _event)	MIB(_name, _event, "6.781684027777778e-6")

static const struct pmon_alias upi_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	FLITS("tx_data", "event=0x02,umask=0x0f"),
	FLITS("rx_data", "event=0x03,umask=0x0f"),
	{}
};

/*
 * Bytes that devices behind part n of a stack write to memory (in) and read
 * from memory (out), in steps of 4 bytes.
 */
#define PART(_name, _umask, _channel) \
	MIB(_name, "event=0x83,umask=" _umask ",ch_mask=" _channel \
	    ",fc_mask=0x7", "3.814697265625e-6")

static const struct pmon_alias iio_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	PART("bw_in_part0", "0x01", "0x01"),
	PART("bw_in_part1", "0x01", "0x02"),
	PART("bw_in_part2", "0x01", "0x04"),
	PART("bw_in_part3", "0x01", "0x08"),
	PART("bw_in_part4", "0x01", "0x10"),
	PART("bw_in_part5", "0x01", "0x20"),
	PART("bw_in_part6", "0x01", "0x40"),
	PART("bw_in_part7", "0x01", "0x80"),
	PART("bw_out_part0", "0x04", "0x01"),
	PART("bw_out_part1", "0x04", "0x02"),
	PART("bw_out_part2", "0x04", "0x04"),
	PART("bw_out_part3", "0x04", "0x08"),
	PART("bw_out_part4", "0x04", "0x10"),
	PART("bw_out_part5", "0x04", "0x20"),
	PART("bw_out_part6", "0x04", "0x40"),
	PART("bw_out_part7", "0x04", "0x80"),
	{}
};

/* Bytes at each port, in steps of 32 bytes */
#define PORT(_name, _umask) \
	MIB(_name, "event=0xff,umask=" _umask, "3.0517578125e-5")

static const struct pmon_alias iio_free_aliases[] = {
	PLAIN("ioclk", "event=0xff,umask=0x10"),
	PORT("bw_in_port0", "0x20"), PORT("bw_in_port1", "0x21"),
	PORT("bw_in_port2", "0x22"), PORT("bw_in_port3", "0x23"),
	PORT("bw_in_port4", "0x24"), PORT("bw_in_port5", "0x25"),
	PORT("bw_in_port6", "0x26"), PORT("bw_in_port7", "0x27"),
	PORT("bw_out_port0", "0x30"), PORT("bw_out_port1", "0x31"),
	PORT("bw_out_port2", "0x32"), PORT("bw_out_port3", "0x33"),
	PORT("bw_out_port4", "0x34"), PORT("bw_out_port5", "0x35"),
	PORT("bw_out_port6", "0x36"), PORT("bw_out_port7", "0x37"),
	{}
};

static const struct pmon_alias imc_free_aliases[] = {
	PLAIN("dclk", "event=0xff,umask=0x10"),
	PLAIN("rpq_cycles", "event=0xff,umask=0x20"),
	PLAIN("wpq_cycles", "event=0xff,umask=0x21"),
	{}
};

static const struct pmon_constraint cha_constraints[] = {
	ON(0x11, 0x1), ON(0x36, 0x1), {}
};

/* Event 0x41 is restricted only if both high bits of the unit mask are set. */
static const struct pmon_constraint spr_iio_constraints[] = {
	ON(0x02, 0x3), ON(0x03, 0x3), ON(0x40, 0x1),
	{ .config = 0xc041, .mask = 0xc0ff, .allowed = 0x1 },
	ON(0x83, 0x3), ON(0x88, 0xc), ON(0xc0, 0xc), ON(0xc5, 0xc),
	ON(0xd5, 0xc), {}
};

static const struct pmon_constraint gnr_iio_constraints[] = {
	ON(0x02, 0x3), ON(0x03, 0x3), ON(0x83, 0x3), ON(0x84, 0x3),
	ON(0xc0, 0xc), ON(0xc1, 0xc), ON(0xc5, 0xc), ON(0xd5, 0xc), {}
};

static const struct pmon_constraint m2pcie_constraints[] = {
	ON(0x14, 0x3), ON(0x23, 0x3), ON(0x2d, 0x3), {}
};

static const struct pmon_constraint m3upi_constraints[] = {
	ON4(0x1c, 0x1), ON(0x21, 0x1), ON(0x30, 0x1), ON(0x35, 0x1),
	ON(0x40, 0x7), ON(0x43, 0x1), ON(0x47, 0x1), ON4(0x48, 0x1),
	ON(0x4c, 0x1), ON(0x4d, 0x1), ON(0x4e, 0x7), ON(0x4f, 0x7),
	ON(0x50, 0x7), ON16(0x50, 0x1), ON(0x60, 0x1), ON(0x61, 0x1),
	ON(0x7d, 0x1), ON(0x7e, 0x1), {}
};

static const struct pmon_constraint spr_pcu_constraints[] = {
	ON(0x06, 0x1), {}
};

static const struct pmon_constraint spr_ubox_constraints[] = {
	ON4(0x4c, 0x1), {}
};

static const struct pmon_constraint cxlcm_constraints[] = {
	ON(0x02, 0x0f), ON(0x05, 0x0f), ON4(0x40, 0xf0), ON(0x4b, 0xf0),
	ON(0x52, 0xf0), {}
};

#define WIDE(_name, ...)	TYPE(_name, wide_fields, ##__VA_ARGS__)
#define CHA \
	TYPE("cha", cha_fields, .aliases = clock_aliases, \
	     .constraints = cha_constraints, \
	     .filter_enable = CHA_FILTER_ENABLE, \
	     .filter_mask = CHA_FILTER_MASK)
#define IIO(_constraints) \
	TYPE("iio", iio_fields, .aliases = iio_aliases, \
	     .constraints = _constraints)
/* Event 0xff of a memory controller is the fixed clock counter. */
#define IMC(_aliases) \
	NARROW("imc", .aliases = _aliases, .fixed_config = 0xff)
#define UPI	WIDE("upi", .aliases = upi_aliases)
#define CXLCM(_aliases) \
	WIDE("cxlcm", .aliases = _aliases, .constraints = cxlcm_constraints)

/*
 * The values are from spr_iio_freerunning[], gnr_iio_freerunning[] and
 * spr_imc_freerunning[] in arch/x86/events/intel/uncore_snbep.c of Linux.
 */
#define GROUP(_n, _base, _step, _count, _stride) \
	{ .config = FREE_EVENT(_n), .base = _base, .step = _step, \
	  .count = _count, .stride = _stride }
#define IN_SPACE(_n, _offset, _count)	GROUP(_n, _offset, 0, _count, 8)

static const struct uncore_free_running_group spr_iio_groups[] = {
	GROUP(1, 0x340e, 0x10, 1, 1), GROUP(2, 0x3800, 0x10, 8, 1),
	GROUP(3, 0x3808, 0x10, 8, 1), {}
};

static const struct uncore_free_running_group gnr_iio_groups[] = {
	GROUP(1, 0x290e, 0x10, 1, 1), GROUP(2, 0x360e, 0x80, 8, 0x10),
	GROUP(3, 0x2e0e, 0x80, 8, 0x10), {}
};

static const struct uncore_free_running_group imc_groups[] = {
	IN_SPACE(1, 0x22b0, 1), IN_SPACE(2, 0x2318, 2), {}
};

#define IIO_FREE	.accesses = MSR, .topology = UNCORE_TOPOLOGY_AS_IIO

static const struct uncore_row spr_iio_free_row =
	ROW(1, FREE("iio_free_running", .aliases = iio_free_aliases), IIO_FREE,
	    .groups = spr_iio_groups);

static const struct uncore_row gnr_iio_free_row =
	ROW(1, FREE("iio_free_running", .aliases = iio_free_aliases), IIO_FREE,
	    .groups = gnr_iio_groups);

static const struct uncore_row imc_free_row =
	ROW(6, FREE("imc_free_running", .aliases = imc_free_aliases),
	    .accesses = MMIO, .groups = imc_groups);

/*
 * Free-running counters of a stack have the number of the IIO unit. The last
 * number is 15, because later MSRs are other registers. A memory controller has
 * an IMC unit for each of two channels, but one set of free-running counters.
 */
#define STACKS(_row)	{ .row = _row, .end = 16, .listed_per_unit = 1 }

static const struct uncore_unlisted spr_unlisted[] = {
	STACKS(&spr_iio_free_row),
	{ .row = &imc_free_row, .base = UNCORE_BASE_MEM_BAR, .end = 4,
	  .listed_per_unit = 2 },
	{}
};

static const struct uncore_unlisted gnr_unlisted[] = {
	STACKS(&gnr_iio_free_row), {}
};

/* Type 7 is M2M in function 0 of slots 12 to 15, M2HBM in functions 1 to 4. */
static bool uncore_is_m2hbm(u8 access, u64 address)
{
	u8 devfn = address >> 12;

	return access == UNCORE_ACCESS_PCI && devfn >> 3 >= 12 &&
	       devfn >> 3 <= 15 && (devfn & 7) >= 1 && (devfn & 7) <= 4;
}

/* Parts of rows: access types, offsets if certain, bytes of event controls */
#define ANYWHERE	.accesses = MSR | MMIO | PCI, .ctl_bytes = 4
#define IN_MSRS		.accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8
#define IN_PCI		.accesses = PCI, .ctl_bytes = 8
#define IN_MSRS_OR_PCI	.accesses = MSR | PCI, .ctl_bytes = 8
#define IN_MEMORY	.accesses = MMIO, .ctl_bytes = 4
#define WIDE_IN_MEMORY	.accesses = MMIO, .ctl_bytes = 8
#define IN_FUNCTION(_ctl) \
	IN_PCI, .counters = 4, .ctl = _ctl, .ctr = 0x08
#define IN_CONTROLLER \
	IN_MEMORY, .counters = 4, .ctl = 0x40, .ctr = 0x08, \
	.fixed_ctl = 0x54, .fixed_ctr = 0x38

static const struct uncore_row spr_rows[] = {
	ROW(0, CHA, IN_MSRS, .filter = 0xe),
	ROW(1, IIO(spr_iio_constraints), IN_MSRS,
	    .topology = UNCORE_TOPOLOGY_IIO),
	ROW(2, WIDE("irp"), IN_MSRS_OR_PCI),
	ROW(3, WIDE("m2pcie", .constraints = m2pcie_constraints),
	    IN_MSRS_OR_PCI),
	ROW(4, NARROW("pcu", .constraints = spr_pcu_constraints), ANYWHERE,
	    .single = true),
	ROW(5, NARROW("ubox", .constraints = spr_ubox_constraints), ANYWHERE,
	    .single = true),
	ROW(6, IMC(imc_aliases), IN_CONTROLLER),
	ROW(7, WIDE("m2hbm"), IN_FUNCTION(0x30), .applies = uncore_is_m2hbm),
	ROW(7, WIDE("m2m"), IN_FUNCTION(0x30)),
	ROW(8, UPI, IN_FUNCTION(0x38), .topology = UNCORE_TOPOLOGY_UPI),
	ROW(9, WIDE("m3upi", .constraints = m3upi_constraints),
	    IN_FUNCTION(0x38)),
	ROW(11, WIDE("mdf"), IN_MSRS_OR_PCI),
	ROW(12, CXLCM(spr_cxlcm_aliases), WIDE_IN_MEMORY, .counters = 8),
	ROW(13, WIDE("cxldp"), WIDE_IN_MEMORY),
	ROW(14, NARROW("mchbm", .aliases = hbm_aliases), IN_MEMORY,
	    .intel_name = "hbm"),
};

static const struct uncore_row gnr_rows[] = {
	ROW(0, CHA, IN_MSRS, .filter = 0xe),
	ROW(1, IIO(gnr_iio_constraints), IN_MSRS,
	    .topology = UNCORE_TOPOLOGY_IIO),
	ROW(2, WIDE("irp"), IN_MSRS_OR_PCI),
	ROW(4, NARROW("pcu"), ANYWHERE),
	ROW(5, NARROW("ubox"), ANYWHERE, .single = true),
	ROW(6, IMC(imc_sch_aliases), IN_CONTROLLER),
	ROW(8, UPI, IN_PCI),
	ROW(12, CXLCM(cxlcm_aliases), WIDE_IN_MEMORY, .counters = 8),
	ROW(13, WIDE("cxldp", .aliases = cxldp_aliases), WIDE_IN_MEMORY),
	ROW(15, NARROW("b2hot"), ANYWHERE),
	ROW(16, WIDE("b2cmi"), IN_PCI),
	ROW(17, WIDE("b2cxl"), WIDE_IN_MEMORY),
	ROW(18, WIDE("b2upi"), IN_PCI),
	ROW(20, NARROW("mdf"), ANYWHERE, .intel_name = "mdf_sbo"),
	ROW(21, WIDE("pciex16"), IN_PCI),
	ROW(22, WIDE("pciex8"), IN_PCI),
	/* perf's lists have chacms; no public source has the type number */
	ROW(UNCORE_TYPES_UNLISTED, NARROW("chacms"), ANYWHERE),
};

/*
 * Tables of Sapphire Rapids list links that do not exist, and omit others, so
 * use the PCI function of each link.
 */
static const struct uncore_link spr_links[] = {
	{ .type = 8, .device = 0x3241, .slot = 1, .function = 1, .count = 4,
	  .offset = 0x318 },
	{ .type = 9, .device = 0x3246, .slot = 5, .function = 1, .count = 4,
	  .offset = 0xa0 },
	{}
};

/*
 * Root buses of IIO units: { bus index, unit }. The index selects a bus number
 * in registers of the package, or is in a register on each bus.
 */
#define STACKS_END	{ UNCORE_BUS_INDEXES }

static const struct uncore_stack spr_xcc_stacks[] = {
	{ 0, 1 }, { 1, 2 }, { 2, 4 }, { 3, 6 }, { 4, 7 }, { 5, 9 },
	{ 8, 0 }, { 9, 3 }, { 10, 5 }, { 11, 8 }, STACKS_END
};

static const struct uncore_stack spr_mcc_stacks[] = {
	{ 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 10 }, { 4, 4 }, { 5, 5 },
	{ 8, 3 }, STACKS_END
};

static const struct uncore_stack emr_stacks[] = {
	{ 0, 7 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 8 }, { 5, 6 },
	{ 8, 0 }, { 9, 4 }, { 10, 5 }, { 11, 9 }, STACKS_END
};

/* Indexes 26 and 29 have two units each; a discovery table lists only one. */
static const struct uncore_stack gnr_stacks[] = {
	{ 0, 0 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 7 },
	{ 8, 1 }, { 12, 6 }, { 16, 14 }, { 20, 9 }, { 26, 12 }, { 26, 10 },
	{ 28, 8 }, { 29, 11 }, { 29, 13 }, STACKS_END
};

static const struct uncore_stack grr_stacks[] = {
	{ 0, 2 }, { 1, 1 }, { 2, 0 }, STACKS_END
};

static const struct pmon_type unnamed_type = NARROW(NULL);

static const struct uncore_row generic_rows[] = {
	[UNCORE_ACCESS_MSR] = { .accesses = MSR, .pmu_type = &unnamed_type },
	[UNCORE_ACCESS_MMIO] = { .accesses = MMIO, .ctl_bytes = 4,
				 .pmu_type = &unnamed_type },
	[UNCORE_ACCESS_PCI] = { .accesses = PCI, .ctl_bytes = 4,
				.pmu_type = &unnamed_type },
};

/* MSRs of units, without the global control and the number of CHAs */
static const struct uncore_msr_range uncore_msrs[] = {
	{ 0x2000, 0x2fef }, { 0x3000, 0x3fff }, {}
};

#define GLOBAL_MSRS	{ 0x2ff0, 0x2ffd }

/*
 * Since Granite Rapids the MSRs of the Ubox, of its clock and of the CHA count
 * are elsewhere (types.h, cpucounters.cpp of Intel PCM), and no public source
 * has the global control. Linux 7.2 writes to any MSR that record 0 names;
 * this driver accepts only MSRs in this range.
 */
#define GNR_GLOBAL_MSRS	{ 0x2000, 0x3fff }

/* One PCI function per package has the table. */
#define COMMON(_name)	.name = _name, .msr = uncore_msrs, .roots = 1
#define SPR(_name) \
	COMMON(_name), ROWS(spr_rows), .links = spr_links, \
	.global = GLOBAL_MSRS, .unlisted = spr_unlisted, \
	.counts_chas = true
#define GNR(_name) \
	COMMON(_name), ROWS(gnr_rows), .global = GNR_GLOBAL_MSRS, \
	.unlisted = gnr_unlisted

static const struct uncore_platform spr = {
	SPR("spr"), .stacks = { [UNCORE_CHOP_XCC] = spr_xcc_stacks,
				[UNCORE_CHOP_MCC] = spr_mcc_stacks },
};

static const struct uncore_platform emr = {
	SPR("emr"), .stacks = { [UNCORE_CHOP_ANY] = emr_stacks },
};

static const struct uncore_platform gnr = {
	GNR("gnr"), .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks },
};

static const struct uncore_platform srf = {
	GNR("srf"), .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks },
};

static const struct uncore_platform grr = {
	GNR("grr"), .stacks = { [UNCORE_CHOP_ANY] = grr_stacks },
	.index_on_bus = true,
};

static const struct uncore_platform gnr_d = { GNR("gnr-d") };
static const struct uncore_platform cwf = { GNR("cwf") };

/*
 * Diamond Rapids. Each integrated memory and I/O hub (IMH) has a table behind a
 * PCI function. Each core building block (CBB) has a table in memory; an MSR of
 * its CPUs has the address.
 *
 * Source: dmr_uncore_init, dmr_uncores[] and dmr_iio_freerunning[] in
 * arch/x86/events/intel/ of Linux 7.3; nothing else is published. In Linux, bit
 * 23 of a memory controller's event control is "inv" and part of the threshold;
 * here it is only part of the threshold.
 */

/* Room for a type's fields in the low 32 bits, and for the empty last field */
#define FIELDS_MAX	8

static const struct pmon_field dmr_imc_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE,
	FIELD("thresh", GENMASK_ULL(32, 23)), {}
};

static const struct pmon_field dmr_cxlcm_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, FIELD("inv", BIT_ULL(21)),
	FIELD("thresh", GENMASK_ULL(31, 23)),
	FIELD("port_en", GENMASK_ULL(35, 32)), {}
};

static const struct pmon_field dmr_long_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(63, 32)), EDGE, INV, THRESH,
	{}
};

static const struct pmon_field dmr_pcie_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV, THRESH,
	FIELD("thresh_ext", GENMASK_ULL(35, 32)),
	FIELD("rs3_sel", BIT_ULL(36)),
	FIELD("rx_sel", BIT_ULL(37)),
	FIELD("tx_sel", BIT_ULL(38)),
	FIELD("iep_sel", BIT_ULL(39)),
	FIELD("vc_sel", GENMASK_ULL(47, 40)),
	FIELD("port_sel", GENMASK_ULL(55, 48)), {}
};

#define DMR_PORT(_name, _umask) \
	MIB(_name, "event=0xff,umask=" _umask, "3.814697265625e-6")

static const struct pmon_alias dmr_free_aliases[] = {
	DMR_PORT("inb_data_port0", "0x10"), DMR_PORT("inb_data_port1", "0x11"),
	DMR_PORT("inb_data_port2", "0x12"), DMR_PORT("inb_data_port3", "0x13"),
	DMR_PORT("inb_data_port4", "0x14"), DMR_PORT("inb_data_port5", "0x15"),
	DMR_PORT("inb_data_port6", "0x16"), DMR_PORT("inb_data_port7", "0x17"),
	DMR_PORT("bw_in_port0", "0x20"), DMR_PORT("bw_in_port1", "0x21"),
	DMR_PORT("bw_in_port2", "0x22"), DMR_PORT("bw_in_port3", "0x23"),
	DMR_PORT("bw_in_port4", "0x24"), DMR_PORT("bw_in_port5", "0x25"),
	DMR_PORT("bw_in_port6", "0x26"), DMR_PORT("bw_in_port7", "0x27"),
	DMR_PORT("bw_out_port0", "0x30"), DMR_PORT("bw_out_port1", "0x31"),
	DMR_PORT("bw_out_port2", "0x32"), DMR_PORT("bw_out_port3", "0x33"),
	DMR_PORT("bw_out_port4", "0x34"), DMR_PORT("bw_out_port5", "0x35"),
	DMR_PORT("bw_out_port6", "0x36"), DMR_PORT("bw_out_port7", "0x37"),
	PLAIN("clockticks", "event=0xff,umask=0x40"),
	{}
};

/*
 * Events 0x01 to 0x24 need counters 0 to 3; 0x41, 0x50 to 0x5e, 0x60 and 0x61
 * need counters 4 to 7; any counter counts the others. The first match applies.
 */
static const struct pmon_constraint dmr_cxlcm_constraints[] = {
	ON(0x00, 0xff), ON32(0x00, 0x0f), ON4(0x20, 0x0f), ON(0x24, 0x0f),
	ON(0x41, 0xf0), ON(0x5f, 0xff), ON16(0x50, 0xf0), ON2(0x60, 0xf0), {}
};

static const struct pmon_constraint dmr_cbo_constraints[] = {
	ON(0x11, 0x1), ON(0x19, 0x1), ON(0x1a, 0x1), ON(0x1f, 0x1),
	ON(0x21, 0x1), ON(0x25, 0x1), ON(0x36, 0x1), {}
};

static const struct pmon_constraint dmr_sbo_constraints[] = {
	ON(0x1f, 0x1), ON(0x25, 0x1), {}
};

#define LONG(_name, ...)	TYPE(_name, dmr_long_fields, ##__VA_ARGS__)
#define PCIE(_name)		TYPE(_name, dmr_pcie_fields)

/*
 * Units in MSRs are not supported, as in intel_uncore. In memory, event
 * controls with fields above bit 31 are 8 bytes apart, as in CXL boxes of
 * Sapphire Rapids; intel_uncore assumes 4 bytes and never writes these fields.
 * In configuration space all controls are 8 bytes apart and are written as a
 * whole, because the upper half may hold anything.
 */
#define EITHER(_bytes) \
	.accesses = MMIO | PCI, .ctl_bytes = _bytes, .wide_in_pci = true

#define TYPE_ITC	48

static const struct uncore_row dmr_rows[] = {
	ROW(4, NARROW("pcu"), EITHER(4)),
	ROW(5, NARROW("ubox"), EITHER(4)),
	ROW(32, NARROW("santa"), EITHER(4)),
	ROW(33, NARROW("cncu"), EITHER(4)),
	ROW(34, NARROW("sncu"), EITHER(4)),
	ROW(46, NARROW("crs"), EITHER(4)),
	ROW(50, NARROW("cms"), EITHER(4)),
	ROW(6, TYPE("imc", dmr_imc_fields, .fixed_config = 0xff),
	    WIDE_IN_MEMORY, .fixed_ctl = 0x10, .fixed_ctr = 0x18),
	ROW(23, LONG("sca"), EITHER(8)),
	ROW(24, TYPE("cxlcm", dmr_cxlcm_fields,
		     .constraints = dmr_cxlcm_constraints), EITHER(8)),
	ROW(30, LONG("hamvf"), EITHER(8)),
	ROW(31, LONG("cbo", .constraints = dmr_cbo_constraints), EITHER(8)),
	ROW(35, LONG("ula"), EITHER(8)),
	ROW(36, LONG("dda"), EITHER(8)),
	ROW(38, LONG("sbo", .constraints = dmr_sbo_constraints), EITHER(8)),
	ROW(43, LONG("ubr"), EITHER(8)),
	ROW(45, PCIE("pcie4"), EITHER(8)),
	ROW(47, LONG("cpc"), EITHER(8)),
	ROW(TYPE_ITC, LONG("itc"), EITHER(8)),
	ROW(49, LONG("otc"), EITHER(8)),
	ROW(51, PCIE("pcie6"), EITHER(8)),
};

/*
 * Inbound traffic controllers (ITC) in the first hub of the first package. No
 * source lists others; intel_uncore uses these addresses for all packages.
 */
static const struct uncore_free_running_group dmr_free_groups[] = {
	IN_SPACE(1, 0x4d40, 8),
	IN_SPACE(2, 0x6b00, 8),
	IN_SPACE(3, 0x6b60, 8),
	IN_SPACE(4, 0x6bb0, 1),
	{}
};

static const struct uncore_row dmr_free_row =
	ROW(TYPE_ITC, FREE("iio_free_running", .aliases = dmr_free_aliases),
	    .accesses = MMIO, .groups = dmr_free_groups);

/* ITCs of a second hub have numbers from 0x8000 on. */
#define FREE_SPACES(_offset, _first, _end) \
	{ .row = &dmr_free_row, .offset = _offset, .step = 0x8000, \
	  .first = _first, .end = _end, .listed_below = 0x8000, \
	  .first_package = true }

/* The third ITC's counters begin two steps, not one, after the second ITC's. */
static const struct uncore_unlisted dmr_unlisted[] = {
	FREE_SPACES(0x1ffff6ae7000, 0, 2),
	FREE_SPACES(0x1ffff6aef000, 2, 4),
	{}
};

/* Types to ignore, as in intel_uncore */
#define TYPE_MSE	0x13
#define TYPE_SB2UCIE	0x25

/* .msr is NULL, as units in MSRs are not supported (nor in intel_uncore) */
static const struct uncore_platform dmr = {
	.name = "dmr", ROWS(dmr_rows), .ignored = TYPE_MSE,
	.memory = { .msr = 0x710, .ignored = TYPE_SB2UCIE, .of_die = true },
	.unlisted = dmr_unlisted, .roots = 2, .repeats_ids = true,
};

/* Copy of dmr for controls=4, where event controls in memory have 32 bits */
static struct {
	struct uncore_platform platform;
	struct uncore_row rows[ARRAY_SIZE(dmr_rows)];
	struct pmon_type types[ARRAY_SIZE(dmr_rows)];
	struct pmon_field fields[ARRAY_SIZE(dmr_rows)][FIELDS_MAX];
} narrow;

static void uncore_narrow_row(unsigned int n)
{
	const struct pmon_field *wide = narrow.rows[n].pmu_type->fields;
	struct pmon_field *field = narrow.fields[n];
	struct pmon_type *type = &narrow.types[n];

	*type = *narrow.rows[n].pmu_type;
	type->fields = field;
	for (; wide->name; wide++) {
		*field = *wide;
		field->mask &= U32_MAX;
		if (field->mask)
			field++;
	}
	*field = (struct pmon_field){};
	narrow.rows[n].pmu_type = type;
	narrow.rows[n].ctl_bytes = 4;
}

/* Apply controls=4 to a platform. */
const struct uncore_platform *
uncore_platform_narrow(const struct uncore_platform *platform)
{
	unsigned int n;

	if (platform != &dmr)
		return platform;
	narrow.platform = *platform;
	narrow.platform.rows = narrow.rows;
	memcpy(narrow.rows, dmr_rows, sizeof(dmr_rows));
	for (n = 0; n < ARRAY_SIZE(dmr_rows); n++)
		uncore_narrow_row(n);
	return &narrow.platform;
}

/*
 * Client processors: Panther Lake, Wildcat Lake, Nova Lake. An MSR has the
 * address of the table, which lists neither units in MSRs nor free-running
 * counters. Source: ptl_uncore_init and nvl_uncore_init in
 * arch/x86/events/intel/ of Linux 7.3; named events: perf's list for Panther
 * Lake.
 */

/* SNB_UNC_CTL_EN of Linux; the fields below are ADL_UNC_RAW_EVENT_MASK. */
#define CLIENT_ENABLE		BIT_ULL(22)

static const struct pmon_field client_msr_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV,
	FIELD("threshold", GENMASK_ULL(29, 24)), {}
};

static const struct pmon_field client_clock_fields[] = { EVENT, {} };

/* Data in units of 32 bytes, per channel */
#define CHUNKS(_name, _event)	MIB(_name, _event, "3.0517578125e-5")

static const struct pmon_alias client_imc_aliases[] = {
	PLAIN("clockticks", "event=0x01"),
	CHUNKS("data_read", "event=0x3a"),
	CHUNKS("data_write", "event=0x3b"),
	CHUNKS("data_total", "event=0x3c"),
	{}
};

/* Cache lines, per controller */
static const struct pmon_alias client_free_aliases[] = {
	LINES("data_total", "event=0xff,umask=0x10"),
	LINES("data_read", "event=0xff,umask=0x20"),
	LINES("data_write", "event=0xff,umask=0x30"),
	{}
};

static const struct pmon_alias client_clock_aliases[] = {
	PLAIN("clockticks", "event=0xff"),
	{}
};

/* adl_uncore_imc_freerunning[] of Linux: total, reads, writes */
static const struct uncore_free_running_group client_imc_groups[] = {
	IN_SPACE(1, 0x40, 1),
	IN_SPACE(2, 0x58, 1),
	IN_SPACE(3, 0xa0, 1),
	{}
};

static const struct uncore_row client_imc_free_row =
	ROW(6, FREE("imc_free_running", .aliases = client_free_aliases),
	    .accesses = MMIO, .width = 64, .groups = client_imc_groups);

/* The only host bridge is in the first package. */
#define MEMORY_CONTROLLERS \
	{ .row = &client_imc_free_row, .base = UNCORE_BASE_HOST_BAR, \
	  .offset = 0xd800, .step = 0x10000, .end = 2, .first_package = true }

/* Offset (in the SNCU) of a second control that freezes all units */
#define SNCU_FREEZE	0x380

static const struct uncore_row client_rows[] = {
	ROW(6, NARROW("imc", .aliases = client_imc_aliases), IN_MEMORY),
	ROW(34, NARROW("sncu"), IN_MEMORY, .single = true,
	    .freeze = SNCU_FREEZE),
	ROW(41, NARROW("hbo"), IN_MEMORY),
};

/* No box control is known; event controls have an enable bit. */
#define BOX(_n, _name, ...) \
	ROW(UNCORE_TYPES_UNLISTED + (_n), \
	    TYPE(_name, client_msr_fields, .ctl_set = CLIENT_ENABLE), \
	    .accesses = MSR, .counters = 2, .ctl = 2, .ctr = 8, \
	    .controls_only = true, ##__VA_ARGS__)
#define CLOCK(...) \
	ROW(UNCORE_TYPES_UNLISTED + 3, \
	    TYPE("cncu", client_clock_fields, \
		 .fixed_config = 0xff, .aliases = client_clock_aliases), \
	    .accesses = MSR, .fixed_ctl = 2, .fixed_ctr = 8, \
	    .controls_only = true, ##__VA_ARGS__)

static const struct uncore_row cbox_row = BOX(0, "cbox");
static const struct uncore_row bridge_row =
	BOX(1, "ia_core_bridge", .single = true);
static const struct uncore_row santa_row = BOX(2, "santa");
static const struct uncore_row cncu_row = CLOCK();
static const struct uncore_row single_cncu_row = CLOCK(.single = true);

static const struct uncore_unlisted ptl_unlisted[] = {
	MEMORY_CONTROLLERS,
	{ .row = &cbox_row, .offset = 0x2440, .step = 0x10, .end = 6 },
	{ .row = &bridge_row, .offset = 0x2020, .end = 1 },
	{ .row = &santa_row, .offset = 0x2410, .step = 0x10, .end = 2 },
	{ .row = &cncu_row, .offset = 0x2400, .step = 0x140, .end = 2 },
	{}
};

static const struct uncore_unlisted nvl_unlisted[] = {
	MEMORY_CONTROLLERS,
	{ .row = &cbox_row, .offset = 0x2100, .step = 0x10, .end = 12 },
	{ .row = &santa_row, .offset = 0x2040, .step = 0x10, .end = 2 },
	{ .row = &single_cncu_row, .offset = 0x2020, .end = 1 },
	{}
};

/* One MSR per block of boxes; Linux (mtl_uncore_msr_init_box()) sets bit 29. */
static const u32 ptl_enables[] = { 0x240e, 0x254e, 0 };
static const u32 nvl_enables[] = { 0x202e, 0 };

/* .msr is NULL, to reject listed units in MSRs, as intel_uncore does */
#define CLIENT(_name, _msr) \
	.name = #_name, ROWS(client_rows), .memory.msr = _msr, \
	.unlisted = _name##_unlisted, .enables = _name##_enables

static const struct uncore_platform ptl = { CLIENT(ptl, 0x201e) };
static const struct uncore_platform nvl = { CLIENT(nvl, 0x711) };

/* A CPU model without rows; units are served only with generic=1 */
#define UNKNOWN \
	.name = "unknown", .msr = uncore_msrs, .any_function = true

const struct uncore_platform uncore_platform_plain = { UNKNOWN };

/* Tables may be behind a BAR or in memory. */
const struct uncore_platform uncore_platform_unknown = {
	UNKNOWN, .memory = { .msr = 0x201e, .unknown_model = true },
};

static const struct {
	u8 family;
	u8 model;
	const struct uncore_platform *platform;
} cpu_models[] = {
	{ 6, 0x8f, &spr },
	{ 6, 0xcf, &emr },
	{ 6, 0xad, &gnr },
	{ 6, 0xae, &gnr_d },
	{ 6, 0xaf, &srf },
	{ 6, 0xb6, &grr },
	{ 6, 0xdd, &cwf },
	{ 19, 0x01, &dmr },
	{ 6, 0xcc, &ptl },	/* Panther Lake */
	{ 6, 0xe5, &ptl },
	{ 6, 0xd5, &ptl },	/* Wildcat Lake */
	{ 18, 0x01, &nvl },	/* Nova Lake */
	{ 18, 0x03, &nvl },
};

/*
 * On Alder, Raptor, Meteor, Arrow, Lunar Lake and Gracemont MSR 0x201e is
 * another register: ADL_UNC_CBO_0_PERFEVTSEL0, MTL_UNC_HAC_ARB_CTRL in
 * arch/x86/events/intel/uncore_snb.c of Linux 7.3. Bartlett Lake (0xd7) has the
 * cores of Raptor Lake (intel-family.h).
 */
static const u8 plain_models[] = {
	0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd,
	0xd7,
};

/* Return the platform of a CPU model, NULL if unknown. */
const struct uncore_platform *uncore_platform_find(u8 family, u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpu_models); i++)
		if (cpu_models[i].family == family &&
		    cpu_models[i].model == model)
			return cpu_models[i].platform;
	return NULL;
}

/* Return the platform of an unknown CPU model, without unit names. */
const struct uncore_platform *uncore_platform_fallback(u8 family, u8 model)
{
	if (family == 6 && memchr(plain_models, model, sizeof(plain_models)))
		return &uncore_platform_plain;
	return &uncore_platform_unknown;
}

/* Return a unit's row, never NULL, because unnamed types have generic rows. */
const struct uncore_row *
uncore_platform_row(const struct uncore_platform *platform, u16 type,
		    u8 access, u64 address)
{
	const struct uncore_row *row;
	size_t i;

	for (i = 0; i < platform->nr_named; i++)
		if (platform->named[i].type == type)
			return &platform->named[i];
	for (i = 0; i < platform->nr_rows; i++) {
		row = &platform->rows[i];
		if (row->type == type &&
		    (!row->applies || row->applies(access, address)))
			return row;
	}
	return &generic_rows[access < UNCORE_ACCESSES ? access : 0];
}

/* Return the root buses of IIO units, or NULL if unknown. */
const struct uncore_stack *
uncore_platform_stacks(const struct uncore_platform *platform,
		       enum uncore_chop chop)
{
	return platform->stacks[chop] ?: platform->stacks[UNCORE_CHOP_ANY];
}

/* Return the root bus of an IIO unit, or NULL if unknown. */
const struct uncore_stack *
uncore_platform_stack(const struct uncore_stack *stacks, u16 unit)
{
	for (; stacks && stacks->bus_index < UNCORE_BUS_INDEXES; stacks++)
		if (stacks->unit == unit)
			return stacks;
	return NULL;
}

static const struct uncore_row *
uncore_row_by_name(const struct uncore_platform *platform, const char *name)
{
	size_t i;

	for (i = 0; i < platform->nr_rows; i++)
		if (!strcmp(platform->rows[i].pmu_type->name, name))
			return &platform->rows[i];
	return NULL;
}

/*
 * Apply names= (@text, "TYPE:NAME,TYPE:NAME") to the copied @platform. @rows
 * has room for @count rows. Returns false for an invalid text or unknown name.
 */
bool uncore_platform_names(struct uncore_platform *platform, const char *text,
			   struct uncore_row *rows, size_t count)
{
	const struct uncore_row *known;
	char name[24];
	int length;
	u32 type;

	platform->named = rows;
	for (platform->nr_named = 0; *text; platform->nr_named++, rows++) {
		if (platform->nr_named == count ||
		    sscanf(text, "%5u:%23[^,]%n", &type, name, &length) != 2 ||
		    type > U16_MAX)
			return false;
		known = uncore_row_by_name(platform, name);
		if (!known)
			return false;
		*rows = *known;
		/* intel_uncore does not know of this name for @type */
		if (type != known->type)
			rows->intel_name = NULL;
		rows->type = type;
		rows->applies = NULL;
		text += length;
		text += *text == ',';
	}
	return true;
}

static bool uncore_has_name(const struct uncore_row *row, const char *name)
{
	return !strcmp(row->pmu_type->name, name) ||
	       (row->intel_name && !strcmp(row->intel_name, name));
}

/* Return the kind of units that a name or number ("type_6") means, or -1. */
static int uncore_named_kind(const struct uncore_platform *platform,
			     const char *name)
{
	const struct uncore_unlisted *unlisted = platform->unlisted;
	const struct uncore_row *row;
	char behind;
	u32 type;

	for (; unlisted && unlisted->row; unlisted++) {
		row = unlisted->row;
		if (uncore_has_name(row, name))
			return row->type |
			       (row->groups ? UNCORE_KIND_FREE_RUNNING : 0);
	}
	for (row = platform->rows; row < platform->rows + platform->nr_rows;
	     row++)
		if (row->type < UNCORE_TYPES_UNLISTED &&
		    uncore_has_name(row, name))
			return row->type;
	if (sscanf(name, "type_%5u%c", &type, &behind) == 1 && type <= U16_MAX)
		return type;
	return -1;
}

/*
 * Return the kind of units (uncore_unit_kind()) that another driver's PMU
 * counts with. The name of the PMU may end with a number. Return -1 for a name
 * without "uncore_", or UNCORE_KIND_UNKNOWN if no kind has the name.
 */
int uncore_platform_kind(const struct uncore_platform *platform,
			 const char *pmu)
{
	char name[32], *number;
	int kind;

	if (sscanf(pmu, "uncore_%31s", name) != 1)
		return -1;
	kind = uncore_named_kind(platform, name);
	number = strrchr(name, '_');
	if (kind < 0 && number && number[1] &&
	    !number[1 + strspn(number + 1, "0123456789")]) {
		*number = '\0';
		kind = uncore_named_kind(platform, name);
	}
	return kind < 0 ? UNCORE_KIND_UNKNOWN : kind;
}
