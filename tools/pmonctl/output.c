// SPDX-License-Identifier: GPL-2.0-only
/* Writes messages, strings, tables and JSON. */
#include <ctype.h>
#include <jansson.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "output.h"

/*
 * Messages and strings.
 *
 * File contents and names may come from anybody. text_add_shown() and json_text() escape them, so
 * that they cannot send escape sequences to a terminal or forge lines.
 */

static __attribute__((noreturn)) void out_of_memory(void)
{
	fputs("pmonctl: out of memory\n", stderr);
	exit(STATUS_BROKEN);
}

void *checked(void *p)
{
	if (!p)
		out_of_memory();
	return p;
}

/* Memory that step_end() may free, in the order of allocation. */
static void **holds;
static size_t held_count, held_room;

void *held(void *p)
{
	if (held_count == held_room) {
		held_room = 2 * held_room + 64;
		holds = xrealloc(holds, held_room * sizeof(*holds));
	}
	holds[held_count++] = checked(p);
	return p;
}

size_t step_begin(void)
{
	return held_count;
}

void step_end(size_t begin)
{
	while (held_count > begin)
		free(holds[--held_count]);
}

void keep(char **kept, const char *s)
{
	free(*kept);
	*kept = s ? checked(strdup(s)) : NULL;
}

void free_held(void *variable)
{
	free(*(void **)variable);
}

/* Bytes at @s before the first control, invisible or invalid character. */
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

/* Shows unprintable bytes in hexadecimal, such as \x1b. */
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

static struct text shown(const char *text)
{
	struct text t = { NULL, 0 };

	text_add(&t, "%s", "");
	text_add_shown(&t, text);
	return t;
}

/* Width in columns of a terminal. The text is printable, except for colour sequences. */
static size_t width_of(const char *s, size_t len)
{
	mbstate_t state = { 0 };
	size_t width = 0, n;
	wchar_t c;

	for (size_t at = 0; at < len; at += n) {
		n = s[at] == '\033' ? strcspn(s + at, "m") + 1 : 0;
		if (n)
			continue;
		n = mbrtowc(&c, s + at, len - at, &state);
		if (!n || n > len - at)
			return width + len - at;
		width += (size_t)wcwidth(c);
	}
	return width;
}

/*
 * Columns of the terminal without the last one; for files those of COLUMNS, which watch(1) sets, or
 * SIZE_MAX.
 */
static size_t room(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col - 1U;
	if (columns && atoi(columns) > 1)
		return (size_t)atoi(columns) - 1;
	return isatty(fd) ? 79 : SIZE_MAX;
}

/* Bytes of the first word, which ends before a blank or after a comma. */
static size_t word_length(const char *s)
{
	size_t len = strcspn(s, " ,");

	return len + (s[len] == ',');
}

/* Bytes of a cell that fit @width: up to the last semicolon, else blank, else comma. */
static size_t line_length(const char *s, size_t width)
{
	size_t part = 0, blank = 0, comma = 0, len;

	for (len = 0; s[len] && width_of(s, len) <= width; len++) {
		blank = s[len] == ' ' ? len : blank;
		comma = len && s[len - 1] == ',' ? len : comma;
		part = len && s[len] == ' ' && s[len - 1] == ';' ? len : part;
	}
	if (!s[len] && width_of(s, len) <= width)
		return len;
	if (part || blank || comma)
		return part ? part : blank ? blank : comma;
	return word_length(s);
}

void text_add_wrapped(struct text *t, const char *s, FILE *to)
{
	size_t most = room(fileno(to)), indent = strspn(s, " "), pad = 0;

	/* Indent further lines to the last column, which follows two blanks. */
	for (const char *gap; (gap = strstr(s + indent, "  ")) && gap < s + most / 2;)
		indent = (size_t)(gap - s) + strspn(gap, " ");
	for (bool first = true; first || *s; first = false) {
		size_t len = line_length(s, most - pad);

		text_add(t, "%*s%.*s\n", (int)pad, "", (int)len, s);
		s += len + (s[len] == ' ');
		pad = indent < most / 2 ? indent : 0;
	}
}

void print_lines(const char *text)
{
	struct text t = { NULL, 0 };

	for (size_t len; *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		text_add_wrapped(&t, xstrndup(text, len), stdout);
	}
	if (t.s)
		print_text(stdout, t.s);
}

