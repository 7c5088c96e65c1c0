// SPDX-License-Identifier: GPL-2.0-only
/*
 * Client processors with a discovery table: Panther Lake, Wildcat Lake, Nova
 * Lake. An MSR has the table's physical address, and the table lists units in
 * memory. Those in MSRs, and the free-running counters of memory controllers,
 * are in no table. Facts, names and formats are those of ptl_uncore_init and
 * nvl_uncore_init in arch/x86/events/intel/ of Linux 7.3, named events those
 * of perf's list for Panther Lake.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include <pmon/box.h>

#include "platform.h"
#include "rows.h"

/* SNB_UNC_CTL_EN and ADL_UNC_RAW_EVENT_MASK */
#define CLIENT_ENABLE		BIT_ULL(22)
#define CLIENT_MSR_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18) | \
				 BIT_ULL(23) | GENMASK_ULL(29, 24))

static const struct pmon_field client_msr_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV,
	FIELD("threshold", GENMASK_ULL(29, 24)), {}
};

static const struct pmon_field client_clock_fields[] = { EVENT, {} };

/* Data moves in pieces of 32 bytes, counted by channel. */
#define CHUNKS(_name, _event)	MIB(_name, _event, "3.0517578125e-5")

static const struct pmon_alias client_imc_aliases[] = {
	PLAIN("clockticks", "event=0x01"),
	CHUNKS("data_read", "event=0x3a"),
	CHUNKS("data_write", "event=0x3b"),
	CHUNKS("data_total", "event=0x3c"),
	{}
};

/* Whole cache lines, counted by controller. */
#define LINES(_name, _event)	MIB(_name, _event, "6.103515625e-5")

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

/* Of adl_uncore_imc_freerunning[], from the first of a controller's on. */
static const struct uncore_free_running_group client_imc_groups[] = {
	{ .config = FREE_EVENT(1), .base = 0x40, .count = 1, .stride = 8 },
	{ .config = FREE_EVENT(2), .base = 0x58, .count = 1, .stride = 8 },
	{ .config = FREE_EVENT(3), .base = 0xa0, .count = 1, .stride = 8 },
	{}
};

static const struct uncore_row client_imc_free_row =
	ROW(6, FREE("imc_free_running", .aliases = client_free_aliases),
	    .accesses = MMIO, .width = 64, .groups = client_imc_groups);

/* There is one host bridge, which is the first package's. */
#define MEMORY_CONTROLLERS \
	{ .row = &client_imc_free_row, .from = UNCORE_FROM_HOST_BAR, \
	  .base = 0xd800, .step = 0x10000, .end = 2, .first_package = true }

/* A second freeze of all units, beside the one that the table names. */
#define SNCU_FREEZE	0x380

static const struct uncore_row client_rows[] = {
	ROW(6, NARROW("imc", .aliases = client_imc_aliases), .accesses = MMIO),
	ROW(34, NARROW("sncu"), .accesses = MMIO, .single = true,
	    .freeze = SNCU_FREEZE),
	ROW(41, NARROW("hbo"), .accesses = MMIO),
};

/*
 * Boxes in MSRs, 16 apart, have no control of their own that is known: each of
 * their event controls has an enable bit.
 */
#define BOX(_n, _name, ...) \
	ROW(UNCORE_TYPES_UNLISTED + (_n), \
	    TYPE(_name, client_msr_fields, CLIENT_MSR_MASK, \
		 .ctl_set = CLIENT_ENABLE), \
	    .accesses = MSR, .counters = 2, .ctl = 2, .ctr = 8, \
	    .controls_only = true, ##__VA_ARGS__)
#define CLOCK(...) \
	ROW(UNCORE_TYPES_UNLISTED + 3, \
	    TYPE("cncu", client_clock_fields, GENMASK_ULL(7, 0), \
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
	{ .row = &cbox_row, .base = 0x2440, .step = 0x10, .end = 6 },
	{ .row = &bridge_row, .base = 0x2020, .end = 1 },
	{ .row = &santa_row, .base = 0x2410, .step = 0x10, .end = 2 },
	{ .row = &cncu_row, .base = 0x2400, .step = 0x140, .end = 2 },
	{}
};

static const struct uncore_unlisted nvl_unlisted[] = {
	MEMORY_CONTROLLERS,
	{ .row = &cbox_row, .base = 0x2100, .step = 0x10, .end = 12 },
	{ .row = &santa_row, .base = 0x2040, .step = 0x10, .end = 2 },
	{ .row = &single_cncu_row, .base = 0x2020, .end = 1 },
	{}
};

/* Of each block of boxes in MSRs; mtl_uncore_msr_init_box() sets bit 29. */
static const u32 ptl_enables[] = { 0x240e, 0x254e, 0 };
static const u32 nvl_enables[] = { 0x202e, 0 };

/* None in tables: the kernel's driver reaches no unit there in that way. */
static const struct uncore_msr_range client_no_msrs[] = { {} };

#define CLIENT(_name, _msr) \
	.name = #_name, ROWS(client_rows), .generic = uncore_rows_generic, \
	.memory.msr = _msr, .msr = client_no_msrs, \
	.unlisted = _name##_unlisted, .enables = _name##_enables

const struct uncore_platform uncore_platform_ptl = { CLIENT(ptl, 0x201e) };
const struct uncore_platform uncore_platform_nvl = { CLIENT(nvl, 0x711) };
