// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands for units and for global controls. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

static const char *const kind_name[] = { "msr", "mmio", "pci", "none" };

/* units [free] */
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

/* preload|rate|carry|ctl CTR VALUE */
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
		u->ctr[ctr].value = val & pmon_mask(u->ctr[ctr].width);
	else
		pmon_unit_set_ctl(u, ctr, val);
	return true;
}

/* Write as another agent: no access is counted. */
static bool box_poke(struct pmon_unit *u, char **word, GString *out)
{
	uint64_t val;

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
			       " filter=0x%" PRIx64 " dead=%d ones=%" PRIu64 "\n",
			       u->box_ctl, pmon_unit_frozen(u), u->status, u->filter,
			       u->dead, u->ones);
	if (u->ring)
		g_string_append_printf(out, "carries=%" PRIu64 "\n", u->carries);
}

/* by-hand CTL: stop the events of CTL; happens CTL N: make N of them happen at once */
static bool box_events(struct pmon_unit *u, char **word, GString *out)
{
	uint64_t ctl, n = 0;

	if (!pmon_bench_number(word[1], &ctl, out) ||
	    (word[0][0] == 'h' && !pmon_bench_number(word[2], &n, out)))
		return true;
	if (word[0][0] == 'h') {
		pmon_unit_happens(u, ctl, n);
		return true;
	}
	if (!u->by_hand)
		u->by_hand = g_hash_table_new(NULL, NULL);
	g_hash_table_add(u->by_hand, GUINT_TO_POINTER((uint16_t)ctl));
	return true;
}

static void box_answers(struct pmon_unit *u)
{
	u->dead = false;
	u->faults = false;
	u->ones = 0;
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
	else if (!strcmp(word[1], "ones") && word[2])
		pmon_bench_number(word[2], &u->ones, out);
	else if (!strcmp(word[1], "ok"))
		box_answers(u);
	else if (!strcmp(word[1], "preload") || !strcmp(word[1], "rate") ||
		 !strcmp(word[1], "carry"))
		return box_counter(u, word + 1, out);
	else if (!strcmp(word[1], "by-hand") || !strcmp(word[1], "happens"))
		return box_events(u, word + 1, out);
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
	else if (!strcmp(value, "sticks"))
		d->global->sticks = true;
	else if (pmon_bench_number(value + 1, &val, out))
		pmon_unit_set_box(d->global, val);
	return true;
}

/*
 * all|PKG/DEV [=VALUE|sticks]: print the global control of a table, or write
 * VALUE as firmware; no access is counted.  After "sticks" a write cannot clear
 * the freeze.
 */
bool pmon_bench_global(char **word, GString *out)
{
	unsigned int pkg, index, i;
	bool found = false;

	if (!word[0] || (word[1] && word[1][0] != '=' && strcmp(word[1], "sticks")))
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
