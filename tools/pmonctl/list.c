// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl list: packages, boxes and domains, their drivers, and rejected units. */
#include <fnmatch.h>
#include <libgen.h>

#include "events.h"

/* By kind and PMU, so that rows of a kind are adjacent: hundreds of units have about 20 kinds. */
static int compare_units(const void *va, const void *vb)
{
	const struct unit *a = *(const struct unit *const *)va;
	const struct unit *b = *(const struct unit *const *)vb;
	int c = strverscmp(a->kind, b->kind);

	c = c ? c : strverscmp(a->pmu, b->pmu);
	c = c ? c : (a->id > b->id) - (a->id < b->id);
	return c ? c : (a->package > b->package) - (a->package < b->package);
}

/* A CXL memory device, a port, or a function without a driver, listed in this order. */
struct cxl_device {
	const char *kind;
	char *name, *address, *serial;	/* each may be NULL */
	long node;			/* of the memory; -1: not known, or none */
	long long size;			/* of the memory, in bytes; -1: not known, or none */
	struct cxl_shares shares;
	struct names pmus;		/* that serve it */
	struct cxl_unserved unserved;	/* CPMUs that nobody serves */
	long chmus;			/* Hotness Monitoring Units, from a file of its PMUs */
	bool lacks_cpmu;
};

struct cxl_devices {
	struct cxl_device *device;
	size_t count;
};

/* Names of events; skips their .scale and .unit. */
static struct names events_of(const char *pmu)
{
	struct names events = { .name = NULL };

	for_each_name(file, sysfs_entries(PMUS "/%s/events", pmu))
		if (is_event(file))
			append(events.name, events.count, xstrdup(file));
	return events;
}

/* Only openpmon's PMUs have the file `serial`. */
static const char *owner_of(const char *pmu)
{
	return sysfs_exists(PMUS "/%s/serial", pmu) ? "openpmon" : "cxl_pmu";
}

/* NULL for the serial number 0, which means none. */
static char *serial_of(const char *dir, const char *name)
{
	char *serial = sysfs_read("%s/%s/serial", dir, name);

	return serial && strcmp(serial, "0x0") ? serial : NULL;
}

/* Bytes of volatile and persistent memory of "mem0"; -1: not known. */
static long long memory_size(const char *memory)
{
	char *ram = sysfs_read(CXL_DEVICES "/%s/ram/size", memory);
	char *pmem = sysfs_read(CXL_DEVICES "/%s/pmem/size", memory);

	if (!ram && !pmem)
		return -1;
	return (ram ? strtoll(ram, NULL, 0) : 0) + (pmem ? strtoll(pmem, NULL, 0) : 0);
}

static void add_memory(struct cxl_devices *all)
{
	for_each_name(name, sysfs_children("mem", CXL_DEVICES)) {
		/* ".../0000:c1:00.0/mem0": the parent is the function. */
		char *link = sysfs_link(CXL_DEVICES "/%s", name);

		append(all->device, all->count, (struct cxl_device){
			.kind = "memory",
			.name = xstrdup(name),
			.address = link ? xstrdup(basename(dirname(link))) : NULL,
			.serial = serial_of(CXL_DEVICES, name),
			.node = cxl_memory_node(name),
			.size = memory_size(name),
			.shares = cxl_shares_of(name),
			.pmus = sysfs_children(xasprintf("cxl_pmu_%s.", name), PMUS),
		});
	}
}

/* Groups PMUs by the function to which their link `device` leads. */
static void add_others(struct cxl_devices *all, const char *kind, const char *stem)
{
	struct cxl_device *d = NULL;

	for_each_name(pmu, sysfs_children(stem, PMUS)) {
		char *address = sysfs_link_name(PMUS "/%s/device", pmu);

		if (!address)
			continue;
		if (!d || strcmp(d->address, address)) {
			append(all->device, all->count, (struct cxl_device){
				.kind = kind,
				.address = xstrdup(address),
				.serial = serial_of(PMUS, pmu),
				.node = -1,
				.size = -1,
			});
			d = &all->device[all->count - 1];
		}
		append(d->pmus.name, d->pmus.count, xstrdup(pmu));
	}
}

/* Finds which PMUs serve a device, and what else its CPMUs are. */
static void find_cpmus(struct cxl_device *d, const struct cxl_unserved *unserved)
{
	struct names pmus FREED = d->pmus;

	d->pmus = (struct names){ .name = NULL };
	d->lacks_cpmu = !pmus.count && d->address && !cxl_cpmus(d->address);
	for (size_t i = 0; i < pmus.count; i++) {
		if (d->chmus <= 0)
			d->chmus = sysfs_read_long(PMUS "/%s/chmus", pmus.name[i]);
		if (!cxl_unserved_why(unserved, pmus.name[i]))
			append(d->pmus.name, d->pmus.count, pmus.name[i]);
	}
	for_each_item(c, unserved->cpmu, unserved->count)
		if (d->address && !strcmp(c->function, d->address))
			append(d->unserved.cpmu, d->unserved.count, *c);
}