bool print_line_text(FILE *to, const char *text)
{
	struct text t = shown(text), lines = { NULL, 0 };

	if (to != stdout)
		fflush(stdout);
	text_add_wrapped(&lines, t.s, to);
	print_text(to, lines.s);
	return false;
}

void print_record_text(const char *text)
{
	print_text(stdout, shown(text).s);
	print_empty_line();
}

/* errno of the first failed fflush(); later calls overwrite errno. */
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

#define RIGHTS	"run as root, or as a member of the group given to pmon.ko with gid="
#define GONE	"the device was removed or is in D3; see the kernel log"

const char *error_remedy(int error)
{
	static const char *const remedies[] = {
		[EACCES] = RIGHTS, [EPERM] = RIGHTS,
		[ENODEV] = GONE, [ENXIO] = GONE, [ENOENT] = GONE,
		[ETIMEDOUT] = "firmware does not serve the mailbox; a restart of the host, or of "
			      "its BMC, may help",
		[EBUSY] = "another program holds the mailbox (pcm, a tool that maps the "
			  "registers); end it",
		[EOPNOTSUPP] = "firmware has blocked writes; look at its setup, and at the BMC",
		[ENODATA] = "no program monitors this domain",
		[EIO] = "firmware has blocked reads; look at its setup, and at the BMC",
		[EINVAL] = "this kernel module is not of the same version as pmonctl, or this is "
			   "not a file of sysfs",
		[EFBIG] = "files of sysfs are smaller; is this a file of sysfs?",
	};
	const size_t known = sizeof(remedies) / sizeof(*remedies);
	const char *remedy = (size_t)error < known ? remedies[error] : NULL;

	return remedy ? remedy : "look at the kernel log";
}

void complain_file(const char *path, int error)
{
	complain("%s: %s (%s); %s", path, strerror(error), error_name(error), error_remedy(error));
}

/* Keeps a growing text's place in holds[]. Searches from the end, where recent texts are. */
void text_add(struct text *t, const char *fmt, ...)
{
	size_t at = held_count;
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	while (t->s && holds[--at] != t->s)
		;
	t->s = xrealloc(t->s, t->len + (size_t)n + 1);
	if (at == held_count)
		held(t->s);
	holds[at] = t->s;
	vsnprintf(t->s + t->len, (size_t)n + 1, fmt, again);
	t->len += (size_t)n;
	va_end(again);
	va_end(ap);
}

char *xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	return held(n < 0 ? NULL : text);
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

bool number_parse(const char *text, int base, long long most, long long *value)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, base);
	return isdigit((unsigned char)*text) && !*end && !errno && *value <= most;
}

char *number_of(size_t count, const char *noun)
{
	const char *plural = noun[strlen(noun) - 1] == 'x' ? "es" : "s";

	return xasprintf("%zu %s%s", count, noun, count == 1 ? "" : plural);
}

/* strftime() writes the zone without a colon. */
char *timestamp(void)
{
	struct timespec now;
	struct tm local;
	char date[64], *zone;

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	zone = date + strftime(date, sizeof(date), "%FT%T%z", &local) - strlen("+0000");
	return xasprintf("%.*s.%03ld%.3s:%s", (int)(zone - date), date, now.tv_nsec / 1000000,
			 zone, zone + 3);
}

char *host_name(void)
{
	char name[HOST_NAME_MAX + 1] = "";

	gethostname(name, sizeof(name) - 1);
	return xstrdup(name);
}

/* Tables, whose cells are escaped. */

void table_start(struct table *t, const char *heads)
{
	char *rest;

	*t = (struct table){ .names = xstrdup(heads), .bare = *heads == ',' };
	rest = t->names;
	for (char *name; (name = strsep(&rest, ","));) {
		struct column c = { .head = name, .empty = true };

		if (*name && strchr(" ?~!", *name)) {
			c.mark = *name;
			c.head++;
		}
		append(t->column, t->columns, c);
	}
}

/* Longer than any list of CPUs. Of a longer cell, which is hostile, only the beginning is shown. */
#define CELL_MOST 4096
#define CELL_BEGIN 16

static char *cell_text(const char *s)
{
	struct text t = shown(s);

	if (t.len > CELL_MOST)
		strcpy(t.s + CELL_BEGIN, "...");
	return t.s;
}

