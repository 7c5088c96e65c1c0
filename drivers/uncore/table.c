// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checking a PMON discovery table.
 *
 * Nothing a table says is believed before it was compared with what the
 * platform can have, because the addresses in it are written to later. A unit
 * with one bad field is lost, with the name and value of that field; the
 * others are served.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "freerunning.h"
#include "platform.h"
#include "table.h"

/*
 * There is no published specification of PMON discovery. The records are as in
 * arch/x86/events/intel/uncore_discovery.h of Linux (struct
 * uncore_global_discovery, struct uncore_unit_discovery) and uncore_pmu_discovery.h
 * of Intel PCM (GlobalPMU, BoxPMU), which agree.
 *
 * Record 0, the table itself.
 */
#define TABLE0_TYPE		GENMASK_ULL(7, 0)
#define TABLE0_STRIDE		GENMASK_ULL(15, 8)
#define TABLE0_UNITS		GENMASK_ULL(25, 16)
#define TABLE0_ACCESS		GENMASK_ULL(63, 62)
#define TABLE2_STATUS		GENMASK_ULL(7, 0)
#define TABLE2_NUM_STATUS	GENMASK_ULL(23, 8)

/* The other records, one for each unit. */
#define UNIT0_COUNTERS		GENMASK_ULL(7, 0)
#define UNIT0_CTL		GENMASK_ULL(15, 8)
#define UNIT0_WIDTH		GENMASK_ULL(23, 16)
#define UNIT0_CTR		GENMASK_ULL(31, 24)
#define UNIT0_STATUS		GENMASK_ULL(39, 32)
#define UNIT0_ACCESS		GENMASK_ULL(63, 62)
#define UNIT2_TYPE		GENMASK_ULL(15, 0)
#define UNIT2_ID		GENMASK_ULL(31, 16)

/*
 * The address of a PCI unit: offset, function, bus, segment, enable bit; as
 * UNCORE_DISCOVERY_PCI_DOMAIN() and its like in the same file of Linux.
 */
#define PCI_ADDRESS_ENABLE	BIT_ULL(31)
#define PCI_ADDRESS_MASK	GENMASK_ULL(31, 0)
#define PCI_CONFIG_HEADER	0x40
#define PCI_CONFIG_SIZE		0x1000

static_assert(PMON_UNIT_COUNTERS <= PMON_SLOTS_MAX);

#define MMIO_ADDRESS_MIN	BIT_ULL(20)
#define MMIO_ADDRESS_END	BIT_ULL(52)

static void fault_set(struct pmon_fault *fault, const char *field, u64 value,
		      const char *reason)
{
	fault->field = field;
	fault->value = value;
	fault->reason = reason;
}

static bool all_ones(const u64 *record)
{
	return record[0] == U64_MAX || record[1] == U64_MAX ||
	       record[2] == U64_MAX;
}

/*
 * How many units fit, all of whose records end inside the space. The last
 * record needs its three quadwords only, not a whole stride.
 */
static u32 units_that_fit(u64 space, u8 stride)
{
	u64 quads = space / 8;

	if (quads < PMON_RECORD_QWORDS)
		return 0;
	quads -= PMON_RECORD_QWORDS;
	/* 32 bits divide on every architecture; more room than that is enough */
	return (u32)min_t(u64, quads, U32_MAX) / stride;
}

/**
 * pmon_table_parse - check record 0
 * @record: its three quadwords
 * @space: bytes from record 0 to the end of what may be read
 * @table: result
 * @fault: what is wrong; its field is NULL if nothing is
 *
 * A table with more units than its space holds is cut to those that fit, with
 * a fault.
 *
 * Return: whether the units can be read.
 */
bool pmon_table_parse(const u64 record[PMON_RECORD_QWORDS], u64 space,
		      struct pmon_table *table, struct pmon_fault *fault)
{
	u32 fit;

