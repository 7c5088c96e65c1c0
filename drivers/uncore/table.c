// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parse discovery tables into checked units, and build units that no table
 * lists. The driver writes to the addresses in a table, so each field is
 * compared with the platform; a bad field rejects its unit only.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"

/*
 * No specification is published. Records are as in uncore_discovery.h of Linux
 * and uncore_pmu_discovery.h (GlobalPMU, BoxPMU) of Intel PCM, which agree.
 *
 * Record 0, the global record.
 */
#define TABLE0_STRIDE		GENMASK_ULL(15, 8)
#define TABLE0_UNITS		GENMASK_ULL(25, 16)
#define TABLE0_ACCESS		GENMASK_ULL(63, 62)

/* The other records, one for each unit. */
#define UNIT0_COUNTERS		GENMASK_ULL(7, 0)
#define UNIT0_CTL		GENMASK_ULL(15, 8)
#define UNIT0_WIDTH		GENMASK_ULL(23, 16)
#define UNIT0_CTR		GENMASK_ULL(31, 24)
#define UNIT0_STATUS		GENMASK_ULL(39, 32)
#define UNIT0_ACCESS		GENMASK_ULL(63, 62)
#define UNIT2_TYPE		GENMASK_ULL(15, 0)
#define UNIT2_ID		GENMASK_ULL(31, 16)

/* Return false if a quadword is all ones: the read had no response. */
static bool uncore_record_responds(const u64 record[UNCORE_RECORD_QWORDS])
{
	return record[0] != U64_MAX && record[1] != U64_MAX &&
	       record[2] != U64_MAX;
}

/*
 * A record lists no unit, whatever its type, if the first quadword or the
 * address is 0; as in uncore_discovery_invalid_unit() of Linux.
 */
static void uncore_unit_decode(const u64 record[UNCORE_RECORD_QWORDS],
			       struct uncore_unit *unit)
{
	unit->empty = !record[0] || !record[1];
	unit->counters = FIELD_GET(UNIT0_COUNTERS, record[0]);
	unit->ctl = FIELD_GET(UNIT0_CTL, record[0]);
	unit->width = FIELD_GET(UNIT0_WIDTH, record[0]);
	unit->ctr = FIELD_GET(UNIT0_CTR, record[0]);
	unit->status = FIELD_GET(UNIT0_STATUS, record[0]);
	unit->access = FIELD_GET(UNIT0_ACCESS, record[0]);
	unit->address = record[1];
	unit->type = FIELD_GET(UNIT2_TYPE, record[2]);
	unit->id = FIELD_GET(UNIT2_ID, record[2]);
}

static_assert(UNCORE_UNIT_COUNTERS <= PMON_COUNTERS_MAX);

/* Sizes and distances of registers, in bytes or MSRs; not in the table. */
struct uncore_geometry {
	u8 box_bytes;
	u8 ctl_stride;
	u8 ctl_bytes;
	u8 ctr_stride;
	u8 ctr_bytes;
};

static struct uncore_geometry
uncore_unit_geometry(const struct uncore_unit *unit)
{
	const struct uncore_row *row = unit->row;
	u8 bytes = row->ctl_bytes;

	if (unit->access == UNCORE_ACCESS_MSR)
		return (struct uncore_geometry){ 1, 1, 1, 1, 1 };
	if (unit->access == UNCORE_ACCESS_MMIO)
		return (struct uncore_geometry){ 4, bytes, bytes, 8, 8 };
	return (struct uncore_geometry){
		4, 8, row->wide_in_pci ? 8 : bytes, 8, 8
	};
}

#define PCI_ADDRESS_MASK	GENMASK_ULL(31, 0)
#define PCI_CONFIG_HEADER	0x40
#define PCI_CONFIG_SIZE		0x1000

#define MMIO_ADDRESS_MIN	BIT_ULL(20)
#define MMIO_ADDRESS_END	BIT_ULL(52)

struct uncore_rule {
	bool broken;
	const char *field;
	u64 value;
	const char *reason;
};

static bool uncore_unit_check_rules(struct uncore_unit *unit,
				    const struct uncore_rule *rule,
				    size_t count)
{
	for (; count--; rule++) {
		if (!rule->broken)
			continue;
		uncore_unit_reject(unit, rule->field, rule->value,
				   rule->reason);
		return false;
	}
	return true;
}

