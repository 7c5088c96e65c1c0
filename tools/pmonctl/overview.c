// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl without a command: host, bandwidth, limits and next command in 24 lines. */
#include "doctor.h"

/* Of a screen of 24 lines, the rest is heads and the next command. */
#define BANDWIDTH_LINES 9
#define REASONS 3
#define POWER_LINES 5

/* Adds at most @most lines, and the command for the rest. */
static void add_lines(struct text *t, const char *text, size_t most, const char *command)
{
	size_t left = 0;

	for (size_t len; text && *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (most)
			text_add(t, "%.*s\n", (int)len, text);
		else
			left++;
		most -= !!most;
	}
	if (left)
		text_add(t, "(%zu more: %s)\n", left, command);
}

/* Adds a text behind a label, as many lines as it needs. */
static void add_labelled(struct text *t, const char *label, const char *text)
{
	struct table table;

	table_start(&table, ",~");
	table_row(&table, label, text);
	table_add(t, &table);
}

/* A processor without a table has no platform, and a name. */
static void add_host(struct text *t, const struct machine *m, const struct findings *f)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");
	char *cpu = m->devices ? NULL : cpu_text("model name");
	char *modules = own_versions();
	bool alike = !modules || !strcmp(modules, PMONCTL_VERSION);
	const struct finding *first = NULL;
	size_t problems = 0;

	for (size_t i = f->count; i--;)
		if (f->finding[i].level == PROBLEM) {
			first = &f->finding[i];
			problems++;
		}
	/* As wide as DOCTOR */
	add_labelled(t, "HOST  ", xasprintf("%s%s, Linux %s, pmonctl %s" PMONCTL_VERSION "%s%s",
					    cpu ? "" : "platform ", cpu ? cpu : m->devices ?
					    m->device[0].platform : "-", release ? release : "?",
					    modules && alike ? "and modules " : "",
					    alike ? "" : ", modules ", alike ? "" : modules));
	add_labelled(t, "DOCTOR", first ? xasprintf("%zu %s, first: %s: %s", problems,
						    problems == 1 ? "problem" : "problems",
						    first->about, first->text) : "fine");
}

static void add_bandwidth(struct text *t, const struct bandwidth *b)
{
	char *table = bw_table(b, &everything);

	add_lines(t, table, BANDWIDTH_LINES, "pmonctl bw");
	if (!*table)
		text_add(t, "BANDWIDTH  nothing can be counted\n");
	else if (b->lacking)
		text_add_wrapped(t, b->lacking, stdout);
}

static void add_limits(struct text *t, struct scopes *all)
{
	struct text head = { NULL, 0 };
	struct scopes rows FREED = { .scope = NULL };
	size_t unknown = 0, known = 0, more;
	struct tally n;

	for (struct scope *p = all->scope; p < all->scope + all->count; p++) {
		known += p->known;
		unknown += !p->known && !p->now && scope_is_core(p);
		p->reasons = p->now;
	}
	n = tally(all);
	if (!known) {
		text_add(t, "\nLIMITS  not known: no program monitors them; pmonctl plr shows "
			 "recorded limits\n");
		return;
	}
	tally_add(&head, &n);
	if (unknown)
		text_add(&head, ", %zu not known", unknown);
	text_add(t, "\n");
	add_labelled(t, "LIMITS", head.s);
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

	for (size_t i = 0; i < all->count; i++)
		if (all->scope[i].now & ~reasons_of_turbo())
			next = "pmonctl plr --watch";
	if (b->remedy)
		next = b->remedy;
	if (f->worst == PROBLEM)
		next = "pmonctl doctor";
	text_add(t, "\nNext: %s\n", next);
}

enum status cmd_overview(const struct options *opt)
{
	static struct checkup l;
	struct text t = { NULL, 0 }, power = { NULL, 0 };
	enum status status;

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	checkup_run(&l);
	if (hardware_present())
		lacking_find(&l.b, ALL_KINDS);
	if (opt->json) {
		json_document();
		checkup_json(&l);
		json_close();
		return l.f.worst == PROBLEM ? STATUS_DEGRADED : bw_complain(&l.b);
	}
	add_host(&t, &l.m, &l.f);
	text_add(&t, "\n");
	add_bandwidth(&t, &l.b);
	if (l.all.count)
		add_limits(&t, &l.all);
	power_add_lines(&power, &l.all, &l.powers, true);
	add_lines(&t, power.s, POWER_LINES, "pmonctl plr");
	/* Why hardware with limits shows none */
	for (const struct finding *one = l.f.finding; one < l.f.finding + l.f.count; one++)
		if (!l.all.count && !strcmp(one->about, "limits") && one->remedy) {
			text_add(&t, "\n");
			add_labelled(&t, "LIMITS", xasprintf("%s; %s", one->text, one->remedy));
		}
	add_next(&t, &l.f, &l.b, &l.all);
	print_lines(t.s);
	status = bw_complain(&l.b);
	return l.f.worst == PROBLEM ? STATUS_DEGRADED : status;
}
