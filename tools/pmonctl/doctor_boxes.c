// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl doctor: the states of counter boxes. One file is a register read:
 * global_control, once for each table.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doctor_boxes.h"
#include "sysfs.h"

#define PCI_DIR "/sys/bus/pci/devices"
#define PMU_DIR "/sys/bus/event_source/devices"

#define TYPE_IMC 6

/* Whether bit 0 of the register freezes all boxes of the table now. */
static bool reads_frozen(const char *device)
{
	char *text = sysfs_read(CLASS_DIR "/%s/global_control", device);
	bool frozen = text && strtoull(text, NULL, 0) & 1;

	free(text);
	return frozen;
}

/* Who drives boxes of a table in openpmon's place, or NULL. */
static const char *other_owner(const struct machine *m, size_t device)
{
	for (size_t i = 0; i < m->units; i++)
		if (m->unit[i].device == device &&
		    strcmp(m->unit[i].owner, "-") &&
		    strcmp(m->unit[i].owner, "openpmon"))
			return m->unit[i].owner;
	return NULL;
}

static bool stays_frozen(void)
{
	char *text = sysfs_read("/sys/module/pmon_uncore/parameters/unfreeze");
	bool stays = text && (*text == 'N' || *text == '0');

	free(text);
	return stays;
}

/*
 * What the driver knows, and what the register says. Drivers without the file
 * never let boxes run.
 */
static void check_global(struct findings *f, const struct machine *m,
			 size_t index)
{
	const char *device = m->device[index].name;
	const char *other = other_owner(m, index);
	char *known = sysfs_read(CLASS_DIR "/%s/global", device);
	bool kept = known && !strcmp(known, "frozen");

	if (!kept && !reads_frozen(device))
		;
	else if (other)
		found(f, PROBLEM, device, "pmonctl adopt uncore", "all boxes of "
		      "this package are frozen by firmware; this kernel's %s "
		      "leaves them so: every count is 0", other);
	else if (kept || (known && stays_frozen()))
		found(f, PROBLEM, device, "load pmon_uncore without unfreeze=N",
		      "all boxes of this package are frozen by their global "
		      "control, and unfreeze=N keeps them so: no event can be "
		      "opened");
	else if (known && !strcmp(known, "unknown"))
		found(f, NOTE, device, "the first event that is opened lets "
		      "them run", "all boxes of this package are frozen by "
		      "their global control, as firmware left it");
	else
		found(f, PROBLEM, device, "something other than openpmon "
		      "has frozen all boxes of this package; see "
		      "troubleshooting", "every count is 0");
	free(known);
}

static bool is_imc(const char *type)
{
	return strtoul(type, NULL, 10) == TYPE_IMC;
}

/* Memory controllers whose addresses were not believed. */
static void check_refused(struct findings *f, const struct machine *m)
{
	const struct reject *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < m->rejects; i++) {
		const struct reject *r = &m->reject[i];

		if (!is_imc(r->type) || strcmp(r->field, "address"))
			continue;
		if (!first)
			first = r;
		n++;
	}
	if (n)
		found(f, PROBLEM, "memory", "see the reasons for a rejection "
		      "in troubleshooting, and report it with the file table",
		      "%zu memory controllers refused: address %s %s", n,
		      first->value, first->reason);
}

/* "a8000000-a87fffff : PCI Bus 0000:00"; users see zeroes only. */
static bool in_window(const char *iomem, uint64_t address, bool *readable)
{
	for (const char *line = iomem; line && *line;) {
		const char *end = strchr(line, '\n');
		size_t len = end ? (size_t)(end - line) : strlen(line);
		const char *bus = memmem(line, len, "PCI Bus", 7);
		char *rest;
		uint64_t first = strtoull(line, &rest, 16);
		uint64_t last = *rest == '-' ? strtoull(rest + 1, NULL, 16) : 0;

		*readable |= last;
		if (bus && last && address >= first && address <= last)
			return true;
		line = end ? end + 1 : NULL;
	}
	return false;
}

/* As on real servers: their memory controllers are in no window. */
static void check_gap(struct findings *f, const struct machine *m)
{
	char *iomem = sysfs_read("/proc/iomem");
	size_t in_gap = 0;
	bool readable = false;

	for (size_t i = 0; iomem && i < m->units; i++) {
		const struct unit *u = &m->unit[i];

		if (u->type == TYPE_IMC && !strcmp(u->access, "mmio") &&
		    !in_window(iomem, strtoull(u->address, NULL, 0), &readable))
			in_gap++;
	}
	if (in_gap && readable)
		found(f, FINE, "memory", NULL, "%zu memory controllers outside "
		      "all windows of host bridges, accepted", in_gap);
	free(iomem);
}