static bool uncore_unit_check_fields(struct uncore_unit *unit)
{
	static const char differs[] = "differs from this type on this platform";
	const struct uncore_row *row = unit->row;
	const struct uncore_rule rules[] = {
		{ unit->access >= UNCORE_ACCESSES, "access", unit->access,
		  "no such access type" },
		{ !unit->counters, "counters", 0, "has none" },
		{ unit->counters > UNCORE_UNIT_COUNTERS, "counters",
		  unit->counters, "more than the driver supports" },
		{ unit->width < UNCORE_UNIT_WIDTH_MIN, "width", unit->width,
		  "too narrow" },
		{ unit->width > UNCORE_UNIT_WIDTH_MAX, "width", unit->width,
		  "wider than a register" },
		{ !(row->accesses & BIT(unit->access)), "access", unit->access,
		  differs },
		{ row->counters && row->counters != unit->counters, "counters",
		  unit->counters, differs },
		{ row->ctl && row->ctl != unit->ctl, "ctl_offset", unit->ctl,
		  differs },
		{ row->ctr && row->ctr != unit->ctr, "ctr_offset", unit->ctr,
		  differs },
	};

	return uncore_unit_check_rules(unit, rules, ARRAY_SIZE(rules));
}

/* Offsets in a unit: first register, and end of the last (exclusive) */
struct uncore_span {
	u32 first;
	u32 end;
};

static bool uncore_overlap(struct uncore_span a, struct uncore_span b)
{
	return a.first < b.end && b.first < a.end;
}

static struct uncore_span uncore_span_of(u32 first, u32 count, u32 stride,
					 u32 size)
{
	return (struct uncore_span){
		first, first + (count - 1) * stride + size
	};
}

/*
 * Check the sum of address and offset, because an offset alone need not be
 * aligned: Alder Lake has a box control at 0xc4 and counters from 0xe8 on
 * (adl_uncore_imc in Linux). Registers in memory are accessed as a whole, PCI
 * registers 4 bytes at a time.
 */
static bool uncore_unit_check_alignment(struct uncore_unit *unit,
					const struct uncore_geometry *geo)
{
	static const char reason[] = "not aligned";
	bool pci = unit->access == UNCORE_ACCESS_PCI;
	u8 ctl_bytes = pci ? 4 : geo->ctl_bytes;
	u8 ctr_bytes = pci ? 4 : geo->ctr_bytes;
	const struct uncore_row *row = unit->row;
	u64 ctl = (unit->address + unit->ctl) % ctl_bytes;
	u64 ctr = (unit->address + unit->ctr) % ctr_bytes;
	const struct uncore_rule rules[] = {
		{ ctl && unit->address % ctl_bytes, "address", unit->address,
		  reason },
		{ ctl, "ctl_offset", unit->ctl, reason },
		{ ctr && unit->address % ctr_bytes, "address", unit->address,
		  reason },
		{ ctr, "ctr_offset", unit->ctr, reason },
		{ row->fixed_ctl &&
		  ((unit->address + row->fixed_ctl) % ctl_bytes ||
		   (unit->address + row->fixed_ctr) % ctr_bytes),
		  "address", unit->address, reason },
	};

	return uncore_unit_check_rules(unit, rules, ARRAY_SIZE(rules));
}

/*
 * Set the span; reject overlaps. The fixed counter is not in the table, and the
 * driver never reads the status register. Nevertheless check both, because an
 * overlap shows that the record is bad.
 */
