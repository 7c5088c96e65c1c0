/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_OUTPUT_H
#define PMONCTL_OUTPUT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmonctl.h"

/* Allocations end the process if no memory is left. */
void *checked(void *p);
#define xrealloc(p, size)	checked(realloc(p, size))

/*
 * Callers free neither strings nor memory of xcalloc(). step_end() frees those allocated since
 * step_begin(), in commands that repeat a step. All others stay until the process ends.
 */
size_t step_begin(void);
void step_end(size_t begin);
/* Adds @p, from malloc(), to the memory that step_end() frees. */
void *held(void *p);
#define xcalloc(count, size)	held(calloc((count) + 1, size))
#define xstrdup(s)		((char *)held(strdup(s)))
#define xstrndup(s, len)	((char *)held(strndup(s, len)))
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Frees *kept; sets it to a copy of @s that outlives the step, or to NULL if @s is NULL. */
void keep(char **kept, const char *s);

/* FREED on a variable frees the array, or the struct's first member, at the end of the scope. */
#define FREED_BY(function)	__attribute__((cleanup(function), unused))
#define FREED			FREED_BY(free_held)
void free_held(void *variable);

/* Adds an element to a growing array. */
#define append(array, count, ...) \
	((array) = xrealloc(array, ((count) + 1) * sizeof(*(array))), \
	 (array)[(count)++] = __VA_ARGS__)

/* Iterates over an array by pointers; for_each_in() over a whole array of a known size. */
#define for_each_item(one, array, count) \
	for (__auto_type one = &(array)[0]; one < (array) + (count); one++)
#define for_each_in(one, array)	for_each_item(one, array, sizeof(array) / sizeof(*(array)))

