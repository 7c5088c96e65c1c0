// SPDX-License-Identifier: GPL-2.0-only
/* CXL devices and ports, and their performance monitoring units. */
#include "cxl.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "table.h"

#define DEVICES "/sys/bus/cxl/devices"
#define PMUS "/sys/bus/event_source/devices"
#define NO_SERIAL "0x0"

/* What PMUs of functions without a number are named before the PCI address. */
static const struct {
	const char *word, *stem;
} kinds[CXL_KINDS] = {
	[CXL_MEMORY] = { "memory", NULL },
	[CXL_PORT] = { "port", "cxl_pmu_port_" },
	[CXL_FUNCTION] = { "function", "cxl_pmu_pci_" },
};

/* The PCI address of the function that a PMU is of. */
static char *linked_device(const char *pmu)
{
	return sysfs_link_name(PMUS "/%s/device", pmu);
}

/* ".../0000:c1:00.0/mem0" is where the memory device of that function is. */
static char *address_of(const char *name)
{
	char *link = sysfs_link(DEVICES "/%s", name), *end, *begin;

	if (!link)
		return NULL;
	end = strrchr(link, '/');
	if (!end) {
		free(link);
		return NULL;
	}
	*end = '\0';
	begin = strrchr(link, '/');
	begin = xstrdup(begin ? begin + 1 : link);
	free(link);
	return begin;
}

/* The names of events, without what says their scales and units. */
static struct names events_of(const char *pmu)
{
	struct names all = sysfs_entries(PMUS "/%s/events", pmu);
	size_t kept = 0;

	for (size_t i = 0; i < all.count; i++)
		if (strchr(all.name[i], '.'))
			free(all.name[i]);
		else
			all.name[kept++] = all.name[i];
	all.count = kept;
	return all;
}

/* Only openpmon's PMUs say which device they are of. */
static bool is_ours(const char *pmu)
{
	char *device = sysfs_read(PMUS "/%s/serial", pmu);
	bool ours = device;

	free(device);
	return ours;
}

static long chmus_of(const char *pmu)
{
	char *text = sysfs_read(PMUS "/%s/chmus", pmu);
	long chmus = text ? strtol(text, NULL, 10) : 0;

	free(text);
	return chmus;
}

static void add_cpmu(struct cxl_device *d, const char *pmu)
{
	long chmus = chmus_of(pmu);

	if (chmus > 0)
		d->chmus = chmus;
	d->cpmu = xrealloc(d->cpmu, (d->cpmus + 1) * sizeof(*d->cpmu));
	d->cpmu[d->cpmus++] = (struct cpmu){
		.pmu = xstrdup(pmu),
		.events = events_of(pmu),
		.ours = is_ours(pmu),
	};
}

static void add_cpmus(struct cxl_device *d)
{
	char *prefix = path_of("cxl_pmu_%s.", d->name);
	struct names pmus = sysfs_children(prefix, PMUS);

	free(prefix);
	for (size_t i = 0; i < pmus.count; i++)
		add_cpmu(d, pmus.name[i]);
	names_free(&pmus);
}

static struct cxl_device *add_device(struct cxl_devices *all, enum cxl_kind kind)
{
	struct cxl_device *d;

	all->device = xrealloc(all->device,
			       (all->count + 1) * sizeof(*all->device));
	d = &all->device[all->count++];
	*d = (struct cxl_device){ .kind = kind };
	return d;
}

/* One that has none says 0. */
static char *serial_of(const char *dir, const char *name)
{
	char *serial = sysfs_read("%s/%s/serial", dir, name);

	if (!serial || strcmp(serial, NO_SERIAL))
		return serial;
	free(serial);
	return NULL;
}

static void add_memory(struct cxl_devices *all)
{
	struct names names = sysfs_children("mem", DEVICES);

	for (size_t i = 0; i < names.count; i++) {
		struct cxl_device *d = add_device(all, CXL_MEMORY);

		d->name = xstrdup(names.name[i]);
		d->address = address_of(names.name[i]);
		d->serial = serial_of(DEVICES, names.name[i]);
		add_cpmus(d);
	}
	names_free(&names);
}

/* By the address that their PMUs say; those of one function stand together. */
static void add_others(struct cxl_devices *all, enum cxl_kind kind)
{
	struct names pmus = sysfs_children(kinds[kind].stem, PMUS);
	struct cxl_device *d = NULL;

	for (size_t i = 0; i < pmus.count; i++) {
		char *address = linked_device(pmus.name[i]);

		if (address && (!d || strcmp(d->address, address))) {
			d = add_device(all, kind);
			d->name = xstrdup(kinds[kind].word);
			d->address = xstrdup(address);
			d->serial = serial_of(PMUS, pmus.name[i]);
		}
		if (address)
			add_cpmu(d, pmus.name[i]);
		free(address);
	}
	names_free(&pmus);
}

