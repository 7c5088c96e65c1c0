// SPDX-License-Identifier: GPL-2.0-only
/* The bench's commands about accesses and units; README.md lists all. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

static const char *const kind_name[] = { "msr", "mmio", "pci", "none" };

void pmon_bench_tally(const struct pmon_tally *t, GString *out)
{
	unsigned int i;

	for (i = 0; i < PMON_CLASSES; i++)
		g_string_append_printf(out, "class=%s reads=%" PRIu64 " writes=%"
				       PRIu64 " bytes=%" PRIu64 "\n",
				       pmon_class_name[i], t->reads[i],
				       t->writes[i], t->bytes[i]);
}

static void reset_tallies(void)
{
	unsigned int i;

	memset(&pmon_machine->tally, 0, sizeof(pmon_machine->tally));
	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		memset(&u->tally, 0, sizeof(u->tally));
	}
	for (i = 0; i < pmon_machine->devs->len; i++) {
		struct pmon_dev *d = g_ptr_array_index(pmon_machine->devs, i);

		memset(&d->tally, 0, sizeof(d->tally));
	}
	pmon_bench_reset_cpmu_tallies();
}

/* PKG/DEV: accesses of one device's table */
static void count_table(const char *text, GString *out)
{
	unsigned int pkg, index;
	struct pmon_dev *d = NULL;

	if (text && sscanf(text, "%u/%u", &pkg, &index) == 2)
		d = pmon_find_dev(pkg, index);
	if (d)
		pmon_bench_tally(&d->tally, out);
	else
		g_string_append_printf(out, "error: no device %s (PKG/DEV)\n", text ?: "");
}

bool pmon_bench_count(char **word, GString *out)
{
	struct pmon_unit *u;

	if (!word[0]) {
		pmon_bench_tally(&pmon_machine->tally, out);
		return true;
	}
	if (!strcmp(word[0], "reset")) {
		reset_tallies();
		return true;
	}
	if (!strcmp(word[0], "table")) {
		count_table(word[1], out);
		return true;
	}
	if (strcmp(word[0], "unit"))
		return false;
	u = pmon_bench_unit(word[1], out);
	if (u)
		pmon_bench_tally(&u->tally, out);
	return true;
}

/* units [free|cores] */
bool pmon_bench_units(char **word, GString *out)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->global || !pmon_bench_of(u, word[0]))
			continue;
		g_string_append_printf(out, "pkg=%u type=%u id=%u access=%s address=0x%"
				       PRIx64 " counters=%u width=%u fixed=%d\n",
				       u->pkg, u->type, u->id, kind_name[u->kind],
				       pmon_unit_address(u), u->lay.counters,
				       u->lay.width, u->lay.fixed);
	}
	return true;
}

/* preload|rate|carry CTR VALUE */
static bool box_counter(struct pmon_unit *u, char **word, GString *out)
{
	uint64_t ctr, val;

	if (!pmon_bench_number(word[1], &ctr, out) ||
	    !pmon_bench_number(word[2], &val, out))
		return true;
	if (ctr >= pmon_unit_counters(u)) {
		g_string_append(out, "error: no such counter\n");
		return true;
	}
	pmon_unit_sync(u);
	if (!strcmp(word[0], "rate"))
		u->ctr[ctr].rate = val;
	else if (!strcmp(word[0], "carry"))
		u->carry = deposit64(u->carry, ctr, 1, !!val);
	else if (!strcmp(word[0], "preload"))
		u->ctr[ctr].value = pmon_part(val, 0, 8) &
			(u->ctr[ctr].width < 64 ? (1ull << u->ctr[ctr].width) - 1 : ~0ull);
	else
		pmon_unit_set_ctl(u, ctr, val);
	return true;
}

/* What another agent would write: no access is counted. */
static bool box_poke(struct pmon_unit *u, char **word, GString *out)
{
	uint64_t val;

	if (u->core)
		return false;
	if (word[1] && !strcmp(word[1], "ctl"))
		return box_counter(u, word + 1, out);
	if (!word[1] || strcmp(word[1], "box"))
		return false;
	if (pmon_bench_number(word[2], &val, out))
		pmon_unit_set_box(u, val);
	return true;
}