void table_cells(struct table *t, const char *const cell[])
{
	size_t cells = t->rows++ * t->columns;

	for (size_t i = 0; i < t->columns; i++) {
		char *text = cell_text(cell[i] ? cell[i] : "-");

		t->column[i].empty &= !strcmp(text, "-");
		append(t->cell, cells, text);
	}
}

/* Bytes of a cell before the number at its end. */
static size_t stem_length(const char *cell)
{
	size_t len = strlen(cell);

	while (len && isdigit((unsigned char)cell[len - 1]))
		len--;
	return len;
}

static bool may_join(const char *a, const char *b, char how)
{
	size_t len = stem_length(a);

	if (how == ' ')
		return !strcmp(a, b);
	return len == stem_length(b) && !strncmp(a, b, len) && !a[len] == !b[len];
}

char *join_cells(const char *const cell[], size_t count, char how)
{
	unsigned int *number = xcalloc(count, sizeof(*number));
	size_t len = stem_length(*cell);
	struct text t = { NULL, 0 };

	for (size_t i = 0; i < count; i++)
		number[i] = (unsigned int)strtoul(cell[i] + len, NULL, 10);
	text_add(&t, "%.*s", (int)len, *cell);
	if (!(*cell)[len])
		return t.s;
	if (how == '#' || count == 1) {
		text_add_ranges(&t, number, count);
	} else if (number[count - 1] - *number == count - 1) {
		text_add(&t, "{%u..%u}", *number, number[count - 1]);
	} else {
		for (size_t i = 0; i < count; i++)
			text_add(&t, "%s%u", i ? "," : "{", number[i]);
		text_add(&t, "}");
	}
	return t.s;
}

void table_join(struct table *t, const char *how)
{
	const char **cell = xcalloc(t->rows, sizeof(*cell));
	size_t *alike = xcalloc(t->rows, sizeof(*alike)), rows = 0;
	bool *done = xcalloc(t->rows, sizeof(*done));

	for (size_t i = 0, n; i < t->rows; i++) {
		char **row = t->cell + i * t->columns, **to = t->cell + rows * t->columns;

		if (done[i])
			continue;
		n = 0;
		for (size_t j = i; j < t->rows; j++) {
			bool joins = !done[j];

			for (size_t c = 0; c < t->columns && joins; c++)
				joins = may_join(row[c], t->cell[j * t->columns + c], how[c]);
			done[j] |= joins;
			if (joins)
				alike[n++] = j;
		}
		for (size_t c = 0; c < t->columns; c++) {
			for (size_t k = 0; k < n; k++)
				cell[k] = t->cell[alike[k] * t->columns + c];
			to[c] = how[c] == ' ' ? row[c] : cell_text(join_cells(cell, n, how[c]));
		}
		rows++;
	}
	t->rows = rows;
}

#define BETWEEN 2

static size_t table_width(const struct table *t)
{
	size_t width = 0;

	for (size_t i = 0; i < t->columns; i++)
		if (t->column[i].width)
			width += t->column[i].width + BETWEEN;
	return width ? width - BETWEEN : 0;
}

/* Sets column widths to fit @most, if possible. */
static void fit(struct table *t, size_t most)
{
	struct column *widest;

	for (size_t i = 0; i < t->columns; i++) {
		struct column *c = &t->column[i];

		c->width = t->bare ? 1 : width_of(c->head, strlen(c->head));
		for (size_t row = 0; row < t->rows; row++) {
			const char *cell = t->cell[row * t->columns + i];
			size_t width = width_of(cell, strlen(cell));

			c->width = width > c->width ? width : c->width;
			for (size_t at = 0, len; c->mark == '~' && cell[at]; at += len) {
				len = word_length(cell + at);
				width = width_of(cell + at, len);
				c->least = width > c->least ? width : c->least;
				len += cell[at + len] == ' ';
			}
		}
		if (c->mark == '!' && c->empty)
			c->width = 0;
	}
	for (int needed = 0; needed < 2; needed++)
		for (size_t i = t->columns; i-- && table_width(t) > most;)
			if (needed ? t->column[i].mark && strchr("?!", t->column[i].mark) :
				     t->column[i].empty)
				t->column[i].width = 0;
	/* Narrows the widest wrappable column step by step. */
	do {
		widest = NULL;
		for_each_item(c, t->column, t->columns)
			if (c->mark == '~' && c->width > c->least &&
			    (!widest || c->width > widest->width))
				widest = c;
		if (widest && table_width(t) > most)
			widest->width--;
	} while (widest && table_width(t) > most);
}

