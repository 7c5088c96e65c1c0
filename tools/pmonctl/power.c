// SPDX-License-Identifier: GPL-2.0-only
/* Energy and power limits of packages, from powercap. */
#include "power.h"

#include <limits.h>

#include "files.h"
#include "host.h"
#include "modules.h"

#define POWERCAP "/sys/class/powercap"
#define DRIVER "intel_rapl_tpmi"	/* where limits are recorded */

/* -1 if unknown or unreadable; frees @path. */
static long long read_number(char *path)
{
	char *text FREED = sysfs_read_path(path);
	long long number;

	return text && number_parse(text, 10, LLONG_MAX, &number) ? number : -1;
}

/* Parses "package-0" of a zone such as intel-rapl:0; skips the duplicate MMIO zone. */
static long package_of_zone(const char *zone)
{
	char *name FREED = sysfs_read(POWERCAP "/%s/name", zone), more;
	long package;

	return name && !strstr(zone, "mmio") &&
	       sscanf(name, "package-%9ld%c", &package, &more) == 1 ? package : -1;
}

/* The name of a constraint is its term. */
static void read_limits(struct power *p, const char *zone)
{
	for (int n = 0; n < 3; n++) {
		char *term FREED = sysfs_read(POWERCAP "/%s/constraint_%d_name", zone, n);
		long long uw = read_number(xasprintf(POWERCAP "/%s/constraint_%d_power_limit_uw",
						     zone, n));

		if (term && !strcmp(term, "long_term"))
			p->limit[0] = uw;
		else if (term && !strcmp(term, "short_term"))
			p->limit[1] = uw;
	}
}

static struct power *find(const struct powers *all, long package)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->power[i].package == package)
			return &all->power[i];
	return NULL;
}

/* Of two drivers for a package the first counts. */
struct powers powers_read(const struct powers *before)
{
	struct powers all = { .ms = clock_ms() };

	for_each_name(zone, sysfs_entries(POWERCAP)) {
		struct power p = { package_of_zone(zone), -1, -1, 0, { -1, -1 } };
		const struct power *old = before ? find(before, p.package) : NULL;

		if (p.package < 0 || find(&all, p.package))
			continue;
		p.energy = read_number(xasprintf(POWERCAP "/%s/energy_uj", zone));
		p.range = read_number(xasprintf(POWERCAP "/%s/max_energy_range_uj", zone));
		p.wraps = old ? old->wraps + (p.energy >= 0 && p.energy < old->energy) : 0;
		read_limits(&p, zone);
		append(all.power, all.count, p);
	}
	return all;
}

/* "498", or "?". */
static char *watts_text(double uw)
{
	return uw < 0 ? xstrdup("?") : xasprintf("%.0f", uw / 1e6);
}

/* Average power in microwatts, or -1. */
static double drawn(const struct power *from, const struct power *to, long long ms)
{
	long long energy;

	if (!from || from->energy < 0 || to->energy < 0 || ms <= 0)
		return -1;
	energy = to->energy - from->energy + to->wraps * to->range;
	return energy < 0 ? -1 : (double)energy * 1000 / (double)ms;
}

static void add_line(struct text *t, long package, const struct powers *begin,
		     const struct powers *end)
{
	const struct power *p = find(end, package);
	char *watts FREED = watts_text(p ? drawn(find(begin, package), p,
						 end->ms - begin->ms) : -1);
	char *long_term FREED = watts_text(p ? (double)p->limit[0] : -1);
	char *short_term FREED = watts_text(p ? (double)p->limit[1] : -1);

	if (p)
		text_add(t, "socket %ld: %s W of %s W (PL1), %s W (PL2)\n", package, watts,
			 long_term, short_term);
	else
		text_add(t, "socket %ld: power and its limits are not known %s\n", package,
			 module_is_installed(DRIVER) ? "without a driver: modprobe " DRIVER :
			 "on this kernel");
}

void power_add_lines(struct text *t, const struct scopes *all, const struct powers *begin)
{
	struct powers end FREED = powers_read(begin);
	long last = -1;

	for (const struct scope *p = all->scope; p < all->scope + all->count; p++)
		if (p->now & reasons_of("POWER") && p->domain->package != last) {
			last = p->domain->package;
			add_line(t, last, begin, &end);
		}
}
