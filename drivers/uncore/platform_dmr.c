// SPDX-License-Identifier: GPL-2.0-only
/*
 * Diamond Rapids: its unit types, and where its tables are.
 *
 * There are two kinds of dies with a table each: the integrated memory and I/O
 * hub (IMH), behind a PCI function, and the core building block (CBB), whose
 * CPUs have the physical address of theirs in an MSR. Facts, names and formats
 * are those of dmr_uncore_init, dmr_uncores[] and dmr_iio_freerunning[] in
 * arch/x86/events/intel/ of Linux 7.3; nothing else is published. One thing
 * there contradicts itself: the threshold of a memory controller begins at bit
 * 23, where "inv" is said to be as well. The threshold has it; no source has
 * another place for "inv", so there is none.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"
#include "rows.h"

#define DMR_BASE_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18))
#define DMR_IMC_MASK		(DMR_BASE_MASK | GENMASK_ULL(32, 23))
#define DMR_CXLCM_MASK		(DMR_BASE_MASK | BIT_ULL(21) | \
				 GENMASK_ULL(35, 23))
#define DMR_LONG_MASK		(NARROW_MASK | GENMASK_ULL(63, 32))
#define DMR_PCIE_MASK		(NARROW_MASK | GENMASK_ULL(55, 32))

/* More than a type has in the lower 32 bits. */
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

/* A unit mask of 40 bits. */
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

/* What goes through a port, in steps of 4 bytes. */
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
 * Ranges of events, in which the first row that fits decides: 1 to 0x24 on
 * counters 0 to 3; 0x41, 0x50 to 0x5e and 0x60 to 0x61 on the others.
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

#define LONG(_name, ...) \
	TYPE(_name, dmr_long_fields, DMR_LONG_MASK, ##__VA_ARGS__)
#define PCIE(_name)	TYPE(_name, dmr_pcie_fields, DMR_PCIE_MASK)

/*
 * The kernel's driver has no way to units in MSRs there. Controls in memory
 * are 8 bytes apart where they have fields above bit 31, as those of CXL boxes
 * on Sapphire and Granite Rapids; the kernel's driver has them 4 bytes apart,
 * and never writes these fields. In configuration space they are 8 bytes apart
 * for all, and are written as a whole: the upper half may hold anything.
 */
#define EITHER	.accesses = MMIO | PCI, .wide_in_pci = true

#define TYPE_ITC	48

static const struct uncore_row dmr_rows[] = {
	ROW(4, NARROW("pcu"), EITHER),
	ROW(5, NARROW("ubox"), EITHER),
	ROW(32, NARROW("santa"), EITHER),
	ROW(33, NARROW("cncu"), EITHER),
	ROW(34, NARROW("sncu"), EITHER),
	ROW(46, NARROW("crs"), EITHER),
	ROW(50, NARROW("cms"), EITHER),
	ROW(6, TYPE("imc", dmr_imc_fields, DMR_IMC_MASK, .fixed_config = 0xff),
	    .accesses = MMIO, .fixed_ctl = 0x10, .fixed_ctr = 0x18),
	ROW(23, LONG("sca"), EITHER),
	ROW(24, TYPE("cxlcm", dmr_cxlcm_fields, DMR_CXLCM_MASK,
		     .constraints = dmr_cxlcm_constraints), EITHER),
	ROW(30, LONG("hamvf"), EITHER),
	ROW(31, LONG("cbo", .constraints = dmr_cbo_constraints), EITHER),
	ROW(35, LONG("ula"), EITHER),
	ROW(36, LONG("dda"), EITHER),
	ROW(38, LONG("sbo", .constraints = dmr_sbo_constraints), EITHER),
	ROW(43, LONG("ubr"), EITHER),
	ROW(45, PCIE("pcie4"), EITHER),
	ROW(47, LONG("cpc"), EITHER),
	ROW(TYPE_ITC, LONG("itc"), EITHER),
	ROW(49, LONG("otc"), EITHER),
	ROW(51, PCIE("pcie6"), EITHER),
};

/*
 * Free-running counters of I/O, in the space of each inbound traffic
 * controller (ITC) of the first package's first hub. No source says where
 * other packages have them: the kernel's driver reads the first package's for
 * all.
 */
static const struct uncore_free_running_group dmr_free_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x4d40, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(2), .base = 0x6b00, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(3), .base = 0x6b60, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(4), .base = 0x6bb0, .count = 1, .stride = 8 },
	{}
};

static const struct uncore_row dmr_free_row =
	ROW(TYPE_ITC, FREE("iio_free_running", .aliases = dmr_free_aliases),
	    .accesses = MMIO, .groups = dmr_free_groups);

/* ITCs of a second hub have numbers from 0x8000 on. */
#define FREE_SPACES(_base, _first, _end) \
	{ .row = &dmr_free_row, .base = _base, .step = 0x8000, \
	  .first = _first, .end = _end, .below = 0x8000, .first_package = true }

/* A space is left out between the second and the third. */
static const struct uncore_unlisted dmr_unlisted[] = {
	FREE_SPACES(0x1ffff6ae7000, 0, 2),
	FREE_SPACES(0x1ffff6aef000, 2, 4),
	{}
};

/* Types that the kernel's driver leaves alone as well. */
#define TYPE_MSE	0x13
#define TYPE_SB2UCIE	0x25

/* None: the kernel's driver reaches no unit there in that way. */
static const struct uncore_msr_range dmr_no_msrs[] = { {} };

const struct uncore_platform uncore_platform_dmr = {
	.name = "dmr", ROWS(dmr_rows), .generic = uncore_rows_generic,
	.msr = dmr_no_msrs, .ignored = TYPE_MSE,
	.memory = { .msr = 0x710, .ignored = TYPE_SB2UCIE, .of_die = true },
	.unlisted = dmr_unlisted, .roots = 2, .repeats_ids = true,
};

/* The platform with event controls of 32 bits where these may be wider. */
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
	type->ctl_mask &= U32_MAX;
	type->fields = field;
	for (; wide->name; wide++) {
		*field = *wide;
		field->mask &= U32_MAX;
		if (field->mask)
			field++;
	}
	*field = (struct pmon_field){};
	narrow.rows[n].pmu_type = type;
}

/* What controls=4 makes of a platform. */
const struct uncore_platform *
uncore_platform_narrow(const struct uncore_platform *platform)
{
	unsigned int n;

	if (platform != &uncore_platform_dmr)
		return platform;
	narrow.platform = *platform;
	narrow.platform.rows = narrow.rows;
	memcpy(narrow.rows, dmr_rows, sizeof(dmr_rows));
	for (n = 0; n < ARRAY_SIZE(dmr_rows); n++)
		uncore_narrow_row(n);
	return &narrow.platform;
}
