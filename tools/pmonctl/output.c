// SPDX-License-Identifier: GPL-2.0-only
#include "output.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols/libsmartcols.h>
#include <stdarg.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

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

static void *checked(void *p)
{
	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count + 1, size));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xstrndup(const char *s, size_t len)
{
	return checked(strndup(s, len));
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

static struct text shown(char *text)
{
	struct text t = { NULL, 0 };

	text_add(&t, "%s", "");
	text_add_shown(&t, text);
	free(text);
	return t;
}

bool complain_text(char *text)
{
	struct text t FREED_BY(text_free) = shown(text);

	fflush(stdout);
	fprintf(stderr, "pmonctl: %s\n", t.s);
	return false;
}

void say_text(char *text)
{
	struct text t FREED_BY(text_free) = shown(text);

	puts(t.s);
}

void say_nothing(void)
{
	putchar('\n');
}

/* errno of the first fflush() that failed; later calls overwrite errno itself. */
static int lost;

bool output_flush(void)
{
	if (fflush(stdout) && !lost)
		lost = errno;
	return !lost && !ferror(stdout);
}

const char *output_lost(void)
{
	return strerror(lost ? lost : errno);
}

void print_text(FILE *to, const char *text)
{
	fputs(text, to);
}

const char *error_name(int error)
{
	return strerrorname_np(error);
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

void text_add_text(struct text *t, char *text)
{
	size_t len = strlen(text);

	t->s = xrealloc(t->s, t->len + len + 1);
	memcpy(t->s + t->len, text, len + 1);
	t->len += len;
	free(text);
}

char *xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	return checked(n < 0 ? NULL : text);
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

void tables_choose(bool without_heads, const char *columns)
{
	bare = without_heads;
	chosen = columns;
}

bool tables_found(void)
{
	return !chosen || matched || complain("--output %s: no table has these columns", chosen);
}

/* What a head says beside its name: how the column is printed. */
#define MARKS " ~"

/* The columns that --output names, in upper or lower case. */
static void choose(struct table *t, char *const *head, size_t columns)
{
	char *names FREED = xstrdup(chosen), *rest = names;

	for (char *name; (name = strsep(&rest, ","));) {
		size_t i = 0;

		while (i < columns && strcasecmp(head[i] + strspn(head[i], MARKS), name))
			i++;
		t->hidden |= i == columns;
		append(t->order, t->shown, i);
	}
	if (t->hidden)
		t->shown = 0;
	matched |= !t->hidden;
}

/* Nothing is cut; on a terminal that is too narrow, cells that may be are wrapped. */
void table_start(struct table *t, const char *heads)
{
	char *names FREED = xstrdup(heads), *rest = names, **head FREED = NULL;
	size_t columns = 0;
	bool wraps = false;

	for (char *name; (name = strsep(&rest, ","));)
		append(head, columns, name);
	*t = (struct table){ .scols = checked(scols_new_table()) };
	if (chosen)
		choose(t, head, columns);
	else
		for (size_t i = 0; i < columns; i++)
			append(t->order, t->shown, i);
	scols_table_enable_noheadings(t->scols, bare || *heads == ',');
	scols_table_enable_noencoding(t->scols, 1);
	scols_table_set_column_separator(t->scols, "  ");
	for (size_t i = 0; i < t->shown; i++) {
		const char *name = head[t->order[i]];
		int flag = *name == ' ' ? SCOLS_FL_RIGHT :
			   *name == '~' ? SCOLS_FL_WRAP : 0;

		checked(scols_table_new_column(t->scols, name + strspn(name, MARKS), 0, flag));
		wraps |= flag == SCOLS_FL_WRAP;
	}
	if (!wraps)
		scols_table_set_termforce(t->scols, SCOLS_TERMFORCE_NEVER);
}

/* More than any list of CPUs; what is longer is hostile, and widens all rows. */
#define CELL_MOST 4096

void table_cells(struct table *t, const char *const cell[])
{
	struct libscols_line *line = checked(scols_table_new_line(t->scols, NULL));

	t->rows++;
	for (size_t i = 0; i < t->shown; i++) {
		const char *raw = cell[t->order[i]];
		struct text text FREED_BY(text_free) = shown(xstrdup(raw ? raw : "-"));

		if (text.len > CELL_MOST)
			strcpy(text.s + CELL_MOST - 3, "...");
		if (scols_line_set_data(line, i, text.s))
			out_of_memory();
	}
}

const char *number_text(struct number *n, long value)
{
	snprintf(n->text, sizeof(n->text), "%ld", value);
	return value < 0 ? NULL : n->text;
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
	json_t *in = depth ? open_ones[depth - 1] : NULL;

	if (!value || (in && (name ? json_object_set_new(in, name, value) :
				     json_array_append_new(in, value))))
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
static void json_print(const char *text)
{
	for (; *text; text++)
		if (*text == '\177')
			fputs("\\u007F", stdout);
		else
			putchar(*text);
	say_nothing();
}

void json_close(char bracket)
{
	char *text FREED = NULL;

	(void)bracket;
	if (--depth)
		return;
	text = checked(json_dumps(*open_ones, JSON_ENSURE_ASCII |
				  (on_one_line ? 0 : JSON_INDENT(2))));
	json_print(text);
	json_decref(*open_ones);
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
	return value ? value : json_string(t.s);
}

void json_text(const char *name, const char *value)
{
	json_add(name, value ? string_of(value) : json_null());
}

void json_number(const char *name, long value)
{
	json_add(name, json_integer(value));
}

void json_flag(const char *name, bool value)
{
	json_add(name, json_boolean(value));
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
