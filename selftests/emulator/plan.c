// SPDX-License-Identifier: GPL-2.0-only
/* Parse a record of a plan; the caller must read every field. */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "plan.h"

void plan_fail(struct plan_line *l, const char *key, const char *why)
{
	if (!l->failed)
		error_setg(l->errp, "%s:%u: %s %s: %s", l->file, l->number,
			   l->keyword, key, why);
	l->failed = true;
}

static void plan_field(struct plan_line *l, char *field)
{
	char *equals = strchr(field, '=');

	if (!equals || l->count == PLAN_FIELDS) {
		plan_fail(l, field, equals ? "too many fields" : "no value");
		return;
	}
	*equals = '\0';
	l->key[l->count] = field;
	l->value[l->count++] = equals + 1;
}

/* Returns false for an error; an empty line or a comment has no keyword. */
bool plan_parse(struct plan_line *l, const char *file, unsigned int number,
		const char *text, Error **errp)
{
	char *save, *field;

	memset(l, 0, sizeof(*l));
	l->file = file;
	l->number = number;
	l->errp = errp;
	l->text = g_strdup(text);
	l->keyword = strtok_r(l->text, " ", &save);
	if (l->keyword && l->keyword[0] == '#')
		l->keyword = NULL;
	while (l->keyword && (field = strtok_r(NULL, " ", &save)))
		plan_field(l, field);
	return !l->failed;
}

static int plan_index(struct plan_line *l, const char *key)
{
	unsigned int i;

	for (i = 0; i < l->count; i++) {
		if (!strcmp(l->key[i], key)) {
			l->used[i] = true;
			return i;
		}
	}
	return -1;
}

bool plan_has(struct plan_line *l, const char *key)
{
	return plan_index(l, key) >= 0;
}

const char *plan_word(struct plan_line *l, const char *key)
{
	int i = plan_index(l, key);

	if (i < 0)
		plan_fail(l, key, "missing");
	return i < 0 ? "" : l->value[i];
}

uint64_t plan_u64(struct plan_line *l, const char *key)
{
	const char *word = plan_word(l, key);
	uint64_t v = 0;

	if (!l->failed && qemu_strtou64(word, NULL, 0, &v))
		plan_fail(l, key, "not a number");
	return v;
}

uint64_t plan_max(struct plan_line *l, const char *key, uint64_t max)
{
	uint64_t v = plan_u64(l, key);

	if (v <= max)
		return v;
	plan_fail(l, key, "too large");
	return 0;
}

/* Check at the end of a record for unknown fields. */
bool plan_done(struct plan_line *l)
{
	unsigned int i;

	for (i = 0; i < l->count; i++) {
		if (!l->used[i])
			plan_fail(l, l->key[i], "unknown field");
	}
	g_free(l->text);
	l->text = NULL;
	return !l->failed;
}
