// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power limits and energy as openpmon reads them from TPMI, for hosts whose
 * kernel has no driver for them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "sysfs.h"

#define CLASS "/sys/class/pmon"

/* No number of these is larger; sums of a few of them are numbers, too. */
#define MOST 1000000000000000000ULL

/* A device's own platform line is of all packages. */
static struct number *number_at(struct numbers *n, const char *where,
				long package)
{
	if (!strcmp(where, "package"))
		return numbers_of(n, package);
	return strcmp(where, "platform") ? NULL :
					   numbers_of(n, NUMBERS_PLATFORM);
}

/* Calls take() for each line "DOMAIN NAME VALUE" of a file. */
static void over_lines(struct numbers *n, const char *dev, const char *file,
		       void (*take)(struct numbers *n, struct number *number,
				    const char *name, long long value))
{
	char *text = sysfs_read(CLASS "/%s/%s", dev, file), *line, *save;
	long package = sysfs_read_long(CLASS "/%s/package_id", dev);
	char where[16], name[32], digits[24];

	for (line = text ? strtok_r(text, "\n", &save) : NULL;
	     line && package >= 0; line = strtok_r(NULL, "\n", &save)) {
		struct number *number;
		unsigned long long v;

		if (sscanf(line, "%15s %31s %23[0-9]", where, name, digits) != 3)
			continue;
		errno = 0;
		v = strtoull(digits, NULL, 10);
		number = number_at(n, where, package);
		if (number && !errno && v <= MOST)
			take(n, number, name, (long long)v);
	}
	free(text);
}

static void over_devices(struct numbers *n, const char *file,
			 void (*take)(struct numbers *n, struct number *number,
				      const char *name, long long value))
{
	struct names devs = sysfs_children(CLASS, "pkg");

	for (size_t i = 0; i < devs.count; i++)
		if (strstr(devs.name[i], "-tpmi"))
			over_lines(n, devs.name[i], file, take);
	names_free(&devs);
}

/* One that is not enabled limits nothing. */
static void take_limit(struct numbers *n, struct number *number,
		       const char *name, long long v)
{
	(void)n;
	if (number->from_powercap)
		return;
	if (!strcmp(name, "pl1_uw"))
		number->pl1.uw = v;
	else if (!strcmp(name, "pl2_uw"))
		number->pl2.uw = v;
	else if (!strcmp(name, "pl1_enabled") && !v)
		number->pl1.uw = -1;
	else if (!strcmp(name, "pl2_enabled") && !v)
		number->pl2.uw = -1;
	else if (!strcmp(name, "tdp_uw"))
		number->pl1.max_uw = v;
	else if (!strcmp(name, "max_uw"))
		number->pl2.max_uw = v;
}

static void take_first(struct numbers *n, struct number *number,
		       const char *name, long long v)
{
	(void)n;
	if (number->from_powercap)
		return;
	if (!strcmp(name, "energy_uj"))
		number->energy_uj = v;
	else if (!strcmp(name, "energy_range_uj"))
		number->range_uj = v;
}

static void take_second(struct numbers *n, struct number *number,
			const char *name, long long v)
{
	if (!number->from_powercap && !strcmp(name, "energy_uj"))
		numbers_drawn(n, number, v);
}

void numbers_tpmi_begin(struct numbers *n)
{
	over_devices(n, "rapl", take_limit);
	over_devices(n, "rapl_energy", take_first);
}

void numbers_tpmi_end(struct numbers *n)
{
	over_devices(n, "rapl_energy", take_second);
}
