// SPDX-License-Identifier: GPL-2.0-only
/* Record what each thread does, and print results. */
#include "fuzz.h"

struct shared *shared;
struct options options = { .time = 60, .patience = 60 };
__thread struct me me;

void tap(bool good, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!good)
		__atomic_add_fetch(&shared->failures, 1, __ATOMIC_RELAXED);
	dprintf(1, "%s %u - seed %#lx: %s\n", good ? "ok" : "not ok",
		__atomic_add_fetch(&shared->tests, 1, __ATOMIC_RELAXED),
		options.seed, text);
}

/*
 * Record an operation before it begins, so that the line is there if it never
 * ends. Bytes that a terminal does not print become dots.
 */
void doing(const char *fmt, ...)
{
	struct record *record = me.record;
	char *c = record->line[(record->progress + 1) % LINES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(c, LINE, fmt, args);
	va_end(args);
	for (; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '.';
	__atomic_add_fetch(&record->progress, 1, __ATOMIC_RELAXED);
}

/* Return true if --without has @name, or the word before its dash. */
bool switched_off(const char *name)
{
	const char *list = options.without;
	size_t n;

	for (; list && *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n && !strncmp(list, name, n) && (!name[n] || name[n] == '-'))
			return true;
	}
	return false;
}

/* Choose one of the paths that match @pattern. */
bool random_path(char *path, size_t size, const char *pattern)
{
	glob_t g;

	if (glob(pattern, GLOB_NOSORT | GLOB_BRACE, NULL, &g))
		return false;
	snprintf(path, size, "%s", g.gl_pathv[below(g.gl_pathc)]);
	globfree(&g);
	return true;
}
