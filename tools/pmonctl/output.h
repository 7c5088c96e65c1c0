/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_OUTPUT_H
#define PMONCTL_OUTPUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmonctl.h"

/* Memory that does not run out: the process ends instead. */
__attribute__((noreturn)) void out_of_memory(void);
void *xrealloc(void *p, size_t size);
void *xcalloc(size_t count, size_t size);	/* zeroes; none is a pointer, too */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t len);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * char *text FREED = ...; struct names n FREED_BY(names_free) = ...; frees what the
 * variable holds where its scope ends, as the kernel's __free() does.
 */
#define FREED_BY(function)	__attribute__((cleanup(function), unused))
#define FREED			FREED_BY(free_held)
void free_held(void *variable);

/* Adds one to an array that grows. */
#define append(array, count, ...) \
	((array) = xrealloc(array, ((count) + 1) * sizeof(*(array))), \
	 (array)[(count)++] = __VA_ARGS__)

/* Each part of a text, or of NULL none, that these characters end; it is changed. */
#define for_each_part(part, text, ends) \
	for (char *rest_of_##part, \
	     *part = (text) ? strtok_r(text, ends, &rest_of_##part) : NULL; \
	     part; part = strtok_r(NULL, ends, &rest_of_##part))

/* Each line of a text, or of NULL none; it is freed behind the loop. */
#define for_each_line(line, text) \
	for (char *text_of_##line FREED = (text), *rest_of_##line, \
	     *line = text_of_##line ? strtok_r(text_of_##line, "\n", &rest_of_##line) : NULL; \
	     line; line = strtok_r(NULL, "\n", &rest_of_##line))

/*
 * What is printed for people by complain(), say() and tables has characters
 * that a terminal would act on, or not show, as \x1b. What ends in _text frees the text.
 */

/* A line on stdout. */
#define say(...)		say_text(xasprintf(__VA_ARGS__))
void say_text(char *text);
void say_nothing(void);		/* an empty one */

/* What is printed goes out now. False: it, or what was printed before, is lost. */
bool output_flush(void);
const char *output_lost(void);		/* why */

/* As it is, so nothing but texts of ours, and tables. */
void print_text(FILE *to, const char *text);

/*
 * "pmonctl: what happened, where, what to do about it" on stderr. The one is false, for
 * functions that end so, the other this status.
 */
#define complain(...)		complain_text(xasprintf(__VA_ARGS__))
bool complain_text(char *text);
#define fail(status, ...)	(complain(__VA_ARGS__), status)

/* The same for a file that cannot be read; the remedy follows from errno. */
void complain_file(const char *path, int error);

/* Symbolic name of an errno value, for people who search and for JSON. */
const char *error_name(int error);

/* A growing string. */
struct text {
	char *s;
	size_t len;
};

#define text_add(t, ...)	text_add_text(t, xasprintf(__VA_ARGS__))
void text_add_text(struct text *t, char *text);
void text_free(struct text *t);

/* As lines that fit the terminal of stdout. */
void text_add_wrapped(struct text *t, const char *s);

/* What was read, so that it can be printed for people as it is then. */
void text_add_shown(struct text *t, const char *s);

/* "0-3,8" for a sorted array of numbers. */
void text_add_ranges(struct text *t, const unsigned int *v, size_t count);

/*
 * JSON on stdout, indented by two. A name of NULL is an array element. Each
 * container is opened and closed explicitly.
 */
void json_open(const char *name, char bracket);
void json_close(char bracket);
void json_document(void);	/* opens the object that all is in, with its format */
void json_text(const char *name, const char *value);
void json_number(const char *name, long value);
void json_flag(const char *name, bool value);
void json_known(const char *name, long long value);	/* if not negative */
void json_lines(void);	/* from here on, one object per line */

/* Local time as strftime() writes it, and as RFC 3339 wants it; to be freed. */
char *timestamp_as(const char *format);
char *timestamp(void);

/* A table that is filled row by row. */
struct table {
	char *names;			/* of columns, which heads points into */
	struct column {
		const char *head;
		char mark;		/* see table_start(); 0: none */
		size_t width, least;	/* 0: not printed; that of the longest word */
		bool empty;		/* every cell is "-" */
	} *column;
	size_t columns;
	char **cell;			/* of all rows, one after the other */
	size_t rows;
	size_t *order, shown;		/* which columns are printed, in this order */
	bool bare;			/* without heads */
	bool hidden;			/* it lacks a column that was asked for */
};

/*
 * From here on, tables have no heads, or only these columns of those that have, by name
 * and in this order: "PMU,UNIT", NULL: all. A table that lacks one is not printed.
 */
void tables_choose(bool without_heads, const char *columns);
/* False after a message where no table had all of them. */
bool tables_found(void);

/*
 * Heads are "PMU,UNIT"; one that begins with a space is of numbers. On a terminal that is
 * too narrow, columns that are empty are left out, then those that begin with ?, and then
 * cells of those that begin with ~ are wrapped at blanks. Empty heads are not printed.
 */
void table_start(struct table *t, const char *heads);
/* All cells of a row; NULL is "-". */
#define table_row(t, ...)	table_cells(t, (const char *const[]){ __VA_ARGS__ })
void table_cells(struct table *t, const char *const cell[]);
/* A number in such a row; below 0 it is not known. */
#define NUMBER(n)		number_text(&(struct number){ "" }, n)
struct number {
	char text[24];
};
const char *number_text(struct number *n, long value);
/* Both end it. A table without rows is nothing. */
void table_print(struct table *t);
void table_add(struct text *text, struct table *t);

#endif
