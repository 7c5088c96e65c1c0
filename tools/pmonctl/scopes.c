// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds, selects and reads scopes, the directories of reasons below /sys/class/pmon.
 *
 * A read of `reasons` may access registers (of a module by a mailbox command), so such reads are
 * few. Reads of the other files access none.
 */
#include <fnmatch.h>
#include <limits.h>
#include <unistd.h>

#include "reasons.h"
#include "events.h"

#define MS 1000000LL
#define MOST 1000000000000LL	/* more than twelve digits */

bool scope_is(const struct scope *p, const char *kind)
{
	return !strncmp(p->name, kind, strlen(kind));
}

static char *scope_file(const struct scope *p, const char *file)
{
	return sysfs_read(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file);
}

/* Returns 0, or an errno value with an empty mask. A read of `reasons` may access registers. */
static int read_mask(const struct scope *p, const char *file, uint64_t *mask)
{
	char *text = scope_file(p, file);
	int error = !text ? errno : reasons_parse(text, mask) ? 0 : EINVAL;

	if (error)
		*mask = 0;
	return error;
}

/*
 * Opens the event that makes the driver monitor a domain, on the first CPU in both the domain's
 * current list and the PMU's cpumask. Returns a descriptor, or -1 and errno.
 */
static int scope_event(const struct scope *p, unsigned int event)
{
	struct cpus cpus = cpus_read(CLASS_DIR "/%s/cpus", p->domain->name);
	const struct pmu plr = { .name = (char *)"plr" };
	struct opening o = { .type = -1, .config = { event } };

	if (opening_find(&o, &plr)) {
		cpus_intersect(&o.cpus, &cpus);
		if (cpus_next(&o.cpus, 0) < CPUS_MAX)
			return opening_on(&o, cpus_next(&o.cpus, 0), -1);
	}
	errno = ENODEV;
	return -1;
}

/* Adds a scope, unless it was added before. CPUs share modules. */
static void add_scope(struct scopes *all, const struct domain *d, const char *name)
{
	/* The first poll reports only scopes that are limited or not known. */
	struct scope p = { .domain = d, .event = -1, .shown_known = true };

	for (size_t i = 0; i < all->count; i++)
		if (all->scope[i].domain == d && !strcmp(all->scope[i].name, name))
			return;
	p.name = xstrdup(name);
	if (scope_is_core(&p))
		p.cpus = sysfs_read(CLASS_DIR "/%s/plr/%s/cpus", d->name, name);
	append(all->scope, all->count, p);
}

/* Does the driver read meshes (mesh=1)? ENODATA: no. Reads `active` if `reasons` needs rights. */
static bool mesh_answers(const struct domain *d, const char *name)
{
	char *text = sysfs_read(CLASS_DIR "/%s/plr/%s/reasons", d->name, name);

	if (!text && errno == EACCES)
		text = sysfs_read(CLASS_DIR "/%s/plr/%s/active", d->name, name);
	return text || (errno != ENODATA && errno != ENOENT);
}

/* Adds a CPU's module. The CPU's link leads to .../<domain>/plr/core<N>. */
static bool add_module_of(struct scopes *all, const struct machine *m, unsigned int cpu)
{
	char *link = sysfs_link(CPU_DIR "/cpu%u/plr", cpu);
	const char *module = link ? strrchr(link, '/') : NULL;

	if (!module || fnmatch("/core[0-9]*", module, 0))
		return false;
	for (size_t i = 0; i < m->domains; i++) {
		if (strstr(link, xasprintf("/%s/plr%s", m->domain[i].name, module))) {
			add_scope(all, &m->domain[i], module + 1);
			return true;
		}
	}
	return false;
}

/* By domain; die, meshes and modules; number. CPU numbers of sockets or dies may alternate. */
static int compare_scopes(const void *a, const void *b)
{
	const struct scope *x = a, *y = b;

	if (x->domain != y->domain)
		return x->domain > y->domain ? 1 : -1;
	if (scope_is_core(x) != scope_is_core(y))
		return scope_is_core(x) ? 1 : -1;
	return strverscmp(x->name, y->name);
}

static void add_cpus(struct scopes *all, const struct machine *m, const struct cpus *cpus)
{
	struct text unlisted = { NULL, 0 };
	struct cpus outside = { { 0 } };

	for_each_cpu(cpu, cpus)
		if (!add_module_of(all, m, cpu))
			cpus_add(&outside, cpu);
	cpus_add_text(&unlisted, &outside);
	all->incomplete = unlisted.s;
	if (unlisted.s && !all->quiet)
		complain(CPU_DIR "/cpu%s/plr: no limits are shown: there is no such CPU, it is "
			 "offline, or its die does not report them", unlisted.s);
}

const struct options everything = { .package = -1 };

