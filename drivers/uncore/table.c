// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a PMON discovery table to checked units. A unit with one bad field is
 * lost, with the name and value of that field; the others are served.
 */
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "check.h"
#include "platform.h"
#include "table.h"

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
 * pmon_table_parse() - check record 0
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
	if (!pmon_record_answers(record)) {
		pmon_fault_set(fault, "table", U64_MAX, "reads as all ones");
		return false;
	}
	pmon_table_decode(record, table);

	if (table->stride < PMON_RECORD_QWORDS) {
		pmon_fault_set(fault, "stride", table->stride,
			       "records would overlap");
		return false;
	}
	if (!table->units) {
		pmon_fault_set(fault, "units", 0, "lists none");
		return false;
	}
	fit = units_that_fit(space, table->stride);
	if (table->units > fit) {
		pmon_fault_set(fault, "units", table->units,
			       "more than fit behind the BAR");
		table->units = fit;
	}
	return fit > 0;
}

/**
 * pmon_unit_parse() - check the record of one unit
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
	pmon_unit_decode(record, unit);
	unit->number = unit->id;
	unit->span = 0;
	unit->free_running = false;
	unit->row = pmon_platform_row(platform, unit->type, unit->access,
				      unit->address);
	if (unit->empty)
		return;
	if (pmon_record_answers(record))
		pmon_unit_check(unit, platform);
	else
		pmon_unit_reject(unit, "record", U64_MAX, "reads as all ones");
}

/**
 * pmon_table_units() - check all units of a table
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
 * pmon_units_ignore() - units of a type that is left alone
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
