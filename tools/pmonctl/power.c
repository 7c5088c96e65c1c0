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

/*
 * No package draws more, in uW: a higher gain is a count that was reset. The count goes on while
 * powercap has no zone, such as while all CPUs of the package are offline.
 */
#define MOST 2000000000LL

static void add_energy(struct power *p, long long energy, long long range)
{
	long long now = clock_ms(), gain = energy - p->last;

	p->energy = energy;
	if (energy < 0)
		return;
	if (gain < 0 && range > 0)
		gain += range;
	if (p->last < 0) {
		p->first = energy;
		p->total = energy;
		p->begin = now;
	} else if (gain >= 0 && gain <= (now - p->ms + 1) * (MOST / 1000)) {
		p->total += gain;
	}
	p->last = energy;
	p->ms = now;
}

/* Of two drivers for a package the first counts. */
void powers_read(struct powers *all)
{
	for (size_t i = 0; i < all->count; i++) {
		all->power[i].present = false;
		all->power[i].energy = -1;
		all->power[i].limit[0] = -1;
		all->power[i].limit[1] = -1;
	}
	for_each_name(zone, sysfs_entries(POWERCAP)) {
		long package = package_of_zone(zone);
		struct power *p = find(all, package);

		if (package < 0 || (p && p->present))
			continue;
		if (!p) {
			append(all->power, all->count, (struct power){
				.package = package, .limit = { -1, -1 }, .last = -1 });
			p = &all->power[all->count - 1];
		}
		p->present = true;
		add_energy(p, read_number(xasprintf(POWERCAP "/%s/energy_uj", zone)),
			   read_number(xasprintf(POWERCAP "/%s/max_energy_range_uj", zone)));
		read_limits(p, zone);
	}
}

/* "498", or "?". */
static char *watts_text(double uw)
{
	return uw < 0 ? xstrdup("?") : xasprintf("%.0f", uw / 1e6);
}

/* Average power in microwatts since the first read, or -1. */
static double drawn(const struct power *p)
{
	return p->energy < 0 || p->ms <= p->begin ? -1 :
	       (double)(p->total - p->first) * 1000 / (double)(p->ms - p->begin);
}

static void add_line(struct text *t, long package, const struct powers *powers)
{
	const struct power *p = find(powers, package);
	char *watts FREED = watts_text(p ? drawn(p) : -1);
	char *long_term FREED = watts_text(p ? (double)p->limit[0] : -1);
	char *short_term FREED = watts_text(p ? (double)p->limit[1] : -1);

	if (p && p->present)
		text_add(t, "socket %ld: %s W of %s W (PL1), %s W (PL2)\n", package, watts,
			 long_term, short_term);
	else
		text_add(t, "socket %ld: power and its limits are not known %s\n", package,
			 module_is_installed(DRIVER) ? "without a driver: modprobe " DRIVER :
			 "on this kernel");
}

void power_add_lines(struct text *t, const struct scopes *all, struct powers *powers)
{
	long last = -1;

	powers_read(powers);
	for (const struct scope *p = all->scope; p < all->scope + all->count; p++)
		if (p->now & reasons_of("POWER") && p->domain->package != last) {
			last = p->domain->package;
			add_line(t, last, powers);
		}
}
