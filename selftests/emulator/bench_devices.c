// SPDX-License-Identifier: GPL-2.0-only
/* Run bench commands that put devices of a package into D3 or pull them out. */
#include "qemu/osdep.h"
#include "pmon.h"
#include "bench.h"

/* d3 PKG [on|off], for every device of the package */
static bool d3(char **word, GString *out)
{
	uint64_t pkg;
	struct pmon_dev *d;
	unsigned int i;

	if (!pmon_bench_number(word[0], &pkg, out))
		return true;
	for (i = 0; (d = pmon_find_dev(pkg, i)); i++) {
		if (!word[1]) {
			g_string_append_printf(out, "%s\n", d->d3 ? "on" : "off");
			continue;
		}
		d->d3 = !strcmp(word[1], "on");
		pmon_sleep_set(d->pci, d->d3);
	}
	return true;
}

static bool set_gone(char **word, GString *out, bool gone)
{
	uint64_t pkg;
	struct pmon_dev *d;
	unsigned int i;

	if (!pmon_bench_number(word[0], &pkg, out))
		return true;
	for (i = 0; (d = pmon_find_dev(pkg, i)); i++)
		d->gone = gone;
	return true;
}

/* remove PKG: devices of the package read all-ones, as if pulled out */
static bool remove_devices(char **word, GString *out)
{
	return set_gone(word, out, true);
}

static bool insert_devices(char **word, GString *out)
{
	return set_gone(word, out, false);
}

static const struct {
	const char *name;
	bool (*run)(char **word, GString *out);
} commands[] = {
	{ "d3", d3 },
	{ "remove", remove_devices }, { "insert", insert_devices },
};

/* Returns false for a command of another file. */
bool pmon_bench_devices(char **word, GString *out)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(word[0], commands[i].name))
			return commands[i].run(word + 1, out);
	}
	return false;
}
