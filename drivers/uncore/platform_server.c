// SPDX-License-Identifier: GPL-2.0-only
/*
 * Servers from Sapphire Rapids to Clearwater Forest, and processors that are
 * not known: the kinds of boxes, what is certain about their registers, and
 * what a platform has beside its table.
 *
 * Names are those that perf's event lists use, so that an event finds its PMU.
 * Constraints are what the Counter fields of these lists say, and what the
 * kernel's driver knows of events that they do not have. Where the kernel's
 * driver has another name for a type, the row says so: that is how its PMUs
 * are recognised.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"
#include "rows.h"

/*
 * As SPR_RAW_EVENT_MASK_EXT, SPR_CHA_EVENT_MASK_EXT, SPR_CHA_PMON_CTL_TID_EN
 * and SPR_CHA_PMON_BOX_FILTER_TID in arch/x86/events/intel/uncore_snbep.c of
 * Linux.
 */
#define WIDE_MASK		(NARROW_MASK | GENMASK_ULL(55, 32))
#define CHA_FILTER_ENABLE	BIT_ULL(16)
#define CHA_FILTER_MASK		GENMASK_ULL(9, 0)
#define CHA_MASK		(NARROW_MASK | CHA_FILTER_ENABLE | \
				 GENMASK_ULL(63, 32))

/*
 * Event 0xff stands for a fixed counter, with a unit mask of 0x10 and above
 * for free-running ones: intel_uncore refuses both where there is no such
 * counter (uncore_pmu_event_init(), is_freerunning_event()).
 */
#define FREE_RUNNING(bit) \
	{ .config = 0xff | BIT_ULL(bit), .mask = 0xff | BIT_ULL(bit) }

const struct pmon_constraint uncore_reserved[] = {
	{ .config = 0xff, .mask = ~0ULL },
	FREE_RUNNING(12), FREE_RUNNING(13), FREE_RUNNING(14), FREE_RUNNING(15),
	{}
};

/* A 32-bit event control: nothing above it can be asked for. */
const struct pmon_field uncore_fields_narrow[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV, THRESH, {}
};

/* A 64-bit event control with an extended unit mask. */
static const struct pmon_field wide_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV, THRESH, {}
};

/* One thread's requests only; the thread is in a register of the box. */
static const struct pmon_field cha_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(63, 32)),
	FIELD("tid_en", CHA_FILTER_ENABLE), EDGE, INV, THRESH,
	{ .name = "filter_tid", .word = 1, .mask = CHA_FILTER_MASK }, {}
};

/*
 * The port and channel masks are also the upper part of the unit mask: some
 * event lists fill in the one and some the other.
 */
static const struct pmon_field iio_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV,
	FIELD("thresh", GENMASK_ULL(35, 24)),
	FIELD("ch_mask", GENMASK_ULL(47, 36)),
	FIELD("fc_mask", GENMASK_ULL(50, 48)), {}
};

/* No control register: these name a counter. */
const struct pmon_field uncore_fields_free[] = {
	EVENT, FIELD("umask", UMASK), {}
};

/* Events by a name of their own */

/* One CAS moves a cache line: 64 bytes, here in MiB. */
#define CAS(_name, _event)	MIB(_name, _event, "6.103515625e-5")

static const struct pmon_alias clock_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	{}
};

static const struct pmon_alias imc_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	CAS("cas_count_read", "event=0x05,umask=0xcf"),
	CAS("cas_count_write", "event=0x05,umask=0xf0"),
	{}
};

/* Two subchannels in a controller, counted by an event each. */
static const struct pmon_alias imc_sch_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	CAS("cas_count_read_sch0", "event=0x05,umask=0xcf"),
	CAS("cas_count_read_sch1", "event=0x06,umask=0xcf"),
	CAS("cas_count_write_sch0", "event=0x05,umask=0xf0"),
	CAS("cas_count_write_sch1", "event=0x06,umask=0xf0"),
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
 * What devices behind part n of a stack write to memory (in) and read from it
 * (out), in steps of 4 bytes.
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

/* The same without a control, in steps of 32 bytes. */
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

/* Which counters can count an event, where not all can */

static const struct pmon_constraint cha_constraints[] = {
	ON(0x11, 0x1), ON(0x36, 0x1), {}
};

