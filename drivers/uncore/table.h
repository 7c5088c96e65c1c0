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
struct pmon_link;
struct pmon_platform;

/* Ten bits count the units, so that this is the most a table can list. */
#define PMON_TABLE_UNITS	1023

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

bool pmon_table_parse(const u64 record[PMON_RECORD_QWORDS], u64 space,
		      struct pmon_table *table, struct pmon_fault *fault);
void pmon_unit_parse(const u64 record[PMON_RECORD_QWORDS],
		     const struct pmon_platform *platform,
		     struct pmon_unit *unit);
void pmon_unit_record(const struct pmon_unit *unit,
		      u64 record[PMON_RECORD_QWORDS]);
void pmon_link_record(const struct pmon_link *link, u16 id, u64 address,
		      u64 record[PMON_RECORD_QWORDS]);
void pmon_table_units(const u64 *records, const struct pmon_platform *platform,
		      struct pmon_unit *units, size_t count);
void pmon_units_ignore(struct pmon_unit *units, size_t count, u16 type);
unsigned int pmon_unit_slots(const struct pmon_unit *unit);
void pmon_unit_layout(const struct pmon_unit *unit,
		      struct pmon_counter *counter, struct pmon_layout *layout);
void pmon_unit_reject(struct pmon_unit *unit, const char *field, u64 value,
		      const char *reason);

#endif
