// SPDX-License-Identifier: GPL-2.0-only
/* Print the true counts, independent of the width and resets of the counters. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

static void print_counter(const struct pmon_unit *u, unsigned int i, GString *out)
{
	const struct pmon_counter *c = &u->ctr[i];

	if (i < u->lay.counters)
		g_string_append_printf(out, "ctr=%u", i);
	else
		g_string_append(out, "ctr=fixed");
	g_string_append_printf(out, " ctl=0x%08" PRIx64 " counted=%" PRIu64
			       " happened=%" PRIu64 " value=0x%" PRIx64
			       " enabled_ns=%" PRIu64 " frozen_ns=%" PRIu64
			       " left=%" PRIu64 "\n",
			       c->ctl, c->counted, c->happened, c->value,
			       c->enabled_ns, c->frozen_ns, c->left_counted);
}

static void print_unit(struct pmon_unit *u, int only, bool idle, const char *prefix,
		       GString *out)
{
	unsigned int i;

	pmon_unit_sync(u);
	for (i = 0; i < pmon_unit_counters(u); i++) {
		if (only >= 0 && i != only)
			continue;
		if (!idle && !u->ctr[i].counted && !u->ctr[i].happened)
			continue;
		g_string_append(out, prefix);
		print_counter(u, i, out);
	}
}

/* Print every counter with a count, or with events while frozen. */
static void print_all(const char *which, GString *out)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);
		g_autofree char *prefix =
			g_strdup_printf("unit=%u/%u/%u ", u->pkg, u->type, u->id);

		if (pmon_bench_of(u, which))
			print_unit(u, -1, false, prefix, out);
	}
}

/* Print counts by value of the control, since perf multiplexes events. */
static void print_controls(struct pmon_unit *u, GString *out)
{
	struct pmon_control *c;
	GHashTableIter iter;

	pmon_unit_sync(u);
	if (!u->controls)
		return;
	g_hash_table_iter_init(&iter, u->controls);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&c))
		g_string_append_printf(out, "unit=%u/%u/%u ctl=0x%" PRIx64
				       " counted=%" PRIu64 " counters=0x%" PRIx64
				       "\n", u->pkg, u->type, u->id, c->ctl,
				       c->counted, c->counters);
}

static void print_all_controls(GString *out)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (pmon_bench_of(u, NULL))
			print_controls(u, out);
	}
}

static void reset_truth(struct pmon_unit *u)
{
	unsigned int i;

	pmon_unit_sync(u);
	if (u->controls)
		g_hash_table_remove_all(u->controls);
	for (i = 0; i < pmon_unit_counters(u); i++) {
		struct pmon_counter *c = &u->ctr[i];

		c->counted = 0;
		c->happened = 0;
		c->enabled_ns = 0;
		c->frozen_ns = 0;
		c->left_counted = 0;
	}
}

static void reset_all(void)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++)
		reset_truth(g_ptr_array_index(pmon_machine->units, i));
	pmon_bench_reset_agenda();
	pmon_bench_reset_cpmu_truth();
}

bool pmon_bench_truth(char **word, GString *out)
{
	struct pmon_unit *u;
	uint64_t only = 0;

	if (!word[0] || !strcmp(word[0], "free")) {
		print_all(word[0], out);
		return true;
	}
	if (!strcmp(word[0], "reset")) {
		reset_all();
		return true;
	}
	if (!strcmp(word[0], "controls")) {
		print_all_controls(out);
		return true;
	}
	u = pmon_bench_unit(word[0], out);
	if (!u)
		return true;
	if (word[1] && !strcmp(word[1], "fixed"))
		only = u->lay.counters;
	else if (word[1] && !pmon_bench_number(word[1], &only, out))
		return true;
	print_unit(u, word[1] ? (int)only : -1, true, "", out);
	return true;
}