/* Of event 0x41 only the unit mask with both of its high bits is bound. */
static const struct pmon_constraint spr_iio_constraints[] = {
	ON(0x02, 0x3), ON(0x03, 0x3), ON(0x40, 0x1),
	{ .config = 0xc041, .mask = 0xc0ff, .counters = 0x1 },
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

/* The types */

#define WIDE(_name, ...) \
	TYPE(_name, wide_fields, WIDE_MASK, ##__VA_ARGS__)
#define CHA \
	TYPE("cha", cha_fields, CHA_MASK, .aliases = clock_aliases, \
	     .constraints = cha_constraints, \
	     .filter_enable = CHA_FILTER_ENABLE, \
	     .filter_mask = CHA_FILTER_MASK)
#define IIO(_constraints) \
	TYPE("iio", iio_fields, WIDE_MASK, .aliases = iio_aliases, \
	     .constraints = _constraints)
/* Event 0xff of a memory controller is its fixed clock counter. */
#define IMC(_aliases) \
	NARROW("imc", .aliases = _aliases, .fixed_config = 0xff)
#define UPI	WIDE("upi", .aliases = upi_aliases)
#define CXLCM	WIDE("cxlcm", .constraints = cxlcm_constraints)

/*
 * Where they are: spr_iio_freerunning[] and spr_imc_freerunning[] in
 * arch/x86/events/intel/uncore_snbep.c of Linux.
 */
static const struct uncore_free_running_group spr_iio_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x340e, .step = 0x10, .count = 1,
	  .stride = 1 },
	{ .config = FREE_EVENT(2), .base = 0x3800, .step = 0x10, .count = 8,
	  .stride = 1 },
	{ .config = FREE_EVENT(3), .base = 0x3808, .step = 0x10, .count = 8,
	  .stride = 1 },
	{}
};

static const struct uncore_free_running_group gnr_iio_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x290e, .step = 0x10, .count = 1,
	  .stride = 1 },
	{ .config = FREE_EVENT(2), .base = 0x360e, .step = 0x80, .count = 8,
	  .stride = 0x10 },
	{ .config = FREE_EVENT(3), .base = 0x2e0e, .step = 0x80, .count = 8,
	  .stride = 0x10 },
	{}
};

/* Offsets in the space of a memory controller. */
static const struct uncore_free_running_group imc_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x22b0, .count = 1, .stride = 8 },
	{ .config = FREE_EVENT(2), .base = 0x2318, .count = 2, .stride = 8 },
	{}
};

#define IIO_FREE	.accesses = MSR, .topology = UNCORE_TOPOLOGY_BESIDE

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
 * Those of a stack are beside its IIO unit: behind those of the last stack
 * there can be, registers mean other things. Those of a memory controller are
 * beside its two channels.
 */
#define STACKS(_row)	{ .row = _row, .end = 16, .each = 1 }

static const struct uncore_unlisted spr_unlisted[] = {
	STACKS(&spr_iio_free_row),
	{ .row = &imc_free_row, .from = UNCORE_FROM_MEM_BAR, .end = 4,
	  .each = 2 },
	{}
};

static const struct uncore_unlisted gnr_unlisted[] = {
	STACKS(&gnr_iio_free_row), {}
};

/*
 * Registers of M2M are in function 0 of these slots and those of M2HBM, which
 * has the same type number, in the functions behind it.
 */
static bool uncore_is_m2hbm(u8 access, u64 address)
{
	u8 devfn = address >> 12;

	return access == UNCORE_ACCESS_PCI && devfn >> 3 >= 12 &&
	       devfn >> 3 <= 15 && (devfn & 7) >= 1 && (devfn & 7) <= 4;
}

/* Where such boxes have their registers, as far as that is certain. */
#define ANYWHERE	.accesses = MSR | MMIO | PCI
#define IN_MSRS		.accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8
#define IN_PCI		.accesses = PCI
#define IN_MSRS_OR_PCI	.accesses = MSR | PCI
#define IN_MEMORY	.accesses = MMIO
#define IN_FUNCTION(_ctl) \
	IN_PCI, .counters = 4, .ctl = _ctl, .ctr = 0x08
#define IN_CONTROLLER \
	.accesses = MMIO, .counters = 4, .ctl = 0x40, .ctr = 0x08, \
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
	ROW(12, CXLCM, IN_MEMORY, .counters = 8),
	ROW(13, WIDE("cxldp"), IN_MEMORY),
	ROW(14, NARROW("mchbm"), .accesses = MMIO, .kernel = "hbm"),
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
	ROW(12, CXLCM, IN_MEMORY, .counters = 8),
	ROW(13, WIDE("cxldp"), IN_MEMORY),
	ROW(15, NARROW("b2hot"), ANYWHERE),
	ROW(16, WIDE("b2cmi"), IN_PCI),
	ROW(17, WIDE("b2cxl"), IN_MEMORY),
	ROW(18, WIDE("b2upi"), IN_PCI),
	ROW(20, NARROW("mdf"), ANYWHERE, .kernel = "mdf_sbo"),
	ROW(21, WIDE("pciex16"), IN_PCI),
	ROW(22, WIDE("pciex8"), IN_PCI),
	/* perf has events for these, no public source has their number */
	ROW(UNCORE_TYPES_UNLISTED, NARROW("chacms"), ANYWHERE),
};

