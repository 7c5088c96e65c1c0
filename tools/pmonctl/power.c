// SPDX-License-Identifier: GPL-2.0-only
/* Reads energy and power limits of packages from powercap, and temperatures from hwmon. */
#include <limits.h>

#include "reasons.h"

#define POWERCAP "/sys/class/powercap"
#define HWMON "/sys/class/hwmon"
#define DRIVER "intel_rapl_tpmi"	/* on processors that record limits */

/* Reads a number; -1 if the file is unreadable or has no number. */
static long long read_number(char *path)
{
	char *text = sysfs_read_path(path);
	long long number;

	return text && number_parse(text, 10, LLONG_MAX, &number) ? number : -1;
}

/*
 * Parses "package-0", the name of a zone such as intel-rapl:0; returns PLATFORM for psys, and -1
 * for others. Skips the duplicate MMIO zone.
 */
static long package_of_zone(const char *zone)
{
	char *name = sysfs_read(POWERCAP "/%s/name", zone), more;
	long package;

	if (name && !strcmp(name, "psys"))
		return PLATFORM;
	return name && !strstr(zone, "mmio") &&
	       sscanf(name, "package-%9ld%c", &package, &more) == 1 ? package : -1;
}

/* Finds the constraints by name: long_term, short_term. */
static void read_limits(struct power *p, const char *zone)
{
	for (int n = 0; n < 3; n++) {
		char *term = sysfs_read(POWERCAP "/%s/constraint_%d_name", zone, n);
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

/* More than any package draws, in uW. If the energy count gains more, it was reset. */
#define MOST 2000000000LL

/*
 * The count goes on while powercap has no zone, for example while all CPUs of the package are
 * offline. Could it have wrapped meanwhile: at the last rate, did the time last for half a wrap?
 */
static bool was_away_for_long(const struct power *p, long long range)
{
	return p->was_away && (p->rate < 0 ||
			       p->rate * (double)(clock_ms() - p->ms) > (double)range / 2);
}

static void add_energy(struct power *p, long long energy, long long range)
{
	long long now = clock_ms(), gain = energy - p->last;

	p->energy = energy;
	if (energy < 0)
		return;
	if (gain < 0 && range > 0)
		gain += range;
	if (p->last < 0 || was_away_for_long(p, range)) {
		p->total = p->last < 0 ? energy : 0;
		p->first = p->total;
		p->begin = now;
		p->rate = -1;
	} else if (gain >= 0 && gain <= (now - p->ms + 1) * (MOST / 1000)) {
		p->total += gain;
		if (now > p->ms)
			p->rate = (double)gain / (double)(now - p->ms);
	}
	p->last = energy;
	p->ms = now;
}

static struct power *find_or_add(struct powers *all, long package)
{
	struct power *p = find(all, package);

	if (p)
		return p;
	append(all->power, all->count, (struct power){
		.package = package, .energy = -1, .limit = { -1, -1 }, .last = -1,
		.temperature = -1 });
	return &all->power[all->count - 1];
}

/* The first sensor of coretemp is the package's: "Package id 0". */
static void read_temperature(struct powers *all, const char *hwmon)
{
	char *label = sysfs_read(HWMON "/%s/temp1_label", hwmon);
	long package;

	if (sysfs_is("coretemp", HWMON "/%s/name", hwmon) && label &&
	    sscanf(label, "Package id %9ld", &package) == 1)
		find_or_add(all, package)->temperature =
			read_number(xasprintf(HWMON "/%s/temp1_input", hwmon));
}

/* If two drivers have a zone for a package, uses the first. */
void powers_read(struct powers *all)
{
	for_each_item(p, all->power, all->count) {
		p->was_away = !p->present;
		p->present = false;
		p->energy = -1;
		p->limit[0] = -1;
		p->limit[1] = -1;
		p->temperature = -1;
	}
	for_each_name(zone, sysfs_entries(POWERCAP)) {
		long package = package_of_zone(zone);
		struct power *p = package == -1 ? NULL : find_or_add(all, package);

		if (!p || p->present)
			continue;
		p->present = true;
		add_energy(p, read_number(xasprintf(POWERCAP "/%s/energy_uj", zone)),
			   read_number(xasprintf(POWERCAP "/%s/max_energy_range_uj", zone)));
		read_limits(p, zone);
	}
	for_each_name(hwmon, sysfs_entries(HWMON))
		read_temperature(all, hwmon);
}

void powers_restart(struct powers *all)
{
	for_each_item(p, all->power, all->count) {
		p->first = p->total;
		p->begin = p->ms;
	}
}

/* Whole watts such as "498", or "?" if not known. */
static char *watts_text(double uw)
{
	return uw < 0 ? xstrdup("?") : xasprintf("%.0f", uw / 1e6);
}

/* Hardware updates the energy about once in a millisecond, so a shorter time has no average. */
#define LEAST_MS 100

/* Average power in microwatts since the first read, or -1. */
static double drawn(const struct power *p)
{
	return p->energy < 0 || p->ms - p->begin < LEAST_MS ? -1 :
	       (double)(p->total - p->first) * 1000 / (double)(p->ms - p->begin);
}

/* Rounds to whole watts or degrees; -1 if not known. */
static long whole(double number, double unit)
{
	return number < 0 ? -1 : (long)(number / unit + 0.5);
}

static char *not_known(void)
{
	return xasprintf("power and its limits are not known %s", module_is_installed(DRIVER) ?
			 remedy_text(remedy_now(RUN("without a driver: modprobe " DRIVER, NULL))) :
			 "on this kernel");
}

static void add_line(struct text *t, const char *name, const struct power *p)
{
	text_add(t, "%s: ", name);
	if (p->present)
		text_add(t, "%s W of %s W (PL1), %s W (PL2)", watts_text(drawn(p)),
			 watts_text((double)p->limit[0]), watts_text((double)p->limit[1]));
	if (p->temperature >= 0)
		text_add(t, "%s%ld C", p->present ? ", " : "",
			 whole((double)p->temperature, 1e3));
	text_add(t, "\n");
}

void power_add_lines(struct text *t, const struct scopes *all, struct powers *powers, bool always)
{
	struct cpus unknown = { { 0 } };
	uint64_t now = 0, ever = 0;
	bool platform = false;

	powers_read(powers);
	for_each_item(p, all->scope, all->count) {
		long package = p->domain->package;
		const struct power *power = find(powers, package);
		bool known = power && (power->present || power->temperature >= 0);

		now |= p->now;
		ever |= p->now;
		if (p + 1 < all->scope + all->count && p[1].domain->package == package)
			continue;
		if (now & reasons_of("POWER") && (!power || !power->present))
			cpus_add(&unknown, package);
		if (known && (always || now & reasons_of("POWER")))
			add_line(t, xasprintf("socket %ld", package), power);
		now = 0;
	}
	/* The platform's power limits have a zone of their own. */
	for_each_reason(bit, ever)
		platform |= !!strstr(plr_reason_name(bit), "POWER_PLATFORM");
	if (platform && find(powers, PLATFORM))
		add_line(t, "platform (psys)", find(powers, PLATFORM));
	else if (platform)
		text_add(t, "platform: %s: powercap has no zone psys\n", not_known());
	if (!cpus_count(&unknown))
		return;
	text_add(t, "socket%s ", cpus_count(&unknown) > 1 ? "s" : "");
	cpus_add_text(t, &unknown);
	text_add(t, ": %s\n", not_known());
}

/* The frequencies of CPUs now, and the highest there is, in kHz. */
struct ghz ghz_of(const struct cpus *cpus)
{
	struct ghz g = { -1, -1, -1 };

	for_each_cpu(cpu, cpus) {
		long now = sysfs_read_long(CPU_DIR "/cpu%u/cpufreq/scaling_cur_freq", cpu);
		long most = sysfs_read_long(CPU_DIR "/cpu%u/cpufreq/cpuinfo_max_freq", cpu);

		if (now <= 0)
			continue;
		g.least = g.least < 0 || now < g.least ? now : g.least;
		g.most = now > g.most ? now : g.most;
		g.highest = most > g.highest ? most : g.highest;
	}
	return g;
}

char *ghz_text(const struct cpus *cpus)
{
	struct ghz g = ghz_of(cpus);
	char *least = xasprintf("%.1f", (double)g.least / 1e6);
	char *most = xasprintf("%.1f", (double)g.most / 1e6);

	if (g.most < 0)
		return NULL;
	return xasprintf("%s%s%s%s", least, strcmp(least, most) ? xasprintf("-%s", most) : "",
			 g.highest > 0 ? " of " : "", g.highest > 0 ?
			 xasprintf("%.1f", (double)g.highest / 1e6) : "");
}

void powers_json(struct powers *powers)
{
	powers_read(powers);
	json_open("power", '[');
	for_each_item(p, powers->power, powers->count)
		json_element("?zone %s socket %ld watts %ld pl1_watts %ld pl2_watts %ld "
			     "celsius %ld",
			     p->package == PLATFORM ? "psys" : NULL, p->package,
			     whole(drawn(p), 1e6), whole((double)p->limit[0], 1e6),
			     whole((double)p->limit[1], 1e6), whole((double)p->temperature, 1e3));
	json_close();
}
