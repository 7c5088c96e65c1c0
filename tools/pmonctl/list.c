// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "discovery.h"
#include "hardware.h"
#include "files.h"
#include "output.h"
#include "pmonctl.h"
#include "present.h"

/*
 * Units that differ in their id alone share a row: a server has hundreds of
 * units and about twenty kinds.
 */
struct row {
	const struct unit *unit;	/* the first; all are alike */
	unsigned int *package, *id, *number;	/* ascending; number: of the PMU */
	size_t packages, ids;
};

struct rows {
	struct row *row;
	size_t count;
};

/* Everything but the PMU's number, the id and the package. */
static int compare_kind(const struct unit *a, const struct unit *b)
{
	int c = (a->type > b->type) - (a->type < b->type);

	if (!c)
		c = (a->width > b->width) - (a->width < b->width);
	if (!c)
		c = strverscmp(a->name, b->name);
	if (!c)
		c = strverscmp(a->access, b->access);
	if (!c)
		c = strverscmp(a->counters, b->counters);
	return c ? c : strverscmp(a->owner, b->owner);
}

/* The same in several packages. */
static int compare_unit(const struct unit *a, const struct unit *b)
{
	int c = compare_kind(a, b);

	if (!c)
		c = strverscmp(a->pmu, b->pmu);
	return c ? c : (a->id > b->id) - (a->id < b->id);
}

static const struct device *devices;	/* qsort() has no context argument */

static int compare_units(const void *va, const void *vb)
{
	const struct unit *a = *(const struct unit *const *)va;
	const struct unit *b = *(const struct unit *const *)vb;
	long x = devices[a->device].package, y = devices[b->device].package;
	int c = compare_unit(a, b);

	return c ? c : (x > y) - (x < y);
}

static unsigned int *with(unsigned int *v, size_t n, unsigned long value)
{
	v = xrealloc(v, (n + 1) * sizeof(*v));
	v[n] = (unsigned int)value;
	return v;
}

/* Does the row's unit, in these packages, differ from those of another in its id? */
static bool joins(const struct row *a, const struct row *b)
{
	const char *x = a->unit->pmu, *y = b->unit->pmu;
	size_t stem = name_stem(x);

	return !compare_kind(a->unit, b->unit) && a->packages == b->packages &&
	       !memcmp(a->package, b->package, a->packages * sizeof(*a->package)) &&
	       stem == name_stem(y) && !strncmp(x, y, stem) && !x[stem] == !y[stem];
}

static void row_free(struct row *r)
{
	free(r->package);
	free(r->id);
	free(r->number);
}

/* Units of unequal packages alternate, so look further than one back. */
static void add_row(struct rows *rows, struct row *r)
{
	struct row *to = NULL;

	for (size_t i = rows->count; i-- && !to;)
		if (compare_kind(rows->row[i].unit, r->unit))
			break;
		else if (joins(&rows->row[i], r))
			to = &rows->row[i];
	if (!to) {
		append(rows->row, rows->count, *r);
		return;
	}
	to->id = with(to->id, to->ids, *r->id);
	to->number = with(to->number, to->ids++, *r->number);
	row_free(r);
}

static struct rows rows_of(const struct machine *m)
{
	struct unit **unit FREED = xrealloc(NULL, (m->units + 1) * sizeof(*unit));
	struct rows rows = { NULL, 0 };

	for (size_t i = 0; i < m->units; i++)
		unit[i] = &m->unit[i];
	devices = m->device;
	qsort(unit, m->units, sizeof(*unit), compare_units);
	for (size_t i = 0; i < m->units;) {
		const struct unit *u = unit[i];
		struct row r = { .unit = u, .ids = 1 };

		for (; i < m->units && !compare_unit(u, unit[i]); i++)
			r.package = with(r.package, r.packages++,
					 (unsigned long)devices[unit[i]->device].package);
		r.id = with(NULL, 0, u->id);
		r.number = with(NULL, 0, strtoul(u->pmu + name_stem(u->pmu), NULL, 10));
		add_row(&rows, &r);
	}
	return rows;
}