/*
 * Tables list links of Sapphire Rapids that are not there and leave out some
 * that are: the functions themselves are the truth, one for each link.
 */
static const struct uncore_link spr_links[] = {
	{ .type = 8, .device = 0x3241, .slot = 1, .function = 1, .count = 4,
	  .offset = 0x318 },
	{ .type = 9, .device = 0x3246, .slot = 5, .function = 1, .count = 4,
	  .offset = 0xa0 },
	{}
};

/*
 * Which root bus is behind which IIO unit: the bus numbers of a package have
 * fixed places in a register, or each bus has a register with its place, and
 * each place belongs to a unit.
 */
#define STACKS_END	{ UNCORE_STACK_PLACES }

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

/* Two places serve either of two units; the table tells which is there. */
static const struct uncore_stack gnr_stacks[] = {
	{ 0, 0 }, { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 }, { 5, 7 },
	{ 8, 1 }, { 12, 6 }, { 16, 14 }, { 20, 9 }, { 26, 12 }, { 26, 10 },
	{ 28, 8 }, { 29, 11 }, { 29, 13 }, STACKS_END
};

static const struct uncore_stack grr_stacks[] = {
	{ 0, 2 }, { 1, 1 }, { 2, 0 }, STACKS_END
};

static const struct pmon_type unnamed_type = NARROW(NULL);

const struct uncore_row uncore_rows_generic[] = {
	[UNCORE_ACCESS_MSR] = { .accesses = MSR, .pmu_type = &unnamed_type },
	[UNCORE_ACCESS_MMIO] = { .accesses = MMIO, .pmu_type = &unnamed_type },
	[UNCORE_ACCESS_PCI] = { .accesses = PCI, .pmu_type = &unnamed_type },
};

/*
 * Counter MSRs lie in two blocks of 4096. The end of the first is left out:
 * the global control of all boxes and the number of CHAs are there.
 */
static const struct uncore_msr_range uncore_msrs[] = {
	{ 0x2000, 0x2fef }, { 0x3000, 0x3fff }, {}
};

#define GLOBAL_MSRS	{ 0x2ff0, 0x2ffd }

/*
 * From Granite Rapids on the Ubox, its clock and the number of CHAs are
 * elsewhere than on Sapphire Rapids (types.h and cpucounters.cpp of Intel
 * PCM), and no public source says where the global control is. Linux 7.2
 * writes to any MSR that a table names; here it is one of the two blocks.
 */
#define GNR_GLOBAL_MSRS	{ 0x2000, 0x3fff }

/* One PCI function of each package has the table. */
#define COMMON(_name)	.name = _name, .generic = uncore_rows_generic, \
			.msr = uncore_msrs, .roots = 1
#define SPR(_name) \
	COMMON(_name), ROWS(spr_rows), .links = spr_links, \
	.global = GLOBAL_MSRS, .unlisted = spr_unlisted, \
	.counts_chas = true
#define GNR(_name) \
	COMMON(_name), ROWS(gnr_rows), .global = GNR_GLOBAL_MSRS, \
	.unlisted = gnr_unlisted

const struct uncore_platform uncore_platform_spr = {
	SPR("spr"), .stacks = { [UNCORE_CHOP_XCC] = spr_xcc_stacks,
				[UNCORE_CHOP_MCC] = spr_mcc_stacks },
};

const struct uncore_platform uncore_platform_emr = {
	SPR("emr"), .stacks = { [UNCORE_CHOP_ANY] = emr_stacks },
};

const struct uncore_platform uncore_platform_gnr = {
	GNR("gnr"), .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks },
};

const struct uncore_platform uncore_platform_srf = {
	GNR("srf"), .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks },
};

const struct uncore_platform uncore_platform_grr = {
	GNR("grr"), .stacks = { [UNCORE_CHOP_ANY] = grr_stacks },
	.buses_tell = true,
};

const struct uncore_platform uncore_platform_gnr_d = { GNR("gnr-d") };
const struct uncore_platform uncore_platform_cwf = { GNR("cwf") };

/* A CPU model without rows of its own, served only with generic=1. */
#define UNKNOWN \
	.name = "unknown", .generic = uncore_rows_generic, .msr = uncore_msrs

const struct uncore_platform uncore_platform_plain = { UNKNOWN };

/* Processors that are not known may have their table in either place. */
const struct uncore_platform uncore_platform_unknown = {
	UNKNOWN, .memory = { .msr = 0x201e, .guess = true },
};
