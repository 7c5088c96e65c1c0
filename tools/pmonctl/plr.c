// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr: what limits the performance of each module, mesh and die.
 *
 * One read per module: a module is one mailbox round trip, however many CPUs
 * it has. Of its files `reasons` is the one to read, since its names come
 * from the driver and so are right for every version of the hardware.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "output.h"
#include "pmonctl.h"
#include "present.h"
#include "sysfs.h"

struct part {
	const struct domain *domain;
	char *name, *cpus, *reasons;
	int error;
};

struct parts {
	struct part *part;
	size_t count;
};

static bool is_limited(const struct part *p)
{
	return p->reasons && strcmp(p->reasons, "none");
}

static void add_part(struct parts *all, const struct domain *d,
		     const char *name)
{
	struct part p = { .domain = d, .name = xstrdup(name) };

	p.reasons = sysfs_read(CLASS_DIR "/%s/plr/%s/reasons", d->name, name);
	p.error = p.reasons ? 0 : errno;
	if (!strncmp(name, "core", strlen("core")))
		p.cpus = sysfs_read(CLASS_DIR "/%s/plr/%s/cpus", d->name,
				    name);
	all->part = xrealloc(all->part, (all->count + 1) * sizeof(p));
	all->part[all->count++] = p;
}

static void add_children(struct parts *all, const struct domain *d,
			 const char *prefix)
{
	struct text dir = { NULL, 0 };
	struct names names;

	text_add(&dir, CLASS_DIR "/%s/plr", d->name);
	names = sysfs_children(dir.s, prefix);
	for (size_t i = 0; i < names.count; i++)
		add_part(all, d, names.name[i]);
	names_free(&names);
	text_free(&dir);
}

static void parts_free(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->part[i].name);
		free(all->part[i].cpus);
		free(all->part[i].reasons);
	}
	free(all->part);
}

static bool chosen(const struct domain *d, const struct options *opt)
{
	return opt->package < 0 || opt->package == d->package;
}

static void table_part(struct table *t, const struct part *p)
{
	table_cell(t, "%ld", p->domain->package);
	table_cell(t, "%ld", p->domain->id);
	table_cell(t, "%s", p->name);
	table_cell(t, "%s", p->cpus && *p->cpus ? p->cpus : "-");
	table_cell(t, "%s", p->reasons);
}

/* Parts of a domain that a summary line is about: one error, or none at all. */
static bool in_summary(const struct part *p, const struct domain *d, int error)
{
	return p->domain == d && p->error == error && !is_limited(p);
}

/* "die mesh0 core0-2,5" */
static void add_names(struct text *t, const struct parts *all,
		      const struct domain *d, int error)
{
	unsigned int *id = xrealloc(NULL, (all->count + 1) * sizeof(*id));
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		const char *name = all->part[i].name;

		if (!in_summary(&all->part[i], d, error))
			continue;
		if (!strncmp(name, "core", strlen("core")))
			id[n++] = (unsigned int)strtoul(name + strlen("core"),
							NULL, 10);
		else
			text_add(t, "%s%s", t->len ? " " : "", name);
	}
	if (n) {
		text_add(t, "%score", t->len ? " " : "");
		text_add_ranges(t, id, n);
	}
	free(id);
}

static void print_summary(const struct parts *all, const struct domain *d,
			  int error)
{
	struct text names = { NULL, 0 };

	add_names(&names, all, d, error);
	if (names.len && error)
		printf("Package %ld domain %ld, unreadable (%s): %s\n",
		       d->package, d->id, error_name(error), names.s);
	else if (names.len)
		printf("Package %ld domain %ld, not limited: %s\n",
		       d->package, d->id, names.s);
	text_free(&names);
}

