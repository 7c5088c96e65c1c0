// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr: what limits the performance of each module, mesh and die.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "output.h"
#include "parts.h"
#include "pmonctl.h"
#include "present.h"
#include "reasons.h"
#include "sysfs.h"
#include "watch.h"

static bool is_limited(const struct part *p)
{
	return p->reasons;
}

static bool is_not_limited(const struct part *p)
{
	return !p->reasons;
}

/* A die or mesh has a line of its own, modules alike share one. */
static bool same_reasons(const struct part *a, const struct part *b)
{
	return part_is_core(a) && part_is_core(b) && a->reasons == b->reasons;
}

static bool same_error(const struct part *a, const struct part *b)
{
	return a->error == b->error;
}

static void table_group(struct table *t, const struct group *g)
{
	const struct part *first = g->part[0];
	struct text names = { NULL, 0 }, cpus = { NULL, 0 };
	char *reasons = reasons_text(first->reasons);

	group_add_names(&names, g);
	group_add_cpus(&cpus, g);
	table_cell(t, "%ld", first->domain->package);
	table_cell(t, "%ld", first->domain->id);
	table_cell(t, "%s", names.s);
	table_cell(t, "%s", cpus.s);
	table_cell(t, "%s", reasons);
	text_free(&names);
	text_free(&cpus);
	free(reasons);
}

static void print_limited(const struct parts *all)
{
	static const char *const head[] = {
		"PACKAGE", "DOMAIN", "PART", "CPUS",
		"LIMITED BY, SINCE THE LAST CLEAR", NULL
	};
	struct groups limited = groups_of(all, is_limited, same_reasons);
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < limited.count; i++)
		table_group(&t, &limited.group[i]);
	if (limited.count) {
		table_print(&t);
	} else {
		table_discard(&t);
		say("No limit is recorded.");
	}
	groups_free(&limited);
}

static void print_rest_of(const struct groups *rest, const struct domain *d,
			  bool errors)
{
	for (size_t i = 0; i < rest->count; i++) {
		const struct group *g = &rest->group[i];
		struct text names = { NULL, 0 }, how = { NULL, 0 };
		int error = g->part[0]->error;

		if (g->part[0]->domain != d || !!error != errors)
			continue;
		group_add_names(&names, g);
		if (error)
			text_add(&how, "unreadable (%s)", error_name(error));
		else
			text_add(&how, "not limited");
		say("Package %ld domain %ld, %s: %s", d->package, d->id, how.s,
		    names.s);
		text_free(&names);
		text_free(&how);
	}
}

static void print_plr(const struct machine *m, const struct parts *all)
{
	struct groups rest = groups_of(all, is_not_limited, same_error);

	print_limited(all);
	if (rest.count)
		say_nothing();
	for (size_t i = 0; i < m->domains; i++) {
		print_rest_of(&rest, &m->domain[i], true);
		print_rest_of(&rest, &m->domain[i], false);
	}
	groups_free(&rest);
}

static void json_reasons(const char *name, uint64_t mask)
{
	char *words = reasons_text(mask);

	if (!mask)
		*words = '\0';
	json_strings(name, words);
	free(words);
}

static void json_part(struct part *p)
{
	json_open(NULL, '{');
	json_string("name", p->name);
	if (p->cpus)
		json_string("cpus", p->cpus);
	if (p->error)
		json_string("error", error_name(p->error));
	else
		json_reasons("reasons", p->reasons);
	if (part_read_active(p))
		json_reasons("active", p->active);
	if (p->cleared)
		json_reasons("cleared", p->cleared);
	json_close('}');
}

static bool has_parts(const struct parts *all, const struct domain *d)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == d)
			return true;
	return false;
}

static void json_plr(const struct machine *m, struct parts *all)
{
	json_open(NULL, '{');
	json_number("format", 1);
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++) {
		const struct domain *d = &m->domain[i];

		if (!has_parts(all, d))
			continue;
		json_open(NULL, '{');
		json_string("name", d->name);
		json_number("package", d->package);
		json_number("domain", d->id);
		json_string("cpus", d->cpus);
		json_open("parts", '[');
		for (size_t j = 0; j < all->count; j++)
			if (all->part[j].domain == d)
				json_part(&all->part[j]);
		json_close(']');
		json_close('}');
	}
	json_close(']');
	json_close('}');
}

