// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power limits and energy as openpmon reads them from TPMI, for hosts whose
 * kernel has no driver for them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "number.h"
#include "sysfs.h"

#define CLASS "/sys/class/pmon"

/* No number of these is larger; sums of a few of them are numbers, too. */
#define MOST 1000000000000000000ULL

void numbers_tpmi_lines(struct numbers *n, const char *file,
			void (*take)(struct numbers *n, long package, char *line))
{
	struct names devs = sysfs_children(CLASS, "pkg");

	for (size_t i = 0; i < devs.count; i++) {
		const char *dev = devs.name[i];
		char *text, *line, *save;
		long long before;
		long package;

		if (!strstr(dev, "-tpmi"))
			continue;
		package = sysfs_read_long(CLASS "/%s/package_id", dev);
		before = clock_ms();
		text = sysfs_read(CLASS "/%s/%s", dev, file);
		numbers_read_since(n, before);
		for (line = text ? strtok_r(text, "\n", &save) : NULL;
		     line && package >= 0; line = strtok_r(NULL, "\n", &save))
			take(n, package, line);
		free(text);
	}
	names_free(&devs);
}

/* A device's own platform line is of all packages. */
static struct number *number_at(struct numbers *n, const char *where,
				long package)
{
	if (!strcmp(where, "package"))
		return numbers_of(n, package);
	return strcmp(where, "platform") ? NULL :
					   numbers_of(n, NUMBERS_PLATFORM);
}

/* A line "DOMAIN NAME VALUE"; NAME is empty where powercap tells, too. */
struct value {
	struct number *number;
	char name[32];
	long long v;
};

static struct value value_of(struct numbers *n, long package, const char *line)
{
	char where[16], digits[24];
	struct value value = { NULL, "", 0 };
	unsigned long long v;

	if (sscanf(line, "%15s %31s %23[0-9]", where, value.name, digits) != 3)
		return (struct value){ NULL, "", 0 };
	errno = 0;
	v = strtoull(digits, NULL, 10);
	value.v = (long long)v;
	value.number = number_at(n, where, package);
	if (errno || v > MOST || !value.number)
		value.name[0] = '\0';
	/* Powercap shows limits that are not enabled, too, and not that. */
	else if (value.number->from_powercap && strcmp(value.name, "pl1_enabled") &&
		 strcmp(value.name, "pl2_enabled"))
		value.name[0] = '\0';
	return value;
}

/* A limit that is not enabled limits nothing. */
static void take_limit(struct numbers *n, long package, char *line)
{
	struct value value = value_of(n, package, line);
	struct number *number = value.number;

	if (!strcmp(value.name, "pl1_uw"))
		number->pl1.uw = value.v;
	else if (!strcmp(value.name, "pl2_uw"))
		number->pl2.uw = value.v;
	else if (!strcmp(value.name, "pl1_enabled") && !value.v)
		number->pl1.uw = -1;
	else if (!strcmp(value.name, "pl2_enabled") && !value.v)
		number->pl2.uw = -1;
	else if (!strcmp(value.name, "tdp_uw"))
		number->pl1.max_uw = value.v;
	else if (!strcmp(value.name, "max_uw"))
		number->pl2.max_uw = value.v;
}

static void take_first(struct numbers *n, long package, char *line)
{
	struct value value = value_of(n, package, line);

	if (!strcmp(value.name, "energy_uj"))
		numbers_energy(n, value.number, value.v);
	else if (!strcmp(value.name, "energy_range_uj"))
		value.number->range_uj = value.v;
}

static void take_second(struct numbers *n, long package, char *line)
{
	struct value value = value_of(n, package, line);

	if (!strcmp(value.name, "energy_uj"))
		numbers_drawn(n, value.number, value.v);
}

void numbers_tpmi_begin(struct numbers *n)
{
	numbers_tpmi_lines(n, "rapl", take_limit);
	numbers_tpmi_lines(n, "rapl_energy", take_first);
}

void numbers_tpmi_end(struct numbers *n)
{
	numbers_tpmi_lines(n, "rapl_energy", take_second);
}
