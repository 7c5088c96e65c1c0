// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl without a command: host, bandwidth, limits and next command in 24 lines. */
#include "doctor.h"

/* Rows of reasons on a screen of 24 lines, which also has bandwidth, heads and the next command. */
#define REASONS 3

/* Adds a text after a label, in as many lines as the text needs. */
static void add_labelled(struct text *t, const char *label, const char *text)
{
	struct table table;

	table_start(&table, ",~");
	table_row(&table, label, text);
	table_add(t, &table);
}

/* Adds host and first problem. Without a discovery table, the CPU's name replaces the platform. */
static void add_host(struct text *t, const struct machine *m, const struct findings *f)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");
	char *cpu = m->devices ? NULL : cpu_text("model name");
	char *modules = own_versions();
	bool alike = !modules || !strcmp(modules, PMONCTL_VERSION);
	const struct finding *first = f->finding + f->first;

	/* As wide as DOCTOR */
	add_labelled(t, "HOST  ",
		     xasprintf("%s, %.10s %.5s, %s%s, Linux %s, pmonctl %s" PMONCTL_VERSION "%s%s",
			       host_name(), timestamp(), strchr(timestamp(), 'T') + 1,
			       cpu ? "" : "platform ", cpu ? cpu : m->devices ?
			       m->device[0].platform : "-", release ? release : "?",
			       modules && alike ? "and modules " : "",
			       alike ? "" : ", modules ", alike ? "" : modules));
	add_labelled(t, "DOCTOR", !f->problems ? "fine" :
		     xasprintf("%s%s, first: %s: %s", number_of(f->problems, "problem"),
			       f->problems == 1 ? "" : " (pmonctl doctor)", first->about,
			       first->text));
}

static void add_limits(struct text *t, struct scopes *all)
{
	struct scopes rows FREED = { .scope = NULL };
	size_t known = 0, more;
	struct tally n;

	for_each_item(p, all->scope, all->count) {
		known += p->known;
		p->reasons = p->now;
		p->error = 0;
	}
	all->now_only = true;
	n = tally(all);
	if (!known) {
		text_add(t, "\nLIMITS  not known: no program monitors them; pmonctl plr shows "
			 "recorded limits\n");
		return;
	}
	text_add(t, "\n");
	add_labelled(t, "LIMITS", tally_text(&n));
	rows = joined_scopes(all);
	more = rows_add_reasons(t, &rows, true, REASONS);
	if (more)
		text_add(t, "(%zu more: pmonctl plr)\n", more);
}

static void add_next(struct text *t, const struct findings *f, const struct bandwidth *b,
		     const struct scopes *all)
{
	char *found = findings_next(f);
	const char *next = b->meters ? "pmonctl bw --watch" : found ? found : "pmonctl doctor";

	for_each_item(p, all->scope, all->count)
		if (p->now & ~reasons_of_turbo())
			next = "pmonctl plr";
	if (b->remedy)
		next = b->remedy;
	if (f->worst == PROBLEM)
		next = found ? found : "pmonctl doctor";
	text_add(t, "\nNext: %s\n", next);
}

enum status cmd_overview(const struct options *opt)
{
	static struct checkup l;
	struct text t = { NULL, 0 };
	char *table;

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	checkup_run(&l, false);
	if (opt->json) {
		json_document();
		checkup_json(&l);
		json_close();
		return l.f.worst == PROBLEM ? STATUS_DEGRADED : bw_complain(&l.b);
	}
	add_host(&t, &l.m, &l.f);
	text_add(&t, "\n");
	table = bw_table(&l.b, &everything);
	text_add(&t, "%s", *table ? table : "BANDWIDTH  nothing can be counted\n");
	if (*table && l.b.lacking)
		text_add_wrapped(&t, l.b.lacking, stdout);
	if (l.all.count)
		add_limits(&t, &l.all);
	power_add_lines(&t, &l.all, &l.powers, true);
	/* If no limits are shown, add why. */
	for_each_item(one, l.f.finding, l.f.count)
		if (!l.all.count && !strcmp(one->about, "limits") && one->remedy) {
			text_add(&t, "\n");
			add_labelled(&t, "LIMITS", xasprintf("%s; %s", one->text, one->remedy));
		}
	add_next(&t, &l.f, &l.b, &l.all);
	print_lines(t.s);
	return l.f.worst == PROBLEM ? STATUS_DEGRADED : bw_complain(&l.b);
}
