// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names numbers that are missing until openpmon drives the boxes: by the units
 * that a discovery table has, or else by PMUs that have no events.
 */
#include "lacking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "output.h"
#include "sysfs.h"

static const struct {
	enum flow_kind kind;
	const char *unit, *pmu;		/* its first PMU, with events or not */
} kinds[] = {
	{ FLOW_MEMORY, "imc", "uncore_imc_0" },
	{ FLOW_UPI, "upi", "uncore_upi_0" },
	{ FLOW_IIO, "iio", "uncore_iio_free_running_0" },
};

/* A line of units: its second word is the name, its ninth the owner. */
static bool is_left(const char *line, const char *name)
{
	char unit[32], owner[64];

	return sscanf(line, "%*s %31s %*s %*s %*s %*s %*s %*s %63s", unit,
		      owner) == 2 && !strcmp(unit, name) && strcmp(owner, "-") &&
	       strcmp(owner, "openpmon");
}

static bool table_leaves(char *units, const char *name)
{
	char *save, *line;
	bool left = false;

	for (line = strtok_r(units, "\n", &save); line && !left;
	     line = strtok_r(NULL, "\n", &save))
		left = is_left(line, name);
	return left;
}

static bool has_pmu(const char *name)
{
	struct text path = { NULL, 0 };
	bool has;

	text_add(&path, "/sys/bus/event_source/devices/%s", name);
	has = sysfs_exists(path.s);
	text_free(&path);
	return has;
}

/* Without a table of openpmon's, all boxes are another driver's. */
static bool is_of_others(size_t kind)
{
	struct names n = sysfs_children(CLASS_DIR, "pkg");
	bool tables = false, left = false;

	for (size_t i = 0; i < n.count; i++) {
		char *units = sysfs_read(CLASS_DIR "/%s/units", n.name[i]);

		if (units) {
			tables = true;
			left |= table_leaves(units, kinds[kind].unit);
		}
		free(units);
	}
	names_free(&n);
	return tables ? left : has_pmu(kinds[kind].pmu);
}

static bool is_counted(const struct bandwidth *b, enum flow_kind kind, int way)
{
	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].kind == kind && b->flow[i].counted[way])
			return true;
	return false;
}

static void add_kind(struct text *t, const struct bandwidth *b,
		     enum flow_kind kind)
{
	bool in = is_counted(b, kind, FLOW_IN);
	bool out = is_counted(b, kind, FLOW_OUT);

	if (in && out)
		return;
	text_add(t, "%s%s", t->len ? ", " : "", flow_kind_name(kind));
	if (in || out)
		text_add(t, " %s", in ? "WRITE/OUT" : "READ/IN");
}

void lacking_find(struct bandwidth *b)
{
	struct text t = { NULL, 0 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_of_others(i))
			add_kind(&t, b, kinds[i].kind);
	if (t.len)
		text_add(&t, ": the driver in the kernel has no events for %s; "
			 "pmonctl adopt uncore brings them",
			 strchr(t.s, ',') ? "these" : "this");
	b->lacking = t.s;
}