/* Each error that occurs in the domain once, then what is not limited. */
static void print_domain(const struct parts *all, const struct domain *d)
{
	for (size_t i = 0; i < all->count; i++) {
		int error = all->part[i].error;
		size_t first = 0;

		if (!error || all->part[i].domain != d)
			continue;
		while (!in_summary(&all->part[first], d, error))
			first++;
		if (first == i)
			print_summary(all, d, error);
	}
	print_summary(all, d, 0);
}

static void print_plr(const struct machine *m, const struct parts *all,
		      const struct options *opt)
{
	static const char *const head[] = {
		"PACKAGE", "DOMAIN", "PART", "CPUS",
		"LIMITED BY, SINCE THE LAST CLEAR",
	};
	struct table t;
	size_t shown = 0;

	table_start(&t, sizeof(head) / sizeof(*head));
	for (size_t i = 0; i < t.columns; i++)
		table_cell(&t, "%s", head[i]);
	for (size_t i = 0; i < all->count; i++) {
		if (!is_limited(&all->part[i]))
			continue;
		table_part(&t, &all->part[i]);
		shown++;
	}
	if (shown) {
		table_print(&t);
	} else {
		table_discard(&t);
		printf("No limit is recorded.\n");
	}
	putchar('\n');
	for (size_t i = 0; i < m->domains; i++)
		if (chosen(&m->domain[i], opt))
			print_domain(all, &m->domain[i]);
}

static void json_part(const struct part *p)
{
	json_open(NULL, '{');
	json_string("name", p->name);
	if (p->cpus)
		json_string("cpus", p->cpus);
	if (p->error) {
		json_string("error", error_name(p->error));
	} else {
		char *words = xstrdup(is_limited(p) ? p->reasons : "");

		json_strings("reasons", words);
		free(words);
	}
	json_close('}');
}

static void json_plr(const struct machine *m, const struct parts *all,
		     const struct options *opt)
{
	json_open(NULL, '{');
	json_number("format", 1);
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++) {
		const struct domain *d = &m->domain[i];

		if (!chosen(d, opt))
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

/* The table shows which part failed; stderr says what to do about it, once. */
static bool report_errors(const struct parts *all)
{
	int last = 0;
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		char *path;

		if (!p->error)
			continue;
		any = true;
		if (p->error == last)
			continue;
		last = p->error;
		path = sysfs_path(CLASS_DIR "/%s/plr/%s/reasons",
				  p->domain->name, p->name);
		complain_file(path, p->error);
		free(path);
	}
	return any;
}

static enum status nothing_to_show(const struct machine *m)
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
			 "hardware and shows it in debugfs; unload it and "
			 "load pmon_plr again");
		return STATUS_BROKEN;
	}
	complain("no supported hardware: Granite Rapids and Sierra Forest "
		 "are the first that record performance limits");
	return STATUS_NO_HARDWARE;
}

static enum status no_domain(const struct machine *m,
			     const struct options *opt)
{
	if (!m->domains)
		return nothing_to_show(m);
	complain("--package %ld: no such package; pmonctl list shows them",
		 opt->package);
	return STATUS_USAGE;
}

static size_t read_parts(const struct machine *m, const struct options *opt,
			 struct parts *all)
{
	size_t domains = 0;

	for (size_t i = 0; i < m->domains; i++) {
		if (!chosen(&m->domain[i], opt))
			continue;
		domains++;
		add_part(all, &m->domain[i], "die");
		add_children(all, &m->domain[i], "mesh");
		add_children(all, &m->domain[i], "core");
	}
	return domains;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m = { 0 };
	struct parts all = { NULL, 0 };
	enum status status = STATUS_FINE;

	machine_read_limits(&m);
	if (!read_parts(&m, opt, &all)) {
		status = no_domain(&m, opt);
	} else {
		if (opt->json)
			json_plr(&m, &all, opt);
		else
			print_plr(&m, &all, opt);
		if (report_errors(&all) || m.degraded)
			status = STATUS_DEGRADED;
	}
	parts_free(&all);
	machine_free(&m);
	return status;
}
