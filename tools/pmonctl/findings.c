// SPDX-License-Identifier: GPL-2.0-only
/* What pmonctl doctor has found. */
#include "findings.h"

#include <stdarg.h>
#include <stdlib.h>

#include "table.h"

static const char *const levels[GRADES] = { "ok", "note", "problem" };

void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...)
{
	struct text t = { NULL, 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	f->finding = xrealloc(f->finding, (f->count + 1) * sizeof(*f->finding));
	f->finding[f->count++] = (struct finding){
		level, xstrdup(about), t.s, remedy ? xstrdup(remedy) : NULL,
	};
	f->worst = level > f->worst ? level : f->worst;
}

static size_t add_level(struct table *t, const struct findings *f, enum grade level)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct finding *one = &f->finding[i];

		if (one->level != level)
			continue;
		n++;
		if (!t)
			continue;
		table_cell(t, "%s", levels[level]);
		table_cell(t, "%s", one->about);
		table_cell(t, "%s%s%s", one->text, one->remedy ? "; " : "",
			   one->remedy ? one->remedy : "");
	}
	return n;
}

/* Of the first of the worst that something can be done about. */
static void print_next(const struct findings *f)
{
	for (size_t i = 0; i < f->count && f->worst != FINE; i++)
		if (f->finding[i].level == f->worst && f->finding[i].remedy) {
			say("Next: %s", f->finding[i].remedy);
			return;
		}
	if (f->worst != PROBLEM)
		say("Next: pmonctl bw");
}

void findings_print(const struct findings *f, bool all)
{
	struct table t;
	size_t fine;

	table_start(&t, 3);
	add_level(&t, f, PROBLEM);
	add_level(&t, f, NOTE);
	fine = add_level(all ? &t : NULL, f, FINE);
	table_print(&t);
	if (!all)
		say("ok: %zu %s; --verbose shows them", fine,
		    fine == 1 ? "thing" : "things");
	print_next(f);
}

void findings_json(const struct findings *f)
{
	json_open(NULL, '{');
	json_number("format", 1);
	json_open("findings", '[');
	for (size_t i = 0; i < f->count; i++) {
		json_open(NULL, '{');
		json_text("level", levels[f->finding[i].level]);
		json_text("about", f->finding[i].about);
		json_text("text", f->finding[i].text);
		json_text("remedy", f->finding[i].remedy);
		json_close('}');
	}
	json_close(']');
	json_close('}');
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->finding[i].about);
		free(f->finding[i].text);
		free(f->finding[i].remedy);
	}
	free(f->finding);
	*f = (struct findings){ .finding = NULL };
}
