/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Format terms. One row is one term of perf's event syntax; the string in
 * sysfs and the value that the hardware gets both come from the row's mask,
 * so they cannot disagree.
 */
#ifndef PMON_FORMAT_H
#define PMON_FORMAT_H

#include <linux/types.h>

#define PMON_CONFIG_WORDS	3	/* config, config1, config2 */

/**
 * struct pmon_field - one format term
 * @name: as the person types it; NULL ends a table
 * @word: 0 config, 1 config1, 2 config2
 * @mask: the bits of that word, in one or several runs, low bits first
 */
struct pmon_field {
	const char *name;
	u8 word;
	u64 mask;
};

/**
 * pmon_field_format() - what the term's file in format/ says
 * @field: the term
 * @buf: gets e.g. "config:8-15,32-55", without newline
 * @size: of @buf
 *
 * Return: the length of the string, which is cut when it does not fit.
 */
int pmon_field_format(const struct pmon_field *field, char *buf, size_t size);

/**
 * pmon_fields_cover() - what may be asked for?
 * @fields: table of terms
 * @covered: gets the bits of the config words that a term stands for. Any other
 *	would be dropped silently, and the event would count something else.
 */
void pmon_fields_cover(const struct pmon_field *fields,
		       u64 covered[PMON_CONFIG_WORDS]);

#endif /* PMON_FORMAT_H */
