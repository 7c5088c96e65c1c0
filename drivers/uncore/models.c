// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which platform a CPU model is, and what is known of a unit or a name there.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"

static const struct {
	u8 family;
	u8 model;
	const struct uncore_platform *platform;
} cpu_models[] = {
	{ 6, 0x8f, &uncore_platform_spr },
	{ 6, 0xcf, &uncore_platform_emr },
	{ 6, 0xad, &uncore_platform_gnr },
	{ 6, 0xae, &uncore_platform_gnr_d },
	{ 6, 0xaf, &uncore_platform_srf },
	{ 6, 0xb6, &uncore_platform_grr },
	{ 6, 0xdd, &uncore_platform_cwf },
	{ 19, 0x01, &uncore_platform_dmr },
	{ 6, 0xcc, &uncore_platform_ptl },	/* Panther Lake */
	{ 6, 0xe5, &uncore_platform_ptl },
	{ 6, 0xd5, &uncore_platform_ptl },	/* Wildcat Lake */
	{ 18, 0x01, &uncore_platform_nvl },	/* Nova Lake */
	{ 18, 0x03, &uncore_platform_nvl },
};

/*
 * Alder, Raptor, Meteor, Arrow and Lunar Lake, Gracemont: MSR 0x201e is among
 * the registers of boxes (ADL_UNC_CBO_0_PERFEVTSEL0 and MTL_UNC_HAC_ARB_CTRL
 * in arch/x86/events/intel/uncore_snb.c of Linux 7.3), and no table's address.
 */
static const u8 plain_models[] = {
	0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd,
};

/* Returns NULL for a CPU model that is not known. */
const struct uncore_platform *uncore_platform_find(u8 family, u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpu_models); i++)
		if (cpu_models[i].family == family &&
		    cpu_models[i].model == model)
			return cpu_models[i].platform;
	return NULL;
}

/* A platform without names of units, for a CPU model that is not known. */
const struct uncore_platform *uncore_platform_guess(u8 family, u8 model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plain_models); i++)
		if (family == 6 && plain_models[i] == model)
			return &uncore_platform_plain;
	return &uncore_platform_unknown;
}

/*
 * What is known of a unit. Returns the row, a generic one for a type without
 * name; never NULL.
 */
const struct uncore_row *
uncore_platform_row(const struct uncore_platform *platform, u16 type,
		    u8 access, u64 address)
{
	const struct uncore_row *row;
	size_t i;

	for (i = 0; i < platform->nr_named; i++)
		if (platform->named[i].type == type)
			return &platform->named[i];
	for (i = 0; i < platform->nr_rows; i++) {
		row = &platform->rows[i];
		if (row->type == type &&
		    (!row->applies || row->applies(access, address)))
			return row;
	}
	return &platform->generic[access < UNCORE_ACCESSES ? access : 0];
}

/*
 * The root buses behind IIO units. Returns pairs up to place
 * UNCORE_STACK_PLACES, NULL if they are not known.
 */
const struct uncore_stack *
uncore_platform_stacks(const struct uncore_platform *platform,
		       enum uncore_chop chop)
{
	return platform->stacks[chop] ?: platform->stacks[UNCORE_CHOP_ANY];
}

/* The place of an IIO unit's root bus. Returns NULL if it is not known. */
const struct uncore_stack *
uncore_platform_stack(const struct uncore_stack *stacks, u16 unit)
{
	for (; stacks && stacks->place < UNCORE_STACK_PLACES; stacks++)
		if (stacks->unit == unit)
			return stacks;
	return NULL;
}

static const struct uncore_row *
uncore_row_by_name(const struct uncore_platform *platform, const char *name)
{
	size_t i;

	for (i = 0; i < platform->nr_rows; i++)
		if (!strcmp(platform->rows[i].pmu_type->name, name))
			return &platform->rows[i];
	return NULL;
}

/*
 * Give unit types the names of the parameter names=, "TYPE:NAME,TYPE:NAME", in
 * @platform, a copy, with room for @count rows. Returns whether the text can
 * be read and the platform has these names.
 */
bool uncore_platform_names(struct uncore_platform *platform, const char *text,
			   struct uncore_row *rows, size_t count)
{
	const struct uncore_row *known;
	char name[24];
	int length;
	u32 type;

	platform->named = rows;
	for (platform->nr_named = 0; *text; platform->nr_named++, rows++) {
		if (platform->nr_named == count ||
		    sscanf(text, "%5u:%23[^,]%n", &type, name, &length) != 2 ||
		    type > U16_MAX)
			return false;
		known = uncore_row_by_name(platform, name);
		if (!known)
			return false;
		*rows = *known;
		rows->type = type;
		rows->applies = NULL;
		text += length;
		text += *text == ',';
	}
	return true;
}

static bool uncore_has_name(const struct uncore_row *row, const char *name)
{
	return (row->pmu_type->name && !strcmp(row->pmu_type->name, name)) ||
	       (row->kernel && !strcmp(row->kernel, name));
}

/* The kind of units with a name, or with "type_6" and the like; or -1. */
static int uncore_named_kind(const struct uncore_platform *platform,
			     const char *name)
{
	const struct uncore_unlisted *unlisted = platform->unlisted;
	const struct uncore_row *row;
	char behind;
	u32 type;

	for (; unlisted && unlisted->row; unlisted++) {
		row = unlisted->row;
		if (uncore_has_name(row, name))
			return row->type |
			       (row->groups ? UNCORE_KIND_FREE_RUNNING : 0);
	}
	for (row = platform->rows; row < platform->rows + platform->nr_rows;
	     row++)
		if (uncore_has_name(row, name))
			return row->type;
	if (sscanf(name, "type_%5u%c", &type, &behind) == 1 && type <= U16_MAX)
		return type;
	return -1;
}

/*
 * Which kind of unit another driver's PMU counts, as uncore_unit_kind() has
 * it; -1 if its name does not say so. The name may end with a number.
 */
int uncore_platform_kind(const struct uncore_platform *platform,
			 const char *pmu)
{
	char name[32], *number;
	int kind;

	if (sscanf(pmu, "uncore_%31s", name) != 1)
		return -1;
	kind = uncore_named_kind(platform, name);
	number = strrchr(name, '_');
	if (kind >= 0 || !number || !number[1] ||
	    number[1 + strspn(number + 1, "0123456789")])
		return kind;
	*number = '\0';
	return uncore_named_kind(platform, name);
}