static bool uncore_unit_check_offsets(struct uncore_unit *unit)
{
	static const char on_box[] = "overlaps the box control";
	static const char on_fixed[] = "overlaps the fixed counter";
	struct uncore_geometry geo = uncore_unit_geometry(unit);
	const struct uncore_row *row = unit->row;
	bool has_fixed = row->fixed_ctl;
	struct uncore_span box = { 0, geo.box_bytes };
	struct uncore_span ctl = uncore_span_of(unit->ctl, unit->counters,
						geo.ctl_stride, geo.ctl_bytes);
	struct uncore_span ctr = uncore_span_of(unit->ctr, unit->counters,
						geo.ctr_stride, geo.ctr_bytes);
	struct uncore_span f_ctl = { row->fixed_ctl, row->fixed_ctl +
				     has_fixed * geo.ctl_bytes };
	struct uncore_span f_ctr = { row->fixed_ctr, row->fixed_ctr +
				     has_fixed * geo.ctr_bytes };
	/* no rule has the filter, because rows with a filter fix ctl and ctr */
	struct uncore_span filter = { row->filter,
				      row->filter + !!row->filter };
	struct uncore_span status = { unit->status,
				      unit->status + !!unit->status };
	const struct uncore_rule rules[] = {
		{ uncore_overlap(box, ctl), "ctl_offset", unit->ctl, on_box },
		{ uncore_overlap(box, ctr), "ctr_offset", unit->ctr, on_box },
		{ uncore_overlap(ctl, ctr), "ctr_offset", unit->ctr,
		  "overlaps the event controls" },
		{ uncore_overlap(f_ctl, ctl) || uncore_overlap(f_ctr, ctl),
		  "ctl_offset", unit->ctl, on_fixed },
		{ uncore_overlap(f_ctl, ctr) || uncore_overlap(f_ctr, ctr),
		  "ctr_offset", unit->ctr, on_fixed },
		{ uncore_overlap(status, box), "status_offset", unit->status,
		  "inside the box control" },
		{ uncore_overlap(status, ctl), "status_offset", unit->status,
		  "among the event controls" },
		{ uncore_overlap(status, ctr), "status_offset", unit->status,
		  "among the counters" },
	};

	unit->span = max(max3(ctl.end, ctr.end, filter.end),
			 max(f_ctl.end, f_ctr.end));
	return uncore_unit_check_rules(unit, rules, ARRAY_SIZE(rules)) &&
	       uncore_unit_check_alignment(unit, &geo);
}

static const char *uncore_unit_check_msr(const struct uncore_unit *unit,
					 const struct uncore_platform *platform)
{
	const struct uncore_msr_range *range;

	for (range = platform->msr; range && range->last; range++)
		if (unit->address >= range->first &&
		    unit->address <= range->last &&
		    unit->span - 1 <= range->last - unit->address)
			return NULL;
	return "outside the counter MSRs of this platform";
}

static const char *uncore_unit_check_mmio(const struct uncore_unit *unit)
{
	if (unit->address % 4)
		return "not aligned";
	if (unit->address < MMIO_ADDRESS_MIN)
		return "in the first megabyte";
	if (unit->address > MMIO_ADDRESS_END - unit->span)
		return "not a physical address";
	return NULL;
}

static const char *uncore_unit_check_pci(const struct uncore_unit *unit)
{
	u32 offset = FIELD_GET(UNCORE_PCI_OFFSET, unit->address);

	if (!(unit->address & UNCORE_PCI_ENABLE))
		return "PCI function not enabled";
	if (unit->address & ~PCI_ADDRESS_MASK)
		return "not a PCI address";
	if (offset % 4)
		return "not aligned";
	if (offset < PCI_CONFIG_HEADER)
		return "inside the configuration header";
	if (offset + unit->span > PCI_CONFIG_SIZE)
		return "runs past the configuration space";
	return NULL;
}

static void uncore_unit_check(struct uncore_unit *unit,
			      const struct uncore_platform *platform)
{
	const char *reason;

	if (!uncore_unit_check_fields(unit) || !uncore_unit_check_offsets(unit))
		return;
	reason = unit->access == UNCORE_ACCESS_MSR ?
			 uncore_unit_check_msr(unit, platform) :
		 unit->access == UNCORE_ACCESS_MMIO ?
			 uncore_unit_check_mmio(unit) :
			 uncore_unit_check_pci(unit);
	if (reason)
		uncore_unit_reject(unit, "address", unit->address, reason);
}

/* Return the largest size of a table at @offset in a BAR, 0 if none fits. */
u64 uncore_table_space(u64 bar_bytes, u32 offset)
{
	if (bar_bytes < UNCORE_RECORD_BYTES ||
	    offset > bar_bytes - UNCORE_RECORD_BYTES)
		return 0;
	return min_t(u64, bar_bytes - offset, UNCORE_TABLE_BYTES);
}

/* The last record needs three quadwords, not a stride. */
static u32 uncore_units_that_fit(u64 space, u8 stride)
{
	if (space < UNCORE_RECORD_BYTES)
		return 0;
	return min_t(u64, U32_MAX,
		     div_u64((space - UNCORE_RECORD_BYTES) / 8, stride));
}

/*
 * Check record 0. A table with more units than fit in @space has a fault, and
 * @head->units is reduced. Returns false if no unit can be read.
 */
bool uncore_global_record_check(const u64 record[UNCORE_RECORD_QWORDS],
				u64 space, struct uncore_global_record *head,
				struct uncore_fault *fault)
{
	u32 fit;

