// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is behind a stack: the file die<N> of its PMU has the root bus, and the
 * way to each PCI function begins with one.
 */
#include "stacks.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "sysfs.h"

#define PMUS "/sys/bus/event_source/devices"
#define FUNCTIONS "/sys/bus/pci/devices"

/* "0000:15" */
static bool is_bus(const char *s)
{
	for (size_t i = 0; i < 7; i++)
		if (i == 4 ? s[i] != ':' : !isxdigit((unsigned char)s[i]))
			return false;
	return !s[7];
}

/* The last part of where a link leads, or NULL. */
/* ".../devices/pci0000:15/0000:15:01.0/0000:16:00.0" */
static bool is_behind(const char *function, const char *bus)
{
	char *link = sysfs_link(FUNCTIONS "/%s", function);
	struct text root = { NULL, 0 };
	bool behind;

	text_add(&root, "/pci%s/", bus);
	behind = link && strstr(link, root.s);
	text_free(&root);
	free(link);
	return behind;
}

static void add_function(struct text *t, const char *function)
{
	char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", function);

	/* Ports pass on what devices move. */
	if (driver && strcmp(driver, "pcieport"))
		text_add(t, "%s%s %s", t->len ? ", " : "", driver, function);
	free(driver);
}

char *stack_devices(unsigned int stack, long package)
{
	char *bus = sysfs_read(PMUS "/uncore_iio_%u/die%ld", stack, package);
	struct names all = { NULL, 0 };
	struct text t = { NULL, 0 };

	if (bus && is_bus(bus))
		all = sysfs_children(FUNCTIONS, "");
	for (size_t i = 0; i < all.count; i++)
		if (is_behind(all.name[i], bus))
			add_function(&t, all.name[i]);
	names_free(&all);
	free(bus);
	return t.s;
}
