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
static u32 uncore_units_that_fit(u64 space, u8 stride)
{
	u64 quads = space / 8;

	if (quads < UNCORE_RECORD_QWORDS)
		return 0;
	quads -= UNCORE_RECORD_QWORDS;
	/*
	 * 32 bits divide on every architecture; more room than that is enough
	 */
	return (u32)min_t(u64, quads, U32_MAX) / stride;
}

/**
 * uncore_global_record_check() - check record 0
 * @record: its three quadwords
 * @space: bytes from record 0 to the end of what may be read
 * @head: result
 * @fault: what is wrong; its field is NULL if nothing is
 *
 * A table with more units than its space holds is cut to those that fit, with
 * a fault.
 *
 * Return: whether the units can be read.
 */
bool uncore_global_record_check(const u64 record[UNCORE_RECORD_QWORDS],
				u64 space, struct uncore_global_record *head,
				struct uncore_fault *fault)
{
	u32 fit;

	memset(head, 0, sizeof(*head));
	memset(fault, 0, sizeof(*fault));
	if (!uncore_record_answers(record)) {
		uncore_fault_set(fault, "table", U64_MAX, "reads as all ones");
		return false;
	}
	uncore_global_record_decode(record, head);

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
				 "more than fit behind the BAR");
		head->units = fit;
	}
	return fit > 0;
}

/**
 * uncore_unit_parse() - check the record of one unit
 * @record: its three quadwords
 * @platform: what its addresses and types may be
 * @unit: result; package, table and index are left alone
 *
 * The unit is empty, or has a fault, or is good as far as one record tells.
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
	if (uncore_record_answers(record))
		uncore_unit_check(unit, platform);
	else
		uncore_unit_reject(unit, "record", U64_MAX,
				   "reads as all ones");
}

/**
 * uncore_table_units() - check all units of a table
 * @records: the table without its record 0, three quadwords for each unit
 * @platform: what addresses and types may be
 * @units: results; package and table are left alone
 * @count: how many
 */
void uncore_table_units(const u64 *records,
			const struct uncore_platform *platform,
			struct uncore_unit *units, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		units[i].index = i;
		uncore_unit_parse(records + i * UNCORE_RECORD_QWORDS, platform,
				  &units[i]);
	}
}

/**
 * uncore_units_ignore() - units of a type that is left alone
 * @units: of a table
 * @count: how many
 * @type: the type, 0: there is none
 */
void uncore_units_ignore(struct uncore_unit *units, size_t count, u16 type)
{
	size_t i;

	for (i = 0; type && i < count; i++)
		if (units[i].type == type)
			units[i].empty = true;
}
