// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units that no table lists: the platform knows where they are. Most are
 * free-running counters, which count since the machine was reset and have no
 * control. Nothing is ever written to these.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include <pmon/box.h>

#include "freerunning.h"
#include "platform.h"

#define UNLISTED_WIDTH		48
/* A unit mask more: from the event of one counter to that of the next. */
#define FREE_STEP		BIT(8)
/* Behind those of the last stack there can be, registers mean other things. */
#define FREE_UNITS		16

static u64 uncore_group_first(const struct uncore_free_running_group *group,
			      u16 id)
{
	return group->base + (u64)group->step * id;
}

static u8 uncore_count_counters(const struct uncore_free_running_group *group)
{
	u8 count = 0;

	for (; group->count; group++)
		count += group->count;
	return count;
}

/* From the first counter in memory to behind the last. */
static u32 uncore_group_span(const struct uncore_free_running_group *group)
{
	return (group->count - 1) * group->stride + 8;
}

/* Of those in memory. */
static u16 uncore_groups_span(const struct uncore_free_running_group *group)
{
	u16 span = 0;

	for (; group->count; group++)
		span = max_t(u16, span, group->base + uncore_group_span(group));
	return span;
}

/**
 * uncore_unit_unlisted() - a unit that no table lists
 * @row: what it is; reached in one way
 * @id: its number
 * @address: of what the offsets of its registers are from
 * @unit: result; package and table are left alone
 */
void uncore_unit_unlisted(const struct uncore_row *row, u16 id, u64 address,
			  struct uncore_unit *unit)
{
	bool msr = row->accesses == BIT(UNCORE_ACCESS_MSR);

	unit->row = row;
	unit->address = address;
	unit->type = row->type;
	unit->id = id;
	unit->number = id;
	unit->access = msr ? UNCORE_ACCESS_MSR : UNCORE_ACCESS_MMIO;
	unit->width = row->width ?: UNLISTED_WIDTH;
	unit->free_running = row->groups;
	unit->ctl = row->ctl;
	unit->ctr = row->ctr;
	unit->counters = row->counters;
	unit->span = max(row->ctr + row->counters, row->fixed_ctr + 1);
	if (!row->groups)
		return;
	unit->counters = uncore_count_counters(row->groups);
	/* others may lie between MSRs: the first stands for all */
	unit->span = msr ? 1 : uncore_groups_span(row->groups);
}

/**
 * uncore_unit_companion() - the free-running counters beside a good unit
 * @unit: the unit
 * @companion: result
 *
 * Return: whether there are any.
 */
bool uncore_unit_companion(const struct uncore_unit *unit,
			   struct uncore_unit *companion)
{
	const struct uncore_row *row = unit->row->companion;

	if (!row || unit->id >= FREE_UNITS)
		return false;
	*companion = (struct uncore_unit){
		.table = unit->table, .package = unit->package,
	};
	uncore_unit_unlisted(row, unit->id,
			     uncore_group_first(row->groups, unit->id),
			     companion);
	return true;
}

/* Is this one of the units in whose spaces counters are? */
static bool uncore_has_space(const struct uncore_spaces *spaces,
			     const struct uncore_unit *unit)
{
	return !unit->empty && !unit->free_running &&
	       unit->type == spaces->beside && unit->id < spaces->ids;
}

/* How many numbers of such units are below this one's. */
static u32 uncore_rank_of_space(const struct uncore_spaces *spaces,
				const struct uncore_unit *units, size_t count,
				u16 id)
{
	u32 rank = 0, next, last = 0;
	size_t i;

	for (;;) {
		next = id;
		for (i = 0; i < count; i++)
			if (uncore_has_space(spaces, &units[i]) &&
			    units[i].id >= last && units[i].id < next)
				next = units[i].id;
		if (next == id || rank == spaces->count)
			return rank;
		last = next + 1;
		rank++;
	}
}

/**
 * uncore_unit_space() - the free-running counters in the space of a unit
 * @spaces: where such counters are
 * @units: the units of the unit's table
 * @count: how many
 * @which: the unit
 * @unit: result; package and table are left alone
 *
 * Return: whether there are any.
 */
bool uncore_unit_space(const struct uncore_spaces *spaces,
		       const struct uncore_unit *units, size_t count,
		       size_t which, struct uncore_unit *unit)
{
	const struct uncore_unit *beside = &units[which];
	u32 rank;

	if (!uncore_has_space(spaces, beside) || !uncore_unit_good(beside) ||
	    beside->package != spaces->package)
		return false;
	rank = uncore_rank_of_space(spaces, units, count, beside->id);
	if (rank >= spaces->count)
		return false;
	uncore_unit_unlisted(spaces->row, rank,
			     spaces->base + spaces->offset[rank], unit);
	return true;
}

/**
 * uncore_unit_is_scattered() - may other units lie between its registers?
 * @unit: the unit
 *
 * Return: whether they may.
 */
bool uncore_unit_is_scattered(const struct uncore_unit *unit)
{
	return unit->free_running && unit->access == UNCORE_ACCESS_MMIO;
}

/**
 * uncore_unit_registers() - where a unit has registers
 * @unit: the unit
 * @n: which of the places, from 0
 * @address: gets the first of the registers there
 * @span: gets their extent
 *
 * Return: whether there are so many places.
 */
bool uncore_unit_registers(const struct uncore_unit *unit, unsigned int n,
			   u64 *address, u32 *span)
{
	const struct uncore_free_running_group *group = unit->row->groups;
	unsigned int i;

	*address = unit->address;
	*span = unit->span;
	if (!uncore_unit_is_scattered(unit))
		return !n;
	for (i = 0; i < n && group->count; i++)
		group++;
	*address += group->base;
	*span = uncore_group_span(group);
	return group->count;
}

/**
 * uncore_free_running_counters() - where the counters are
 * @unit: a free-running unit
 * @counter: gets them, with offsets from the unit's address
 */
void uncore_free_running_counters(const struct uncore_unit *unit,
				  struct pmon_counter *counter)
{
	const struct uncore_free_running_group *group = unit->row->groups;
	/* offsets in a space count from its start, MSRs from the first one */
	u64 start = unit->access == UNCORE_ACCESS_MSR ? unit->address : 0;
	u8 i;

	for (; group->count; group++)
		for (i = 0; i < group->count; i++)
			*counter++ = (struct pmon_counter){
				.config = group->config + i * FREE_STEP,
				.ctr = uncore_group_first(group, unit->id) -
				       start + i * group->stride,
				.width = unit->width,
				.kind = PMON_COUNTER_FREE_RUNNING,
			};
}