	memset(table, 0, sizeof(*table));
	memset(fault, 0, sizeof(*fault));
	if (all_ones(record)) {
		fault_set(fault, "table", U64_MAX, "reads as all ones");
		return false;
	}
	table->type = FIELD_GET(TABLE0_TYPE, record[0]);
	table->stride = FIELD_GET(TABLE0_STRIDE, record[0]);
	table->units = FIELD_GET(TABLE0_UNITS, record[0]);
	table->access = FIELD_GET(TABLE0_ACCESS, record[0]);
	table->address = record[1];
	table->status = FIELD_GET(TABLE2_STATUS, record[2]);
	table->num_status = FIELD_GET(TABLE2_NUM_STATUS, record[2]);

	if (table->stride < PMON_RECORD_QWORDS) {
		fault_set(fault, "stride", table->stride,
			  "records would overlap");
		return false;
	}
	if (!table->units) {
		fault_set(fault, "units", 0, "lists none");
		return false;
	}
	fit = units_that_fit(space, table->stride);
	if (table->units > fit) {
		fault_set(fault, "units", table->units,
			  "more than fit behind the BAR");
		table->units = fit;
	}
	return fit > 0;
}

/**
 * pmon_unit_reject - mark a unit as not to be used
 * @unit: the unit
 * @field: which field is wrong
 * @value: its value
 * @reason: why
 *
 * The first fault stays: it is the one that explains the others.
 */
void pmon_unit_reject(struct pmon_unit *unit, const char *field, u64 value,
		      const char *reason)
{
	if (!unit->fault.field)
		fault_set(&unit->fault, field, value, reason);
}

static bool rejected(struct pmon_unit *unit, const char *field, u64 value,
		     const char *reason)
{
	pmon_unit_reject(unit, field, value, reason);
	return false;
}

static bool check_shape(struct pmon_unit *unit)
{
	if (unit->access >= PMON_ACCESSES)
		return rejected(unit, "access", unit->access, "no such access type");
	if (!unit->counters)
		return rejected(unit, "counters", 0, "has none");
	if (unit->counters > PMON_UNIT_COUNTERS)
		return rejected(unit, "counters", unit->counters,
				"more than can be served");
	if (unit->width < PMON_UNIT_WIDTH_MIN)
		return rejected(unit, "width", unit->width, "too narrow");
	if (unit->width > PMON_UNIT_WIDTH_MAX)
		return rejected(unit, "width", unit->width,
				"wider than a register");
	return true;
}

/* What is certain about a type on this platform must be what its units say. */
static bool check_row(struct pmon_unit *unit)
{
	const struct pmon_row *row = unit->row;
	static const char differs[] = "differs from this type on this platform";

	if (!(row->accesses & BIT(unit->access)))
		return rejected(unit, "access", unit->access, differs);
	if (row->counters && row->counters != unit->counters)
		return rejected(unit, "counters", unit->counters, differs);
	if (row->ctl && row->ctl != unit->ctl)
		return rejected(unit, "ctl_offset", unit->ctl, differs);
	if (row->ctr && row->ctr != unit->ctr)
		return rejected(unit, "ctr_offset", unit->ctr, differs);
	return true;
}

/* Registers of one kind inside a unit: first offset and the one after. */
struct extent {
	u32 first;
	u32 end;
};

static bool overlap(struct extent a, struct extent b)
{
	return a.first < b.end && b.first < a.end;
}

static struct extent registers(u32 first, u32 count, u32 stride, u32 size)
{
	return (struct extent){ first, first + (count - 1) * stride + size };
}

/*
 * How registers lie where the table does not say: the step between two of a
 * kind and their size. In MSRs everything is one register long.
 */
struct geometry {
	u8 box_bytes;
	u8 ctl_stride;
	u8 ctl_bytes;
	u8 ctr_stride;
	u8 ctr_bytes;
};

