// SPDX-License-Identifier: GPL-2.0-only
/* One line of what pmonctl doctor says. */
#include "findings.h"
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const levels[] = { "ok", "note", "problem" };

void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		out_of_memory();
	va_end(ap);
	if (f->json) {
		json_open(NULL, '{');
		json_text("level", levels[level]);
		json_text("about", about);
		json_text("text", text);
		json_text("remedy", remedy);
		json_close('}');
	} else {
		table_cell(&f->table, "%s", levels[level]);
		table_cell(&f->table, "%s", about);
		table_cell(&f->table, "%s%s%s", text, remedy ? "; " : "",
			   remedy ? remedy : "");
	}
	free(text);
	f->worst = level > f->worst ? level : f->worst;
}
