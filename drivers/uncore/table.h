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

struct pmon_platform;

bool pmon_table_parse(const u64 record[PMON_RECORD_QWORDS], u64 space,
		      struct pmon_table *table, struct pmon_fault *fault);
void pmon_unit_parse(const u64 record[PMON_RECORD_QWORDS],
		     const struct pmon_platform *platform,
		     struct pmon_unit *unit);
void pmon_table_units(const u64 *records, const struct pmon_platform *platform,
		      struct pmon_unit *units, size_t count);
void pmon_units_ignore(struct pmon_unit *units, size_t count, u16 type);

#endif