static struct geometry unit_geometry(const struct pmon_unit *unit)
{
	static const struct geometry usual[] = {
		[PMON_ACCESS_MSR] = { 1, 1, 1, 1, 1 },
		[PMON_ACCESS_MMIO] = { 4, 4, 4, 8, 8 },
		[PMON_ACCESS_PCI] = { 4, 8, 4, 8, 8 },
	};
	struct geometry result = usual[unit->access];

	result.ctl_stride = unit->row->ctl_stride ?: result.ctl_stride;
	if (unit->access != PMON_ACCESS_MSR)
		result.ctl_bytes = unit->row->ctl_bytes ?: result.ctl_bytes;
	if (unit->access == PMON_ACCESS_PCI && unit->row->pci_ctl_bytes)
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
#define FIXED_ENABLE		BIT_ULL(22)
#define FIXED_WIDTH		48

static const struct pmon_protocol msr_protocol = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 8,
};

static const struct pmon_protocol dword_protocol = {
	.freeze = BOX_FREEZE, .reset = BOX_RESET, .run = 0, .bytes = 4,
};

/**
 * pmon_unit_slots - the counters that a good unit has in all
 * @unit: the unit
 *
 * Return: their number, the fixed one included.
 */
unsigned int pmon_unit_slots(const struct pmon_unit *unit)
{
	return unit->counters + !!unit->row->fixed_ctl;
}

/* The programmable counters, which follow each other, and the fixed one. */
static void unit_counters(const struct pmon_unit *unit,
			  const struct geometry *geo,
			  struct pmon_counter *counter)
{
	const struct pmon_row *row = unit->row;
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
 * pmon_unit_layout - where the registers of a good unit are
 * @unit: the unit
 * @counter: gets pmon_unit_slots() counters; offsets are from the unit's
 *	address
 * @layout: gets the rest, and refers to @counter
 */
void pmon_unit_layout(const struct pmon_unit *unit,
		      struct pmon_counter *counter, struct pmon_layout *layout)
{
	struct geometry geo = unit_geometry(unit);
	bool msr = unit->access == PMON_ACCESS_MSR;

	*layout = (struct pmon_layout){
		.counter = counter,
		.counters = pmon_unit_slots(unit),
		.indexed = msr,
	};
	if (unit->free_running) {
		pmon_free_counters(unit, counter);
		return;
	}
	unit_counters(unit, &geo, counter);
	layout->protocol = msr ? &msr_protocol : &dword_protocol;
	layout->ctl_bytes = msr ? 8 : geo.ctl_bytes;
	layout->filter_bytes = unit->row->filter ? 8 : 0;
}

/* In memory a register is accessed as a whole, elsewhere in parts of 4 bytes. */
static bool check_alignment(struct pmon_unit *unit, u8 ctl_bytes)
{
	bool mmio = unit->access == PMON_ACCESS_MMIO;
	u32 ctl_align = mmio ? ctl_bytes : 4;
	u32 ctr_align = mmio ? 8 : 4;

	if (unit->access == PMON_ACCESS_MSR)
		return true;
	if (unit->ctl % ctl_align)
		return rejected(unit, "ctl_offset", unit->ctl, "not aligned");
	if (unit->ctr % ctr_align)
		return rejected(unit, "ctr_offset", unit->ctr, "not aligned");
	return true;
}

static bool check_status(struct pmon_unit *unit, struct extent box,
			 struct extent ctl, struct extent ctr)
{
	struct extent status = { unit->status, unit->status + 1 };

