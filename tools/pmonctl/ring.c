// SPDX-License-Identifier: GPL-2.0-only
/* Hands the PCI functions of R2PCIe and QPI over, one by one, and back. */
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sysfs.h"
#include "table.h"

#define FUNCTIONS	"/sys/bus/pci/devices"
#define PMUS		"/sys/bus/event_source/devices"
#define DRIVER		"pmon_r2pcie"

/* As in drivers/r2pcie/boxes.c. */
static const struct {
	const char *device;
	enum ring_kind kind;
} known[] = {
	{ "0x3c43", RING_R2PCIE }, { "0x0e34", RING_R2PCIE },
	{ "0x2f34", RING_R2PCIE }, { "0x6f34", RING_R2PCIE },
	{ "0x3c41", RING_QPI }, { "0x3c42", RING_QPI }, { "0x0e32", RING_QPI },
	{ "0x0e33", RING_QPI }, { "0x0e3a", RING_QPI }, { "0x2f32", RING_QPI },
	{ "0x2f33", RING_QPI }, { "0x2f3a", RING_QPI }, { "0x6f32", RING_QPI },
	{ "0x6f33", RING_QPI }, { "0x6f3a", RING_QPI },
};

static enum ring_kind kind_of(const char *function)
{
	char *vendor = sysfs_read(FUNCTIONS "/%s/vendor", function);
	char *device = sysfs_read(FUNCTIONS "/%s/device", function);
	enum ring_kind kind = RING_NONE;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (vendor && device && !strcmp(vendor, "0x8086") &&
		    !strcmp(device, known[i].device))
			kind = known[i].kind;
	free(vendor);
	free(device);
	return kind;
}

/* How many functions of a kind @fn has said yes to. */
static size_t each(enum ring_kind kind, bool (*fn)(const char *function))
{
	struct names n = { NULL, 0 };
	size_t count = 0;

	if (kind != RING_NONE)
		n = sysfs_children(FUNCTIONS, "");
	for (size_t i = 0; i < n.count; i++)
		if (kind_of(n.name[i]) == kind)
			count += fn(n.name[i]);
	names_free(&n);
	return count;
}

static bool is_there(const char *function)
{
	return function;
}

static bool is_bound(const char *function)
{
	char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", function);
	bool ours = driver && !strcmp(driver, DRIVER);

	free(driver);
	return ours;
}

static bool override(const char *function, const char *text)
{
	int error = sysfs_write(text, FUNCTIONS "/%s/driver_override", function);

	if (error)
		complain(FUNCTIONS "/%s/driver_override: %s", function,
			 strerror(error));
	return !error;
}

static bool reserve(const char *function)
{
	return override(function, DRIVER "\n");
}

static bool set_free(const char *function)
{
	return override(function, "\n");
}

size_t ring_functions(enum ring_kind kind)
{
	return each(kind, is_there);
}

size_t ring_bound(enum ring_kind kind)
{
	return each(kind, is_bound);
}

bool ring_reserve(enum ring_kind kind)
{
	return each(kind, reserve) == ring_functions(kind);
}

bool ring_free(enum ring_kind kind)
{
	return each(kind, set_free) == ring_functions(kind);
}

static bool has_term(const char *pmu, const char *term)
{
	struct text path = { NULL, 0 };
	bool has;

	text_add(&path, PMUS "/%s/format/%s", pmu, term);
	has = sysfs_exists(path.s);
	text_free(&path);
	return has;
}

/*
 * intel_uncore's terms for what packets of QPI match are registers of another
 * function, which openpmon does not have. That it takes "inv" on version 2,
 * where it drops the bit, is no loss.
 */
long ring_compare(enum ring_kind kind)
{
	const char *prefix = kind == RING_QPI ? "uncore_qpi_" : "uncore_r2pcie";
	struct names n = sysfs_entries(PMUS);
	struct table t;
	long losers = 0, pmus = 0;

	table_start(&t, 3);
	table_cell(&t, "NOW");
	table_cell(&t, "AFTERWARDS");
	table_cell(&t, "CHANGE");
	for (size_t i = 0; i < n.count; i++) {
		bool loses = has_term(n.name[i], "match0");

		if (strncmp(n.name[i], prefix, strlen(prefix)))
			continue;
		pmus++;
		table_cell(&t, "%s", n.name[i]);
		table_cell(&t, "%s", n.name[i]);
		table_cell(&t, loses ? "loses the terms match* and mask*" :
				       "kept");
		losers += loses;
	}
	if (!pmus) {
		table_cell(&t, "-");
		table_cell(&t, "%s", kind == RING_QPI ? "uncore_qpi_<port>" : prefix);
		table_cell(&t, "new");
	}
	table_print(&t);
	names_free(&n);
	return losers;
}
