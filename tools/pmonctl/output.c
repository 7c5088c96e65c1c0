// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols/libsmartcols.h>
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
 * through text_add_shown(), or json_print().
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

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count + 1, size);

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

void free_held(void *variable)
{
	free(*(void **)variable);
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
	struct text raw FREED_BY(text_free) = { NULL, 0 }, t = { NULL, 0 };

	text_vadd(&raw, fmt, ap);
	text_add(&t, "%s", "");
	text_add_shown(&t, raw.s);
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
		return "run as root, or as a member of the group given to pmon.ko with gid=";
	case ETIMEDOUT:
		return "the mailbox did not answer; try again, and see "
		       "troubleshooting.rst if it stays so";
	case EBUSY:
		return "another agent uses the mailbox at the same time; try again";
	case EOPNOTSUPP:
		return "firmware has blocked writes, so that the hardware takes no command";
	case ENODATA:
		return "nobody watches this domain";
	case EIO:
		return "the hardware refuses the read; a BMC or the firmware may have blocked it";
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

char *xasprintf(const char *fmt, ...)
{
	struct text t = { NULL, 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	return t.s;
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
	char *date FREED = timestamp_as("%FT%T"), *zone FREED = timestamp_as("%z");
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return xasprintf("%s.%03ld%.3s:%s", date, now.tv_nsec / 1000000, zone, zone + 3);
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

static void choose(struct table *t, const char *const *head)
{
	for (const char *name = chosen; name && !t->hidden;) {
		size_t len = strcspn(name, ",");
		size_t column = find_column(head, t->columns, name, len);

		t->hidden = column == t->columns;
		append(t->order, t->shown, column);
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
			append(t->order, t->shown, i);
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
	char *printed FREED = NULL;

	if (t->rows && !t->hidden &&
	    scols_print_table_to_string(t->scols, &printed))
		out_of_memory();
	if (printed)
		text_add(text, "%s\n", printed);
	free(t->order);
	free(t->cell);
	scols_unref_table(t->scols);
}

void table_print(struct table *t)
{
	struct text text FREED_BY(text_free) = { NULL, 0 };

	table_add(&text, t);
	if (text.s)
		print_text(stdout, text.s);
}

/* JSON, by jansson: a tree that is written when its outermost container is closed. */

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
static void json_add(const char *name, json_t *value)
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
	json_add(name, value);
	open_ones[depth++] = value;
}

/* Of characters that a terminal acts on that library leaves one as it is. */
static void json_print(char *text)
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
	json_print(text);
	free(text);
	json_decref(open_ones[0]);
}

/* With U+FFFD for each byte that is no UTF-8, which that library refuses. */
static json_t *string_of(const char *s)
{
	struct text t FREED_BY(text_free) = { NULL, 0 };
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
	return value;
}

void json_text(const char *name, const char *value)
{
	json_add(name, value ? string_of(value) : json_null());
}

void json_number(const char *name, long value)
{
	json_add(name, json_integer(value));
}

void json_document(void)
{
	json_open(NULL, '{');
	json_number("format", 1);
}

void json_known(const char *name, long long value)
{
	if (value >= 0)
		json_number(name, (long)value);
}

void json_strings(const char *name, char *words)
{
	json_open(name, '[');
	for_each_part(w, words, " ")
		json_text(NULL, w);
	json_close(']');
}
