// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands for the number of accesses and for forbidden accesses. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

static void reset_tallies(void)
{
	unsigned int i, k;

	memset(&pmon_machine->tally, 0, sizeof(pmon_machine->tally));
	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		memset(&u->tally, 0, sizeof(u->tally));
	}
	for (i = 0; i < pmon_machine->devs->len; i++) {
		struct pmon_dev *d = g_ptr_array_index(pmon_machine->devs, i);

		memset(&d->tally, 0, sizeof(d->tally));
		for (k = 0; d->tpmi && k < d->tpmi->num_plr; k++)
			memset(&d->tpmi->plr[k].pace, 0, sizeof(struct pmon_pace));
	}
	pmon_bench_reset_cpmu_tallies();
}

/* Print the accesses to the discovery table of device PKG/DEV. */
static void count_table(const char *text, GString *out)
{
	unsigned int pkg, index;
	struct pmon_dev *d = NULL;

	if (text && sscanf(text, "%u/%u", &pkg, &index) == 2)
		d = pmon_find_dev(pkg, index);
	if (d)
		pmon_tally_print(&d->tally, out);
	else
		g_string_append_printf(out, "error: no device %s (PKG/DEV)\n", text ?: "");
}

bool pmon_bench_count(char **word, GString *out)
{
	struct pmon_unit *u;

	if (!word[0]) {
		pmon_tally_print(&pmon_machine->tally, out);
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
		pmon_tally_print(&u->tally, out);
	return true;
}

/* illegal [reset] */
bool pmon_bench_illegal(char **word, GString *out)
{
	if (word[0] && !strcmp(word[0], "reset"))
		pmon_illegal_reset();
	else
		g_string_append(out, pmon_illegal_text());
	return true;
}
