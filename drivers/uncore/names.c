// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of unit types, as persons and other drivers say them: a person names a
 * type that the platform does not know, another driver's PMUs tell by their
 * names which units they count.
 */
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"

/* Reads a decimal number of at most 16 bits; moves @text behind it. */
static bool uncore_read_number(const char **text, u32 *value)
{
	const char *digit = *text;

	for (*value = 0; *digit >= '0' && *digit <= '9'; digit++) {
		*value = *value * 10 + (*digit - '0');
		if (*value > U16_MAX)
			return false;
	}
	if (digit == *text)
		return false;
	*text = digit;
	return true;
}

static const struct uncore_row *
uncore_row_by_name(const struct uncore_row *rows, size_t count,
		   const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strlen(rows[i].pmu_type->name) == length &&
		    !strncmp(rows[i].pmu_type->name, name, length))
			return &rows[i];
	return NULL;
}

/* One TYPE:NAME of a list; moves @text behind it and its comma. */
static bool uncore_read_name(const struct uncore_platform *platform,
			     const char **text, struct uncore_row *row)
{
	const struct uncore_row *known;
	size_t length;
	u32 type;

	if (!uncore_read_number(text, &type) || *(*text)++ != ':')
		return false;
	length = strcspn(*text, ",");
	known = uncore_row_by_name(platform->unplaced, platform->nr_unplaced,
				   *text, length) ?:
		uncore_row_by_name(platform->rows, platform->nr_rows,
				   *text, length);
	if (!known)
		return false;
	*row = *known;
	row->type = type;
	row->applies = NULL;
	*text += length + ((*text)[length] == ',');
	return true;
}

/**
 * uncore_platform_names() - give unit types the names that a person says
 * @platform: gets the rows; a copy of a known platform
 * @text: "TYPE:NAME,TYPE:NAME", with names that the platform knows
 * @rows: room for the rows
 * @count: how many
 *
 * Return: whether @text could be read and fits.
 */
bool uncore_platform_names(struct uncore_platform *platform, const char *text,
			   struct uncore_row *rows, size_t count)
{
	platform->named = rows;
	platform->nr_named = 0;
	for (; *text; platform->nr_named++)
		if (platform->nr_named == count ||
		    !uncore_read_name(platform, &text,
				      &rows[platform->nr_named]))
			return false;
	return true;
}

/* What may follow a unit's name: nothing, or a number. */
static bool uncore_is_suffix(const char *text)
{
	u32 value;

	return !*text || (*text++ == '_' && uncore_read_number(&text, &value) &&
			  !*text);
}

static bool uncore_is_named(const char *text, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	return length && !strncmp(text, name, length) &&
	       uncore_is_suffix(text + length);
}

static bool uncore_is_row(const struct uncore_row *row, const char *text)
{
	return row && (uncore_is_named(text, row->pmu_type->name) ||
		       uncore_is_named(text, row->kernel));
}

/**
 * uncore_platform_kind() - which kind of unit another driver's PMU counts
 * @platform: the platform
 * @pmu: the PMU's name, such as "uncore_imc_3" or "uncore_type_6_3"
 *
 * Return: what uncore_unit_kind() says for such units, or -1 if the name does
 * not tell.
 */
int uncore_platform_kind(const struct uncore_platform *platform,
			 const char *pmu)
{
	static const char prefix[] = "uncore_", type[] = "type_";
	const struct uncore_fixed *fixed;
	const struct uncore_row *row;
	u32 number;

	if (strncmp(pmu, prefix, sizeof(prefix) - 1))
		return -1;
	pmu += sizeof(prefix) - 1;
	if (!strncmp(pmu, type, sizeof(type) - 1)) {
		pmu += sizeof(type) - 1;
		return uncore_read_number(&pmu, &number) &&
				       uncore_is_suffix(pmu) ?
			       (int)number :
			       -1;
	}
	if (uncore_is_row(platform->controllers, pmu))
		return platform->controllers->type | UNCORE_KIND_FREE_RUNNING;
	if (platform->spaces && uncore_is_row(platform->spaces->row, pmu))
		return platform->spaces->row->type | UNCORE_KIND_FREE_RUNNING;
	for (fixed = platform->fixed; fixed && fixed->count; fixed++)
		if (uncore_is_row(fixed->row, pmu))
			return fixed->row->type;
	for (row = platform->rows; row < platform->rows + platform->nr_rows;
	     row++) {
		if (uncore_is_row(row->companion, pmu))
			return row->type | UNCORE_KIND_FREE_RUNNING;
		if (uncore_is_row(row, pmu))
			return row->type;
	}
	return -1;
}
