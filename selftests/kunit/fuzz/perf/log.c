// SPDX-License-Identifier: GPL-2.0-only
/* What a thread is doing, where the watcher can see it; and what is printed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

/* Random bytes among it would make a mess of the terminal. */
static void make_readable(char *line)
{
	for (; *line; line++)
		if (*line < ' ' || *line > '~')
			*line = '.';
}

/* Before the operation, so that it is there if the operation never ends. */
void doing(struct me *me, const char *fmt, ...)
{
	struct record *record = me->record;
	unsigned int last = record->last + 1;
	char *line = record->line[last % LINES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(line, LINE, fmt, args);
	va_end(args);
	make_readable(line);
	record->last = last;
	__atomic_add_fetch(&record->progress, 1, __ATOMIC_RELAXED);
}

/* The result, behind what was said before; true if it is no error. */
bool did(struct me *me, long ret)
{
	char *line = me->record->line[me->record->last % LINES];
	int error = errno;
	size_t n = strlen(line);

	if (n < LINE - 1) {
		if (ret < 0)
			snprintf(line + n, LINE - n, " = -%d %s", error,
				 strerror(error));
		else
			snprintf(line + n, LINE - n, " = %ld", ret);
	}
	errno = error;
	return ret >= 0;
}

/* Something that must not be, seen by a worker; the parent prints it. */
void finding(const char *fmt, ...)
{
	unsigned int n = __atomic_fetch_add(&shared->findings, 1,
					    __ATOMIC_RELAXED);
	va_list args;

	if (n >= MAX_FINDINGS)
		return;
	va_start(args, fmt);
	vsnprintf(shared->finding[n], LINE, fmt, args);
	va_end(args);
}

static void print(const char *text, size_t n)
{
	while (n) {
		ssize_t done = write(1, text, n);

		if (done <= 0)
			return;
		text += done;
		n -= done;
	}
}

/* One line of comment for each line of the text. */
void say(const char *fmt, ...)
{
	char text[8192], *line, *end;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	for (line = text; *line; line = end) {
		end = line + strcspn(line, "\n");
		print("# ", 2);
		print(line, end - line);
		print("\n", 1);
		end += *end == '\n';
	}
}

void tap(bool good, const char *fmt, ...)
{
	char text[1024], name[768];
	va_list args;

	va_start(args, fmt);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	snprintf(text, sizeof(text), "%s %u - %s\n", good ? "ok" : "not ok",
		 ++shared->tests, name);
	if (!good)
		shared->failures++;
	print(text, strlen(text));
}
