// SPDX-License-Identifier: GPL-2.0-only
/*
 * The directories of reasons below /sys/class/pmon: which exist, which of these the
 * command line selects, and what their files say.
 *
 * A module is one mailbox round trip, however many CPUs it has, so reasons is
 * the one file that is read, and once.
 */
#include "parts.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "events.h"
#include "process.h"

#define CPU_DIR "/sys/devices/system/cpu"

bool part_is_core(const struct part *p)
{
	return !strncmp(p->name, "core", strlen("core"));
}

bool part_is_mesh(const struct part *p)
{
	return !strncmp(p->name, "mesh", strlen("mesh"));
}

/* One of its files as sysfs_read() has it. */
static char *part_file(const struct part *p, const char *file)
{
	return sysfs_read(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file);
}

/* 0, or an errno value and no reasons. Of the file reasons this reads the hardware. */
static int read_mask(const struct part *p, const char *file, uint64_t *mask)
{
	char *text FREED = part_file(p, file);
	int error = !text ? errno : reasons_parse(text, mask) ? 0 : EINVAL;

	if (error)
		*mask = 0;
	return error;
}

/*
 * An event that has the part watched, on the first of its CPUs that the PMU takes: they
 * may be others than they were. A file descriptor, or -1 and errno.
 */
static int part_event(const struct part *p)
{
	char *observed FREED = sysfs_read(PMUS "/plr/events/observed");
	char *list FREED = part_is_core(p) ? part_file(p, "cpus") :
		sysfs_read(CLASS_DIR "/%s/cpus", p->domain->name);
	const struct pmu plr = { .name = (char *)"plr" };
	struct opening o = { .type = -1 };
	struct cpus wanted;

	if (!list)
		return -1;
	cpus_parse(&wanted, list);
	if (observed && sscanf(observed, "event=%" SCNx64, &o.config[0]) == 1 &&
	    opening_find(&o, &plr)) {
		cpus_intersect(&o.cpus, &wanted);
		if (cpus_next(&o.cpus, 0) < CPUS_MAX)
			return opening_on(&o, cpus_next(&o.cpus, 0));
	}
	errno = ENODEV;
	return -1;
}

int part_clear(struct part *p, uint64_t mask)
{
	char *names FREED = reasons_text(mask);
	int error = sysfs_write(names, CLASS_DIR "/%s/plr/%s/clear", p->domain->name, p->name);

	if (!error)
		p->cleared = mask;
	return error;
}

/* Several CPUs may share a module, which is shown once. */
static void add_part(struct parts *all, const struct domain *d, const char *name)
{
	struct part p = { .domain = d };

	for (size_t i = 0; i < all->count; i++)
		if (all->part[i].domain == d && !strcmp(all->part[i].name, name))
			return;
	p.name = xstrdup(name);
	if (part_is_core(&p))
		p.cpus = sysfs_read(CLASS_DIR "/%s/plr/%s/cpus", d->name, name);
	append(all->part, all->count, p);
}

static void add_children(struct parts *all, const struct domain *d, const char *prefix)
{
	for_each_name(name, sysfs_children(prefix, CLASS_DIR "/%s/plr", d->name))
		add_part(all, d, name);
}

/* The link leads to .../<domain>/plr/core<N>. */
static bool add_module_of(struct parts *all, const struct machine *m, unsigned int cpu)
{
	char *link FREED = sysfs_link(CPU_DIR "/cpu%u/plr", cpu);
	const char *module = link ? strrchr(link, '/') : NULL;

	if (!module || fnmatch("/core[0-9]*", module, 0))
		return false;
	for (size_t i = 0; i < m->domains; i++) {
		char *end FREED = xasprintf("/%s/plr%s", m->domain[i].name, module);

		if (strstr(link, end)) {
			add_part(all, &m->domain[i], module + 1);
			return true;
		}
	}
	return false;
}

/* Once for all of them, whose number is up to the caller. */
static void complain_cpus(struct parts *all, const struct cpus *cpus, const char *why)
{
	struct text names FREED_BY(text_free) = { NULL, 0 };

	cpus_add_text(&names, cpus);
	if (!names.s)
		return;
	all->incomplete = true;
	if (!all->quiet)
		complain(CPU_DIR "/cpu%s/plr: %s", names.s, why);
}

