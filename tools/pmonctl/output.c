// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

#include "pmonctl.h"

/*
 * Messages and strings.
 *
 * What was read from files, and the names of files, may have been written by
 * anybody: a terminal must not take parts of it for commands, nor a reader for
 * lines of ours. So all that is printed for people, whatever it is, goes
 * through text_add_shown(); json.c does the same for JSON.
 */

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

char *xstrndup(const char *s, size_t len)
{
	char *copy = strndup(s, len);

	if (!copy)
		out_of_memory();
	return copy;
}

/*
 * How many bytes from s on a terminal shows as characters of this locale, by the C
 * library: controls have no width, nor has what reverses text or is not seen.
 */
static size_t shown_length(const char *s)
{
	mbstate_t state = { 0 };
	size_t len = 0, n;
	wchar_t c;

	while (s[len]) {
		n = mbrtowc(&c, s + len, MB_CUR_MAX, &state);
		if (n > MB_CUR_MAX || wcwidth(c) <= 0)
			break;
		len += n;
	}
	return len;
}

/* All other bytes are shown as \x1b. */
void text_add_shown(struct text *t, const char *s)
{
	while (*s) {
		size_t len = shown_length(s);

		text_add(t, "%.*s", (int)len, s);
		s += len;
		if (*s)
			text_add(t, "\\x%02x", (unsigned char)*s++);
	}
}

struct text text_shown(const char *fmt, va_list ap)
{
	struct text raw = { NULL, 0 }, t = { NULL, 0 };

	text_vadd(&raw, fmt, ap);
	text_add(&t, "%s", "");
	text_add_shown(&t, raw.s);
	text_free(&raw);
	return t;
}

void complain(const char *fmt, ...)
{
	struct text t;
	va_list ap;

	va_start(ap, fmt);
	t = text_shown(fmt, ap);
	va_end(ap);
	fflush(stdout);
	fprintf(stderr, "pmonctl: %s\n", t.s);
	text_free(&t);
}

void say(const char *fmt, ...)
{
	struct text t;
	va_list ap;

	va_start(ap, fmt);
	t = text_shown(fmt, ap);
	va_end(ap);
	puts(t.s);
	text_free(&t);
}

void say_nothing(void)
{
	putchar('\n');
}

bool output_flush(void)
{
	return !fflush(stdout) && !ferror(stdout);
}

void print_text(FILE *to, const char *text)
{
	fputs(text, to);
}

const char *error_name(int error)
{
	switch (error) {
	case EACCES: return "EACCES";
	case EINVAL: return "EINVAL";
	case EIO: return "EIO";
	case EFBIG: return "EFBIG";
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
		       "pmonctl, or this is not a file of sysfs";
	case EFBIG:
		return "no file of sysfs is so large; is this one of it?";
	default:
		return "look at the kernel log";
	}
}

void complain_file(const char *path, int error)
{
	complain("%s: %s (%s); %s", path, strerror(error), error_name(error),
		 remedy(error));
}

/* What a text of LEN characters has: doubled, so that few additions copy it. */
static size_t text_room(size_t len)
{
	size_t room = 16;

	while (room <= len)
		room *= 2;
	return room;
}

void text_vadd(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	size_t room;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)	/* more than INT_MAX characters */
		out_of_memory();
	room = text_room(t->len + (size_t)n);
	if (!t->s || room != text_room(t->len))
		t->s = xrealloc(t->s, room);
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
	t->len += (size_t)n;
}

void text_add(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vadd(t, fmt, ap);
	va_end(ap);
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

/* Writes local times as text. */

char *timestamp_as(const char *format)
{
	struct timespec now;
	struct tm local;
	char text[64];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), format, &local);
	return xstrdup(text);
}

/* strftime() writes the zone without a colon. */
char *timestamp(void)
{
	struct timespec now;
	char *date, *zone = timestamp_as("%z");
	struct text t = { NULL, 0 };

	clock_gettime(CLOCK_REALTIME, &now);
	date = timestamp_as("%FT%T");
	text_add(&t, "%s.%03ld%.3s:%s", date, now.tv_nsec / 1000000, zone, zone + 3);
	free(date);
	free(zone);
	return t.s;
}

/*
 * Tables, by libsmartcols. Cells are made fit to be shown here: what that library
 * escapes depends on the locale.
 */

