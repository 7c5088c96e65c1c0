// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables, by libsmartcols. Cells are made fit to be shown here: what that library
 * escapes depends on the locale.
 */
#include "table.h"

#include <libsmartcols/libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