	memset(head, 0, sizeof(*head));
	memset(fault, 0, sizeof(*fault));
	if (!uncore_record_responds(record)) {
		uncore_fault_set(fault, "table", U64_MAX, "reads as all ones");
		return false;
	}
	head->stride = FIELD_GET(TABLE0_STRIDE, record[0]);
	head->units = FIELD_GET(TABLE0_UNITS, record[0]);
	head->access = FIELD_GET(TABLE0_ACCESS, record[0]);
	head->address = record[1];

	if (head->stride < UNCORE_RECORD_QWORDS) {
		uncore_fault_set(fault, "stride", head->stride,
				 "records would overlap");
		return false;
	}
	if (!head->units) {
		uncore_fault_set(fault, "units", 0, "lists none");
		return false;
	}
	fit = uncore_units_that_fit(space, head->stride);
	if (head->units > fit) {
		uncore_fault_set(fault, "units", head->units,
				 "more than fit in the BAR");
		head->units = fit;
	}
	return fit > 0;
}

/*
 * Check one record. Afterwards @unit is empty, or has a fault, or is good as
 * far as one record can show. Does not change package, table and index.
 */
void uncore_unit_parse(const u64 record[UNCORE_RECORD_QWORDS],
		       const struct uncore_platform *platform,
		       struct uncore_unit *unit)
{
	memset(&unit->fault, 0, sizeof(unit->fault));
	uncore_unit_decode(record, unit);
	unit->number = unit->id;
	unit->span = 0;
	unit->free_running = false;
	unit->row = uncore_platform_row(platform, unit->type, unit->access,
					unit->address);
	if (unit->empty)
		return;
	if (uncore_record_responds(record))
		uncore_unit_check(unit, platform);
	else
		uncore_unit_reject(unit, "record", U64_MAX,
				   "reads as all ones");
}

/*
 * Check all units, from record 1 on. Mark units of type @ignored as empty,
 * unless @ignored is 0.
 */
void uncore_table_units(const u64 *records,
			const struct uncore_platform *platform, u16 ignored,
			struct uncore_unit *units, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		units[i].index = i;
		uncore_unit_parse(records + i * UNCORE_RECORD_QWORDS, platform,
				  &units[i]);
		if (ignored && units[i].type == ignored) {
			units[i].empty = true;
			units[i].fault = (struct uncore_fault){};
		}
	}
}

#define UNLISTED_WIDTH		48
/* The unit masks of adjacent counters differ by 1. */
#define FREE_STEP		BIT(8)

static u64 uncore_group_first(const struct uncore_free_running_group *group,
			      u16 id)
{
	return group->base + (u64)group->step * id;
}

static u32 uncore_group_span(const struct uncore_free_running_group *group)
{
	return (group->count - 1) * group->stride + 8;
}

/*
 * Return true if unlisted unit @n exists according to a table's units, and is
 * not among these yet.
 */
bool uncore_unlisted_is_missing(const struct uncore_unlisted *unlisted, u16 n,
				const struct uncore_unit *units, size_t count)
{
	bool exists = !unlisted->listed_per_unit && !unlisted->listed_below;
	const struct uncore_unit *unit;
	u32 below = 0;

	for (unit = units; unit < units + count; unit++) {
		if (unit->row == unlisted->row && unit->id == n)
			return false;
		if (unit->empty || unit->free_running ||
		    unit->type != unlisted->row->type)
			continue;
		below += unit->id < unlisted->listed_below;
		exists |= unlisted->listed_per_unit &&
			  unit->id / unlisted->listed_per_unit == n &&
			  uncore_unit_good(unit);
	}
	return exists || n < below;
}

/* Build a unit from a row with a single access type. */
void uncore_unit_init_unlisted(const struct uncore_row *row, u16 id,
			       u64 address, struct uncore_unit *unit)
{
	const struct uncore_free_running_group *group = row->groups;

	*unit = (struct uncore_unit){
		.row = row, .address = address, .type = row->type, .id = id,
		.number = id, .ctl = row->ctl, .ctr = row->ctr,
		.access = __ffs(row->accesses),
		.width = row->width ?: UNLISTED_WIDTH,
		.free_running = row->groups, .counters = row->counters,
	};
	if (!group) {
		uncore_unit_check_offsets(unit);
		return;
	}
	/* span the first MSR only, because other registers lie between MSRs */
	if (unit->access == UNCORE_ACCESS_MSR) {
		unit->address = uncore_group_first(group, id);
		unit->span = 1;
	}
	for (; group->count; group++) {
		unit->counters += group->count;
		if (unit->access == UNCORE_ACCESS_MMIO)
			unit->span = max_t(u16, unit->span, group->base +
					   uncore_group_span(group));
	}
}

