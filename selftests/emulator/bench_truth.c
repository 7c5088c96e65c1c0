// SPDX-License-Identifier: GPL-2.0-only
/* What each counter counted, whatever its width and whoever reset it. */
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
			       " enabled_ns=%" PRIu64 " frozen_ns=%" PRIu64 "\n",
			       c->ctl, c->counted, c->happened, c->value,
			       c->enabled_ns, c->frozen_ns);
}

static void reset_truth(struct pmon_unit *u)
{
	unsigned int i;

	pmon_unit_sync(u);
	for (i = 0; i < pmon_unit_counters(u); i++) {
		struct pmon_counter *c = &u->ctr[i];

		c->counted = 0;
		c->happened = 0;
		c->enabled_ns = 0;
		c->frozen_ns = 0;
	}
}

static void reset_all(void)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++)
		reset_truth(g_ptr_array_index(pmon_machine->units, i));
}

bool pmon_bench_truth(char **word, GString *out)
{
	struct pmon_unit *u;
	uint64_t only;
	unsigned int i;

	if (word[0] && !strcmp(word[0], "reset")) {
		reset_all();
		return true;
	}
	u = pmon_bench_unit(word[0], out);
	if (!u)
		return true;
	pmon_unit_sync(u);
	if (word[1] && !strcmp(word[1], "fixed"))
		only = u->lay.counters;
	else if (word[1] && !pmon_bench_number(word[1], &only, out))
		return true;
	for (i = 0; i < pmon_unit_counters(u); i++) {
		if (!word[1] || i == only)
			print_counter(u, i, out);
	}
	return true;
}