struct cxl_devices cxl_read(void)
{
	struct cxl_devices all = { NULL, 0 };

	add_memory(&all);
	add_others(&all, CXL_PORT);
	add_others(&all, CXL_FUNCTION);
	return all;
}

void cxl_free(struct cxl_devices *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct cxl_device *d = &all->device[i];

		for (size_t j = 0; j < d->cpmus; j++) {
			free(d->cpmu[j].pmu);
			names_free(&d->cpmu[j].events);
		}
		free(d->cpmu);
		free(d->name);
		free(d->address);
		free(d->serial);
	}
	free(all->device);
}

/* What events of such names are of. */
static const struct {
	const char *begin, *what;
} families[] = {
	{ "clock_", "clock" },
	{ "m2s_", "CXL.mem" }, { "s2m_", "CXL.mem" },
	{ "d2h_", "CXL.cache" }, { "h2d_", "CXL.cache" },
	{ "cachedata_", "CXL.cache" },
	{ "devload_", "DevLoad" },
	{ "ddr_", "DDR" },
	{ "rd_queue_", "queues" }, { "wr_queue_", "queues" },
	{ "rd_wr_merged_", "queues" }, { "mc_", "queues" },
	{ "retry_", "retries" },
	{ "thermal_throttle_", "throttling" },
	{ "power_throttle_", "throttling" },
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

static bool has_event(const struct names *events, const char *begin)
{
	for (size_t i = 0; i < events->count; i++)
		if (!strncmp(events->name[i], begin, strlen(begin)))
			return true;
	return false;
}

/* Each once, in the order of the table, which has those of a kind together. */
static void counts_cell(struct table *t, const struct names *events)
{
	struct text s = { NULL, 0 };
	const char *last = "";

	for (size_t i = 0; i < FAMILIES; i++) {
		if (!strcmp(families[i].what, last) ||
		    !has_event(events, families[i].begin))
			continue;
		last = families[i].what;
		text_add(&s, "%s%s", s.len ? ", " : "", last);
	}
	table_cell(t, "%s", s.len ? s.s : "-");
	text_free(&s);
}

static void device_cells(struct table *t, const struct cxl_device *d)
{
	table_cell(t, "%s", d->name);
	table_cell(t, "%s", d->address ? d->address : "-");
	table_cell(t, "%s", d->serial ? d->serial : "-");
}

static void print_device(struct table *t, const struct cxl_device *d)
{
	if (!d->cpmus) {
		device_cells(t, d);
		table_cell(t, "-");
		table_cell(t, "-");
		table_cell(t, "nobody");
		table_cell(t, "-");
	}
	for (size_t i = 0; i < d->cpmus; i++) {
		const struct cpmu *p = &d->cpmu[i];

		device_cells(t, d);
		table_cell(t, "%s", p->pmu);
		table_cell(t, "%zu", p->events.count);
		table_cell(t, "%s", p->ours ? "openpmon" : "cxl_pmu");
		counts_cell(t, &p->events);
	}
	if (d->chmus > 0) {
		device_cells(t, d);
		table_cell(t, "-");
		table_cell(t, "-");
		table_cell(t, "nobody");
		table_cell(t, "hot ranges (%ld CHMU)", d->chmus);
	}
}

void cxl_print(const struct cxl_devices *all)
{
	static const char *const head[] = {
		"CXL DEVICE", "ADDRESS", "SERIAL", "PMU", "EVENTS",
		"DRIVEN BY", "COUNTS", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < all->count; i++)
		print_device(&t, &all->device[i]);
	table_print(&t);
}

static void json_cpmu(const struct cpmu *p)
{
	json_open(NULL, '{');
	json_text("pmu", p->pmu);
	json_text("owner", p->ours ? "openpmon" : "cxl_pmu");
	json_open("events", '[');
	for (size_t i = 0; i < p->events.count; i++)
		json_text(NULL, p->events.name[i]);
	json_close(']');
	json_close('}');
}

void cxl_json(const struct cxl_devices *all)
{
	json_open("cxl", '[');
	for (size_t i = 0; i < all->count; i++) {
		const struct cxl_device *d = &all->device[i];

		json_open(NULL, '{');
		json_text("kind", kinds[d->kind].word);
		if (d->kind == CXL_MEMORY)
			json_text("name", d->name);
		json_text("address", d->address);
		json_text("serial", d->serial);
		if (d->chmus > 0)
			json_number("chmus", d->chmus);
		json_open("units", '[');
		for (size_t j = 0; j < d->cpmus; j++)
			json_cpmu(&d->cpmu[j]);
		json_close(']');
		json_close('}');
	}
	json_close(']');
}