static void find_devices(struct cxl_devices *all)
{
	struct cxl_unserved unserved FREED = cxl_unserved_find();

	add_memory(all);
	/* Root or switch ports, and functions without a driver. */
	add_others(all, "port", "cxl_pmu_port_");
	add_others(all, "function", "cxl_pmu_pci_");
	for_each_item(d, all->device, all->count)
		find_cpmus(d, &unserved);
}

/* Families of event names. */
static const struct {
	const char *label, *names;
} families[] = {
	{ "clock", "clock_*" },
	{ "CXL.mem", "@(m2s|s2m)_*" },
	{ "CXL.cache", "@(d2h|h2d|cachedata)_*" },
	{ "DevLoad", "devload_*" },
	{ "DDR", "ddr_*" },
	{ "queues", "@(rd_queue|wr_queue|rd_wr_merged|mc)_*" },
	{ "retries", "retry_*" },
	{ "throttling", "@(thermal|power)_throttle_*" },
};

/* Adds a row for a PMU or, if @pmu is NULL, for counters without a driver. */
static void cxl_row(struct table *t, const struct cxl_device *d, const char *pmu,
		    const char *counts)
{
	struct names events FREED = { .name = NULL };
	struct text all = { NULL, 0 };

	if (pmu)
		events = events_of(pmu);
	for_each_in(family, families) {
		bool has = false;

		for_each_item(event, events.name, events.count)
			has |= !fnmatch(family->names, *event, FNM_EXTMATCH);
		if (has)
			text_add(&all, "%s%s", all.len ? ", " : "", family->label);
	}
	table_row(t, d->name ? d->name : d->kind, d->address, d->serial, NUMBER(d->node), pmu,
		  NUMBER(pmu ? (long)events.count : -1), pmu ? owner_of(pmu) : "nobody",
		  pmu ? all.s : counts);
}

/* The number of an HDM decoder, 0 for "decoder2.0"; -1: not known. */
static long hdm_of(const struct cxl_share *s)
{
	const char *number = strchr(s->decoder, '.');

	return number ? strtol(number + 1, NULL, 10) : -1;
}

/* Prints each device's regions, and the event term `hdm`, a mask that selects the decoder. */
static void cxl_print_regions(const struct cxl_devices *all)
{
	struct table t;

	table_start(&t, "CXL MEMORY, GiB,REGION, WAYS, POSITION,DECODER,TERM");
	for_each_item(d, all->device, all->count) {
		char *size = d->size < 0 ? NULL :
			xasprintf("%.4g", (double)d->size / (1 << 30));

		for_each_item(s, d->shares.share, d->shares.count)
			table_row(&t, d->name, size, s->region, NUMBER(s->ways),
				  NUMBER(s->position), s->decoder, hdm_of(s) < 0 ? NULL :
				  xasprintf("hdm=0x%llx", 1ULL << (hdm_of(s) & 63)));
		if (size && !d->shares.count)
			table_row(&t, d->name, size, NULL, NULL, NULL, NULL, NULL);
	}
	if (t.rows)
		print_empty_line();
	table_print(&t);
}

static void cxl_print(const struct cxl_devices *all)
{
	struct table t;

	table_start(&t, "CXL DEVICE,ADDRESS,?SERIAL,NODE,PMU,?EVENTS,DRIVEN BY,~COUNTS");
	for_each_item(d, all->device, all->count) {
		const struct cxl_unserved *u = &d->unserved;

		for_each_item(pmu, d->pmus.name, d->pmus.count)
			cxl_row(&t, d, *pmu, NULL);
		for_each_item(c, u->cpmu, u->count)
			cxl_row(&t, d, NULL, xasprintf("%s %s", c->pmu, c->why));
		if (!d->pmus.count && !u->count)
			cxl_row(&t, d, NULL, d->lacks_cpmu ? "no CPMU" : NULL);
		if (d->chmus > 0)
			cxl_row(&t, d, NULL, xasprintf("hot ranges (%ld CHMU)", d->chmus));
	}
	table_print(&t);
	cxl_print_regions(all);
}

