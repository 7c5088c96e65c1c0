/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a PMON discovery table. Pure. */
#ifndef PMON_UNCORE_RECORD_H
#define PMON_UNCORE_RECORD_H

#include <linux/types.h>

#include "unit.h"

struct pmon_link;

/* Ten bits count the units, so that this is the most a table can list. */
#define PMON_TABLE_UNITS	1023

/**
 * struct pmon_table - record 0
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

bool pmon_record_answers(const u64 record[PMON_RECORD_QWORDS]);
void pmon_table_decode(const u64 record[PMON_RECORD_QWORDS],
		       struct pmon_table *table);
void pmon_unit_decode(const u64 record[PMON_RECORD_QWORDS],
		      struct pmon_unit *unit);
void pmon_unit_record(const struct pmon_unit *unit,
		      u64 record[PMON_RECORD_QWORDS]);
void pmon_link_record(const struct pmon_link *link, u16 id, u64 address,
		      u64 record[PMON_RECORD_QWORDS]);

#endif