/* Iterates over the tokens of a text as strtok_r() does. A NULL text has none. */
#define for_each_token(token, text, ends) \
	for (char *text_of_##token = (text), *rest_of_##token, \
	     *token = text_of_##token ? strtok_r(text_of_##token, ends, &rest_of_##token) : NULL; \
	     token; token = strtok_r(NULL, ends, &rest_of_##token))
#define for_each_line(line, text) for_each_token(line, text, "\n")

/* complain(), print_line() and tables escape control characters. */

/* Prints a line on stdout. */
#define print_line(...)		((void)print_line_text(stdout, xasprintf(__VA_ARGS__)))
bool print_line_text(FILE *to, const char *text);	/* returns false */
/* Prints a line for a program or a log, which COLUMNS does not wrap. */
#define print_record(...)	print_record_text(xasprintf(__VA_ARGS__))
void print_record_text(const char *text);
#define print_empty_line()	putchar('\n')

/* Flushes stdout. False if any output is lost. */
bool output_flush(void);
const char *output_lost(void);		/* why output was lost */

/* Escapes nothing, so use it only for our own texts and for tables. */
#define print_text(to, text)	fputs(text, to)

/* "pmonctl: problem, place, remedy" on stderr. complain() returns false, fail() the status. */
#define complain(...)		print_line_text(stderr, xasprintf("pmonctl: " __VA_ARGS__))
#define fail(status, ...)	(complain(__VA_ARGS__), status)

/* Prints a message about an unreadable file, with a remedy by errno. */
void complain_file(const char *path, int error);
const char *error_remedy(int error);

/* Symbolic name of an errno value, for searches and JSON. */
#define error_name(error)	strerrorname_np(error)

/* A growing string. */
struct text {
	char *s;
	size_t len;
};

void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds a line, wrapped to the terminal of @to. */
void text_add_wrapped(struct text *t, const char *s, FILE *to);
/* Prints our own lines, or a table, on stdout, wrapped to the terminal. */
void print_lines(const char *text);

/* Adds text from files, with control characters escaped. */
void text_add_shown(struct text *t, const char *s);

/* Adds "0-3,8" for a sorted array of numbers. */
void text_add_ranges(struct text *t, const unsigned int *v, size_t count);

/* Builds JSON, printed when the outermost container closes. @name is NULL in an array. */
void json_open(const char *name, char bracket);
void json_close(void);
/* The next statement adds what is in an array or an object. */
#define JSON_SCOPE(name, bracket, line) \
	for (bool open_##line = (json_open(name, bracket), true); open_##line; \
	     open_##line = (json_close(), false))
#define JSON_IN(name, bracket, line)	JSON_SCOPE(name, bracket, line)
#define json_list(name)			JSON_IN(name, '[', __LINE__)
#define json_map(name)			JSON_IN(name, '{', __LINE__)
/* Opens the outermost object, with format, host, time and version. */
void json_document(void);
/*
 * Adds members by a format such as "name %s socket %ld". A %ld below 0, and a NULL for "?name %s",
 * are left out. %d is a flag, %lx a number as a text in hexadecimal.
 */
void json_members(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define json_element(...)	(json_open(NULL, '{'), json_members(__VA_ARGS__), json_close())
void json_text(const char *name, const char *value);
void json_number(const char *name, long long value);	/* adds nothing if below 0 */
void json_lines(void);	/* from now on one object per line */

/* Is @text a whole number from 0 to @most? @base is strtoll()'s. */
bool number_parse(const char *text, int base, long long most, long long *value);

/* "1 box", "2 boxes"; "1 module", "2 modules" */
char *number_of(size_t count, const char *noun);
char *host_name(void);
/* Local time by RFC 3339; the time of day is the 8 bytes after the T. */
char *timestamp(void);

/* A table, filled row by row. */
struct table {
	char *names;			/* of columns; heads point here */
	struct column {
		char *head;
		char mark;		/* see table_start(); 0: none */
		size_t width, least;	/* width 0: hidden; least: the longest word */
		bool empty;		/* every cell is "-" */
		/* Adds a cell in colours, or is NULL */
		void (*paint)(struct text *t, const char *s, size_t len);
	} *column;
	size_t columns;
	char **cell;			/* row by row */
	size_t rows, most;		/* most: lines to print, in whole rows; 0: all */
	bool bare;			/* without heads */
};

/*
 * @heads is a list such as "PMU,~UNIT". A head may begin with a mark: a blank for numbers, ~ for
 * cells to wrap, ? for a column to leave out on a narrow terminal, where columns without values are
 * left out first, ! as ? and without values always. If all heads are empty, no line of heads is
 * printed.
 */
void table_start(struct table *t, const char *heads);
/* Adds a row of these cells; a NULL is shown as "-". */
#define table_row(t, ...)	table_cells(t, (const char *const[]){ __VA_ARGS__ })
void table_cells(struct table *t, const char *const cell[]);
/* A number as a cell; below 0 it is shown as "-". */
#define NUMBER(n)		((long)(n) < 0 ? NULL : xasprintf("%ld", (long)(n)))
/*
 * Joins rows. @how has a character per column: a blank where cells must be equal; # for numbers, or
 * names with a number at their end, that become ranges such as "imc_0-7"; { for "imc_{0..7}", which
 * a shell expands.
 */
void table_join(struct table *t, const char *how);
/* Cells, which differ in the number at most, as one; see table_join(). */
char *join_cells(const char *const cell[], size_t count, char how);
/* Print a table, or add it to @text, and free it. table_add() returns how many rows it left out. */
void table_print(struct table *t);
size_t table_add(struct text *text, struct table *t);

/* The screen and the keys of --watch. */

/* Is stdout a terminal with cursor addressing? */
bool screen_is(void);
/* Adds a cell with names of reasons; on a terminal all have colours except turbo limits. */
void screen_add_names(struct text *t, const char *names, size_t len);
/* Begins a screen, with unbuffered keys until screen_end(). */
void screen_begin(void);
void screen_end(void);
/* Draws the lines that fit, then the number of lines left out. */
void screen_draw(const char *text);

/* The intervals that options ask for. */
struct intervals {
	double seconds;		/* of one */
	long count;		/* 0: without end */
	bool screen;
};

struct intervals intervals_of(const struct options *opt);
/* Waits until clock_ms() is @end. Returns an earlier key, 'q' at a signal, else 0. */
int intervals_wait(long long end);

/* Number of values in a ring. A value below 0 is not known. */
#define HISTORY 24

struct ring {
	double value[HISTORY];
	double most;		/* of all values ever added */
	size_t count;		/* ever */
};

void ring_add(struct ring *r, double value);
/* A strip of blocks, the latest value at the right. A value of @most has the full height. */
char *ring_text(const struct ring *r, double most);

#endif