static void cxl_json_lists(const struct cxl_device *d)
{
	const struct cxl_unserved *u = &d->unserved;

	if (u->count)
		json_list("unserved")
			for_each_item(c, u->cpmu, u->count)
				json_element("pmu %s why %s", c->pmu, c->why);
	if (d->shares.count)
		json_list("regions")
			for_each_item(s, d->shares.share, d->shares.count)
				json_element("region %s decoder %s ways %ld position %ld "
					     "hdm_decoder %ld", s->region, s->decoder, s->ways,
					     s->position, hdm_of(s));
	json_list("units")
		for_each_item(pmu, d->pmus.name, d->pmus.count)
			json_map(NULL) {
				json_members("pmu %s owner %s", *pmu, owner_of(*pmu));
				json_list("events")
					for_each_name(event, events_of(*pmu))
						json_text(NULL, event);
			}
}

static void cxl_json(const struct cxl_devices *all)
{
	json_list("cxl")
		for_each_item(d, all->device, all->count)
			json_map(NULL) {
				json_members("kind %s ?name %s address %s serial %s node %ld "
					     "size %ld chmus %ld", d->kind, d->name, d->address,
					     d->serial, d->node, (long)d->size,
					     d->chmus > 0 ? d->chmus : -1);
				if (d->lacks_cpmu)
					json_members("cpmu %d", false);
				cxl_json_lists(d);
			}
}

static size_t count_packages(const struct machine *m)
{
	size_t n = 0;
	long last = -1;

	/* Names are sorted, so devices of a package are adjacent. */
	for (size_t i = 0; i < (m->devices ? m->devices : m->domains); i++) {
		long package = m->devices ? m->device[i].package : m->domain[i].package;

		n += package != last;
		last = package;
	}
	return n;
}

static void print_summary(const struct machine *m)
{
	struct text t = { NULL, 0 };

	if (m->unread && !count_packages(m)) {
		print_line("What " CLASS_DIR " lists cannot be read.");
		return;
	}
	if (m->devices)
		text_add(&t, "Platform %s: ", m->device[0].platform);
	text_add(&t, "%s, %s", number_of(count_packages(m), "socket"), m->unread && !m->units ?
		 "boxes that cannot be read" : number_of(m->units, "box"));
	if (m->domains)
		text_add(&t, ", %s", number_of(m->domains, "performance-limit domain"));
	if (m->rejects)
		text_add(&t, ", %zu rejected", m->rejects);
	print_line("%s", t.s);
}

/* The PMUs of the kernel's driver for boxes of a kind, or "-". */
static char *kernels_pmus(const struct unit *u)
{
	char *named = xasprintf("uncore_%s_", u->name);
	const char *const stems[] = {
		named, xasprintf("uncore_type_%u_", u->type),
		!strcmp(u->name, "mdf") ? "uncore_mdf_sbo_" :
		!strcmp(u->name, "mchbm") ? "uncore_hbm_" : named,
	};

	for_each_in(stem, stems) {
		struct names pmus FREED = sysfs_children(*stem, PMUS);

		if (pmus.count)
			return join_cells((const char *const *)pmus.name, pmus.count, '{');
	}
	named[strlen(named) - 1] = '\0';
	return xstrdup(sysfs_exists(PMUS "/%s", named) ? named : "-");
}

static void print_units(const struct machine *m)
{
	struct unit **unit = xcalloc(m->units, sizeof(*unit));
	char *kernels = NULL;
	struct table t;

	for (size_t i = 0; i < m->units; i++)
		unit[i] = &m->unit[i];
	qsort(unit, m->units, sizeof(*unit), compare_units);
	print_empty_line();
	table_start(&t, "UNIT,?ID,SOCKET,?ACCESS,?COUNTERS,?BITS,PMU,DRIVEN BY");
	for (size_t i = 0; i < m->units; i++) {
		const struct unit *u = unit[i];
		bool foreign = !strcmp(u->pmu, "-") && strcmp(u->owner, "-");

		if (foreign && (!i || strcmp(u->kind, unit[i - 1]->kind)))
			kernels = kernels_pmus(u);
		table_row(&t, strcmp(u->name, "-") ? u->name : xasprintf("type %u", u->type),
			  NUMBER(u->id), u->package < 0 ? "?" : NUMBER(u->package), u->access,
			  u->counters, NUMBER(u->width), foreign ? kernels : u->pmu,
			  strcmp(u->owner, "-") ? u->owner : "nobody");
	}
	/* Sockets with the same box, then boxes with the same sockets. */
	table_join(&t, "  #     ");
	table_join(&t, " #    { ");
	table_print(&t);
}

