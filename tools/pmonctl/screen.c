// SPDX-License-Identifier: GPL-2.0-only
/*
 * One screen for a person, lines for everything else.
 */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "reasons.h"

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

static bool absent;

static bool is_active(const struct part *p)
{
	return p->active;
}

static bool is_past(const struct part *p)
{
	return !p->active && p->reasons;
}

static bool is_changed(const struct part *p)
{
	return p->changed;
}

static bool same_line(const struct part *a, const struct part *b)
{
	return part_is_core(a) && part_is_core(b) && a->active == b->active &&
	       a->reasons == b->reasons;
}

static bool same_active(const struct part *a, const struct part *b)
{
	return part_is_core(a) && part_is_core(b) && a->active == b->active;
}

static void add_time(struct text *t, const char *format)
{
	time_t now = time(NULL);
	struct tm local;
	char text[64];

	localtime_r(&now, &local);
	strftime(text, sizeof(text), format, &local);
	text_add(t, "%s", text);
}

static void add_rows(struct table *t, const struct parts *all,
		     bool (*wanted)(const struct part *p))
{
	struct groups groups = groups_of(all, wanted, same_line);

	for (size_t i = 0; i < groups.count; i++) {
		const struct part *p = groups.group[i].part[0];
		struct text names = { NULL, 0 }, cpus = { NULL, 0 };
		char *now = reasons_text(p->active);
		char *past = reasons_text(p->reasons & ~p->active);

		group_add_names(&names, &groups.group[i]);
		group_add_cpus(&cpus, &groups.group[i]);
		table_cell(t, "%ld", p->domain->package);
		table_cell(t, "%ld", p->domain->id);
		table_cell(t, "%s", names.s);
		table_cell(t, "%s", cpus.s);
		table_cell(t, "%s", p->active ? now : "-");
		table_cell(t, "%s", p->reasons & ~p->active ? past : "-");
		text_free(&names);
		text_free(&cpus);
		free(now);
		free(past);
	}
	groups_free(&groups);
}

static void add_header(struct text *t, const struct parts *all)
{
	size_t now = 0, ever = 0;

	for (size_t i = 0; i < all->count; i++) {
		now += !!all->part[i].active;
		ever += !!all->part[i].reasons;
	}
	add_time(t, "%T");
	text_add(t, "  %zu of %zu parts limited in the last second, %zu since "
		 "the last clear\n\n", now, all->count, ever);
}

static void add_table(struct text *t, const struct parts *all)
{
	static const char *const head[] = {
		"PACKAGE", "DOMAIN", "PART", "CPUS", "NOW", "EARLIER",
		NULL
	};
	struct table table;

	table_start_headed(&table, head);
	add_rows(&table, all, is_active);
	add_rows(&table, all, is_past);
	if (table.cells > table.columns)
		table_add(t, &table);
	else
		table_discard(&table);
}

static struct winsize screen_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 4 ||
	    size.ws_col < 2)
		return (struct winsize){ .ws_row = 24, .ws_col = 80 };
	return size;
}

/* What fits into a line, and ends with a whole character of UTF-8. */
static int line_length(const char *line, int len, int columns)
{
	if (len < columns)
		return len;
	len = columns - 1;
	while (len && (line[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Draws what fits above the line of the cursor, and says what does not. */
static void draw(const char *text)
{
	struct winsize size = screen_size();
	int lines = 0, room = size.ws_row - 1;
	struct text drawn = { NULL, 0 };

	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	if (lines > room)
		room--;
	text_add(&drawn, HOME);
	for (; lines && room; lines--, room--) {
		int len = (int)strcspn(text, "\n");

		text_add(&drawn, "%.*s" CLEAR_LINE "\r\n",
			 line_length(text, len, size.ws_col), text);
		text += len + 1;
	}
	if (lines)
		text_add(&drawn, "(%d more lines)" CLEAR_LINE "\r\n", lines);
	text_add(&drawn, CLEAR_REST);
	print_text(stdout, drawn.s);
	fflush(stdout);
	text_free(&drawn);
}

static void show_screen(const struct parts *all)
{
	struct text t = { NULL, 0 };

	add_header(&t, all);
	add_table(&t, all);
	draw(t.s);
	text_free(&t);
}

static void show_lines(const struct parts *all)
{
	struct groups groups = groups_of(all, is_changed, same_active);

	for (size_t i = 0; i < groups.count; i++) {
		const struct part *p = groups.group[i].part[0];
		struct text when = { NULL, 0 }, names = { NULL, 0 };
		char *now = reasons_text(p->active);

		add_time(&when, "%F %T");
		group_add_names(&names, &groups.group[i]);
		say("%s package %ld domain %ld %s: %s", when.s,
		    p->domain->package, p->domain->id, names.s, now);
		text_free(&when);
		text_free(&names);
		free(now);
	}
	groups_free(&groups);
	fflush(stdout);
}

static void json_words(const char *name, uint64_t mask)
{
	char *words = reasons_text(mask);

	if (!mask)
		*words = '\0';
	json_strings(name, words);
	free(words);
}

static void show_json(const struct parts *all)
{
	json_lines();
	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		struct text t = { NULL, 0 };

		if (!p->changed)
			continue;
		add_time(&t, "%FT%T%z");
		json_open(NULL, '{');
		json_string("time", t.s);
		json_number("package", p->domain->package);
		json_number("domain", p->domain->id);
		json_string("name", p->name);
		if (p->cpus)
			json_string("cpus", p->cpus);
		json_words("active", p->active);
		json_words("reasons", p->reasons);
		json_close('}');
		text_free(&t);
	}
	fflush(stdout);
}

void screen_start(const struct parts *all, bool json)
{
	struct text t = { NULL, 0 };

	absent = false;
	if (json || isatty(STDOUT_FILENO))
		return;
	add_time(&t, "%F %T");
	say("%s watching %zu parts", t.s, all->count);
	fflush(stdout);
	text_free(&t);
}

void screen_show(const struct parts *all, bool json)
{
	if (json)
		show_json(all);
	else if (isatty(STDOUT_FILENO))
		show_screen(all);
	else
		show_lines(all);
}

void screen_absent(void)
{
	if (!absent)
		complain("the performance-limit domains are gone; waiting for "
			 "their return");
	absent = true;
}
