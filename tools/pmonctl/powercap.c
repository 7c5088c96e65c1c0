// SPDX-License-Identifier: GPL-2.0-only
/* Energy and power limits of packages, as powercap has them: root may read energy. */
#include "powercap.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sysfs.h"

#define POWERCAP "/sys/class/powercap"

static long long read_number(const char *zone, const char *file)
{
	char *text = sysfs_read(POWERCAP "/%s/%s", zone, file), *end;
	long long v = text ? strtoll(text, &end, 10) : -1;

	if (text && (end == text || *end || v > 1000000000000000000LL))
		v = -1;
	free(text);
	return v;
}

/* "package-0" in a zone such as intel-rapl:0; the MMIO zone is the same. */
static long package_of_zone(const char *zone)
{
	static const char stem[] = "package-";
	char *name = strstr(zone, "mmio") ? NULL :
		sysfs_read(POWERCAP "/%s/name", zone);
	char *end = NULL;
	long package = -1;

	if (name && !strncmp(name, stem, strlen(stem)))
		package = strtol(name + strlen(stem), &end, 10);
	if (!end || *end || end == name + strlen(stem))
		package = -1;
	free(name);
	return package;
}

static void read_limit(struct power *p, const char *zone, int i)
{
	static const char *const terms[] = { "long_term", "short_term" };
	char *name = sysfs_read(POWERCAP "/%s/constraint_%d_name", zone, i);
	char file[] = "constraint_0_power_limit_uw";

	file[strlen("constraint_")] = (char)('0' + i);
	for (int term = 0; name && term < 2; term++)
		if (!strcmp(name, terms[term]))
			p->limit_uw[term] = read_number(zone, file);
	free(name);
}

size_t powercap_read(struct power **all)
{
	struct names zones = sysfs_entries(POWERCAP);
	size_t count = 0;

	*all = NULL;
	for (size_t i = 0; i < zones.count; i++) {
		const char *zone = zones.name[i];
		struct power p = { .limit_uw = { -1, -1 } };

		p.package = package_of_zone(zone);
		if (p.package < 0)
			continue;
		p.energy_uj = read_number(zone, "energy_uj");
		for (int limit = 0; limit < 3; limit++)
			read_limit(&p, zone, limit);
		*all = xrealloc(*all, (count + 1) * sizeof(p));
		(*all)[count++] = p;
	}
	names_free(&zones);
	return count;
}
