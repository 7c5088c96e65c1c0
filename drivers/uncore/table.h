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

#include <linux/types.h>

#include "unit.h"

struct pmon_counter;
struct pmon_layout;
struct uncore_platform;
struct uncore_unlisted;

/* Ten bits count the units, so that this is the most a table can list. */
#define UNCORE_TABLE_UNITS	1023

/* Record 0, which describes the table. */
struct uncore_global_record {
	u64 address;	/* of the global control register */
	u16 units;	/* how many records follow */
	u8 stride;	/* quadwords from one record to the next */
	u8 access;	/* how the global registers are reached */
};

bool uncore_global_record_check(const u64 record[UNCORE_RECORD_QWORDS],
				u64 space, struct uncore_global_record *head,
				struct uncore_fault *fault);
void uncore_unit_parse(const u64 record[UNCORE_RECORD_QWORDS],
		       const struct uncore_platform *platform,
		       struct uncore_unit *unit);
void uncore_table_units(const u64 *records,
			const struct uncore_platform *platform, u16 ignored,
			struct uncore_unit *units, size_t count);
bool uncore_unlisted_is_there(const struct uncore_unlisted *unlisted, u16 n,
			      const struct uncore_unit *units, size_t count);
void uncore_unit_unlisted(const struct uncore_row *row, u16 id, u64 address,
			  struct uncore_unit *unit);
bool uncore_unit_registers(const struct uncore_unit *unit, unsigned int n,
			   u64 *address, u32 *span);
unsigned int uncore_unit_slots(const struct uncore_unit *unit);
void uncore_unit_layout(const struct uncore_unit *unit,
			struct pmon_counter *counter,
			struct pmon_layout *layout);

#endif
