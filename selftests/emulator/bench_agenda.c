// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands for scheduled and random limits. */
#include "qemu/osdep.h"
#include "qemu/cutils.h"
#include "pmon.h"
#include "bench.h"

/* Call @call for every live PLR instance; @name is PKG[.DEV]/DOM. */
static void each_plr(void (*call)(struct pmon_plr *p, const char *name, void *with),
		     void *with)
{
	unsigned int i, k;

	for (i = 0; i < pmon_machine->devs->len; i++) {
		struct pmon_dev *d = g_ptr_array_index(pmon_machine->devs, i);

		for (k = 0; d->tpmi && k < d->tpmi->num_plr; k++) {
			g_autofree char *name = pmon_bench_plr_name(d, k);

			if (d->tpmi->plr[k].state != PMON_PLR_LIVE)
				continue;
			pmon_plr_settle(&d->tpmi->plr[k]);
			call(&d->tpmi->plr[k], name, with);
		}
	}
}

static void one_truth(struct pmon_plr *p, const char *name, void *with)
{
	pmon_agenda_truth(p, name, with);
}

static void one_log(struct pmon_plr *p, const char *name, void *with)
{
	pmon_agenda_log(p, name, with);
}

static void one_stop(struct pmon_plr *p, const char *name, void *with)
{
	pmon_agenda_stop(p);
}

static void one_reset(struct pmon_plr *p, const char *name, void *with)
{
	pmon_agenda_reset_truth(p);
}

static void one_random(struct pmon_plr *p, const char *name, void *with)
{
	const uint64_t *value = with;

	pmon_agenda_random(p, value[0] * 1000003 + g_str_hash(name), value[1], value[2]);
}

void pmon_bench_reset_agenda(void)
{
	each_plr(one_reset, NULL);
}

/* random SEED MEAN-NS COUNT: COUNT limits for each instance */
static bool random_limits(char **word, GString *out)
{
	uint64_t value[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(value); i++) {
		if (!pmon_bench_number(word[i], &value[i], out))
			return true;
	}
	each_plr(one_random, value);
	return true;
}

/* plr|mesh PKG/DOM/MODULE VALUE START END; START, END: relative to @now */
static bool add_span(const char *line, int64_t now, GString *out)
{
	g_auto(GStrv) word = g_strsplit_set(line, " \t", 0);
	uint64_t bits, from, to;
	struct pmon_plr *p;
	unsigned int module;
	bool mesh;

	if (g_strv_length(word) != 5) {
		g_string_append_printf(out, "error: not a line of a schedule: %s\n", line);
		return false;
	}
	mesh = !strcmp(word[0], "mesh");
	p = pmon_bench_plr(word[1], &module, out);
	if (!p || !pmon_bench_number(word[2], &bits, out) ||
	    !pmon_bench_number(word[3], &from, out) ||
	    !pmon_bench_number(word[4], &to, out))
		return false;
	pmon_plr_settle(p);
	pmon_agenda_add(p, mesh, module, bits, now + from, now + to);
	return true;
}

/* Add a schedule, which has a line for each limit; "#" begins a comment. */
void pmon_bench_schedule(const char *text, GString *out)
{
	g_auto(GStrv) line = g_strsplit(text, "\n", 0);
	int64_t now = pmon_now();
	unsigned int i;

	for (i = 0; line[i]; i++) {
		g_strstrip(line[i]);
		if (line[i][0] && line[i][0] != '#' && !add_span(line[i], now, out))
			return;
	}
}

/* Returns false for a command of another file. */
bool pmon_bench_agenda(char **word, GString *out)
{
	if (!word[0])
		return false;
	if (!strcmp(word[0], "truth"))
		each_plr(one_truth, out);
	else if (!strcmp(word[0], "log"))
		each_plr(one_log, out);
	else if (!strcmp(word[0], "stop"))
		each_plr(one_stop, NULL);
	else if (!strcmp(word[0], "random"))
		return random_limits(word + 1, out);
	else if (!strcmp(word[0], "step"))
		pmon_bench_number(word[1], &pmon_agenda_step, out);
	else
		return false;
	pmon_agenda_step = MAX(pmon_agenda_step, 1);
	return true;
}