static bool bare, matched;
static const char *chosen;

void tables_bare(void)
{
	bare = true;
}

void tables_choose(const char *names)
{
	chosen = names;
}

bool tables_found(void)
{
	if (!chosen || matched)
		return true;
	complain("--output %s: no table has these columns", chosen);
	return false;
}

/* The column of that name, in upper or lower case, or how many there are. */
static size_t find_column(const char *const *head, size_t columns,
			  const char *name, size_t len)
{
	size_t i = 0;

	for (; i < columns; i++) {
		const char *text = head[i] + strspn(head[i], " ~");

		if (strlen(text) == len && !strncasecmp(text, name, len))
			break;
	}
	return i;
}

static void show_column(struct table *t, size_t column)
{
	t->order = xrealloc(t->order, (t->shown + 1) * sizeof(*t->order));
	t->order[t->shown++] = column;
}

static void choose(struct table *t, const char *const *head)
{
	for (const char *name = chosen; name && !t->hidden;) {
		size_t len = strcspn(name, ",");
		size_t column = find_column(head, t->columns, name, len);

		t->hidden = column == t->columns;
		show_column(t, column);
		name = name[len] ? name + len + 1 : NULL;
	}
	matched |= !t->hidden;
}

/* Nothing is cut; on a terminal that is too narrow, cells that may be are wrapped. */
static void start(struct table *t, size_t columns, const char *const *head)
{
	bool wraps = false;

	*t = (struct table){ .scols = scols_new_table(), .columns = columns };
	t->cell = xrealloc(NULL, columns * sizeof(*t->cell));
	if (head && chosen)
		choose(t, head);
	else
		for (size_t i = 0; i < columns; i++)
			show_column(t, i);
	if (!t->scols)
		out_of_memory();
	scols_table_enable_noheadings(t->scols, !head || bare);
	scols_table_enable_noencoding(t->scols, 1);
	scols_table_set_column_separator(t->scols, "  ");
	for (size_t i = 0; i < t->shown && !t->hidden; i++) {
		const char *name = head ? head[t->order[i]] : "";
		int flag = *name == ' ' ? SCOLS_FL_RIGHT :
			   *name == '~' ? SCOLS_FL_WRAP : 0;

		if (!scols_table_new_column(t->scols, name + strspn(name, " ~"), 0, flag))
			out_of_memory();
		wraps |= flag == SCOLS_FL_WRAP;
	}
	if (!wraps)
		scols_table_set_termforce(t->scols, SCOLS_TERMFORCE_NEVER);
}

void table_start(struct table *t, size_t columns)
{
	start(t, columns, NULL);
}

void table_start_headed(struct table *t, const char *const *head)
{
	size_t columns = 0;

	while (head[columns])
		columns++;
	start(t, columns, head);
}

static void end_row(struct table *t)
{
	struct libscols_line *line = t->hidden ? NULL :
		scols_table_new_line(t->scols, NULL);

	for (size_t i = 0; line && i < t->shown; i++)
		if (scols_line_set_data(line, i, t->cell[t->order[i]]))
			out_of_memory();
	for (size_t i = 0; i < t->columns; i++)
		free(t->cell[i]);
	t->filled = 0;
	t->rows++;
}

/* More than any list of CPUs; what is longer is hostile, and widens all rows. */
#define CELL_MOST 4096

void table_cell(struct table *t, const char *fmt, ...)
{
	struct text cell;
	va_list ap;

	va_start(ap, fmt);
	cell = text_shown(fmt, ap);
	va_end(ap);
	if (cell.len > CELL_MOST)
		strcpy(cell.s + CELL_MOST - 3, "...");
	t->cell[t->filled++] = cell.s;
	if (t->filled == t->columns)
		end_row(t);
}

void table_add(struct text *text, struct table *t)
{
	char *printed = NULL;

	if (t->rows && !t->hidden &&
	    scols_print_table_to_string(t->scols, &printed))
		out_of_memory();
	if (printed)
		text_add(text, "%s\n", printed);
	free(printed);
	free(t->order);
	free(t->cell);
	scols_unref_table(t->scols);
}

void table_print(struct table *t)
{
	struct text text = { NULL, 0 };

	table_add(&text, t);
	if (text.s)
		print_text(stdout, text.s);
	text_free(&text);
}