bool scopes_find(struct scopes *all, const struct machine *m, const struct options *opt)
{
	struct cpus cpus;
	bool found = opt->cpus;

	if (opt->cpus) {
		if (!cpus_parse(&cpus, opt->cpus))
			return complain("--cpu %s: not a list of CPUs from 0 to %u; an example is "
					"0-7,16", opt->cpus, CPUS_MAX - 1);
		all->single = true;
		add_cpus(all, m, &cpus);
	}
	for (const struct domain *d = m->domain; !opt->cpus && d < m->domain + m->domains; d++) {
		if (opt->package >= 0 && opt->package != d->package)
			continue;
		found = true;
		add_scope(all, d, "die");
		for_each_name(name, sysfs_children("mesh", CLASS_DIR "/%s/plr", d->name))
			if (mesh_answers(d, name))
				add_scope(all, d, name);
		for_each_name(name, sysfs_children("core", CLASS_DIR "/%s/plr", d->name))
			add_scope(all, d, name);
	}
	if (all->count)
		qsort(all->scope, all->count, sizeof(*all->scope), compare_scopes);
	if (!found && !all->quiet)
		complain("--socket %ld: no such socket; pmonctl list shows them", opt->package);
	return found;
}

enum status limits_find(struct scopes *all, struct machine *m, const struct options *opt)
{
	machine_read_limits(m);
	if (!m->domains)
		return plr_absent(m, opt->json);
	if (!scopes_find(all, m, opt) && opt->cpus)
		return STATUS_USAGE;
	if (all->count)
		return STATUS_FINE;
	return nothing_shown(opt->json, opt->cpus ? STATUS_BROKEN : STATUS_USAGE,
			     "no limits of %s are shown", opt->cpus ? "these CPUs" : "this socket");
}

/*
 * Parses "POWER 15300 96300 81000 7 16000", in ms: time limited, time last seen, time of onset.
 * Newer drivers add the number of onsets, and the time in ms for which the reason was observed.
 */
static void take_line(struct history *h, const char *line)
{
	long long value[5] = { 0 };
	char name[64], word[5][32];
	int words = sscanf(line, "%63s %31s %31s %31s %31s %31s", name, word[0], word[1], word[2],
			   word[3], word[4]) - 1;
	unsigned int bit = 0;

	for (int i = 0; i < words; i++)
		if (!number_parse(word[i], 10, MOST - 1, &value[i]) && strcmp(word[i], "-"))
			return;
	if (words < 3)
		return;
	while (bit < OBSERVED && strcmp(name, plr_reason_name(bit)))
		bit++;
	if (bit == OBSERVED && strcmp(name, "observed"))
		return;
	h->owned |= words > 4 && bit != OBSERVED;
	h->observed[bit] = value[4] * MS;
	if (!value[1])
		return;
	if (bit != OBSERVED) {
		h->seen |= 1ULL << bit;
		h->in_force |= value[2] ? 1ULL << bit : 0;
	}
	h->limited[bit] = value[0] * MS;
	h->last[bit] = value[1] * MS;
	h->since[bit] = value[2] * MS;
	h->count[bit] = value[3];
	h->counted |= words > 3;
}

/* Reads a record until two reads agree, up to five times: lines may change during a read. */
static struct history history_read(const struct scope *p)
{
	size_t step = step_begin();
	struct history h = { .read = false };
	char *last = NULL, *text = scope_file(p, "time_in_reason");

	for (int tries = 0; text && (!last || strcmp(last, text)) && tries < 4; tries++) {
		last = text;
		text = scope_file(p, "time_in_reason");
	}
	h.read = text;
	for_each_token(line, text, "\n")
		take_line(&h, line);
	for (unsigned int bit = 0; bit < REASON_BITS && !h.owned; bit++)
		h.observed[bit] = h.limited[OBSERVED];
	step_end(step);
	return h;
}

bool history_observed(const struct scope *p, long long from)
{
	return p->history.last[OBSERVED] && p->history.last[OBSERVED] >= from;
}

/* Counters grow until the driver is loaded again, and then begin at 0. */
static long long gain(long long now, long long before)
{
	return now >= before ? now - before : now;
}

/* Reads each scope and adds the gain since the previous poll. */
void poll_again(struct scopes *all)
{
	for_each_item(p, all->scope, all->count) {
		const struct history *h = &p->history, *old = &p->before;

		p->before = p->history;
		p->history = history_read(p);
		p->known = h->since[OBSERVED];
		p->now = h->in_force;
		for (unsigned int bit = 0; bit <= REASON_BITS && old->read && h->read; bit++) {
			p->gained.ns[bit] += gain(h->limited[bit], old->limited[bit]);
			p->gained.count[bit] += gain(h->count[bit], old->count[bit]);
			p->gained.observed[bit] += gain(h->observed[bit], old->observed[bit]);
			if (bit != OBSERVED && h->last[bit] != old->last[bit])
				p->now |= 1ULL << bit;
		}
	}
}

/* Iterates over the first scopes of domains, which have the domains' events. */
#define for_each_first(p, all) \
	for (struct scope *p = (all)->scope; p < (all)->scope + (all)->count; p++) \
		if (p == (all)->scope || p[-1].domain != p->domain)