	if (!unit->status)
		return true;
	if (overlap(status, box))
		return rejected(unit, "status_offset", unit->status,
				"inside the box control");
	if (overlap(status, ctl))
		return rejected(unit, "status_offset", unit->status,
				"among the event controls");
	if (overlap(status, ctr))
		return rejected(unit, "status_offset", unit->status,
				"among the counters");
	return true;
}

/*
 * What a row adds. Rows with a filter leave the table no say in where the other
 * registers are.
 */
static void add_extras(struct pmon_unit *unit)
{
	const struct pmon_row *row = unit->row;

	if (row->fixed_ctl)
		unit->span = max3((u32)unit->span, row->fixed_ctl + 4u,
				  row->fixed_ctr + 8u);
	if (row->filter)
		unit->span = max(unit->span, (u16)(row->filter + 1));
}

/* The fixed counter, which the table does not know, has a place of its own. */
static bool check_fixed(struct pmon_unit *unit, u8 ctl_bytes, struct extent ctl,
			struct extent ctr)
{
	const struct pmon_row *row = unit->row;
	struct extent fixed[] = {
		registers(row->fixed_ctl, 1, 0, ctl_bytes),
		registers(row->fixed_ctr, 1, 0, 8),
	};
	size_t i;

	for (i = 0; row->fixed_ctl && i < ARRAY_SIZE(fixed); i++) {
		if (overlap(fixed[i], ctl))
			return rejected(unit, "ctl_offset", unit->ctl,
					"overlaps the fixed counter");
		if (overlap(fixed[i], ctr))
			return rejected(unit, "ctr_offset", unit->ctr,
					"overlaps the fixed counter");
	}
	return true;
}

static bool check_offsets(struct pmon_unit *unit)
{
	struct geometry geo = unit_geometry(unit);
	struct extent box = { 0, geo.box_bytes };
	struct extent ctl = registers(unit->ctl, unit->counters,
				      geo.ctl_stride, geo.ctl_bytes);
	struct extent ctr = registers(unit->ctr, unit->counters,
				      geo.ctr_stride, geo.ctr_bytes);

	if (overlap(box, ctl))
		return rejected(unit, "ctl_offset", unit->ctl,
				"overlaps the box control");
	if (overlap(box, ctr))
		return rejected(unit, "ctr_offset", unit->ctr,
				"overlaps the box control");
	if (overlap(ctl, ctr))
		return rejected(unit, "ctr_offset", unit->ctr,
				"overlaps the event controls");
	if (!check_alignment(unit, geo.ctl_bytes) ||
	    !check_fixed(unit, geo.ctl_bytes, ctl, ctr))
		return false;
	unit->span = max(ctl.end, ctr.end);
	add_extras(unit);
	return check_status(unit, box, ctl, ctr);
}

static const char *check_msr(const struct pmon_unit *unit,
			     const struct pmon_platform *platform)
{
	const struct pmon_msr_range *range;

	for (range = platform->msr; range->last; range++)
		if (unit->address >= range->first &&
		    unit->address <= range->last &&
		    unit->span - 1 <= range->last - unit->address)
			return NULL;
	return "outside the counter MSRs of this platform";
}

static const char *check_mmio(const struct pmon_unit *unit)
{
	if (unit->address % 8)
		return "not aligned";
	if (unit->address < MMIO_ADDRESS_MIN)
		return "in the first megabyte";
	if (unit->address > MMIO_ADDRESS_END - unit->span)
		return "not a physical address";
	return NULL;
}

static const char *check_pci(const struct pmon_unit *unit)
{
	u32 offset = pmon_pci_offset(unit->address);

	if (!(unit->address & PCI_ADDRESS_ENABLE))
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

static void check_address(struct pmon_unit *unit,
			  const struct pmon_platform *platform)
{
	const char *reason = unit->access == PMON_ACCESS_MSR ?
				check_msr(unit, platform) :
			     unit->access == PMON_ACCESS_MMIO ?
				check_mmio(unit) : check_pci(unit);

	if (reason)
		pmon_unit_reject(unit, "address", unit->address, reason);
}

/**
 * pmon_unit_parse - check the record of one unit
 * @record: its three quadwords
 * @platform: what its addresses and types may be
 * @unit: result; package, table and index are left alone
 *
 * The unit is empty, or has a fault, or is good as far as one record tells.
 */
void pmon_unit_parse(const u64 record[PMON_RECORD_QWORDS],
		     const struct pmon_platform *platform,
		     struct pmon_unit *unit)
{
	memset(&unit->fault, 0, sizeof(unit->fault));
	unit->empty = !record[0] && !record[1] && !record[2];
	unit->counters = FIELD_GET(UNIT0_COUNTERS, record[0]);
	unit->ctl = FIELD_GET(UNIT0_CTL, record[0]);
	unit->width = FIELD_GET(UNIT0_WIDTH, record[0]);
	unit->ctr = FIELD_GET(UNIT0_CTR, record[0]);
	unit->status = FIELD_GET(UNIT0_STATUS, record[0]);
	unit->access = FIELD_GET(UNIT0_ACCESS, record[0]);
	unit->address = record[1];
	unit->type = FIELD_GET(UNIT2_TYPE, record[2]);
	unit->id = FIELD_GET(UNIT2_ID, record[2]);
	unit->number = unit->id;
	unit->span = 0;
	unit->free_running = false;
	unit->row = pmon_platform_row(platform, unit->type, unit->access,
				      unit->address);
	if (unit->empty)
		return;
	if (all_ones(record))
		pmon_unit_reject(unit, "record", U64_MAX, "reads as all ones");
	else if (check_shape(unit) && check_row(unit) && check_offsets(unit))
		check_address(unit, platform);
}

/**
 * pmon_unit_record - the counterpart of pmon_unit_parse()
 * @unit: a unit as a table would describe it
 * @record: gets the three quadwords
 */
void pmon_unit_record(const struct pmon_unit *unit,
		      u64 record[PMON_RECORD_QWORDS])
{
	record[0] = FIELD_PREP(UNIT0_COUNTERS, unit->counters) |
		    FIELD_PREP(UNIT0_CTL, unit->ctl) |
		    FIELD_PREP(UNIT0_WIDTH, unit->width) |
		    FIELD_PREP(UNIT0_CTR, unit->ctr) |
		    FIELD_PREP(UNIT0_STATUS, unit->status) |
		    FIELD_PREP(UNIT0_ACCESS, unit->access);
	record[1] = unit->address;
	record[2] = FIELD_PREP(UNIT2_TYPE, unit->type) |
		    FIELD_PREP(UNIT2_ID, unit->id);
}

/* The registers of UPI and M3UPI links. */
#define LINK_COUNTERS		4
#define LINK_WIDTH		48
#define LINK_CTL		0x38
#define LINK_CTR		0x08

/**
 * pmon_link_record - what a table would say of a link
 * @link: kind of link
 * @id: its number
 * @address: of its box control
 * @record: gets the three quadwords
 */
void pmon_link_record(const struct pmon_link *link, u16 id, u64 address,
		      u64 record[PMON_RECORD_QWORDS])
{
	const struct pmon_unit unit = {
		.counters = LINK_COUNTERS, .width = LINK_WIDTH,
		.ctl = LINK_CTL, .ctr = LINK_CTR, .access = PMON_ACCESS_PCI,
		.address = address, .type = link->type, .id = id,
	};

	pmon_unit_record(&unit, record);
}

/**
 * pmon_table_units - check all units of a table
 * @records: the table without its record 0, three quadwords for each unit
 * @platform: what addresses and types may be
 * @units: results; package and table are left alone
 * @count: how many
 */
void pmon_table_units(const u64 *records, const struct pmon_platform *platform,
		      struct pmon_unit *units, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		units[i].index = i;
		pmon_unit_parse(records + i * PMON_RECORD_QWORDS, platform,
				&units[i]);
	}
}

/**
 * pmon_units_ignore - units of a type that is left alone
 * @units: of a table
 * @count: how many
 * @type: the type, 0: there is none
 */
void pmon_units_ignore(struct pmon_unit *units, size_t count, u16 type)
{
	size_t i;

	for (i = 0; type && i < count; i++)
		if (units[i].type == type)
			units[i].empty = true;
}