/* "0 3": a package, and how often its box was found changed; their sum. */
static unsigned long long sum_packages(const char *pmu, const char *file)
{
	char *text = sysfs_read(PMU_DIR "/%s/%s", pmu, file), *save, *line;
	unsigned long long n = 0, one;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		line = strchr(line, ' ');
		one = line ? strtoull(line, NULL, 10) : 0;
		n = n + one < n ? n : n + one;
	}
	free(text);
	return n;
}

/* As the last read of each found it. */
static void check_unresponsive(struct findings *f)
{
	struct names pmus = sysfs_entries(PMU_DIR);

	for (size_t i = 0; i < pmus.count; i++) {
		unsigned long long n = sum_packages(pmus.name[i],
						    "unresponsive");

		if (n)
			found(f, PROBLEM, pmus.name[i], "see \"no response\" in "
			      "troubleshooting", "%llu of its boxes %s not "
			      "respond (all ones) and %s not counted", n,
			      n == 1 ? "does" : "do", n == 1 ? "is" : "are");
	}
	names_free(&pmus);
}

static void check_disturbed(struct findings *f)
{
	struct names pmus = sysfs_entries(PMU_DIR);
	unsigned long long times = 0;
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < pmus.count; i++) {
		unsigned long long one = sum_packages(pmus.name[i],
						      "disturbed");

		if (!one)
			continue;
		if (!first)
			first = pmus.name[i];
		times += one;
		n++;
	}
	if (n)
		found(f, NOTE, first, "find the other program (pcm, emon, one "
		      "that writes MSRs) and let one of the two count",
		      "counters or controls changed or reset by something "
		      "else, %llu times in the boxes of %zu %s", times, n,
		      n == 1 ? "PMU" : "PMUs");
	names_free(&pmus);
}

/* "0000:80:1e.3" from the encoding of the table. */
static void add_function(struct text *t, const char *address)
{
	uint64_t a = strtoull(address, NULL, 0);

	text_add(t, "%04x:%02x:%02x.%x", (unsigned int)(a >> 28 & 7),
		 (unsigned int)(a >> 20 & 0xff), (unsigned int)(a >> 15 & 0x1f),
		 (unsigned int)(a >> 12 & 7));
}

/* Why the boxes of a function do not count, or NULL. */
static const char *function_away(const char *function)
{
	char *power = sysfs_read(PCI_DIR "/%s/power_state", function);
	struct text dir = { NULL, 0 };
	const char *why = NULL;

	text_add(&dir, PCI_DIR "/%s", function);
	if (!sysfs_exists(dir.s))
		why = "is gone";
	else if (power && !strncmp(power, "D3", 2))
		why = "sleeps";
	text_free(&dir);
	free(power);
	return why;
}

/* Boxes of a function stand together in the table, mostly. */
static void check_away(struct findings *f, const struct machine *m)
{
	char *last = NULL;

	for (size_t i = 0; i < m->units; i++) {
		struct text function = { NULL, 0 };
		const char *why = NULL;

		if (strcmp(m->unit[i].access, "pci"))
			continue;
		add_function(&function, m->unit[i].address);
		if (!last || strcmp(last, function.s))
			why = function_away(function.s);
		if (why)
			found(f, PROBLEM, function.s, "openpmon does not wake "
			      "it; what was open goes on when it is back",
			      "the function of %s %s: its boxes do not count",
			      m->unit[i].pmu, why);
		free(last);
		last = function.s;
	}
	free(last);
}

/* What no public source says is taken for granted, and can be changed. */
static void check_controls(struct findings *f, const struct machine *m)
{
	char *bytes;

	if (!m->devices || !m->device[0].platform ||
	    strcmp(m->device[0].platform, "dmr"))
		return;
	bytes = sysfs_read("/sys/module/pmon_uncore/parameters/controls");
	if (bytes)
		found(f, FINE, "controls", NULL, "event controls in memory are "
		      "taken to be %s bytes apart, which no public source "
		      "says; if one event of a box counts and four do not, or "
		      "units are rejected, load pmon_uncore with controls=%s",
		      bytes, strcmp(bytes, "8") ? "8" : "4");
	free(bytes);
}

void doctor_boxes(struct findings *f, const struct machine *m)
{
	check_controls(f, m);
	for (size_t i = 0; i < m->devices; i++)
		check_global(f, m, i);
	check_refused(f, m);
	check_gap(f, m);
	check_unresponsive(f);
	check_disturbed(f);
	if (sysfs_exists(PCI_DIR))
		check_away(f, m);
}