/* A message names the CPUs that do not exist, and those whose module has no limits. */
static void add_cpus(struct parts *all, const struct machine *m, const struct cpus *cpus)
{
	struct cpus absent = { { 0 } }, without = { { 0 } };

	for_each_cpu(cpu, cpus) {
		if (!sysfs_exists(CPU_DIR "/cpu%u", cpu))
			cpus_add(&absent, cpu);
		else if (!add_module_of(all, m, cpu))
			cpus_add(&without, cpu);
	}
	complain_cpus(all, &without, "no limits are shown for this CPU; it is offline, or its "
		      "die does not report them");
	complain_cpus(all, &absent, "there is no such CPU");
}

static bool parse_cpus(struct cpus *cpus, const char *list)
{
	enum cpus_error error = cpus_parse(cpus, list);

	if (error == CPUS_TOO_HIGH)
		complain("--cpu %s: numbers of CPUs are 0 to %u; look at " CPU_DIR
			 "/possible for those of this host", list, CPUS_MAX - 1);
	else if (error)
		complain("--cpu %s: not a list of CPUs; one is, for example, 3 or 0-7,16", list);
	return !error;
}

const struct options everything = { .package = -1 };

bool parts_find(struct parts *all, const struct machine *m, const struct options *opt)
{
	struct cpus cpus;
	bool found = false;

	if (opt->cpus) {
		if (!parse_cpus(&cpus, opt->cpus))
			return false;
		all->single = true;
		add_cpus(all, m, &cpus);
		return true;
	}
	for (size_t i = 0; i < m->domains; i++) {
		if (opt->package >= 0 && opt->package != m->domain[i].package)
			continue;
		found = true;
		add_part(all, &m->domain[i], "die");
		if (!opt->dies) {
			add_children(all, &m->domain[i], "mesh");
			add_children(all, &m->domain[i], "core");
		}
	}
	if (!found && !all->quiet)
		complain("--package %ld: no such package; pmonctl list shows them",
			 opt->package);
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

long long history_now(void)
{
	char *text FREED = sysfs_read("/proc/uptime");
	double s = text ? strtod(text, NULL) : 0;

	return s > 0 && s < 1e9 ? (long long)(s * 1e9) : 0;
}

/* Milliseconds as nanoseconds; "-", and what is no number, is 0. */
static long long take_time(const char *text)
{
	long long ms = atoll(text);

	return ms > 0 && ms < 1000000000000LL ? ms * 1000000 : 0;
}

/* "POWER 15300 96300 81000": time, last seen, since; other lines are skipped. */
static void take_line(struct history *h, const char *line)
{
	char name[64], limited[20], last[20], since[20];

	if (sscanf(line, "%63s %19s %19s %19s", name, limited, last, since) != 4)
		return;
	for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
		if (strcmp(name, bit == OBSERVED ? "observed" : plr_reason_name(bit)) ||
		    !take_time(last))
			continue;
		if (bit != OBSERVED)
			h->seen |= 1ULL << bit;
		h->last[bit] = take_time(last);
		h->since[bit] = take_time(since);
		h->limited[bit] = take_time(limited);
	}
}

/*
 * No access of the hardware. False where the file cannot be read: nothing is
 * in it then.
 */
static bool history_read(struct part *p)
{
	char *text FREED = part_file(p, "time_in_reason");

	p->history = (struct history){ .seen = 0 };
	for_each_part(line, text, "\n")
		take_line(&p->history, line);
	return text;
}

bool history_observed(const struct part *p, long long from)
{
	return p->history.last[OBSERVED] && p->history.last[OBSERVED] >= from;
}

/* What the lines of a part said when they were there last. */
struct record {
	bool read, watched;
	long long last[REASON_BITS + 1], sum[REASON_BITS + 1];
};

/*
 * The time only grows, until the driver is loaded again. What was there before the
 * first look is not summed up.
 */
static void take(struct record *r, struct part *p)
{
	r->watched = false;
	if (!part_is_core(p) || !history_read(p))
		return;
	for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
		long long now = p->history.limited[bit];
		long long gain = now >= r->last[bit] ? now - r->last[bit] : now;

		if (r->read)
			r->sum[bit] += gain;
		if (bit == OBSERVED)
			r->watched = gain;
		r->last[bit] = now;
	}
	r->read = true;
}

void limited_add(struct limited *l)
{
	for (size_t i = 0; i < l->all->count; i++)
		take(&l->record[i], &l->all->part[i]);
}

void limited_start(struct limited *l, struct parts *all)
{
	*l = (struct limited){ all, xcalloc(all->count, sizeof(*l->record)) };
	limited_add(l);
}

struct limited_sum limited_sum(const struct limited *l, long package)
{
	struct limited_sum s = { .known = false };

