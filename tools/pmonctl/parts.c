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
#include "event.h"
#include "reasons.h"
#include "root.h"
#include "sysfs.h"

#define CPU_DIR "/sys/devices/system/cpu"

bool part_is_core(const struct part *p)
{
	return !strncmp(p->name, "core", strlen("core"));
}

bool part_is_mesh(const struct part *p)
{
	return !strncmp(p->name, "mesh", strlen("mesh"));
}

char *part_path(const struct part *p, const char *file)
{
	return root_path(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name,
			  file);
}

char *part_file(const struct part *p, const char *file)
{
	return sysfs_read(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name,
			  file);
}

static bool read_mask(const struct part *p, const char *file, uint64_t *mask)
{
	char *text = part_file(p, file);
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
	p->watched = read_mask(p, "active", &p->active);
	return p->watched;
}

/* Its CPUs may be others than they were. */
int part_event(const struct part *p)
{
	char *cpus = part_is_core(p) ? part_file(p, "cpus") :
				       sysfs_read(CLASS_DIR "/%s/cpus",
						  p->domain->name);
	int event = cpus ? event_open_on("plr", "observed", cpus) : -1;
	int error = errno;

	free(cpus);
	errno = error;
	return event;
}

size_t parts_of(const struct parts *all, const struct domain *d)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++)
		n += all->part[i].domain == d;
	return n;
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

/* "core5", and no other directory that a link may lead to. */
static bool is_module(const char *name)
{
	size_t stem = strlen("core");

	return !strncmp(name, "core", stem) && name[stem] &&
	       strspn(name + stem, "0123456789") == strlen(name + stem);
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
	if (module && !is_module(module))
		module = NULL;
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

static bool is_cpu(unsigned int cpu)
{
	struct text dir = { NULL, 0 };
	bool there;

	text_add(&dir, CPU_DIR "/cpu%u", cpu);
	there = sysfs_exists(dir.s);
	text_free(&dir);
	return there;
}

/* Once for all of them, whose number is up to the caller. */
static void complain_cpus(struct parts *all, const struct cpus *cpus,
			  const char *why)
{
	struct text names = { NULL, 0 };

	cpus_add_text(&names, cpus);
	if (names.s) {
		complain(CPU_DIR "/cpu%s/plr: %s", names.s, why);
		all->incomplete = true;
	}
	text_free(&names);
}

/* CPUs that were asked for: those that are not there, and those without limits. */
struct lacking {
	struct cpus absent, without;
};

static void add_cpus(struct parts *all, const struct machine *m,
		     const struct cpus *cpus, struct lacking *lacking)
{
	for (unsigned int cpu = cpus_next(cpus, 0); cpu < CPUS_MAX;
	     cpu = cpus_next(cpus, cpu + 1)) {
		if (!is_cpu(cpu))
			cpus_add(&lacking->absent, cpu);
		else if (!add_module_of(all, m, cpu))
			cpus_add(&lacking->without, cpu);
	}
}

/* False when no domain is of the package that was asked for. */
static bool add_domains(struct parts *all, const struct machine *m,
			const struct options *opt)
{
	bool found = false;

	for (size_t i = 0; i < m->domains; i++) {
		if (opt->package >= 0 && opt->package != m->domain[i].package)
			continue;
		if (opt->dies)
			add_part(all, &m->domain[i], "die");
		else
			add_domain(all, &m->domain[i]);
		found = true;
	}
	return found;
}

/* Of an argument as long as any, what makes it known. */
static void complain_list(const char *list, const char *why)
{
	size_t len = strlen(list), most = 60;

	complain("--cpu %.*s%s: %s", (int)(len < most ? len : most), list,
		 len > most ? "..." : "", why);
}

static bool parse_cpus(struct cpus *cpus, const char *list)
{
	struct text why = { NULL, 0 };

	switch (cpus_parse(cpus, list)) {
	case CPUS_FINE:
		return true;
	case CPUS_MALFORMED:
		complain_list(list, "not a list of CPUs; one is, for example, "
			      "3 or 0-7,16");
		break;
	case CPUS_TOO_HIGH:
		text_add(&why, "numbers of CPUs are 0 to %u; look at " CPU_DIR
			 "/possible for those of this host", CPUS_MAX - 1);
		complain_list(list, why.s);
		text_free(&why);
	}
	return false;
}

bool parts_find(struct parts *all, const struct machine *m,
		const struct options *opt)
{
	struct lacking lacking = { 0 };
	struct cpus cpus;

	if (opt->cpus) {
		if (!parse_cpus(&cpus, opt->cpus))
			return false;
		all->single = true;
		add_cpus(all, m, &cpus, &lacking);
		complain_cpus(all, &lacking.without, "no limits are shown for "
			      "this CPU; it is offline, or its die does not "
			      "report them");
		complain_cpus(all, &lacking.absent, "there is no such CPU");
		return true;
	}
	if (add_domains(all, m, opt))
		return true;
	complain("--package %ld: no such package; pmonctl list shows them",
		 opt->package);
	return false;
}

size_t parts_present(const struct machine *m, const struct options *opt)
{
	struct parts all = { .part = NULL };
	struct lacking lacking = { 0 };
	struct cpus cpus;
	size_t n;

	if (!opt->cpus)
		add_domains(&all, m, opt);
	else if (cpus_parse(&cpus, opt->cpus) == CPUS_FINE)
		add_cpus(&all, m, &cpus, &lacking);
	n = all.count;
	parts_free(&all);
	return n;
}

void parts_free(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->part[i].name);
		free(all->part[i].cpus);
		free(all->part[i].history);
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
	struct cpus all = { { 0 } }, one;
	size_t before = t->len;

	for (size_t i = 0; i < g->count; i++) {
		if (!g->part[i]->cpus)
			continue;
		cpus_parse(&one, g->part[i]->cpus);
		cpus_join(&all, &one);
	}
	cpus_add_text(t, &all);
	if (t->len == before)
		text_add(t, "-");
}
