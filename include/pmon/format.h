/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Define format terms of perf's event syntax. The mask of a term gives both the
 * string in sysfs and the bits that events may set in a config word.
 */
#ifndef PMON_FORMAT_H
#define PMON_FORMAT_H

#include <linux/types.h>

#define PMON_CONFIG_WORDS	3	/* config, config1, config2 */

/**
 * struct pmon_field - one format term
 * @name: as typed by the user; NULL ends a table
 * @word: 0 config, 1 config1, 2 config2
 * @mask: bits of the word, in one or more runs, low bits first
 */
struct pmon_field {
	const char *name;
	u8 word;
	u64 mask;
};

/**
 * pmon_field_format() - print the contents of a term's file in format/
 * @field: the term
 * @buf: receives e.g. "config:8-15,32-55", without newline
 * @size: size of @buf
 *
 * Return: length of the string, which is cut at @size.
 */
int pmon_field_format(const struct pmon_field *field, char *buf, size_t size);

/**
 * pmon_fields_cover() - collect the bits of all terms
 * @fields: table of terms
 * @covered: receives the bits of each config word that have a term; the core
 *	rejects events with other bits
 */
void pmon_fields_cover(const struct pmon_field *fields,
		       u64 covered[PMON_CONFIG_WORDS]);

#endif /* PMON_FORMAT_H */
