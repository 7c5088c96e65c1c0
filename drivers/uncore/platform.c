// SPDX-License-Identifier: GPL-2.0-only
/*
 * The unit types of each platform: which kind of box each is, what is certain
 * about its registers, and what the platform has beside its table.
 *
 * Where the kernel's driver has another name for a type, the row says so: that
 * is how its PMUs are recognised.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"
#include "rows.h"
#include "types.h"

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

#define IIO_FREE(_groups) \
	(&(const struct uncore_row){ .type = 1, .accesses = MSR, \
				   .pmu_type = &uncore_type_iio_free_running, \
				   .groups = _groups })

static const struct uncore_row imc_free_row = {
	.type = 6, .accesses = MMIO, .pmu_type = &uncore_type_imc_free_running,
	.groups = imc_groups,
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

static const struct uncore_row spr_rows[] = {
	{ .type = 0, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .filter = 0xe, .pmu_type = &uncore_type_cha },
	{ .type = 1, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .pmu_type = &uncore_type_spr_iio,
	  .companion = IIO_FREE(spr_iio_groups),
	  .topology = UNCORE_TOPOLOGY_IIO },
	{ .type = 2, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_irp },
	{ .type = 3, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_m2pcie },
	{ .type = 4, .accesses = MSR | MMIO | PCI, .single = true,
	  .pmu_type = &uncore_type_spr_pcu },
	{ .type = 5, .accesses = MSR | MMIO | PCI, .single = true,
	  .pmu_type = &uncore_type_spr_ubox },
	{ .type = 6, .accesses = MMIO, .counters = 4, .ctl = 0x40, .ctr = 0x08,
	  .fixed_ctl = 0x54, .fixed_ctr = 0x38,
	  .pmu_type = &uncore_type_spr_imc },
	{ .type = 7, .accesses = PCI, .counters = 4, .ctl = 0x30, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_m2hbm, .kernel = "m2m",
	  .applies = uncore_is_m2hbm },
	{ .type = 7, .accesses = PCI, .counters = 4, .ctl = 0x30, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_m2m },
	{ .type = 8, .accesses = PCI, .counters = 4, .ctl = 0x38, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_upi,
	  .topology = UNCORE_TOPOLOGY_UPI },
	{ .type = 9, .accesses = PCI, .counters = 4, .ctl = 0x38, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_m3upi },
	{ .type = 11, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_spr_mdf },
	{ .type = 12, .accesses = MMIO, .counters = 8, .ctl_stride = 8,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_cxlcm },
	{ .type = 13, .accesses = MMIO, .ctl_stride = 8, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_cxldp },
	{ .type = 14, .accesses = MMIO, .kernel = "hbm",
	  .pmu_type = &uncore_type_mchbm },
};

static const struct uncore_row gnr_rows[] = {
	{ .type = 0, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .filter = 0xe, .pmu_type = &uncore_type_cha },
	{ .type = 1, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .pmu_type = &uncore_type_gnr_iio,
	  .companion = IIO_FREE(gnr_iio_groups),
	  .topology = UNCORE_TOPOLOGY_IIO },
	{ .type = 2, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_irp },
	{ .type = 4, .accesses = MSR | MMIO | PCI,
	  .pmu_type = &uncore_type_gnr_pcu },
	{ .type = 5, .accesses = MSR | MMIO | PCI, .single = true,
	  .pmu_type = &uncore_type_gnr_ubox },
	{ .type = 6, .accesses = MMIO, .counters = 4, .ctl = 0x40, .ctr = 0x08,
	  .fixed_ctl = 0x54, .fixed_ctr = 0x38,
	  .pmu_type = &uncore_type_gnr_imc },
	{ .type = 8, .accesses = PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_upi },
	{ .type = 12, .accesses = MMIO, .counters = 8, .ctl_stride = 8,
	  .ctl_bytes = 8, .pmu_type = &uncore_type_cxlcm },
	{ .type = 13, .accesses = MMIO, .ctl_stride = 8, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_cxldp },
	{ .type = 15, .accesses = MSR | MMIO | PCI,
	  .pmu_type = &uncore_type_b2hot },
	{ .type = 16, .accesses = PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_b2cmi },
	{ .type = 17, .accesses = MMIO, .ctl_stride = 8, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_b2cxl },
	{ .type = 18, .accesses = PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_b2upi },
	{ .type = 20, .accesses = MSR | MMIO | PCI, .kernel = "mdf_sbo",
	  .pmu_type = &uncore_type_gnr_mdf },
	{ .type = 21, .accesses = PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_pciex16 },
	{ .type = 22, .accesses = PCI, .ctl_bytes = 8,
	  .pmu_type = &uncore_type_pciex8 },
};

/* perf has events for these, and no public source has their type number. */
static const struct uncore_row gnr_unplaced[] = {
	{ .accesses = MSR | MMIO | PCI, .pmu_type = &uncore_type_chacms },
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

const struct uncore_row uncore_rows_generic[] = {
	[UNCORE_ACCESS_MSR] = { .accesses = MSR,
	  .pmu_type = &uncore_type_narrow },
	[UNCORE_ACCESS_MMIO] = { .accesses = MMIO,
	  .pmu_type = &uncore_type_narrow },
	[UNCORE_ACCESS_PCI] = { .accesses = PCI,
	  .pmu_type = &uncore_type_narrow },
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
 * elsewhere than on Sapphire Rapids (types.h and cpucounters.cpp of Intel PCM),
 * and no public source says where the global control is. Linux 7.2 writes to
 * any MSR that a table names; here it is one of the two blocks.
 */
#define GNR_GLOBAL_MSRS	{ 0x2000, 0x3fff }

/* One PCI function of each package has the table. */
static const struct uncore_discovery_domain pci_domains[] = {
	{ .source = UNCORE_SOURCE_PCI }, {}
};

#define COMMON(_name)	.name = _name, .generic = uncore_rows_generic, \
			.domains = pci_domains, .msr = uncore_msrs, .roots = 1
#define SPR(_name, ...) \
	{ COMMON(_name), ROWS(spr_rows), .links = spr_links, \
	  .global = GLOBAL_MSRS, \
	  .controllers = &imc_free_row, .counts_chas = true, ##__VA_ARGS__ }
#define GNR(_name, ...) \
	{ COMMON(_name), ROWS(gnr_rows), .unplaced = gnr_unplaced, \
	  .global = GNR_GLOBAL_MSRS, \
	  .nr_unplaced = ARRAY_SIZE(gnr_unplaced), ##__VA_ARGS__ }

/* Listed by model: from Sapphire Rapids to Clearwater Forest it is family 6. */
static const struct {
	u8 model;
	struct uncore_platform platform;
} platforms[] = {
	{ 0x8f, SPR("spr", .stacks = { [UNCORE_CHOP_XCC] = spr_xcc_stacks,
				       [UNCORE_CHOP_MCC] = spr_mcc_stacks }) },
	{ 0xcf, SPR("emr", .stacks = { [UNCORE_CHOP_ANY] = emr_stacks }) },
	{ 0xad, GNR("gnr", .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks }) },
	{ 0xae, GNR("gnr-d") },
	{ 0xaf, GNR("srf", .stacks = { [UNCORE_CHOP_ANY] = gnr_stacks }) },
	{ 0xb6, GNR("grr", .stacks = { [UNCORE_CHOP_ANY] = grr_stacks },
		    .buses_tell = true) },
	{ 0xdd, GNR("cwf") },
};

/* Processors that are not known may have their table in either place. */
static const struct uncore_discovery_domain unknown_domains[] = {
	{ .source = UNCORE_SOURCE_PCI },
	{ .source = UNCORE_SOURCE_MSR, .msr = 0x201e, .of_package = true,
	  .guess = true },
	{}
};

/* A CPU model without rows of its own, served only with generic=1. */
#define UNKNOWN(_domains) \
	.name = "unknown", .generic = uncore_rows_generic, \
	.domains = _domains, .msr = uncore_msrs

const struct uncore_platform uncore_platform_unknown = {
	UNKNOWN(unknown_domains)
};

const struct uncore_platform uncore_platform_plain = { UNKNOWN(pci_domains) };

/**
 * uncore_platform_find_6() - the platform of a CPU model of family 6
 * @model: CPU model
 *
 * Return: NULL if the model is not known.
 */
const struct uncore_platform *uncore_platform_find_6(u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (platforms[i].model == model)
			return &platforms[i].platform;
	return NULL;
}

/**
 * uncore_platform_row() - what is known of a unit
 * @platform: the platform
 * @type: box type
 * @access: how the unit is reached, as the table says
 * @address: of its box control, as the table encodes it
 *
 * Return: the row, a generic one for a type without name; never NULL.
 */
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
	return &platform->generic[access < UNCORE_ACCESSES ? access : 0];
}

/**
 * uncore_platform_stacks() - the root buses behind IIO units
 * @platform: the platform
 * @chop: which of its dies the package has
 *
 * Return: pairs up to place UNCORE_STACK_PLACES, NULL if they are not known.
 */
const struct uncore_stack *
uncore_platform_stacks(const struct uncore_platform *platform,
		       enum uncore_chop chop)
{
	return platform->stacks[chop] ?: platform->stacks[UNCORE_CHOP_ANY];
}

/**
 * uncore_platform_stack() - the place of an IIO unit's root bus
 * @stacks: the root buses behind IIO units, or NULL
 * @unit: number of the unit
 *
 * Return: NULL if it is not known.
 */
const struct uncore_stack *
uncore_platform_stack(const struct uncore_stack *stacks, u16 unit)
{
	for (; stacks && stacks->place < UNCORE_STACK_PLACES; stacks++)
		if (stacks->unit == unit)
			return stacks;
	return NULL;
}
