// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands for CXL devices and their CPMUs. */
#include "qemu/osdep.h"
#include "cpmu.h"
#include "bench.h"

/* Find the CPMU named DEV.CPMU. */
static struct pmon_cpmu *cpmu(const char *text, GString *out)
{
	unsigned int dev, index;
	struct pmon_cxl *d = NULL;

	if (text && sscanf(text, "%u.%u", &dev, &index) == 2)
		d = pmon_cxl_find(dev);
	if (d && index < d->cpmus->len)
		return g_ptr_array_index(d->cpmus, index);
	g_string_append_printf(out, "error: no CPMU %s (DEV.CPMU)\n", text ?: "");
	return NULL;
}

/* Print counts of a CPMU, with a line for each configuration. */
static void print_truth(struct pmon_cpmu *p, GString *out)
{
	struct cpmu_truth *t;
	GHashTableIter iter;

	pmon_cpmu_sync(p);
	g_hash_table_iter_init(&iter, p->truth);
	while (g_hash_table_iter_next(&iter, NULL, (void **)&t))
		g_string_append_printf(out, "vid=0x%x gid=0x%x mask=0x%x threshold=%u"
				       " invert=%d edge=%d hdm=0x%x crb=0x%x"
				       " counted=%" PRIu64 " happened=%" PRIu64
				       " counters=0x%" PRIx64 "\n",
				       t->vid, t->gid, t->mask,
				       (unsigned int)CFG_THRESHOLD(t->cfg),
				       !!(t->cfg & CFG_INVERT), !!(t->cfg & CFG_EDGE),
				       t->filter[0], t->filter[1], t->counted,
				       t->happened, t->counters);
}

static void print_registers(struct pmon_cpmu *p, GString *out)
{
	unsigned int i;

	pmon_cpmu_sync(p);
	g_string_append_printf(out, "capability=0x%" PRIx64 " overflow=0x%" PRIx64
			       " freeze=0x%" PRIx64 " dead=%d\n", p->cap,
			       p->overflow, p->freeze, p->dead);
	for (i = 0; i < p->counters; i++)
		g_string_append_printf(out, "ctr=%u cfg=0x%" PRIx64 " value=0x%" PRIx64
				       " filter0=0x%x filter1=0x%x left=%d\n", i,
				       p->ctr[i].cfg, p->ctr[i].value,
				       p->ctr[i].filter[0], p->ctr[i].filter[1],
				       p->ctr[i].left);
}

/* rate VID GID ID COUNTS-PER-US */
static bool set_rate(struct pmon_cpmu *p, char **word, GString *out)
{
	uint64_t value[4];
	struct cpmu_rate r;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (!pmon_bench_number(word[i], &value[i], out))
			return true;
	}
	pmon_cpmu_sync(p);
	r = (struct cpmu_rate){ value[0], value[1], value[2], value[3] };
	g_array_prepend_val(p->rates, r);
	pmon_cpmu_plan_timer(p);
	return true;
}

/* poke OFFSET VALUE: a write by another agent */
static bool poke(struct pmon_cpmu *p, char **word, GString *out)
{
	uint64_t at, value;

	if (pmon_bench_number(word[0], &at, out) &&
	    pmon_bench_number(word[1], &value, out))
		pmon_cpmu_set(p, at, value);
	return true;
}

/* knob NAME VALUE: select an answer to a question that the specification leaves open */
static bool turn(struct pmon_cpmu *p, char **word, GString *out)
{
	static const struct {
		const char *name, *unkind, *kind;
	} knobs[CPMU_KNOBS] = {
		[KNOB_THRESHOLD] = { "threshold", "compare-only", "spec" },
		[KNOB_RESIDENCY] = { "residency", "busy", "sum" },
		[KNOB_OCCUPANCY] = { "occupancy", "above", "at-least" },
		[KNOB_SUMS] = { "sums", "or", "add" },
		[KNOB_FREEZE] = { "freeze", "needs-enable", "sticks" },
		[KNOB_UNDEFINED] = { "undefined", "garbage", "ignore" },
		[KNOB_ARRIVALS] = { "arrivals", "even", "bursts" },
		[KNOB_ENABLE] = { "enable-alone", "off", "on" },
	};
	unsigned int i;

	for (i = 0; word[0] && word[1] && i < CPMU_KNOBS; i++) {
		if (strcmp(word[0], knobs[i].name))
			continue;
		if (strcmp(word[1], knobs[i].unkind) && strcmp(word[1], knobs[i].kind))
			break;
		pmon_cpmu_sync(p);
		p->knob[i] = !strcmp(word[1], knobs[i].kind);
		pmon_cpmu_plan_timer(p);
		return true;
	}
	g_string_append(out, "error: no such knob\n");
	return true;
}