static void complain_part(const struct part *p, const char *file, int error)
{
	char *path = part_path(p, file);

	complain_file(path, error);
	free(path);
}

/* The table shows which part failed; stderr says what to do about it, once. */
static bool report_errors(const struct parts *all)
{
	int last = 0;
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];

		if (!p->error)
			continue;
		any = true;
		if (p->error != last)
			complain_part(p, "reasons", p->error);
		last = p->error;
	}
	return any;
}

/*
 * What was read is what is cleared, no more: a reason that came since was not
 * shown to anybody yet.
 */
static bool clear(struct parts *all, uint64_t mask)
{
	int last = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];
		int error = 0;

		if (p->reasons & mask)
			error = part_clear(p, p->reasons & mask);
		if (error && error != last)
			complain_part(p, "clear", error);
		last = error ? error : last;
	}
	return !last;
}

static void print_cleared(const struct parts *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += !!all->part[i].cleared;
	if (n) {
		say_nothing();
		say("Cleared in %zu %s.", n, n == 1 ? "part" : "parts");
	}
}

/* Reason names as arguments of --clear; none means all. */
static bool parse_names(const struct options *opt, uint64_t *mask)
{
	uint64_t one;

	*mask = opt->words ? 0 : UINT64_MAX;
	for (size_t i = 0; i < opt->words; i++) {
		char *name = xstrdup(opt->word[i]);
		bool good;

		if (strcmp(name, "all"))
			for (char *c = name; *c; c++)
				*c = (char)toupper((unsigned char)*c);
		good = reasons_parse(name, &one);
		free(name);
		if (!good) {
			complain("--clear %s: no such reason; pmonctl(8) says "
				 "where they are listed", opt->word[i]);
			return false;
		}
		*mask |= one;
	}
	return true;
}

enum status plr_absent(const struct machine *m)
{
	if (m->tpmis) {
		complain("no performance-limit domain: %s",
			 mode_meaning(m->tpmi[0].mode));
		return STATUS_BROKEN;
	}
	if (!sysfs_hardware_present() || !sysfs_exists(CLASS_DIR))
		return nothing_found();
	if (!sysfs_exists("/sys/module/pmon_plr")) {
		complain("/sys/module/pmon_plr: not loaded; try: modprobe "
			 "pmon_plr");
		return STATUS_BROKEN;
	}
	if (sysfs_exists("/sys/module/intel_plr_tpmi")) {
		complain("intel_plr_tpmi, the kernel's own driver, has the "
			 "hardware and shows it in debugfs; pmonctl adopt plr "
			 "hands it over");
		return STATUS_BROKEN;
	}
	complain("no supported hardware: Granite Rapids and Sierra Forest "
		 "are the first that record performance limits");
	return STATUS_NO_HARDWARE;
}

static enum status show(const struct machine *m, struct parts *all,
			const struct options *opt, uint64_t mask)
{
	bool fine = true;

	for (size_t i = 0; i < all->count; i++)
		part_read(&all->part[i]);
	if (!opt->json)
		print_plr(m, all);
	if (opt->clear) {
		fine = clear(all, mask);
		if (!opt->json)
			print_cleared(all);
	}
	if (opt->json)
		json_plr(m, all);
	if (report_errors(all) || m->degraded || all->incomplete || !fine)
		return STATUS_DEGRADED;
	return STATUS_FINE;
}

static bool options_agree(const struct options *opt)
{
	if (opt->clear && opt->watch)
		complain("--watch and --clear do not go together");
	else if (opt->cpus && opt->package >= 0)
		complain("--cpu and --package do not go together");
	else
		return true;
	return false;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m = { 0 };
	struct parts all = { NULL, 0, false };
	enum status status;
	uint64_t mask;

	if (!options_agree(opt) || !parse_names(opt, &mask))
		return STATUS_USAGE;
	if (opt->watch)
		return watch(opt);
	machine_read_limits(&m);
	if (!m.domains)
		status = plr_absent(&m);
	else if (!parts_find(&all, &m, opt))
		status = STATUS_USAGE;
	else if (!all.count)
		status = STATUS_BROKEN;
	else
		status = show(&m, &all, opt, mask);
	parts_free(&all);
	machine_free(&m);
	return status;
}