/*
 * Get extent @n of a unit's registers; return false after the last. Each group
 * of counters in memory is an extent; other registers may lie between groups.
 */
bool uncore_unit_extent(const struct uncore_unit *unit, unsigned int n,
			u64 *address, u32 *span)
{
	const struct uncore_free_running_group *group = unit->row->groups;
	unsigned int i;

	*address = unit->address;
	*span = unit->span;
	if (!unit->free_running || unit->access != UNCORE_ACCESS_MMIO)
		return !n;
	for (i = 0; i < n && group->count; i++)
		group++;
	*address += group->base;
	*span = uncore_group_span(group);
	return group->count;
}

static void uncore_free_running_counters(const struct uncore_unit *unit,
					 struct pmon_counter *counter)
{
	const struct uncore_free_running_group *group = unit->row->groups;
	/* subtract the unit's MSR from MSRs; groups in memory have offsets */
	u64 start = unit->access == UNCORE_ACCESS_MSR ? unit->address : 0;
	u8 i;

	for (; group->count; group++)
		for (i = 0; i < group->count; i++)
			*counter++ = (struct pmon_counter){
				.config = group->config + i * FREE_STEP,
				.ctr = uncore_group_first(group, unit->id) -
				       start + i * group->stride,
				.width = unit->width,
				.kind = PMON_COUNTER_FREE_RUNNING,
			};
}

/*
 * GENERIC_PMON_BOX_CTL_FRZ, _RST_CTRL, _RST_CTRS in
 * arch/x86/events/intel/uncore_discovery.h of Linux
 */
#define BOX_FREEZE		BIT_ULL(0)
#define BOX_RESET_CONTROLS	BIT_ULL(8)
#define BOX_RESET_COUNTERS	BIT_ULL(9)
#define BOX_RESET		(BOX_FREEZE | BOX_RESET_CONTROLS | \
				 BOX_RESET_COUNTERS)

/* SNBEP_PMON_CTL_EN in arch/x86/events/intel/uncore_snbep.c of Linux */
#define FIXED_ENABLE		BIT_ULL(22)
#define FIXED_WIDTH		48

static const struct pmon_protocol msr_box_control = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 8,
};

static const struct pmon_protocol dword_box_control = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 4,
};

static const struct pmon_protocol no_box_control = {
	.no_reset = true,
};

/*
 * The fastest free-running counter counts the traffic of a port of 16 lanes at
 * 64 GT/s in units of 4 bytes, so it gains up to 2^34.9 a second. Sleep may
 * reset the counters; see pmon_counter_wrapped().
 */
static const struct pmon_protocol free_running_control = {
	.rate_log2 = 35,
};

/* Return the number of counters, the fixed one included. */
unsigned int uncore_unit_nr_counters(const struct uncore_unit *unit)
{
	return unit->counters + !!unit->row->fixed_ctl;
}

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
			.kind = PMON_COUNTER_GENERAL,
		};
	if (row->fixed_ctl)
		*counter = (struct pmon_counter){
			.config = row->pmu_type->fixed_config,
			.enable = FIXED_ENABLE,
			.ctr = row->fixed_ctr,
			.ctl = row->fixed_ctl,
			.width = FIXED_WIDTH,
			.kind = PMON_COUNTER_FIXED,
		};
}

/*
 * Describe the registers of a good unit. @counter has room for
 * uncore_unit_nr_counters() counters; offsets are from the unit's address.
 */
void uncore_unit_layout(const struct uncore_unit *unit,
			struct pmon_counter *counter,
			struct pmon_layout *layout)
{
	struct uncore_geometry geo = uncore_unit_geometry(unit);
	bool msr = unit->access == UNCORE_ACCESS_MSR;

	*layout = (struct pmon_layout){
		.counter = counter,
		.counters = uncore_unit_nr_counters(unit),
		.indexed = msr,
	};
	if (unit->free_running) {
		uncore_free_running_counters(unit, counter);
		layout->protocol = &free_running_control;
		return;
	}
	uncore_unit_counters(unit, &geo, counter);
	layout->protocol = unit->row->controls_only ? &no_box_control :
			   msr ? &msr_box_control : &dword_box_control;
	layout->ctl_bytes = msr ? 8 : geo.ctl_bytes;
	/* Releasing a box sets its filter to 0: off, as after power-on. */
	layout->filter_bytes = unit->row->filter ? 8 : 0;
}
