// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl without a command: host, bandwidth, limits and next command in 24 lines. */
#include "hardware.h"
#include "modules.h"
#include "doctor.h"
#include "bandwidth.h"
#include "scopes.h"
#include "power.h"
#include "present.h"
#include "screen.h"

/* Of a screen of 24 lines, the rest is heads and the next command. */
#define BANDWIDTH_LINES 9
#define LIMIT_LINES 5
#define WIDTH 79

/* A line as far as the screen has room, to the end of a word. */
static void add_cut(struct text *t, const char *line, size_t len)
{
	const size_t most = screen_bytes(line, len, WIDTH - strlen("..."));
	bool cut = screen_bytes(line, len, WIDTH) < len;
	const char *space = cut ? memrchr(line, ' ', most + 1) : NULL;

	if (cut)
		len = space ? (size_t)(space - line) : most;
	text_add(t, "%.*s%s\n", (int)len, line, cut ? "..." : "");
}

/* Adds at most @most lines, and the command for the rest. */
static void add_lines(struct text *t, const char *text, size_t most, const char *command)
{
	size_t left = 0;

	for (size_t len; text && *text; text += len + !!text[len]) {
		len = strcspn(text, "\n");
		if (most)
			add_cut(t, text, len);
		else
			left++;
		most -= !!most;
	}
	if (left)
		text_add(t, "(%zu more: %s)\n", left, command);
}

/* Adds a line with text from files; frees @raw. */
static void add_shown(struct text *t, char *raw)
{
	struct text line FREED = shown(raw);

	add_cut(t, line.s, line.len);
}

/* A processor without a table has no platform, and a name. */
static void add_host(struct text *t, const struct machine *m, const struct findings *f)
{
	char *release FREED = sysfs_read("/proc/sys/kernel/osrelease");
	char *cpu FREED = m->devices ? NULL : cpu_text("model name");
	char *modules FREED = own_versions();
	bool alike = modules && !strcmp(modules, PMONCTL_VERSION);
	const struct finding *first = NULL;
	size_t problems = 0;

	for (size_t i = f->count; i--;)
		if (f->finding[i].level == PROBLEM) {
			first = &f->finding[i];
			problems++;
		}
	add_shown(t, xasprintf("HOST    %s%s, Linux %s, pmonctl %s" PMONCTL_VERSION "%s%s", cpu ?
			       "" : "platform ", cpu ? cpu : m->devices ? m->device[0].platform :
			       "-", release ? release : "?", alike ? "and modules " : "",
			       modules && !alike ? ", modules " : "",
			       modules && !alike ? modules : ""));
	if (first)
		add_shown(t, xasprintf("DOCTOR  %zu %s, first: %s: %s", problems,
				       problems == 1 ? "problem" : "problems", first->about,
				       first->text));
	else
		text_add(t, "DOCTOR  fine\n");
}

static void add_bandwidth(struct text *t, const struct bandwidth *b)
{
	char *table FREED = bw_table(b, &everything);

	add_lines(t, table, BANDWIDTH_LINES, "pmonctl bw");
	if (!*table)
		text_add(t, "BANDWIDTH  nothing can be counted\n");
	else if (b->lacking)
		add_cut(t, b->lacking, strlen(b->lacking));
}

static void add_limits(struct text *t, struct scopes *all, struct powers *powers)
{
	struct text table FREED = { NULL, 0 }, power FREED = { NULL, 0 };
	struct tally n;
	size_t known = 0, meanings = 0;

	for (size_t i = 0; i < all->count; i++) {
		known += all->scope[i].known;
		all->scope[i].reasons = all->scope[i].now;
	}
	n = tally(all);
	if (!known) {
		text_add(t, "\nLIMITS  not known: no program monitors them; pmonctl plr shows "
			 "recorded limits\n");
		return;
	}
	text_add(t, "\nLIMITS  ");
	tally_add(t, &n, all);
	if (known < all->count)
		text_add(t, ", %zu not known", all->count - known);
	text_add(t, "\n");
	lines_add_table(&table, all, history_now());
	add_lines(t, table.s, LIMIT_LINES, "pmonctl plr");
	n.in_force = reasons_brief(n.in_force);
	for (unsigned int bit = 0; bit < REASON_BITS && meanings < 2; bit++)
		if (n.in_force >> bit & 1) {
			add_shown(t, xasprintf("%s: %s", plr_reason_name(bit),
					       reason_meaning(bit)));
			meanings++;
		}
	power_add_lines(&power, all, powers);
	add_lines(t, power.s, LIMIT_LINES, "pmonctl plr");
}

static void add_next(struct text *t, const struct findings *f, const struct bandwidth *b,
		     const struct scopes *all)
{
	char *found FREED = findings_next(f);
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
	static struct look l;
	struct text t FREED = { NULL, 0 };
	enum status status;

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	look_for_a_second(&l);
	if (hardware_present())
		lacking_find(&l.b, ALL_KINDS);
	if (opt->json) {
		json_document();
		look_json(&l, false);
		json_close();
		return l.f.worst == PROBLEM ? STATUS_DEGRADED : bw_complain(&l.b);
	}
	add_host(&t, &l.m, &l.f);
	text_add(&t, "\n");
	add_bandwidth(&t, &l.b);
	if (l.all.count)
		add_limits(&t, &l.all, &l.powers);
	/* Why hardware with limits shows none */
	for (const struct finding *one = l.f.finding; one < l.f.finding + l.f.count; one++)
		if (!l.all.count && !strcmp(one->about, "limits") && one->remedy) {
			text_add(&t, "\n");
			add_shown(&t, xasprintf("LIMITS  %s; %s", one->text, one->remedy));
		}
	add_next(&t, &l.f, &l.b, &l.all);
	print_lines(t.s);
	status = bw_complain(&l.b);
	return l.f.worst == PROBLEM ? STATUS_DEGRADED : status;
}