static void rows_free(struct rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		row_free(&r->row[i]);
	free(r->row);
}

/* CXL devices and ports, and their performance monitoring units. */

/* A performance monitoring unit of a CXL memory device that has a PMU. */
struct cpmu {
	char *pmu;
	struct names events;
	bool ours;		/* else it is the kernel's cxl_pmu that has it */
};

enum cxl_kind {
	CXL_MEMORY,
	CXL_PORT,		/* a root port, or one of a switch */
	CXL_FUNCTION,		/* another function, which no driver has */
	CXL_KINDS,
};

/*
 * CXL memory devices in the order of their numbers, then ports and functions
 * without a driver that have a PMU, in that of their addresses.
 */
struct cxl_device {
	enum cxl_kind kind;
	char *name, *address, *serial;	/* the last two may be NULL */
	long chmus;		/* monitors of hot ranges, which nobody drives */
	struct cpmu *cpmu;
	size_t cpmus;
};

struct cxl_devices {
	struct cxl_device *device;
	size_t count;
};

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

/* ".../0000:c1:00.0/mem0" is where the memory device of that function is. */
static char *address_of(const char *name)
{
	char *link FREED = sysfs_link(DEVICES "/%s", name);
	char *end = link ? strrchr(link, '/') : NULL, *begin;

	if (!end)
		return NULL;
	*end = '\0';
	begin = strrchr(link, '/');
	return xstrdup(begin ? begin + 1 : link);
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

static void add_cpmu(struct cxl_device *d, const char *pmu)
{
	long chmus = sysfs_read_long(PMUS "/%s/chmus", pmu);

	if (chmus > 0)
		d->chmus = chmus;
	append(d->cpmu, d->cpmus, (struct cpmu){
		.pmu = xstrdup(pmu),
		.events = events_of(pmu),
		/* Only openpmon's PMUs say which device they are of. */
		.ours = sysfs_exists(PMUS "/%s/serial", pmu),
	});
}

static void add_cpmus(struct cxl_device *d)
{
	char *prefix FREED = xasprintf("cxl_pmu_%s.", d->name);
	struct names pmus FREED_BY(names_free) = sysfs_children(prefix, PMUS);

	for (size_t i = 0; i < pmus.count; i++)
		add_cpmu(d, pmus.name[i]);
}

static struct cxl_device *add_device(struct cxl_devices *all, enum cxl_kind kind)
{
	append(all->device, all->count, (struct cxl_device){ .kind = kind });
	return &all->device[all->count - 1];
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
	struct names names FREED_BY(names_free) = sysfs_children("mem", DEVICES);

	for (size_t i = 0; i < names.count; i++) {
		struct cxl_device *d = add_device(all, CXL_MEMORY);

		d->name = xstrdup(names.name[i]);
		d->address = address_of(names.name[i]);
		d->serial = serial_of(DEVICES, names.name[i]);
		add_cpmus(d);
	}
}

/* By the address that their PMUs say; those of one function stand together. */
static void add_others(struct cxl_devices *all, enum cxl_kind kind)
{
	struct names pmus FREED_BY(names_free) = sysfs_children(kinds[kind].stem, PMUS);
	struct cxl_device *d = NULL;

	for (size_t i = 0; i < pmus.count; i++) {
		char *address FREED = sysfs_link_name(PMUS "/%s/device", pmus.name[i]);

		if (address && (!d || strcmp(d->address, address))) {
			d = add_device(all, kind);
			d->name = xstrdup(kinds[kind].word);
			d->address = xstrdup(address);
			d->serial = serial_of(PMUS, pmus.name[i]);
		}
		if (address)
			add_cpmu(d, pmus.name[i]);
	}
}

static struct cxl_devices cxl_read(void)
{
	struct cxl_devices all = { NULL, 0 };

	add_memory(&all);
	add_others(&all, CXL_PORT);
	add_others(&all, CXL_FUNCTION);
	return all;
}

static void cxl_free(struct cxl_devices *all)
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
	struct text s FREED_BY(text_free) = { NULL, 0 };
	const char *last = "";

	for (size_t i = 0; i < FAMILIES; i++) {
		if (!strcmp(families[i].what, last) ||
		    !has_event(events, families[i].begin))
			continue;
		last = families[i].what;
		text_add(&s, "%s%s", s.len ? ", " : "", last);
	}
	table_cell(t, "%s", s.len ? s.s : "-");
}

