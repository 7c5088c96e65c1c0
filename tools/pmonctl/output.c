// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages, strings, tables and JSON.
 */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmonctl.h"

void out_of_memory(void)
{
	fputs("pmonctl: out of memory\n", stderr);
	exit(STATUS_BROKEN);
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size);
	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		out_of_memory();
	return copy;
}

void complain(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("pmonctl: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

const char *error_name(int error)
{
	switch (error) {
	case EACCES: return "EACCES";
	case EINVAL: return "EINVAL";
	case EIO: return "EIO";
	case EISDIR: return "EISDIR";
	case EOPNOTSUPP: return "EOPNOTSUPP";
	case ENODATA: return "ENODATA";
	case ENODEV: return "ENODEV";
	case ENOENT: return "ENOENT";
	case ENXIO: return "ENXIO";
	case EPERM: return "EPERM";
	case ETIMEDOUT: return "ETIMEDOUT";
	case EBUSY: return "EBUSY";
	default: return strerror(error);
	}
}

static const char *remedy(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "run as root, or as a member of the group given to "
		       "pmon.ko with gid=";
	case ETIMEDOUT:
		return "the mailbox did not answer; try again, and see "
		       "troubleshooting.rst if it stays so";
	case EBUSY:
		return "another agent uses the mailbox at the same time; try "
		       "again";
	case EOPNOTSUPP:
		return "firmware has blocked writes, so that the hardware takes "
		       "no command";
	case ENODATA:
		return "nobody watches this domain";
	case EIO:
		return "the hardware refuses the read; a BMC or the firmware "
		       "may have blocked it";
	case ENODEV:
	case ENXIO:
	case ENOENT:
		return "the device is gone or asleep; look at the kernel log";
	case EINVAL:
		return "this kernel module is not of the same version as "
		       "pmonctl";
	default:
		return "look at the kernel log";
	}
}

void complain_file(const char *path, int error)
{
	complain("%s: %s (%s); %s", path, strerror(error), error_name(error),
		 remedy(error));
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	t->s = xrealloc(t->s, t->len + (size_t)n + 1);
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
	va_end(again);
	t->len += (size_t)n;
}

void text_free(struct text *t)
{
	free(t->s);
	t->s = NULL;
	t->len = 0;
}

void text_add_ranges(struct text *t, const unsigned int *v, size_t count)
{
	for (size_t i = 0, j; i < count; i = j) {
		for (j = i + 1; j < count && v[j] - v[j - 1] <= 1; j++)
			;
		text_add(t, "%s%u", i ? "," : "", v[i]);
		if (v[j - 1] != v[i])
			text_add(t, "-%u", v[j - 1]);
	}
}

void table_start(struct table *t, size_t columns)
{
	t->columns = columns;
	t->cells = 0;
	t->cell = NULL;
}

void table_start_headed(struct table *t, const char *const *head)
{
	size_t columns = 0;

	while (head[columns])
		columns++;
	table_start(t, columns);
	for (size_t i = 0; i < columns; i++)
		table_cell(t, "%s", head[i]);
}

void table_cell(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char *cell;

	va_start(ap, fmt);
	if (vasprintf(&cell, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	t->cell = xrealloc(t->cell, (t->cells + 1) * sizeof(*t->cell));
	t->cell[t->cells++] = cell;
}

static size_t column_width(const struct table *t, size_t column)
{
	size_t width = 0;

	for (size_t i = column; i < t->cells; i += t->columns) {
		size_t len = strlen(t->cell[i]);

		if (len > width)
			width = len;
	}
	return width;
}

void table_add(struct text *text, struct table *t)
{
	for (size_t i = 0; i < t->cells; i++) {
		size_t column = i % t->columns;

		if (column + 1 == t->columns)
			text_add(text, "%s\n", t->cell[i]);
		else
			text_add(text, "%-*s  ", (int)column_width(t, column),
				 t->cell[i]);
	}
	table_discard(t);
}

void table_print(struct table *t)
{
	struct text text = { NULL, 0 };

	table_add(&text, t);
	if (text.s)
		fputs(text.s, stdout);
	text_free(&text);
}

void table_discard(struct table *t)
{
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->cell);
	table_start(t, t->columns);
}

/* Depth of the open containers, and whether the innermost one is empty. */
static unsigned int depth;
static bool empty = true;
static bool on_one_line;

void json_lines(void)
{
	on_one_line = true;
}

static void json_name(const char *name)
{
	if (depth && on_one_line)
		printf("%s", empty ? "" : ", ");
	else if (depth)
		printf("%s\n%*s", empty ? "" : ",", (int)depth * 2, "");
	empty = false;
	if (name)
		printf("\"%s\": ", name);
}

void json_open(const char *name, char bracket)
{
	json_name(name);
	putchar(bracket);
	depth++;
	empty = true;
}

void json_close(char bracket)
{
	depth--;
	if (!empty && !on_one_line)
		printf("\n%*s", (int)depth * 2, "");
	empty = false;
	putchar(bracket);
	if (!depth)
		putchar('\n');
}

static void json_quote(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			printf("\\u%04x", (unsigned char)*s);
		else
			putchar(*s);
	}
	putchar('"');
}

void json_string(const char *name, const char *value)
{
	json_name(name);
	if (value)
		json_quote(value);
	else
		fputs("null", stdout);
}

void json_number(const char *name, long value)
{
	json_name(name);
	printf("%ld", value);
}

void json_strings(const char *name, char *words)
{
	char *save, *w;

	json_name(name);
	putchar('[');
	for (w = strtok_r(words, " ", &save); w;) {
		json_quote(w);
		w = strtok_r(NULL, " ", &save);
		if (w)
			fputs(", ", stdout);
	}
	putchar(']');
}
