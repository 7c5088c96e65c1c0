// SPDX-License-Identifier: GPL-2.0-only
/* The records of a PMON discovery table: from quadwords to fields, and back. */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/limits.h>

#include "platform.h"
#include "record.h"

/*
 * There is no published specification of PMON discovery. The records are as in
 * arch/x86/events/intel/uncore_discovery.h of Linux (struct
 * uncore_global_discovery, struct uncore_unit_discovery) and
 * uncore_pmu_discovery.h of Intel PCM (GlobalPMU, BoxPMU), which agree.
 *
 * Record 0, the global record.
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

/**
 * uncore_record_answers() - was a record read, or did nothing answer?
 * @record: its three quadwords
 *
 * Return: false if one of them is all-ones.
 */
bool uncore_record_answers(const u64 record[UNCORE_RECORD_QWORDS])
{
	return record[0] != U64_MAX && record[1] != U64_MAX &&
	       record[2] != U64_MAX;
}

/**
 * uncore_global_record_decode() - the fields of record 0
 * @record: its three quadwords
 * @head: gets them, as they are
 */
void uncore_global_record_decode(const u64 record[UNCORE_RECORD_QWORDS],
				 struct uncore_global_record *head)
{
	head->type = FIELD_GET(TABLE0_TYPE, record[0]);
	head->stride = FIELD_GET(TABLE0_STRIDE, record[0]);
	head->units = FIELD_GET(TABLE0_UNITS, record[0]);
	head->access = FIELD_GET(TABLE0_ACCESS, record[0]);
	head->address = record[1];
	head->status = FIELD_GET(TABLE2_STATUS, record[2]);
	head->num_status = FIELD_GET(TABLE2_NUM_STATUS, record[2]);
}

/**
 * uncore_unit_decode() - the fields of the record of one unit
 * @record: its three quadwords
 * @unit: gets them, as they are; the rest is left alone
 *
 * A record without counters or without an address is of no unit, whatever type
 * and number it has, as uncore_discovery_invalid_unit() in the same file of
 * Linux has it.
 */
void uncore_unit_decode(const u64 record[UNCORE_RECORD_QWORDS],
			struct uncore_unit *unit)
{
	unit->empty = !record[0] || !record[1];
	unit->counters = FIELD_GET(UNIT0_COUNTERS, record[0]);
	unit->ctl = FIELD_GET(UNIT0_CTL, record[0]);
	unit->width = FIELD_GET(UNIT0_WIDTH, record[0]);
	unit->ctr = FIELD_GET(UNIT0_CTR, record[0]);
	unit->status = FIELD_GET(UNIT0_STATUS, record[0]);
	unit->access = FIELD_GET(UNIT0_ACCESS, record[0]);
	unit->address = record[1];
	unit->type = FIELD_GET(UNIT2_TYPE, record[2]);
	unit->id = FIELD_GET(UNIT2_ID, record[2]);
}

/**
 * uncore_unit_record() - the counterpart of uncore_unit_decode()
 * @unit: a unit as a table would describe it
 * @record: gets the three quadwords
 */
void uncore_unit_record(const struct uncore_unit *unit,
			u64 record[UNCORE_RECORD_QWORDS])
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
 * uncore_link_record() - what a table would say of a link
 * @link: kind of link
 * @id: its number
 * @address: of its box control
 * @record: gets the three quadwords
 */
void uncore_link_record(const struct uncore_link *link, u16 id, u64 address,
			u64 record[UNCORE_RECORD_QWORDS])
{
	const struct uncore_unit unit = {
		.counters = LINK_COUNTERS, .width = LINK_WIDTH,
		.ctl = LINK_CTL, .ctr = LINK_CTR, .access = UNCORE_ACCESS_PCI,
		.address = address, .type = link->type, .id = id,
	};

	uncore_unit_record(&unit, record);
}
