// SPDX-License-Identifier: GPL-2.0-only
/*
 * The numbers behind the reasons: power limits and power drawn from powercap,
 * frequencies from cpufreq. A host may have none of these, or for some packages
 * only; then there is nothing to say.
 */
#include "numbers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "cpus.h"
#include "reasons.h"
#include "sysfs.h"

#define POWERCAP "/sys/class/powercap"
#define CPU_DIR "/sys/devices/system/cpu"

/* No number of these is larger; sums of a few of them are numbers, too. */
#define MOST 1000000000000000000LL

/* More CPUs than this say no more about the frequency of a package. */
#define ENOUGH_CPUS 64

/* A number of microwatts, microjoules or kilohertz, or -1. */
static long long read_number(const char *dir, const char *name,
			     const char *file)
{
	char *text = sysfs_read("%s/%s/%s", dir, name, file), *end;
	long long v = -1;

	errno = 0;
	if (text && isdigit((unsigned char)*text)) {
		v = strtoll(text, &end, 10);
		if (*end || errno || v > MOST)
			v = -1;
	}
	free(text);
	return v;
}

/* "intel-rapl:0"; its parts have two colons, and the MMIO zone is the same. */
static bool is_zone(const char *name)
{
	const char *colon = strchr(name, ':');

	return !strncmp(name, "intel-rapl", strlen("intel-rapl")) &&
	       strncmp(name, "intel-rapl-mmio", strlen("intel-rapl-mmio")) &&
	       colon && !strchr(colon + 1, ':');
}

/* "package-0" is a package whole, "psys" the platform. */
static bool zone_package(const char *zone, long *package)
{
	static const char stem[] = "package-";
	char *text = sysfs_read(POWERCAP "/%s/name", zone), *end;
	bool good = false;

	if (text && !strcmp(text, "psys")) {
		*package = NUMBERS_PLATFORM;
		good = true;
	} else if (text && !strncmp(text, stem, strlen(stem)) &&
		   isdigit((unsigned char)text[strlen(stem)])) {
		*package = strtol(text + strlen(stem), &end, 10);
		good = !*end;
	}
	free(text);
	return good;
}

static void read_limit(const char *zone, int index, struct number *number)
{
	char *name = sysfs_read(POWERCAP "/%s/constraint_%d_name", zone, index);
	struct limit *limit = NULL;
	char file[64];

	if (name && !strcmp(name, "long_term"))
		limit = &number->pl1;
	else if (name && !strcmp(name, "short_term"))
		limit = &number->pl2;
	free(name);
	if (!limit)
		return;
	snprintf(file, sizeof(file), "constraint_%d_power_limit_uw", index);
	limit->uw = read_number(POWERCAP, zone, file);
	snprintf(file, sizeof(file), "constraint_%d_max_power_uw", index);
	limit->max_uw = read_number(POWERCAP, zone, file);
}

static void over_zones(struct numbers *n,
		       void (*take)(struct numbers *n, const char *zone,
				    struct number *number))
{
	struct names zones = sysfs_entries(POWERCAP);
	long package;

	for (size_t i = 0; i < zones.count; i++)
		if (is_zone(zones.name[i]) &&
		    zone_package(zones.name[i], &package))
			take(n, zones.name[i], numbers_of(n, package));
	names_free(&zones);
}

static long long read_energy(struct numbers *n, const char *zone)
{
	long long before = clock_ms();
	long long energy = read_number(POWERCAP, zone, "energy_uj");

	numbers_read_since(n, before);
	return energy;
}

static void take_limits(struct numbers *n, const char *zone,
			struct number *number)
{
	for (int i = 0; i < 3; i++)
		read_limit(zone, i, number);
	number->range_uj = read_number(POWERCAP, zone, "max_energy_range_uj");
	numbers_energy(n, number, read_energy(n, zone));
}

static void take_energy(struct numbers *n, const char *zone,
			struct number *number)
{
	numbers_drawn(n, number, read_energy(n, zone));
}

void numbers_begin(struct numbers *n)
{
	*n = (struct numbers){ .number = NULL };
	over_zones(n, take_limits);
}

/* One CPU of each module that is limited, or of each module if none is. */
static size_t choose_cpus(const struct parts *all, long package, bool limited,
			  unsigned int cpu[ENOUGH_CPUS])
{
	struct cpus cpus;
	size_t n = 0;

	for (size_t i = 0; i < all->count && n < ENOUGH_CPUS; i++) {
		const struct part *p = &all->part[i];

		if (p->domain->package != package || !p->cpus ||
		    (limited && !p->now))
			continue;
		cpus_parse(&cpus, p->cpus);
		cpu[n] = cpus_next(&cpus, 0);
		n += cpu[n] < CPUS_MAX;
	}
	return n;
}

static void average(long long *to, const unsigned int *cpu, size_t n,
		    const char *file)
{
	long long sum = 0, known = 0;

	for (size_t i = 0; i < n; i++) {
		char name[32];
		long long v;

		snprintf(name, sizeof(name), "cpu%u/cpufreq", cpu[i]);
		v = read_number(CPU_DIR, name, file);
		if (v < 0 || v > 100000000)
			continue;
		sum += v;
		known++;
	}
	*to = known ? sum / known : -1;
}

