// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON, by jansson: a tree that is written when its outermost container is
 * closed. What was read may not be UTF-8, which that library refuses, and may have
 * characters that a terminal would act on, of which it escapes only some.
 */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* What stands for bytes that are no character. */
#define REPLACEMENT 0xfffd

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

/* A code above 0xffff takes two, as UTF-16 writes it. */
static void add_escaped(struct text *t, uint32_t code)
{
	if (code > 0xffff) {
		text_add(t, "\\u%04x", (unsigned int)(0xd7c0 + (code >> 10)));
		code = 0xdc00 | (code & 0x3ff);
	}
	text_add(t, "\\u%04x", (unsigned int)code);
}

static bool is_escaped(uint32_t code)
{
	return code == REPLACEMENT || utf8_is_hidden(code);
}

/* Hidden characters above the controls are in strings only. */
static void print(const char *s)
{
	struct text t = { NULL, 0 };

	for (const char *run = s;; s++) {
		uint32_t code = 0;
		bool plain = *s && (unsigned char)*s < 0x7f;
		size_t len = plain ? 1 : utf8_length(s, &code);

		if (plain || (*s && !is_escaped(code))) {
			s += len - 1;
			continue;
		}
		text_add(&t, "%.*s", (int)(s - run), run);
		if (!*s)
			break;
		add_escaped(&t, code);
		s += len - 1;
		run = s + 1;
	}
	text_add(&t, "\n");
	print_text(stdout, t.s);
	text_free(&t);
}

void json_close(char bracket)
{
	char *text;

	(void)bracket;
	if (--depth)
		return;
	text = json_dumps(open_ones[0], on_one_line ? 0 : JSON_INDENT(2));
	if (!text)
		out_of_memory();
	print(text);
	free(text);
	json_decref(open_ones[0]);
}

static json_t *string_of(const char *s)
{
	struct text t = { NULL, 0 };
	json_t *value;

	for (const char *run = s;; s++) {
		uint32_t code;
		size_t len = *s ? utf8_length(s, &code) : 0;

		if (len) {
			s += len - 1;
			continue;
		}
		text_add(&t, "%.*s", (int)(s - run), run);
		if (!*s)
			break;
		text_add(&t, "\xef\xbf\xbd");
		run = s + 1;
	}
	value = json_stringn(t.s, t.len);
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