	for (size_t i = 0; i < l->all->count; i++) {
		const struct record *r = &l->record[i];

		if (package >= 0 && l->all->part[i].domain->package != package)
			continue;
		s.known |= r->read;
		s.watched += r->watched;
		for (unsigned int bit = 0; bit <= REASON_BITS; bit++) {
			s.ns[bit] += r->sum[bit];
			s.modules[bit] += r->sum[bit] > 0;
		}
	}
	return s;
}

/* What one event has watched. */
struct kept {
	struct part *part;		/* a module, or the die for its domain */
	int event;			/* -1: none */
};

/* Where all of a domain are asked for the die stands before its modules. */
void keeper_open(struct keeper *k, struct parts *all)
{
	const struct domain *whole = NULL;

	descriptors_allow();
	*k = (struct keeper){ .kept = NULL };
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		if (p->domain == whole)
			continue;
		if (!part_is_core(p))
			whole = p->domain;
		append(k->kept, k->count, (struct kept){ p, -1 });
	}
	keeper_renew(k, LLONG_MAX);
}

/* Whether all that is to be watched was observed at this time or later. */
static bool keeper_observed(const struct keeper *k, long long from)
{
	for (size_t i = 0; i < k->count; i++)
		if (!history_read(k->kept[i].part) || !history_observed(k->kept[i].part, from))
			return false;
	return true;
}

void keeper_renew(struct keeper *k, long long from)
{
	for (size_t i = 0; i < k->count; i++) {
		struct kept *kept = &k->kept[i];

		if (history_observed(kept->part, from))
			continue;
		if (kept->event >= 0)
			close(kept->event);
		kept->event = part_event(kept->part);
		if (kept->event < 0)
			k->error = errno;
	}
}

void keeper_close(struct keeper *k)
{
	for (size_t i = 0; i < k->count; i++)
		if (k->kept[i].event >= 0)
			close(k->kept[i].event);
	free(k->kept);
	*k = (struct keeper){ .kept = NULL };
}

int keeper_error(const struct keeper *k, struct parts *all)
{
	int error = k->error;

	for (size_t i = 0; i < all->count && !error; i++)
		error = read_mask(&all->part[i], "reasons", &all->part[i].reasons);
	return error;
}

void keeper_complain(const struct keeper *k, struct parts *all)
{
	int error = keeper_error(k, all);
	const char *why = "the perf event plr/observed/ does not watch it";
	const char *rights = "";

	if (k->error == EACCES || k->error == EPERM) {
		why = "having it watched takes ";
		rights = event_rights();
	} else if (!k->error && error == EOPNOTSUPP) {
		why = "firmware blocks clearing, so that it cannot be watched";
	} else if (!k->error && error) {
		why = "what has limited it cannot be read";
	}
	complain("%s: nobody watches this domain, and %s%s%s%s%s",
		 all->part[0].domain->name, why, rights, error ? " (" : "",
		 error ? error_name(error) : "", error ? ")" : "");
}

#define LOOK_MS 1000
#define BEGIN_MS 1000
#define STEP_MS 50

bool look_begin(struct keeper *k, struct parts *all)
{
	long long begin = history_now(), end = clock_ms() + BEGIN_MS;
	bool good;

	keeper_open(k, all);
	while (good = keeper_observed(k, begin), !good && clock_ms() < end)
		clock_pause_ms(STEP_MS);
	return good;
}

void look_since(struct parts *all, long long begin)
{
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		history_read(p);
		p->known = history_observed(p, begin);
		p->now = 0;
		for_each_reason(bit, p->history.seen)
			if (p->history.last[bit] >= begin)
				p->now |= 1ULL << bit;
	}
}

/* Who may not read the hardware's record may read the driver's. */
static void take_reasons(struct parts *all, struct part *p)
{
	p->error = read_mask(p, "reasons", &p->reasons);
	if (p->error == EACCES) {
		p->reasons = p->history.seen;
		p->error = 0;
		all->refused = true;
	}
	p->reasons |= p->now;
	p->known &= !p->error;
}

void look_for_a_second(struct parts *all)
{
	struct keeper keeper;
	long long begin;

	look_begin(&keeper, all);
	begin = history_now();
	clock_pause_ms(LOOK_MS);
	look_since(all, begin);
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		p->watched = !read_mask(p, "active", &p->active);
		take_reasons(all, p);
	}
	keeper_close(&keeper);
}

void look_once(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct part *p = &all->part[i];

		history_read(p);
		p->watched = !read_mask(p, "active", &p->active);
		p->known = p->watched;
		p->now = p->active;
		take_reasons(all, p);
	}
}