static void device_cells(struct table *t, const struct cxl_device *d)
{
	table_cell(t, "%s", d->name);
	table_cell(t, "%s", d->address ? d->address : "-");
	table_cell(t, "%s", d->serial ? d->serial : "-");
}

static void undriven_cells(struct table *t, const struct cxl_device *d, long chmus)
{
	device_cells(t, d);
	table_cell(t, "-");
	table_cell(t, "-");
	table_cell(t, "nobody");
	if (chmus)
		table_cell(t, "hot ranges (%ld CHMU)", chmus);
	else
		table_cell(t, "-");
}

static void print_device(struct table *t, const struct cxl_device *d)
{
	if (!d->cpmus)
		undriven_cells(t, d, 0);
	for (size_t i = 0; i < d->cpmus; i++) {
		const struct cpmu *p = &d->cpmu[i];

		device_cells(t, d);
		table_cell(t, "%s", p->pmu);
		table_cell(t, "%zu", p->events.count);
		table_cell(t, "%s", p->ours ? "openpmon" : "cxl_pmu");
		counts_cell(t, &p->events);
	}
	if (d->chmus > 0)
		undriven_cells(t, d, d->chmus);
}

static void cxl_print(const struct cxl_devices *all)
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

static void cxl_json(const struct cxl_devices *all)
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

/*
 * pmonctl list: which packages, boxes and domains there are, which driver has
 * them and what was rejected.
 */

static void add_count(struct text *t, size_t n, const char *one,
		      const char *several)
{
	text_add(t, "%s%zu %s", t->len ? ", " : "", n, n == 1 ? one : several);
}

static size_t count_packages(const struct machine *m)
{
	size_t n = 0;
	long last = -1;

	/* Names are sorted, so devices of one package stand together. */
	for (size_t i = 0; i < (m->devices ? m->devices : m->domains); i++) {
		long package = m->devices ? m->device[i].package : m->domain[i].package;

		n += package != last;
		last = package;
	}
	return n;
}

static void print_summary(const struct machine *m)
{
	struct text t FREED_BY(text_free) = { NULL, 0 };
	bool platform = m->devices;

	if (m->unread && !count_packages(m)) {
		say("What " CLASS_DIR " lists cannot be read.");
		return;
	}
	add_count(&t, count_packages(m), "package", "packages");
	if (m->unread && !m->units)
		text_add(&t, ", boxes that cannot be read");
	else
		add_count(&t, m->units, "box", "boxes");
	if (m->domains)
		add_count(&t, m->domains, "performance-limit domain",
			  "performance-limit domains");
	if (m->rejects)
		text_add(&t, ", %zu rejected", m->rejects);
	say("%s%s%s%s", platform ? "Platform " : "",
	    platform ? m->device[0].platform : "", platform ? ": " : "", t.s);
}

/* "uncore_imc_{0..11}" is also what a shell expands to the names. */
static void pmu_cell(struct table *t, const struct row *r)
{
	const char *pmu = r->unit->pmu;
	size_t last = r->ids - 1;
	struct text s FREED_BY(text_free) = { NULL, 0 };

	text_add(&s, "%.*s", last ? (int)name_stem(pmu) : -1, pmu);
	if (last && r->number[last] - r->number[0] == last) {
		text_add(&s, "{%u..%u}", r->number[0], r->number[last]);
	} else if (last && pmu[name_stem(pmu)]) {
		for (size_t i = 0; i <= last; i++)
			text_add(&s, "%s%u", i ? "," : "{", r->number[i]);
		text_add(&s, "}");
	}
	table_cell(t, "%s", s.s);
}

