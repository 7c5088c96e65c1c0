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

#include "record.h"
#include "unit.h"

struct uncore_platform;

bool uncore_global_record_check(const u64 record[UNCORE_RECORD_QWORDS],
				u64 space, struct uncore_global_record *head,
				struct uncore_fault *fault);
void uncore_unit_parse(const u64 record[UNCORE_RECORD_QWORDS],
		       const struct uncore_platform *platform,
		       struct uncore_unit *unit);
void uncore_table_units(const u64 *records,
			const struct uncore_platform *platform,
			struct uncore_unit *units, size_t count);
void uncore_units_ignore(struct uncore_unit *units, size_t count, u16 type);

#endif