/* cpmu DEV.CPMU [truth|count|dead|ok|reset|rate ...|poke ...|knob ...] */
static bool run_cpmu(char **word, GString *out)
{
	struct pmon_cpmu *p = cpmu(word[0], out);
	const char *what = p ? word[1] : NULL;

	if (!p)
		return true;
	if (!what)
		print_registers(p, out);
	else if (!strcmp(what, "truth"))
		print_truth(p, out);
	else if (!strcmp(what, "count"))
		pmon_tally_print(&p->tally, out);
	else if (!strcmp(what, "dead") || !strcmp(what, "ok"))
		p->dead = !strcmp(what, "dead");
	else if (!strcmp(what, "reset"))
		pmon_cpmu_reset(p);
	else if (!strcmp(what, "rate"))
		return set_rate(p, word + 2, out);
	else if (!strcmp(what, "poke"))
		return poke(p, word + 2, out);
	else if (!strcmp(what, "knob"))
		return turn(p, word + 2, out);
	else
		return false;
	return true;
}

static void print_device(const struct pmon_cxl *d, GString *out)
{
	unsigned int i;

	g_string_append_printf(out, "dev=%u bus=0x%x memory=0x%" PRIx64 " cpmus=%u"
			       " reads=%" PRIu64 " writes=%" PRIu64 "\n", d->index,
			       d->pci ? pci_dev_bus_num(d->pci) : 0, d->base,
			       d->cpmus->len, d->reads, d->writes);
	for (i = 0; i < d->cpmus->len; i++) {
		const struct pmon_cpmu *p = g_ptr_array_index(d->cpmus, i);

		g_string_append_printf(out, "cpmu=%u.%u counters=%u width=%u\n",
				       d->index, i, p->counters, p->width);
	}
}

static void change(struct pmon_cxl *d, const char *what, GString *out)
{
	if (!strcmp(what, "remove") || !strcmp(what, "insert"))
		d->gone = !strcmp(what, "remove");
	else if (d->port >= 0 || !pmon_cxl_present(d, !strcmp(what, "plug")))
		g_string_append(out, "error: in no slot\n");
}

/*
 * cxl: list the devices; cxl remove|insert DEV: remove or restore only the registers;
 * cxl unplug|plug DEV: pull out or put back the device, which the port above reports
 */
static bool run_cxl(char **word, GString *out)
{
	struct pmon_cxl *d;
	uint64_t index;
	unsigned int i;

	for (i = 0; !word[0] && (d = pmon_cxl_find(i)); i++)
		print_device(d, out);
	if (!word[0])
		return true;
	if (strcmp(word[0], "remove") && strcmp(word[0], "insert") &&
	    strcmp(word[0], "unplug") && strcmp(word[0], "plug"))
		return false;
	if (!pmon_bench_number(word[1], &index, out))
		return true;
	d = pmon_cxl_find(index);
	if (d)
		change(d, word[0], out);
	else
		g_string_append(out, "error: no such CXL device\n");
	return true;
}

bool pmon_bench_cxl(char **word, GString *out)
{
	if (!strcmp(word[0], "cpmu"))
		return run_cpmu(word + 1, out);
	return !strcmp(word[0], "cxl") && run_cxl(word + 1, out);
}

void pmon_bench_reset_cpmu_tallies(void)
{
	struct pmon_cxl *d;
	unsigned int i, j;

	for (i = 0; (d = pmon_cxl_find(i)); i++) {
		for (j = 0; j < d->cpmus->len; j++) {
			struct pmon_cpmu *p = g_ptr_array_index(d->cpmus, j);

			memset(&p->tally, 0, sizeof(p->tally));
		}
	}
}

void pmon_bench_reset_cpmu_truth(void)
{
	struct pmon_cxl *d;
	unsigned int i, j;

	for (i = 0; (d = pmon_cxl_find(i)); i++) {
		d->reads = 0;
		d->writes = 0;
		for (j = 0; j < d->cpmus->len; j++)
			pmon_cpmu_reset_truth(g_ptr_array_index(d->cpmus, j));
	}
}