static void ranges_cell(struct table *t, const unsigned int *v, size_t n)
{
	struct text s FREED_BY(text_free) = { NULL, 0 };

	text_add_ranges(&s, v, n);
	table_cell(t, "%s", s.s);
}

static void print_row(struct table *t, const struct machine *m, const struct row *r)
{
	if (!strcmp(r->unit->name, "-"))
		table_cell(t, "type %u", r->unit->type);
	else
		table_cell(t, "%s", r->unit->name);
	ranges_cell(t, r->id, r->ids);
	if (m->device[r->unit->device].package < 0)
		table_cell(t, "?");
	else
		ranges_cell(t, r->package, r->packages);
	table_cell(t, "%s", r->unit->access);
	table_cell(t, "%s", r->unit->counters);
	table_cell(t, "%u", r->unit->width);
	pmu_cell(t, r);
	table_cell(t, "%s", strcmp(r->unit->owner, "-") ? r->unit->owner :
							  "nobody");
}

static void print_units(const struct machine *m)
{
	static const char *const head[] = {
		"UNIT", "ID", "PACKAGE", "ACCESS", "COUNTERS", "BITS", "PMU",
		"DRIVEN BY", NULL
	};
	struct rows rows FREED_BY(rows_free) = rows_of(m);
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < rows.count; i++)
		print_row(&t, m, &rows.row[i]);
	table_print(&t);
}

static void print_rejects(const struct machine *m)
{
	say_nothing();
	say("Rejected, and not touched:");
	for (size_t i = 0; i < m->rejects; i++) {
		const struct reject *r = &m->reject[i];
		struct text what FREED_BY(text_free) = { NULL, 0 };

		if (strcmp(r->type, "-"))
			text_add(&what, "type %s id %s", r->type, r->id);
		else
			text_add(&what, "whole table");
		say("  package %ld %s: %s = %s%s%s",
		    m->device[r->device].package, what.s, r->field, r->value,
		    *r->reason ? ", " : "", r->reason);
	}
}

static void print_domains(const struct machine *m)
{
	static const char *const head[] = {
		"DOMAIN", "PACKAGE", "ID", "MODULES", "CPUS", NULL
	};
	struct table t;

	table_start_headed(&t, head);
	for (size_t i = 0; i < m->domains; i++) {
		const struct domain *d = &m->domain[i];

		table_cell(&t, "%s", d->name);
		table_cell(&t, "%ld", d->package);
		table_cell(&t, "%ld", d->id);
		table_cell(&t, "%zu", d->modules);
		table_cell(&t, "%s", d->cpus);
	}
	table_print(&t);
}

/* What is not there because of a mode, and what brings it all the same. */
static void say_mode(const char *what, const char *mode, const char *module)
{
	struct text command FREED_BY(text_free) = { NULL, 0 };

	mode_add_command(&command, mode, module);
	say_nothing();
	say("%s: %s; try: %s", what, mode_meaning(mode), command.s);
}

/*
 * Boxes of other drivers are no fault; say which driver has them and how to
 * change it.
 */
static void print_notes(const struct machine *m)
{
	struct owners o = machine_owners(m);
	char *listed FREED = xasprintf("%zu %s listed but not driven", o.undriven,
				       o.undriven == 1 ? "box is" : "boxes are");

	if (o.foreign) {
		say_nothing();
		say("%zu %s left to %s, which was there first.", o.foreign,
		    o.foreign == 1 ? "box is" : "boxes are", o.driver);
	}
	if (o.undriven)
		say_mode(listed, m->device[0].mode, "pmon_uncore");
	if (m->tpmis && !m->domains)
		say_mode("Performance limits are not shown", m->tpmi[0].mode, "pmon_plr");
}

