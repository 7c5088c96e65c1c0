// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file `pmus` of a discovery table: the PMUs that its units give here,
 * whichever driver has them now. So it can be known what handing them over
 * changes before anything is handed over.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <pmon/box.h>
#include <pmon/format.h>

#include "uncore.h"

#define NAME_SIZE	48

/**
 * struct pmus_text - a text that is first measured, then written
 * @buf: NULL while it is measured
 * @size: of @buf
 * @len: of the text, also while it is measured
 */
struct pmus_text {
	char *buf;
	size_t size;
	size_t len;
};

static __printf(2, 3) void uncore_pmus_add(struct pmus_text *text,
					   const char *fmt, ...)
{
	size_t room = text->size > text->len ? text->size - text->len : 0;
	va_list args;

	va_start(args, fmt);
	text->len += vsnprintf(room ? text->buf + text->len : NULL, room, fmt,
			       args);
	va_end(args);
}

static void uncore_pmus_add_pmu(struct pmus_text *text,
				const struct uncore_unit *unit)
{
	char name[NAME_SIZE], alias[NAME_SIZE];
	bool has_alias = uncore_pmu_alias(unit, alias, sizeof(alias));

	uncore_pmu_name(unit, name, sizeof(name));
	uncore_pmus_add(text, "pmu %s %s\n", name, has_alias ? alias : "-");
}

static void uncore_pmus_add_type(struct pmus_text *text,
				 const struct pmon_type *type)
{
	const struct pmon_alias *alias = type->aliases;
	const struct pmon_field *field;
	char format[64];

	for (field = type->fields; field && field->name; field++) {
		pmon_field_format(field, format, sizeof(format));
		uncore_pmus_add(text, "format %s %s\n", field->name, format);
	}
	for (; alias && alias->name; alias++) {
		uncore_pmus_add(text, "event %s %s\n", alias->name,
				alias->event);
		if (alias->scale)
			uncore_pmus_add(text, "event %s.scale %s\n",
					alias->name, alias->scale);
		if (alias->unit)
			uncore_pmus_add(text, "event %s.unit %s\n",
					alias->name, alias->unit);
	}
}

static const struct pmon_type *uncore_pmus_type(const struct uncore_unit *unit)
{
	return uncore_unit_good(unit) ? unit->row->pmu_type : NULL;
}

/* All PMUs of one type, then what they have in common. */
static void uncore_pmus_add_all_of(struct pmus_text *text,
				   const struct uncore_table *table,
				   size_t first)
{
	const struct pmon_type *type = uncore_pmus_type(&table->units[first]);
	size_t i;

	for (i = first; i < table->count; i++)
		if (uncore_pmus_type(&table->units[i]) == type)
			uncore_pmus_add_pmu(text, &table->units[i]);
	uncore_pmus_add_type(text, type);
}

static bool uncore_pmus_is_first(const struct uncore_table *table, size_t unit)
{
	const struct pmon_type *type = uncore_pmus_type(&table->units[unit]);
	size_t i;

	for (i = 0; i < unit; i++)
		if (uncore_pmus_type(&table->units[i]) == type)
			return false;
	return type;
}

static void uncore_pmus_add_table(struct pmus_text *text,
				  const struct uncore_table *table)
{
	size_t i;

	text->len = 0;
	for (i = 0; i < table->count; i++)
		if (uncore_pmus_is_first(table, i))
			uncore_pmus_add_all_of(text, table, i);
}

/**
 * uncore_pmus_read() - read the file `pmus`
 * @table: the table
 * @buf: gets the text
 * @off: from here on
 * @count: as many bytes
 *
 * Return: how many bytes, or -ENOMEM.
 */
ssize_t uncore_pmus_read(const struct uncore_table *table, char *buf,
			 loff_t off, size_t count)
{
	struct pmus_text text = {};
	ssize_t ret;

	mutex_lock(&uncore.lock);
	uncore_pmus_add_table(&text, table);
	text.size = text.len + 1;
	text.buf = kvmalloc(text.size, GFP_KERNEL);
	if (text.buf)
		uncore_pmus_add_table(&text, table);
	mutex_unlock(&uncore.lock);
	if (!text.buf)
		return -ENOMEM;
	ret = memory_read_from_buffer(buf, count, &off, text.buf, text.len);
	kvfree(text.buf);
	return ret;
}