static void take_frequency(struct numbers *n, const struct parts *all,
			   long package)
{
	unsigned int cpu[ENOUGH_CPUS];
	size_t cpus = choose_cpus(all, package, true, cpu);
	long long now;
	struct number *number;

	if (!cpus)
		cpus = choose_cpus(all, package, false, cpu);
	average(&now, cpu, cpus, "scaling_cur_freq");
	if (now < 0)
		return;
	number = numbers_of(n, package);
	number->now_khz = now;
	average(&number->base_khz, cpu, cpus, "base_frequency");
	average(&number->max_khz, cpu, cpus, "cpuinfo_max_freq");
}

void numbers_end(struct numbers *n, const struct parts *all)
{
	long last = -1;

	over_zones(n, take_energy);
	for (size_t i = 0; i < all->count; i++) {
		long package = all->part[i].domain->package;

		if (package != last)
			take_frequency(n, all, package);
		last = package;
	}
}

void numbers_free(struct numbers *n)
{
	free(n->number);
	*n = (struct numbers){ .number = NULL };
}

static uint64_t limited_now(const struct parts *all, long package)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < all->count; i++)
		if (package == NUMBERS_PLATFORM ||
		    all->part[i].domain->package == package)
			mask |= all->part[i].now;
	return mask;
}

/* By which way the limit came that is in force: the end of its reason's name. */
static const char *set_by(uint64_t now, const char *stem)
{
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		const char *name = reason_name(bit);

		if (!(now >> bit & 1) || strncmp(name, stem, strlen(stem)))
			continue;
		name += strlen(stem);
		return !strcmp(name, "_MSR_TPMI") ? ", set in band" :
		       !strcmp(name, "_MMIO") ? ", set by MMIO" :
		       !strcmp(name, "_CSR") ? ", set by the BIOS" :
		       !strcmp(name, "_PCS") ? ", set out of band" : "";
	}
	return NULL;
}

static void add_limit(struct text *t, const char *name,
		      const struct limit *limit, const char *by)
{
	if (limit->uw < 0)
		return;
	text_add(t, "%s%s %lld W", t->len ? "; " : "", name,
		 (limit->uw + 500000) / 1000000);
	if (limit->max_uw > 0)
		text_add(t, " of %lld W", (limit->max_uw + 500000) / 1000000);
	text_add(t, "%s", by ? by : "");
}

/* The first limit always, the second one while it is in force. */
/* That the platform draws power says nothing, where it has no limit. */
static bool says_something(const struct number *n)
{
	return n->package != NUMBERS_PLATFORM || n->pl1.uw >= 0 ||
	       n->pl2.uw >= 0;
}

static void add_power(struct text *t, const struct number *n, uint64_t now)
{
	bool platform = n->package == NUMBERS_PLATFORM;
	const char *first = set_by(now, platform ? "POWER_PLATFORM_PL1" :
						   "POWER_PKG_PL1");
	const char *second = set_by(now, platform ? "POWER_PLATFORM_PL2" :
						    "POWER_PKG_PL2");

	add_limit(t, "PL1", &n->pl1, first);
	if (second)
		add_limit(t, "PL2", &n->pl2, second);
	if (n->drawn_mw >= 0)
		text_add(t, "%s%lld W drawn", t->len ? "; " : "",
			 (n->drawn_mw + 500) / 1000);
}

static void add_frequency(struct text *t, const struct number *n)
{
	if (n->now_khz < 0)
		return;
	text_add(t, "%s%.1f", t->len ? "; " : "", (double)n->now_khz / 1e6);
	if (n->max_khz > 0)
		text_add(t, " of %.1f", (double)n->max_khz / 1e6);
	text_add(t, " GHz");
	if (n->base_khz > 0)
		text_add(t, ", base %.1f", (double)n->base_khz / 1e6);
}

void numbers_add(struct text *to, const struct numbers *n,
		 const struct parts *all)
{
	for (size_t i = 0; i < n->count; i++) {
		const struct number *number = &n->number[i];
		uint64_t now = says_something(number) ?
			limited_now(all, number->package) : 0;
		struct text t = { NULL, 0 };

		if (now)
			add_power(&t, number, now);
		if (now)
			add_frequency(&t, number);
		if (t.len && number->package == NUMBERS_PLATFORM)
			text_add(to, "Platform: %s\n", t.s);
		else if (t.len)
			text_add(to, "Package %ld: %s\n", number->package,
				 t.s);
		text_free(&t);
	}
}

void numbers_json(const struct numbers *n)
{
	json_open("numbers", '[');
	for (size_t i = 0; i < n->count; i++) {
		const struct number *number = &n->number[i];

		json_open(NULL, '{');
		json_known("package", number->package);
		json_known("pl1_uw", number->pl1.uw);
		json_known("pl1_max_uw", number->pl1.max_uw);
		json_known("pl2_uw", number->pl2.uw);
		json_known("pl2_max_uw", number->pl2.max_uw);
		json_known("drawn_mw", number->drawn_mw);
		json_known("now_khz", number->now_khz);
		json_known("base_khz", number->base_khz);
		json_known("max_khz", number->max_khz);
		json_close('}');
	}
	json_close(']');
}
