// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, by jansson: a tree that is written when its outermost container is closed.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

#define DEEPEST 16

/* The containers that are open. */
static json_t *open_ones[DEEPEST];
static unsigned int depth;
static bool on_one_line;

void json_lines(void)
{
	on_one_line = true;
}

/* Into the innermost container, or it is the outermost one. */
static void add(const char *name, json_t *value)
{
	int failed = !value;

	if (!failed && depth)
		failed = name ? json_object_set_new(open_ones[depth - 1], name,
						    value) :
			json_array_append_new(open_ones[depth - 1], value);
	if (failed)
		out_of_memory();
}

void json_open(const char *name, char bracket)
{
	json_t *value = bracket == '{' ? json_object() : json_array();

	if (depth == DEEPEST)
		abort();
	add(name, value);
	open_ones[depth++] = value;
}

/* Of characters that a terminal acts on that library leaves one as it is. */
static void print(char *text)
{
	for (char *del; (del = strchr(text, '\177')); text = del + 1) {
		*del = '\0';
		print_text(stdout, text);
		print_text(stdout, "\\u007F");
	}
	print_text(stdout, text);
	say_nothing();
}

void json_close(char bracket)
{
	char *text;

	(void)bracket;
	if (--depth)
		return;
	text = json_dumps(open_ones[0], JSON_ENSURE_ASCII | (on_one_line ? 0 : JSON_INDENT(2)));
	if (!text)
		out_of_memory();
	print(text);
	free(text);
	json_decref(open_ones[0]);
}

/* With U+FFFD for each byte that is no UTF-8, which that library refuses. */
static json_t *string_of(const char *s)
{
	struct text t = { NULL, 0 };
	json_t *value = json_string(s);

	for (size_t len; !value && *s; s += len) {
		json_t *one = NULL;

		for (len = 1; len <= strnlen(s, 4) && !one; len++)
			one = json_stringn(s, len);
		len = one ? len - 1 : 1;
		text_add(&t, "%.*s", (int)(one ? len : 3), one ? s : "\xef\xbf\xbd");
		json_decref(one);
	}
	value = value ? value : json_string(t.s);
	text_free(&t);
	return value;
}

void json_text(const char *name, const char *value)
{
	add(name, value ? string_of(value) : json_null());
}

void json_number(const char *name, long value)
{
	add(name, json_integer(value));
}

void json_known(const char *name, long long value)
{
	if (value >= 0)
		json_number(name, (long)value);
}

void json_strings(const char *name, char *words)
{
	char *save, *w;

	json_open(name, '[');
	for (w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		json_text(NULL, w);
	json_close(']');
}
