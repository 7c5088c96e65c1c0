// SPDX-License-Identifier: GPL-2.0-only
/*
 * The directories of reasons: which there are, which are asked for, what they
 * say, and which of them share a line.
 *
 * A module is one mailbox round trip, however many CPUs it has, so reasons is
 * the one file that is read, and once.
 */
#include "parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "reasons.h"
#include "sysfs.h"

#define CPU_DIR "/sys/devices/system/cpu"

bool part_is_core(const struct part *p)
{
	return !strncmp(p->name, "core", strlen("core"));
}

char *part_path(const struct part *p, const char *file)
{
	return sysfs_path(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name,
			  file);
}

static bool read_mask(const struct part *p, const char *file, uint64_t *mask)
{
	char *text = sysfs_read(CLASS_DIR "/%s/plr/%s/%s", p->domain->name,
				p->name, file);
	bool good = text && reasons_parse(text, mask);

	if (text && !good)
		errno = EINVAL;
	free(text);
	return good;
}

void part_read(struct part *p)
{
	p->error = read_mask(p, "reasons", &p->reasons) ? 0 : errno;
	if (p->error)
		p->reasons = 0;
}

bool part_read_active(struct part *p)
{
	return read_mask(p, "active", &p->active);
}

int part_clear(struct part *p, uint64_t mask)
{
	char *names = reasons_text(mask);
	int error = sysfs_write(names, CLASS_DIR "/%s/plr/%s/clear",
				p->domain->name, p->name);

	free(names);
	if (!error)
		p->cleared = mask;
	return error;
}

static void add_part(struct parts *all, const struct domain *d,
		     const char *name)
{
	struct part p = { .domain = d, .name = xstrdup(name) };

	if (part_is_core(&p))
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

static void add_domain(struct parts *all, const struct domain *d)
{
	add_part(all, d, "die");
	add_children(all, d, "mesh");
	add_children(all, d, "core");
}

/* Several CPUs may share a module, which is shown once. */
static void add_module(struct parts *all, const struct domain *d,
		       const char *name)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == d &&
		    !strcmp(all->part[i].name, name))
			return;
	add_part(all, d, name);
}

/* The link leads to .../<domain>/plr/<module>. */
static bool add_module_of(struct parts *all, const struct machine *m,
			  unsigned int cpu)
{
	char *link = sysfs_link(CPU_DIR "/cpu%u/plr", cpu);
	char *module = link ? strrchr(link, '/') : NULL;
	bool found = false;

	if (module)
		*module++ = '\0';
	for (size_t i = 0; module && i < m->domains && !found; i++) {
		struct text end = { NULL, 0 };
		size_t len = strlen(link);

		text_add(&end, "/%s/plr", m->domain[i].name);
		found = len >= end.len &&
			!strcmp(link + len - end.len, end.s);
		if (found)
			add_module(all, &m->domain[i], module);
		text_free(&end);
	}
	free(link);
	return found;
}

static bool add_cpus(struct parts *all, const struct machine *m,
		     const char *list)
{
	struct cpus cpus;

	if (!cpus_parse(&cpus, list)) {
		complain("--cpu %s: not a list of CPUs; one is, for example, "
			 "3 or 0-7,16", list);
		return false;
	}
	for (size_t i = 0; i < cpus.count; i++) {
		struct text dir = { NULL, 0 };
		bool there;

		text_add(&dir, CPU_DIR "/cpu%u", cpus.cpu[i]);
		there = sysfs_exists(dir.s);
		text_free(&dir);
		if (there && add_module_of(all, m, cpus.cpu[i]))
			continue;
		complain(CPU_DIR "/cpu%u/plr: %s", cpus.cpu[i], there ?
			 "no limits are shown for this CPU; it is offline, or "
			 "its die does not report them" :
			 "there is no such CPU");
		all->incomplete = true;
	}
	cpus_free(&cpus);
	return true;
}

bool parts_find(struct parts *all, const struct machine *m,
		const struct options *opt)
{
	bool found = false;

	if (opt->cpus)
		return add_cpus(all, m, opt->cpus);
	for (size_t i = 0; i < m->domains; i++) {
		if (opt->package >= 0 && opt->package != m->domain[i].package)
			continue;
		add_domain(all, &m->domain[i]);
		found = true;
	}
	if (!found)
		complain("--package %ld: no such package; pmonctl list shows "
			 "them", opt->package);
	return found;
}

void parts_free(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->part[i].name);
		free(all->part[i].cpus);
	}
	free(all->part);
}

static void group_add(struct group *g, const struct part *p)
{
	g->part = xrealloc(g->part, (g->count + 1) * sizeof(*g->part));
	g->part[g->count++] = p;
}

struct groups groups_of(const struct parts *all,
			bool (*wanted)(const struct part *p),
			bool (*like)(const struct part *a,
				     const struct part *b))
{
	struct groups r = { NULL, 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];
		size_t g = 0;

		if (!wanted(p))
			continue;
		while (g < r.count &&
		       (r.group[g].part[0]->domain != p->domain ||
			!like(r.group[g].part[0], p)))
			g++;
		if (g == r.count) {
			r.group = xrealloc(r.group, (r.count + 1) *
						    sizeof(*r.group));
			r.group[r.count++] = (struct group){ NULL, 0 };
		}
		group_add(&r.group[g], p);
	}
	return r;
}

void groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->group[i].part);
	free(g->group);
}

void group_add_names(struct text *t, const struct group *g)
{
	unsigned int *id = xrealloc(NULL, g->count * sizeof(*id));
	size_t n = 0;

	for (size_t i = 0; i < g->count; i++) {
		const char *name = g->part[i]->name;

		if (part_is_core(g->part[i]))
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

void group_add_cpus(struct text *t, const struct group *g)
{
	struct cpus all = { NULL, 0 };

	for (size_t i = 0; i < g->count; i++)
		if (g->part[i]->cpus)
			cpus_join(&all, g->part[i]->cpus);
	if (all.count)
		text_add_ranges(t, all.cpu, all.count);
	else
		text_add(t, "-");
	cpus_free(&all);
}
