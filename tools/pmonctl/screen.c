// SPDX-License-Identifier: GPL-2.0-only
/*
 * One screen for a person, lines for everything else.
 */
#include "screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "history.h"
#include "lines.h"
#include "reasons.h"
#include "timestamp.h"

#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

/* At the end of a line that goes on beyond the screen. */
#define CUT ">"

static bool absent;

static bool is_changed(const struct part *p)
{
	return p->changed;
}

static bool same_now(const struct part *a, const struct part *b)
{
	return part_is_core(a) && part_is_core(b) && a->now == b->now &&
	       a->known == b->known;
}

/* One that moves the cursor where it is told to. */
bool screen_is(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb");
}

static void add_header(struct text *t, const struct parts *all)
{
	char *time = timestamp_as("%T");
	size_t now = 0, ever = 0;

	for (size_t i = 0; i < all->count; i++) {
		now += !!all->part[i].now;
		ever += !!all->part[i].reasons;
	}
	text_add(t, "%s  %zu of %zu parts limited in the last second, %zu since "
		 "the last clear\n\n", time, now, all->count, ever);
	free(time);
}

static struct winsize screen_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 4 ||
	    size.ws_col < 2)
		return (struct winsize){ .ws_row = 24, .ws_col = 80 };
	return size;
}

/*
 * What of a line that is too long fits before the mark that says so, and ends
 * with a whole character of UTF-8. The last column is left free: not every
 * terminal stays in the line after it.
 */
static int cut_length(const char *line, int columns)
{
	int len = columns - 2;

	while (len && (line[len] & 0xc0) == 0x80)
		len--;
	return len;
}

/* Draws what fits above the line of the cursor, and says what does not. */
void screen_draw(const char *text)
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

		if (len < size.ws_col)
			text_add(&drawn, "%.*s", len, text);
		else
			text_add(&drawn, "%.*s" CUT,
				 cut_length(text, size.ws_col), text);
		text_add(&drawn, CLEAR_LINE "\r\n");
		text += len + 1;
	}
	if (lines)
		text_add(&drawn, "(%d more lines)" CLEAR_LINE "\r\n", lines);
	text_add(&drawn, CLEAR_REST);
	print_text(stdout, drawn.s);
	text_free(&drawn);
}

size_t screen_room(void)
{
	return isatty(STDOUT_FILENO) ? screen_size().ws_row : 0;
}

/* A line that is wider than the terminal goes on in the next one. */
static size_t rows_of(size_t len, size_t columns)
{
	return len ? (len + columns - 1) / columns : 1;
}

void screen_print(const char *text, size_t rows)
{
	size_t columns = screen_size().ws_col, used = 2, more = 0;
	struct text fits = { NULL, 0 };

	for (size_t len; *text; text += len + 1) {
		len = strcspn(text, "\n");
		used += rows_of(len, columns);
		if (!more && (!rows || used <= rows))
			text_add(&fits, "%.*s\n", (int)len, text);
		else
			more++;
	}
	if (fits.s)
		print_text(stdout, fits.s);
	text_free(&fits);
	if (more)
		say("(%zu more %s; a pipe or file gets all)", more,
		    more == 1 ? "line" : "lines");
}

static void show_screen(const struct parts *all)
{
	struct text t = { NULL, 0 };

	add_header(&t, all);
	lines_add_table(&t, all, history_now());
	screen_draw(t.s);
	text_free(&t);
}

static void show_lines(const struct parts *all)
{
	struct groups groups = groups_of(all, is_changed, same_now);

	for (size_t i = 0; i < groups.count; i++) {
		const struct part *p = groups.group[i].part[0];
		char *now = reasons_text(p->now), *when = timestamp();
		struct text names = { NULL, 0 };

		group_add_names(&names, &groups.group[i]);
		say("%s package %ld domain %ld %s: %s", when,
		    p->domain->package, p->domain->id, names.s,
		    p->known ? now : "not known");
		free(when);
		text_free(&names);
		free(now);
	}
	groups_free(&groups);
}

static void show_json(const struct parts *all)
{
	json_lines();
	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		char *when;

		if (!p->changed)
			continue;
		when = timestamp();
		json_open(NULL, '{');
		json_number("format", 1);
		json_text("time", when);
		json_number("package", p->domain->package);
		json_number("domain", p->domain->id);
		json_text("name", p->name);
		if (p->cpus)
			json_text("cpus", p->cpus);
		if (!p->known)
			json_text("error", error_name(ENODATA));
		json_reasons("active", p->now);
		json_reasons("reasons", p->reasons);
		json_close('}');
		free(when);
	}
}

bool screen_start(const struct parts *all, bool json)
{
	char *when;

	absent = false;
	if (json || screen_is())
		return true;
	when = timestamp();
	say("%s watching %zu parts", when, all->count);
	free(when);
	return output_flush();
}

bool screen_show(const struct parts *all, bool json)
{
	if (json)
		show_json(all);
	else if (screen_is())
		show_screen(all);
	else
		show_lines(all);
	return output_flush();
}

void screen_absent(void)
{
	if (!absent)
		complain("the performance-limit domains are gone; waiting for "
			 "their return");
	absent = true;
}