static void print_rejects(const struct machine *m)
{
	print_empty_line();
	print_line("Rejected, and not touched:");
	for_each_item(r, m->reject, m->rejects)
		print_line("  socket %ld %s: %s = %s%s%s", m->device[r->device].package,
			   !strcmp(r->type, "-") ? "whole table" :
			   xasprintf("type %s id %s", r->type, r->id),
			   r->field, r->value, *r->reason ? ", " : "", r->reason);
}

static void print_domains(const struct machine *m)
{
	struct table t;

	print_empty_line();
	table_start(&t, "DOMAIN,SOCKET,ID,MODULES,~CPUS");
	for_each_item(d, m->domain, m->domains)
		table_row(&t, d->name, NUMBER(d->package), NUMBER(d->id),
			  NUMBER((long)d->modules), d->cpus);
	table_print(&t);
}

static void print_note(const char *text)
{
	print_empty_line();
	print_line_text(stdout, text);
}

static char *boxes_are(size_t count)
{
	return xasprintf("%s %s", number_of(count, "box"), count == 1 ? "is" : "are");
}

/* Prints the commands that let openpmon drive more boxes and show hidden limits. */
static void print_notes(const struct machine *m)
{
	struct owners o = machine_owners(m);
	struct remedy adopt = adopt_remedy("uncore", "hands them over");

	if (o.foreign)
		print_note(xasprintf("%s left to %s; %s.", boxes_are(o.foreign), o.driver,
				     remedy_text(remedy_now(adopt))));
	if (o.undriven)
		print_note(mode_text(xasprintf("%s listed but not driven", boxes_are(o.undriven)),
				     m->device[0].mode, "pmon_uncore"));
	if (m->tpmis && !m->domains)
		print_note(mode_text("Performance limits are not shown", m->tpmi[0].mode,
				     "pmon_plr"));
}

/* NULL for "-". */
static const char *known(const char *word)
{
	return strcmp(word, "-") ? word : NULL;
}

static void json_units(const struct machine *m, size_t device)
{
	json_list("units")
		for_each_item(u, m->unit, m->units)
			if (u->device == device)
				json_element("type %ld name %s id %ld access %s address %s "
					     "counters %s width %ld pmu %s owner %s",
					     (long)u->type, known(u->name), (long)u->id, u->access,
					     u->address, u->counters, (long)u->width,
					     known(u->pmu), known(u->owner));
}

static void json_devices(const struct machine *m)
{
	json_list("devices")
		for_each_item(d, m->device, m->devices)
			json_map(NULL) {
				json_members("name %s socket %ld owner %s mode %s platform %s "
					     "fingerprint %s ?error %s", d->name, d->package,
					     d->owner, d->mode, d->platform, d->fingerprint,
					     d->unread ? "unreadable" : NULL);
				if (!d->unread)
					json_units(m, (size_t)(d - m->device));
				json_rejected(m, (size_t)(d - m->device));
			}
}

static void json_domains(const struct machine *m)
{
	json_list("domains")
		for_each_item(d, m->domain, m->domains)
			json_map(NULL) {
				json_domain_members(d);
				json_list("modules")
					for_each_item(module, d->module, d->modules)
						json_number(NULL, *module);
			}
}

static void print_list(const struct machine *m, const struct cxl_devices *cxl,
		       const struct cpus *off)
{
	bool others = m->devices || m->domains || m->tpmis;

	if (others)
		print_summary(m);
	for_each_cpu(package, off)
		print_line("Socket %u: all of its CPUs are offline, its boxes are not counted.",
			   package);
	if (m->units)
		print_units(m);
	if (m->domains)
		print_domains(m);
	if (m->rejects)
		print_rejects(m);
	print_notes(m);
	if (others && cxl->count)
		print_empty_line();
	if (cxl->count)
		cxl_print(cxl);
	if (!others && !cxl->count)
		print_line("R2PCIe and QPI have no table; pmonctl doctor shows their driver");
}

enum status cmd_list(const struct options *opt)
{
	static struct cxl_devices cxl;
	struct machine m FREED_BY(machine_free) = { 0 };
	struct cpus off = packages_off();

	find_devices(&cxl);
	machine_read(&m);
	if (!m.devices && !m.domains && !m.tpmis && !cxl.count && !ring_is_present())
		return nothing_found(opt->json);
	if (opt->json) {
		json_document();
		json_devices(&m);
		json_list("tpmi")
			for_each_item(t, m.tpmi, m.tpmis)
				json_element("name %s socket %ld mode %s", t->name, t->package,
					     t->mode);
		json_domains(&m);
		cxl_json(&cxl);
		json_close();
	} else {
		print_list(&m, &cxl, &off);
	}
	return m.degraded || m.rejects || cpus_count(&off) ? STATUS_DEGRADED : STATUS_FINE;
}
