/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of a PMON discovery table. Pure. */
#ifndef PMON_UNCORE_RECORD_H
#define PMON_UNCORE_RECORD_H

#include <linux/types.h>

#include "unit.h"

struct uncore_link;

/* Ten bits count the units, so that this is the most a table can list. */
#define UNCORE_TABLE_UNITS	1023

/**
 * struct uncore_global_record - record 0, which describes the table
 * @address: of the global control register; not used on these platforms
 * @units: how many records follow
 * @num_status: number of global status registers
 * @type: type of the table
 * @stride: quadwords from one record to the next
 * @access: how the global registers are reached
 * @status: offset of the first status register
 */
struct uncore_global_record {
	u64 address;
	u16 units;
	u16 num_status;
	u8 type;
	u8 stride;
	u8 access;
	u8 status;
};

bool uncore_record_answers(const u64 record[UNCORE_RECORD_QWORDS]);
void uncore_global_record_decode(const u64 record[UNCORE_RECORD_QWORDS],
				 struct uncore_global_record *head);
void uncore_unit_decode(const u64 record[UNCORE_RECORD_QWORDS],
			struct uncore_unit *unit);
void uncore_unit_record(const struct uncore_unit *unit,
			u64 record[UNCORE_RECORD_QWORDS]);
void uncore_link_record(const struct uncore_link *link, u16 id, u64 address,
			u64 record[UNCORE_RECORD_QWORDS]);

#endif