/* Adds a row of one or more lines. */
static size_t add_row(struct text *t, const struct table *table, char **cell)
{
	size_t lines = 0;

	for (bool more = true; more; lines++) {
		struct text line = { NULL, 0 };
		size_t pad = 0;

		more = false;
		for (size_t i = 0; i < table->columns; i++) {
			const struct column *c = &table->column[i];
			char **s = &cell[i];
			size_t len = c->mark == '~' ? line_length(*s, c->width) : strlen(*s);
			size_t width = width_of(*s, len);
			size_t left = c->width > width ? c->width - width : 0;

			if (!c->width)
				continue;
			text_add(&line, "%*s%.*s", (int)(pad + (c->mark == ' ' ? left : 0)), "",
				 c->paint ? 0 : (int)len, *s);
			if (c->paint)
				c->paint(&line, *s, len);
			pad = BETWEEN + (c->mark == ' ' ? 0 : left);
			*s += len + (((*s)[len]) == ' ');
			more |= **s;
		}
		while (line.len && line.s[line.len - 1] == ' ')
			line.len--;
		text_add(t, "%.*s\n", (int)line.len, line.s ? line.s : "");
	}
	return lines;
}

size_t table_add(struct text *text, struct table *t)
{
	char **head = xcalloc(t->columns, sizeof(*head));
	size_t lines = 0, row;

	if (t->rows)
		fit(t, room(STDOUT_FILENO));
	for (size_t i = 0; i < t->columns; i++)
		head[i] = t->column[i].head;
	if (t->rows && !t->bare)
		add_row(text, t, head);
	for (row = 0; row < t->rows && (!t->most || lines < t->most); row++)
		lines += add_row(text, t, t->cell + row * t->columns);
	free(t->cell);
	free(t->column);
	return t->rows - row;
}

void table_print(struct table *t)
{
	struct text text = { NULL, 0 };

	table_add(&text, t);
	if (text.s)
		print_lines(text.s);
}

/* JSON by jansson, written when the outermost container closes. */

#define DEEPEST 16

/* Open containers. */
static json_t *open_ones[DEEPEST];
static unsigned int depth;
static bool on_one_line;

void json_lines(void)
{
	on_one_line = true;
}

/* Adds @value to the innermost container. */
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

void json_close(void)
{
	if (--depth)
		return;
	json_dumpf(*open_ones, stdout, JSON_ENSURE_ASCII | (on_one_line ? 0 : JSON_INDENT(2)));
	print_empty_line();
	json_decref(*open_ones);
}

void json_text(const char *name, const char *value)
{
	json_t *string = value && !strchr(value, '\177') ? json_string(value) : NULL;

	/* jansson refuses invalid UTF-8, but does not escape DEL. */
	json_add(name, !value ? json_null() : string ? string : json_string(shown(value).s));
}

void json_number(const char *name, long long value)
{
	if (value >= 0)
		json_add(name, json_integer(value));
}

void json_document(void)
{
	json_open(NULL, '{');
	json_number("format", 3);
	json_members("host %s time %s version %s", host_name(), timestamp(), PMONCTL_VERSION);
}

void json_members(const char *format, ...)
{
	const char *name = "", *text;
	char words[1024];
	va_list ap;

	snprintf(words, sizeof(words), "%s", format);
	va_start(ap, format);
	for_each_token(word, words, " ")
		if (!strcmp(word, "%s")) {
			text = va_arg(ap, const char *);
			if (text || *name != '?')
				json_text(name + (*name == '?'), text);
		} else if (!strcmp(word, "%ld")) {
			json_number(name, va_arg(ap, long));
		} else if (!strcmp(word, "%lx")) {
			json_text(name, xasprintf("0x%lx", va_arg(ap, unsigned long)));
		} else if (!strcmp(word, "%d")) {
			json_add(name, json_boolean(va_arg(ap, int)));
		} else {
			name = word;
		}
	va_end(ap);
}