/* Reopens events of domains not observed since @from; the old one closes last, so polls go on. */
static void monitor_renew(struct scopes *all, long long from)
{
	for_each_first(p, all) {
		int old = p->event;

		if (history_observed(p, from))
			continue;
		p->event = scope_event(p, all->event);
		if (p->event < 0)
			all->error = errno;
		if (old >= 0)
			close(old);
	}
}

static void monitor_open(struct scopes *all)
{
	descriptors_allow();
	all->error = 0;
	monitor_renew(all, LLONG_MAX);
}

static void monitor_close(struct scopes *all)
{
	for_each_item(p, all->scope, all->count) {
		close_held(&p->event);
		p->event = -1;
	}
}

void scopes_renew(struct scopes *all, const struct machine *m, const struct options *opt,
		  long long from)
{
	struct scopes now FREED = { .quiet = true };
	size_t step = step_begin();

	scopes_find(&now, m, opt);
	monitor_renew(all, from);
	step_end(step);
	if (now.count <= all->count)
		return;
	scopes_find(all, m, opt);
	monitor_open(all);
}

int monitor_error(struct scopes *all)
{
	int error = all->error;

	for (size_t i = 0; i < all->count && !error; i++)
		error = read_mask(&all->scope[i], "reasons", &all->scope[i].reasons);
	return error;
}

enum status monitor_complain(struct scopes *all, bool json)
{
	int error = monitor_error(all);
	const char *why = "the perf event plr/frequency/ has no effect";

	if (all->error == EACCES || all->error == EPERM)
		why = xasprintf("monitoring it needs %s", event_rights());
	else if (!all->error && error == EOPNOTSUPP)
		why = "firmware blocks clearing, so that it cannot be monitored";
	else if (!all->error && error)
		why = "its limits cannot be read";
	return broken(json, "%s: no program monitors this domain, and %s%s%s%s",
		      all->scope[0].domain->name, why, error ? " (" : "",
		      error ? error_name(error) : "", error ? ")" : "");
}

#define POLL_MS 1000
#define BEGIN_MS 1000
#define LATEST_MS 1800	/* since the start, for a module that is polled late */
#define STEP_MS 50

void poll_start(struct scopes *all)
{
	for_each_item(p, all->scope, all->count)
		p->history = history_read(p);
}

/* Do all events run? If so, all modules were read after the open; if not, reads may be 10 s old. */
static bool all_run(const struct scopes *all)
{
	struct count c;

	for_each_first(p, all)
		if (p->event < 0 || !count_read(p->event, &c) || !c.running_ns)
			return false;
	return true;
}

static bool all_observed(const struct scopes *all, long long from)
{
	for_each_first(p, all)
		if (!history_observed(p, from))
			return false;
	return true;
}

bool poll_begin(struct scopes *all)
{
	long long begin, end = clock_ms() + BEGIN_MS;
	bool runs;

	monitor_open(all);
	begin = clock_boot_ns();
	while (runs = all_run(all), poll_start(all), !runs &&
	       (!all->error || !all_observed(all, begin)) && clock_ms() < end)
		clock_pause_ms(STEP_MS);
	return runs || all_observed(all, begin);
}

/* Reads the hardware's record or, without rights, uses the driver's. */
static void read_reasons(struct scopes *all, struct scope *p)
{
	p->error = read_mask(p, "reasons", &p->reasons);
	if (p->error != EACCES)
		return;
	p->reasons = p->history.seen;
	p->error = 0;
	all->refused = true;
}

/*
 * Waits until each scope was polled after @from or has a reason in force, but not beyond @end.
 * Polls of modules take turns if a loaded host has few mailbox commands left. Reads `reasons`
 * right after the poll, when the driver uses its record, or else at @end.
 */
static void read_during(struct scopes *all, long long from, long long end)
{
	bool *done = xcalloc(all->count, sizeof(*done));

	for (size_t left = all->count; left;) {
		bool late = clock_ms() >= end;

		for (size_t i = 0; i < all->count; i++) {
			struct scope *p = &all->scope[i];
			struct history h = done[i] ? p->history : history_read(p);

			if (done[i] || (!late && !h.in_force && h.last[OBSERVED] < from))
				continue;
			read_reasons(all, p);
			done[i] = true;
			left--;
		}
		clock_pause_ms(STEP_MS);
	}
}

void poll_for_a_second(struct scopes *all)
{
	long long start = clock_ms(), begin;

	poll_begin(all);
	begin = clock_boot_ns();
	read_during(all, begin, start + LATEST_MS);
	clock_pause_ms(start + POLL_MS - clock_ms());
	poll_again(all);
	for_each_item(p, all->scope, all->count) {
		p->monitored = !read_mask(p, "active", &p->active);
		p->reasons |= p->now;
		p->known &= !p->error && (p->now || history_observed(p, begin));
	}
	monitor_close(all);
}

void poll_once(struct scopes *all)
{
	for_each_item(p, all->scope, all->count) {
		p->history = history_read(p);
		p->monitored = !read_mask(p, "active", &p->active);
		p->now = p->active;
		read_reasons(all, p);
		p->reasons |= p->now;
		p->known = p->monitored && !p->error;
	}
}
