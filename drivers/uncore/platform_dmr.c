// SPDX-License-Identifier: GPL-2.0-only
/*
 * Diamond Rapids: its unit types, and where its tables are.
 *
 * There are two kinds of dies with a table each: the integrated memory and I/O
 * hub (IMH), behind a PCI function, and the core building block (CBB), whose
 * CPUs have the physical address of theirs in an MSR. Facts are those of
 * dmr_uncore_init, dmr_uncores[] and dmr_iio_freerunning[] in
 * arch/x86/events/intel/ of Linux 7.3; nothing else is published.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include <pmon/box.h>

#include "platform.h"
#include "rows.h"
#include "types.h"
#include "types_dmr.h"

/*
 * The kernel's driver has no way to units in MSRs there. Controls in memory are
 * 8 bytes apart where they have fields above bit 31, as those of CXL boxes on
 * Sapphire and Granite Rapids; the kernel's driver has them 4 bytes apart, and
 * never writes these fields. In configuration space they are 8 bytes apart for
 * all, and are written as a whole: the upper half may hold anything.
 */
#define ROW8(_type, _name) \
	{ .type = _type, .accesses = MMIO | PCI, .ctl_stride = 8, \
	  .ctl_bytes = 8, .pmu_type = &uncore_type_dmr_##_name }
#define ROW4(_type, _name) \
	{ .type = _type, .accesses = MMIO | PCI, .pci_ctl_bytes = 8, \
	  .pmu_type = &uncore_type_dmr4_##_name }
#define ROW(_type, _name) \
	{ .type = _type, .accesses = MMIO | PCI, .pci_ctl_bytes = 8, \
	  .pmu_type = &uncore_type_##_name }

#define TYPE_ITC	48

static const struct uncore_row dmr_rows[] = {
	ROW(4, gnr_pcu), ROW(5, gnr_ubox),
	ROW(32, dmr_santa), ROW(33, dmr_cncu),
	ROW(34, dmr_sncu), ROW(46, dmr_crs), ROW(50, dmr_cms),
	{ .type = 6, .accesses = MMIO, .ctl_stride = 8, .ctl_bytes = 8,
	  .fixed_ctl = 0x10, .fixed_ctr = 0x18,
	  .pmu_type = &uncore_type_dmr_imc },
	ROW8(23, sca), ROW8(24, cxlcm), ROW8(30, hamvf), ROW8(31, cbo),
	ROW8(35, ula), ROW8(36, dda), ROW8(38, sbo), ROW8(43, ubr),
	ROW8(45, pcie4), ROW8(47, cpc), ROW8(TYPE_ITC, itc), ROW8(49, otc),
	ROW8(51, pcie6),
};

/* All controls 4 bytes apart, without what is above bit 31. */
static const struct uncore_row dmr_rows4[] = {
	ROW(4, gnr_pcu), ROW(5, gnr_ubox),
	ROW(32, dmr_santa), ROW(33, dmr_cncu),
	ROW(34, dmr_sncu), ROW(46, dmr_crs), ROW(50, dmr_cms),
	{ .type = 6, .accesses = MMIO, .fixed_ctl = 0x10, .fixed_ctr = 0x18,
	  .pmu_type = &uncore_type_dmr4_imc },
	ROW4(23, sca), ROW4(24, cxlcm), ROW4(30, hamvf), ROW4(31, cbo),
	ROW4(35, ula), ROW4(36, dda), ROW4(38, sbo), ROW4(43, ubr),
	ROW4(45, pcie4), ROW4(47, cpc), ROW4(TYPE_ITC, itc), ROW4(49, otc),
	ROW4(51, pcie6),
};

/*
 * Free-running counters of I/O, in the space of each inbound traffic controller
 * (ITC) of the first package's first hub. No source
 * says where other packages have them: the kernel's driver reads the first
 * package's for all.
 */
static const struct uncore_free_running_group dmr_free_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x4d40, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(2), .base = 0x6b00, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(3), .base = 0x6b60, .count = 8, .stride = 8 },
	{ .config = FREE_EVENT(4), .base = 0x6bb0, .count = 1, .stride = 8 },
	{}
};

static const struct uncore_row dmr_free_row = {
	.type = TYPE_ITC, .accesses = MMIO,
	.pmu_type = &uncore_type_dmr_iio_free_running,
	  .groups = dmr_free_groups,
};

static const u32 dmr_space_offsets[] = { 0, 0x8000, 0x18000, 0x20000 };

static const struct uncore_spaces dmr_spaces = {
	.row = &dmr_free_row, .beside = TYPE_ITC, .ids = 0x8000,
	.base = 0x1ffff6ae7000, .offset = dmr_space_offsets,
	.count = ARRAY_SIZE(dmr_space_offsets),
};

/* Types that the kernel's driver leaves alone as well: MSE and SB2UCIE. */
static const struct uncore_discovery_domain dmr_domains[] = {
	{ .source = UNCORE_SOURCE_PCI, .ignored = 0x13 },
	{ .source = UNCORE_SOURCE_MSR, .msr = 0x710, .ignored = 0x25,
	  .global_in_memory = true },
	{}
};

/* None: the kernel's driver reaches no unit there in that way. */
static const struct uncore_msr_range dmr_no_msrs[] = { {} };

#define DMR(_rows) \
	.name = "dmr", ROWS(_rows), .generic = uncore_rows_generic, \
	.msr = dmr_no_msrs, .domains = dmr_domains, .spaces = &dmr_spaces, \
	.roots = 2, .repeats_ids = true

static const struct uncore_platform dmr4 = { DMR(dmr_rows4) };

const struct uncore_platform uncore_platform_dmr = {
	DMR(dmr_rows), .narrow = &dmr4
};
