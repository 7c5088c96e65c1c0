/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PMON discovery table: what a package's firmware says about its counter
 * boxes. Pure: bytes in, checked units out; no device is known here.
 *
 * A table is a row of records, each three quadwords long and placed every
 * `stride` quadwords. Record 0 describes the table, record i+1 unit i.
 */
#ifndef PMON_UNCORE_TABLE_H
#define PMON_UNCORE_TABLE_H

#include <linux/bits.h>
#include <linux/types.h>

struct pmon_layout;
struct pmon_platform;
struct pmon_row;

#define PMON_RECORD_QWORDS	3
#define PMON_RECORD_BYTES	(PMON_RECORD_QWORDS * 8)
/* Ten bits count the units, so that this is the most a table can list. */
#define PMON_TABLE_UNITS	1023

/* Known boxes have at most 8; this is what fits into the engine's masks. */
#define PMON_UNIT_COUNTERS	64
#define PMON_UNIT_WIDTH_MIN	32
#define PMON_UNIT_WIDTH_MAX	64

/* How a unit's registers are reached, as the table encodes it. */
enum pmon_access {
	PMON_ACCESS_MSR,
	PMON_ACCESS_MMIO,
	PMON_ACCESS_PCI,
	PMON_ACCESSES		/* how many there are */
};

/**
 * struct pmon_fault - why something of a table is not used
 * @field: the field at fault, NULL when there is no fault
 * @reason: what is wrong with it
 * @value: what the field holds
 */
struct pmon_fault {
	const char *field;
	const char *reason;
	u64 value;
};

/**
 * struct pmon_table - record 0, checked
 * @address: of the global control register; not used on these platforms
 * @units: how many records follow
 * @num_status: number of global status registers
 * @type: type of the table
 * @stride: quadwords from one record to the next
 * @access: how the global registers are reached
 * @status: offset of the first status register
 */
struct pmon_table {
	u64 address;
	u16 units;
	u16 num_status;
	u8 type;
	u8 stride;
	u8 access;
	u8 status;
};

/**
 * struct pmon_unit - one counter box of one package
 * @fault: why the unit is not used; @fault.field is NULL for a good one
 * @row: what the platform says about this type, never NULL
 * @address: of the box control register, as the table encodes it
 * @table: counts the tables in the order they were read; the caller fills it in
 * @package: the package it belongs to; the caller fills it in
 * @index: its place among the units of that table, from 0
 * @type: box type
 * @id: box number inside its type
 * @span: registers' extent from @address: bytes, or MSRs
 * @access: enum pmon_access
 * @counters: number of programmable counters
 * @width: bits of a counter
 * @ctl: offset of the first event control
 * @ctr: offset of the first counter
 * @status: offset of the status register, 0 if there is none
 * @empty: an unused record: all of it is zero
 * @free_running: its counters have no control: from the platform, not a table
 */
struct pmon_unit {
	struct pmon_fault fault;
	const struct pmon_row *row;
	u64 address;
	u32 table;
	u16 package;
	u16 index;
	u16 type;
	u16 id;
	u16 span;
	u8 access;
	u8 counters;
	u8 width;
	u8 ctl;
	u8 ctr;
	u8 status;
	bool empty;
	bool free_running;
};

/* Free-running counters are another kind of unit with the same type number. */
#define PMON_KIND_FREE		BIT(16)
#define PMON_KINDS		BIT(17)
#define PMON_KIND_CHA		0

static inline u32 pmon_unit_kind(const struct pmon_unit *unit)
{
	return unit->type | (unit->free_running ? PMON_KIND_FREE : 0);
}

/* The parts of a PCI unit's address. */
static inline u16 pmon_pci_offset(u64 address)
{
	return address & 0xfff;
}

static inline u8 pmon_pci_devfn(u64 address)
{
	return address >> 12;
}

static inline u8 pmon_pci_bus(u64 address)
{
	return address >> 20;
}

static inline u8 pmon_pci_domain(u64 address)
{
	return (address >> 28) & 0x7;
}

#define PMON_PCI_DOMAIN_MAX	7

static inline u64 pmon_pci_address(u8 domain, u8 bus, u8 devfn, u16 offset)
{
	return BIT_ULL(31) | (u64)domain << 28 | (u64)bus << 20 |
	       (u64)devfn << 12 | offset;
}

static inline bool pmon_unit_good(const struct pmon_unit *unit)
{
	return !unit->empty && !unit->fault.field;
}

bool pmon_table_parse(const u64 record[PMON_RECORD_QWORDS], u64 space,
		      struct pmon_table *table, struct pmon_fault *fault);
void pmon_unit_parse(const u64 record[PMON_RECORD_QWORDS],
		     const struct pmon_platform *platform,
		     struct pmon_unit *unit);
void pmon_unit_record(const struct pmon_unit *unit,
		      u64 record[PMON_RECORD_QWORDS]);
void pmon_table_units(const u64 *records, const struct pmon_platform *platform,
		      struct pmon_unit *units, size_t count);
void pmon_unit_layout(const struct pmon_unit *unit, struct pmon_layout *layout);
void pmon_unit_reject(struct pmon_unit *unit, const char *field, u64 value,
		      const char *reason);

/* resolve.c */
/**
 * struct pmon_limit - how many units there may be
 * @most: so many
 * @reason: of those that are too many
 */
struct pmon_limit {
	u32 most;
	const char *reason;
};

u32 pmon_units_listed(const struct pmon_unit *units, size_t count, u32 kind);
void pmon_units_resolve(struct pmon_unit **units, size_t count,
			struct pmon_limit (*limit)(const struct pmon_unit *unit));

/* free.c */
bool pmon_unit_companion(const struct pmon_unit *unit,
			 struct pmon_unit *companion);
void pmon_unit_controller(const struct pmon_platform *platform, u16 id,
			  u64 address, struct pmon_unit *unit);
void pmon_free_layout(const struct pmon_unit *unit, struct pmon_layout *layout);

#endif
