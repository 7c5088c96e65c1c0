// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a discovery table of any bytes. The parser must not misbehave,
 * and an accepted unit must be safe to drive, which is checked here
 * independently of the parser.
 */
#include <assert.h>
#include <stdlib.h>

#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "../../../drivers/uncore/platform.h"
#include "fuzz.h"

static const struct {
	unsigned char family, model;
} models[] = {
	{ 6, 0x8f }, { 6, 0xcf }, { 6, 0xad }, { 6, 0xae }, { 6, 0xaf },
	{ 6, 0xb6 }, { 6, 0xdd }, { 0, 0 }, { 19, 1 }
};

#define MODELS	(sizeof(models) / sizeof(*models))

/* Compute the first and last register byte (or MSR) of a unit from its layout. */
static void bounds(const struct uncore_unit *unit, u64 *first, u64 *last)
{
	unsigned int slot, one = unit->access == UNCORE_ACCESS_MSR;
	struct pmon_counter counter[PMON_COUNTERS_MAX];
	struct pmon_layout layout;

	assert(uncore_unit_nr_counters(unit) <= PMON_COUNTERS_MAX);
	uncore_unit_layout(unit, counter, &layout);
	assert(layout.counters >= 1);
	*first = unit->address;
	*last = unit->address;
	for (slot = 0; slot < layout.counters; slot++) {
		assert(counter[slot].width >= 32 && counter[slot].width <= 64);
		*last = max3(*last, unit->address + counter[slot].ctl + (one ? 0 : 3),
			     unit->address + counter[slot].ctr + (one ? 0 : 7));
		assert(counter[slot].ctl > 0);
		assert(counter[slot].ctr > 0);
		assert(counter[slot].ctl != counter[slot].ctr);
	}
}

/* Check that units without a record in the table are valid free-running counters. */
static void check_unlisted(const struct uncore_platform *platform,
			   const struct uncore_unit *units, size_t count)
{
	const struct uncore_unlisted *unlisted = platform->unlisted;
	struct pmon_counter counter[PMON_COUNTERS_MAX];
	struct pmon_layout layout;
	struct uncore_unit unit;
	unsigned int i, n;
	u64 end;

	for (; unlisted && unlisted->row; unlisted++)
		for (n = unlisted->first; n < unlisted->end; n++) {
			if (!uncore_unlisted_is_missing(unlisted, n, units,
							count))
				continue;
			uncore_unit_init_unlisted(unlisted->row, n, unlisted->offset +
						  unlisted->step * n, &unit);
			assert(uncore_unit_good(&unit));
			assert(uncore_unit_nr_counters(&unit) <= PMON_COUNTERS_MAX);
			uncore_unit_layout(&unit, counter, &layout);
			assert(layout.counters && layout.protocol &&
			       !layout.protocol->no_reset);
			for (i = 0; i < layout.counters; i++) {
				assert(counter[i].kind ==
				       PMON_COUNTER_FREE_RUNNING);
				end = unit.address + counter[i].ctr;
				assert(unit.access != UNCORE_ACCESS_MSR ||
				       (end >= 0x2000 && end <= 0x3fff));
				assert(unit.access != UNCORE_ACCESS_MMIO ||
				       counter[i].ctr + 8u <= unit.span);
			}
			assert(!unlisted->listed_below ||
			       (unit.address >= 0x1ffff6ae7000 &&
				unit.address + unit.span <= 0x1ffff6b0f000));
		}
}

static void check_unit(const struct uncore_unit *unit)
{
	u64 first, last;

	assert(unit->row);
	if (!uncore_unit_good(unit)) {
		assert(unit->empty ||
		       (unit->fault.field && unit->fault.reason));
		return;
	}
	bounds(unit, &first, &last);
	assert(last - first < unit->span);
	switch (unit->access) {
	case UNCORE_ACCESS_MSR:
		assert((first >= 0x2000 && last <= 0x2fef) ||
		       (first >= 0x3000 && last <= 0x3fff));
		break;
	case UNCORE_ACCESS_MMIO:
		assert(first >= 0x100000 && last < 1ULL << 52);
		break;
	case UNCORE_ACCESS_PCI:
		assert(first >> 31 == 1 && first >> 12 == last >> 12);
		assert((first & 0xfff) >= 0x40);
		break;
	default:
		assert(0);
	}
}

static void check_pair(const struct uncore_unit *a, const struct uncore_unit *b)
{
	if (!uncore_unit_good(a) || !uncore_unit_good(b))
		return;
	assert(a->type != b->type || a->number != b->number ||
	       (a->die && b->die && a->die != b->die));
	assert(a->access != b->access || a->address + a->span <= b->address ||
	       b->address + b->span <= a->address);
}

static struct uncore_limit no_limit(const struct uncore_unit *unit)
{
	return (struct uncore_limit){ .max = UNCORE_TABLE_UNITS };
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	const struct uncore_platform *platform;
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_unit *units, **list;
	struct uncore_global_record table;
	struct uncore_fault fault;
	size_t i, j, stride;
	u64 *records;

	if (size < 1 + UNCORE_RECORD_BYTES)
		return 0;
	platform = uncore_platform_find(models[*data % MODELS].family,
					models[*data % MODELS].model) ?:
		&uncore_platform_unknown;
	data++;
	size--;
	memcpy(record, data, sizeof(record));
	if (!uncore_global_record_check(record, size, &table, &fault)) {
		assert(fault.field && fault.reason);
		return 0;
	}
	assert(table.units > 0 && table.units <= UNCORE_TABLE_UNITS);
	stride = table.stride * 8;
	assert(table.units * stride + UNCORE_RECORD_BYTES <= size);

	records = calloc(table.units, UNCORE_RECORD_BYTES);
	units = calloc(table.units, sizeof(*units));
	list = calloc(table.units, sizeof(*list));
	for (i = 0; i < table.units; i++) {
		memcpy(records + i * UNCORE_RECORD_QWORDS,
		       data + (i + 1) * stride, UNCORE_RECORD_BYTES);
		list[i] = &units[i];
	}
	uncore_table_units(records, platform, platform->repeats_ids ? 0x13 : 0,
			   units, table.units);
	if (platform->repeats_ids) {
		/* Spread the units over die 0 (the package), die 1 and die 2. */
		for (i = 0; i < table.units; i++) {
			units[i].die = i % 3;
			units[i].table = i % 3;
		}
		uncore_units_assign_numbers(list, table.units);
		for (i = 0; i < table.units; i++)
			assert(!uncore_unit_good(&units[i]) ||
			       units[i].numbered);
	}
	check_unlisted(platform, units, table.units);
	uncore_units_resolve(list, table.units, no_limit);
	for (i = 0; i < table.units; i++) {
		check_unit(&units[i]);
		for (j = 0; j < i; j++)
			check_pair(&units[j], &units[i]);
	}
	free(records);
	free(units);
	free(list);
	return 0;
}