static void json_units(const struct machine *m, size_t device)
{
	if (m->device[device].unread)
		return;
	json_open("units", '[');
	for (size_t i = 0; i < m->units; i++) {
		const struct unit *u = &m->unit[i];

		if (u->device != device)
			continue;
		json_open(NULL, '{');
		json_number("type", u->type);
		json_text("name", strcmp(u->name, "-") ? u->name : NULL);
		json_number("id", u->id);
		json_text("access", u->access);
		json_text("address", u->address);
		json_text("counters", u->counters);
		json_number("width", u->width);
		json_text("pmu", strcmp(u->pmu, "-") ? u->pmu : NULL);
		json_text("owner", strcmp(u->owner, "-") ? u->owner : NULL);
		json_close('}');
	}
	json_close(']');
}

/* What a device's table has and is not used. */
static void json_rejected(const struct machine *m, size_t device)
{
	json_open("rejected", '[');
	for (size_t i = 0; i < m->rejects; i++) {
		const struct reject *r = &m->reject[i];

		if (r->device != device)
			continue;
		json_open(NULL, '{');
		json_text("type", r->type);
		json_text("id", r->id);
		json_text("field", r->field);
		json_text("value", r->value);
		json_text("reason", r->reason);
		json_close('}');
	}
	json_close(']');
}

static void json_devices(const struct machine *m)
{
	json_open("devices", '[');
	for (size_t i = 0; i < m->devices; i++) {
		const struct device *d = &m->device[i];

		json_open(NULL, '{');
		json_text("name", d->name);
		json_number("package", d->package);
		json_text("owner", d->owner);
		json_text("mode", d->mode);
		json_text("platform", d->platform);
		json_text("fingerprint", d->fingerprint);
		if (d->unread)
			json_text("error", "unreadable");
		json_units(m, i);
		json_rejected(m, i);
		json_close('}');
	}
	json_close(']');
}

static void json_tpmis(const struct machine *m)
{
	json_open("tpmi", '[');
	for (size_t i = 0; i < m->tpmis; i++) {
		json_open(NULL, '{');
		json_text("name", m->tpmi[i].name);
		json_number("package", m->tpmi[i].package);
		json_text("mode", m->tpmi[i].mode);
		json_close('}');
	}
	json_close(']');
}

static void json_domains(const struct machine *m)
{
	json_open("domains", '[');
	for (size_t i = 0; i < m->domains; i++) {
		const struct domain *d = &m->domain[i];

		json_domain_head(d);
		json_open("modules", '[');
		for (size_t j = 0; j < d->modules; j++)
			json_number(NULL, d->module[j]);
		json_close(']');
		json_close('}');
	}
	json_close(']');
}

static void json_list(const struct machine *m, const struct cxl_devices *cxl)
{
	json_document();
	json_devices(m);
	json_tpmis(m);
	json_domains(m);
	cxl_json(cxl);
	json_close('}');
}

static void print_tables(const struct machine *m, const struct cxl_devices *cxl)
{
	if (m->units)
		print_units(m);
	if (m->domains)
		print_domains(m);
	if (cxl->count)
		cxl_print(cxl);
}

static void print_list(const struct machine *m, const struct cxl_devices *cxl)
{
	bool others = m->devices || m->domains || m->tpmis;

	if (others)
		print_summary(m);
	if (m->units) {
		say_nothing();
		print_units(m);
	}
	if (m->domains) {
		say_nothing();
		print_domains(m);
	}
	if (m->rejects)
		print_rejects(m);
	print_notes(m);
	if (others && cxl->count)
		say_nothing();
	if (cxl->count)
		cxl_print(cxl);
	if (!others && !cxl->count)
		say("R2PCIe and QPI have no table; who drives them: pmonctl doctor");
}

enum status cmd_list(const struct options *opt)
{
	struct cxl_devices cxl FREED_BY(cxl_free) = cxl_read();
	struct machine m FREED_BY(machine_free) = { 0 };

	machine_read(&m);
	if (!m.devices && !m.domains && !m.tpmis && !cxl.count && !ring_is_present())
		return nothing_found(opt->json);
	if (opt->json)
		json_list(&m, &cxl);
	else if (opt->output)
		print_tables(&m, &cxl);
	else
		print_list(&m, &cxl);
	return m.degraded || m.rejects ? STATUS_DEGRADED : STATUS_FINE;
}
