// SPDX-License-Identifier: GPL-2.0-only
/* Where a unit has its registers, and what its box control does. */
#include <linux/bits.h>

#include <pmon/box.h>

#include "freerunning.h"
#include "platform.h"
#include "registers.h"

static_assert(UNCORE_UNIT_COUNTERS <= PMON_SLOTS_MAX);

/**
 * uncore_unit_geometry() - how the registers of a unit lie
 * @unit: the unit
 *
 * Return: what its row says, or what is usual.
 */
struct uncore_geometry uncore_unit_geometry(const struct uncore_unit *unit)
{
	static const struct uncore_geometry usual[] = {
		[UNCORE_ACCESS_MSR] = { 1, 1, 1, 1, 1 },
		[UNCORE_ACCESS_MMIO] = { 4, 4, 4, 8, 8 },
		[UNCORE_ACCESS_PCI] = { 4, 8, 4, 8, 8 },
	};
	struct uncore_geometry result = usual[unit->access];

	result.ctl_stride = unit->row->ctl_stride ?: result.ctl_stride;
	if (unit->access != UNCORE_ACCESS_MSR)
		result.ctl_bytes = unit->row->ctl_bytes ?: result.ctl_bytes;
	if (unit->access == UNCORE_ACCESS_PCI && unit->row->pci_ctl_bytes)
		result.ctl_bytes = unit->row->pci_ctl_bytes;
	return result;
}

/*
 * The box control: bit 0 freezes, bits 8 and 9 reset. GENERIC_PMON_BOX_CTL_FRZ,
 * _RST_CTRL and _RST_CTRS in arch/x86/events/intel/uncore_discovery.h of Linux.
 */
#define BOX_FREEZE		BIT_ULL(0)
#define BOX_RESET_CONTROLS	BIT_ULL(8)
#define BOX_RESET_COUNTERS	BIT_ULL(9)
#define BOX_RESET		(BOX_FREEZE | BOX_RESET_CONTROLS | \
				 BOX_RESET_COUNTERS)

/* SNBEP_PMON_CTL_EN in arch/x86/events/intel/uncore_snbep.c of Linux. */
#define FIXED_ENABLE		BIT_ULL(22)
#define FIXED_WIDTH		48

/* Another program, firmware or a sleep state may reset a box that counts. */
static const struct pmon_protocol msr_protocol = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 8,
};

static const struct pmon_protocol dword_protocol = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 4,
};

/* Without a control of the box the counters are stopped one by one. */
static const struct pmon_protocol controls_protocol = {
	.keeps = true,
};

/*
 * Free-running counters. The fastest is a port of 16 lanes at 64 GT/s of which
 * each 4 bytes count: 2^34.9 a second. Nothing stops them, but sleep resets
 * them.
 */
static const struct pmon_protocol free_protocol = {
	.rate_log2 = 35,
};

/**
 * uncore_unit_slots() - the counters that a good unit has in all
 * @unit: the unit
 *
 * Return: their number, the fixed one included.
 */
unsigned int uncore_unit_slots(const struct uncore_unit *unit)
{
	return unit->counters + !!unit->row->fixed_ctl;
}

/* The programmable counters, which follow each other, and the fixed one. */
static void uncore_unit_counters(const struct uncore_unit *unit,
				 const struct uncore_geometry *geo,
				 struct pmon_counter *counter)
{
	const struct uncore_row *row = unit->row;
	unsigned int i;

	for (i = 0; i < unit->counters; i++)
		*counter++ = (struct pmon_counter){
			.ctr = unit->ctr + i * geo->ctr_stride,
			.ctl = unit->ctl + i * geo->ctl_stride,
			.filter = row->filter,
			.width = unit->width,
			.kind = PMON_COUNTER_ANY,
		};
	if (row->fixed_ctl)
		*counter = (struct pmon_counter){
			.config = row->pmu_type->fixed_config,
			.enable = FIXED_ENABLE,
			.ctr = row->fixed_ctr,
			.ctl = row->fixed_ctl,
			.filter = row->filter,
			.width = FIXED_WIDTH,
			.kind = PMON_COUNTER_FIXED,
		};
}

/**
 * uncore_unit_layout() - where the registers of a good unit are
 * @unit: the unit
 * @counter: gets uncore_unit_slots() counters; offsets are from the unit's
 *	address
 * @layout: gets the rest, and refers to @counter
 */
void uncore_unit_layout(const struct uncore_unit *unit,
			struct pmon_counter *counter,
			struct pmon_layout *layout)
{
	struct uncore_geometry geo = uncore_unit_geometry(unit);
	bool msr = unit->access == UNCORE_ACCESS_MSR;

	*layout = (struct pmon_layout){
		.counter = counter,
		.counters = uncore_unit_slots(unit),
		.indexed = msr,
	};
	if (unit->free_running) {
		uncore_free_running_counters(unit, counter);
		layout->protocol = &free_protocol;
		return;
	}
	uncore_unit_counters(unit, &geo, counter);
	layout->protocol = unit->row->controls_only ? &controls_protocol :
			   msr ? &msr_protocol : &dword_protocol;
	layout->ctl_bytes = msr ? 8 : geo.ctl_bytes;
	/* Off is 0, as after power-on. */
	layout->filter_bytes = unit->row->filter ? 8 : 0;
}