static void box_show(struct pmon_unit *u, GString *out)
{
	g_string_append_printf(out, "box=0x%" PRIx64 " frozen=%d status=0x%" PRIx64
			       " filter=0x%" PRIx64 " dead=%d\n", u->box_ctl,
			       pmon_unit_frozen(u), u->status, u->filter, u->dead);
	if (u->ring)
		g_string_append_printf(out, "carries=%" PRIu64 "\n", u->carries);
}

static void box_answers(struct pmon_unit *u)
{
	u->dead = false;
	u->faults = false;
}

bool pmon_bench_box(char **word, GString *out)
{
	struct pmon_unit *u = pmon_bench_unit(word[0], out);

	if (!u)
		return true;
	pmon_unit_sync(u);
	if (!word[1])
		box_show(u, out);
	else if (!strcmp(word[1], "dead"))
		u->dead = true;
	else if (!strcmp(word[1], "faults") && u->kind == PMON_KIND_MSR)
		u->faults = true;
	else if (!strcmp(word[1], "ok"))
		box_answers(u);
	else if (!strcmp(word[1], "preload") || !strcmp(word[1], "rate") ||
		 !strcmp(word[1], "carry"))
		return box_counter(u, word + 1, out);
	else if (!strcmp(word[1], "poke"))
		return box_poke(u, word + 1, out);
	else
		return false;
	return true;
}

static bool global_one(struct pmon_dev *d, const char *value, GString *out)
{
	uint64_t val;

	if (!d || !d->global || d->global->kind == PMON_KIND_NONE)
		return false;
	if (!value)
		g_string_append_printf(out, "device=%u/%u global=0x%" PRIx64 "\n",
				       d->pkg, d->index, d->global->box_ctl);
	else if (pmon_bench_number(value + 1, &val, out))
		pmon_unit_set_box(d->global, val);
	return true;
}

/*
 * all|PKG/DEV [=VALUE]: the global control of a table, as firmware left it or
 * sets it; no access is counted.
 */
static bool global(char **word, GString *out)
{
	unsigned int pkg, index, i;
	bool found = false;

	if (!word[0] || (word[1] && word[1][0] != '='))
		return false;
	if (!strcmp(word[0], "all")) {
		for (i = 0; i < pmon_machine->devs->len; i++)
			found |= global_one(g_ptr_array_index(pmon_machine->devs, i),
					    word[1], out);
	} else if (sscanf(word[0], "%u/%u", &pkg, &index) == 2) {
		found = global_one(pmon_find_dev(pkg, index), word[1], out);
	}
	if (!found)
		g_string_append_printf(out, "error: no global control %s (PKG/DEV)\n",
				       word[0]);
	return true;
}

static bool illegal(char **word, GString *out)
{
	if (word[0] && !strcmp(word[0], "reset"))
		pmon_illegal_reset();
	else
		g_string_append(out, pmon_illegal_text());
	return true;
}

static bool machine(char **word, GString *out)
{
	g_string_append_printf(out, "name=%s packages=%u cpus=%u ns=%" PRId64 "\n",
			       pmon_machine->name, pmon_machine->packages,
			       pmon_machine->cpus, pmon_now());
	return true;
}

static const struct {
	const char *name;
	bool (*run)(char **word, GString *out);
} commands[] = {
	{ "count", pmon_bench_count }, { "truth", pmon_bench_truth },
	{ "units", pmon_bench_units }, { "box", pmon_bench_box },
	{ "global", global }, { "illegal", illegal }, { "machine", machine },
};

void pmon_bench_run(const char *command, GString *out)
{
	g_auto(GStrv) word = g_strsplit_set(command, " \t\n", 64);
	unsigned int i;

	if (g_str_has_prefix(command, "log ")) {
		pmon_log_mark(command + 4);
		return;
	}
	if (g_str_has_prefix(command, "plr schedule ")) {
		pmon_bench_schedule(command + strlen("plr schedule "), out);
		return;
	}
	for (i = 0; word[0] && i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(word[0], commands[i].name)) {
			if (commands[i].run(word + 1, out))
				return;
			break;
		}
	}
	if (i == ARRAY_SIZE(commands) && word[0] &&
	    (pmon_bench_limits(word, out) || pmon_bench_cxl(word, out)))
		return;
	g_string_append_printf(out, "error: unknown command \"%s\"\n", command);
}
