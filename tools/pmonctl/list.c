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
	struct names pmus;
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

/* The number of CXL Hotness Monitoring Units, from the file `chmus` of a PMU. */
static long chmus_of(const struct cxl_device *d)
{
	long chmus = 0;

	for (size_t i = 0; i < d->pmus.count && chmus <= 0; i++)
		chmus = sysfs_read_long(PMUS "/%s/chmus", d->pmus.name[i]);
	return chmus;
}

/* NULL for the serial number 0, which means none. */
static char *serial_of(const char *dir, const char *name)
{
	char *serial = sysfs_read("%s/%s/serial", dir, name);

	return serial && strcmp(serial, "0x0") ? serial : NULL;
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
			.size = cxl_memory_size(name),
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
	for (size_t i = 0, n; i < sizeof(families) / sizeof(*families); i++) {
		for (n = 0; n < events.count && fnmatch(families[i].names, events.name[n],
							FNM_EXTMATCH);)
			n++;
		if (n < events.count)
			text_add(&all, "%s%s", all.len ? ", " : "", families[i].label);
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
	for (const struct cxl_device *d = all->device; d < all->device + all->count; d++) {
		char *size = d->size < 0 ? NULL :
			xasprintf("%.4g", (double)d->size / (1 << 30));

		for (const struct cxl_share *s = d->shares.share;
		     s < d->shares.share + d->shares.count; s++)
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
	struct cxl_unserved unserved FREED = cxl_unserved_find();
	struct table t;

	table_start(&t, "CXL DEVICE,ADDRESS,?SERIAL,NODE,PMU,?EVENTS,DRIVEN BY,~COUNTS");
	for (const struct cxl_device *d = all->device; d < all->device + all->count; d++) {
		long chmus = chmus_of(d);
		size_t served = 0;

		for (size_t i = 0; i < d->pmus.count; i++) {
			served += !cxl_unserved_why(&unserved, d->pmus.name[i]);
			if (!cxl_unserved_why(&unserved, d->pmus.name[i]))
				cxl_row(&t, d, d->pmus.name[i], NULL);
		}
		for (const struct cxl_cpmu *c = unserved.cpmu;
		     d->address && c < unserved.cpmu + unserved.count; c++)
			if (!strcmp(c->function, d->address)) {
				cxl_row(&t, d, NULL, xasprintf("%s %s", c->pmu, c->why));
				served++;
			}
		if (!served)
			cxl_row(&t, d, NULL, d->address && !cxl_cpmus(d->address) ?
				"no CPMU" : NULL);
		if (chmus > 0)
			cxl_row(&t, d, NULL, xasprintf("hot ranges (%ld CHMU)", chmus));
	}
	table_print(&t);
	cxl_print_regions(all);
}

static void cxl_json_regions(const struct cxl_shares *all)
{
	if (!all->count)
		return;
	json_list("regions")
		for (const struct cxl_share *s = all->share; s < all->share + all->count; s++)
			json_element("region %s decoder %s ways %ld position %ld hdm_decoder %ld",
				     s->region, s->decoder, s->ways, s->position, hdm_of(s));
}

/* CPMUs that nobody serves, with the reason. */
static void cxl_json_unserved(const struct cxl_device *d, const struct cxl_unserved *all)
{
	if (!d->address || !all->count)
		return;
	json_list("unserved")
		for (const struct cxl_cpmu *c = all->cpmu; c < all->cpmu + all->count; c++)
			if (!strcmp(c->function, d->address))
				json_element("pmu %s why %s", c->pmu, c->why);
}

static void cxl_json(const struct cxl_devices *all)
{
	struct cxl_unserved unserved FREED = cxl_unserved_find();

	json_open("cxl", '[');
	for (const struct cxl_device *d = all->device; d < all->device + all->count; d++) {
		long chmus = chmus_of(d);

		json_open(NULL, '{');
		json_members("kind %s ?name %s address %s serial %s node %ld size %ld chmus %ld",
			     d->kind, d->name, d->address, d->serial, d->node, (long)d->size,
			     chmus > 0 ? chmus : -1);
		if (!d->pmus.count && d->address && !cxl_cpmus(d->address))
			json_members("cpmu %d", false);
		cxl_json_unserved(d, &unserved);
		cxl_json_regions(&d->shares);
		json_open("units", '[');
		for (size_t j = 0; j < d->pmus.count; j++) {
			if (cxl_unserved_why(&unserved, d->pmus.name[j]))
				continue;
			json_open(NULL, '{');
			json_members("pmu %s owner %s", d->pmus.name[j], owner_of(d->pmus.name[j]));
			json_list("events")
				for_each_name(event, events_of(d->pmus.name[j]))
					json_text(NULL, event);
			json_close();
		}
		json_close();
		json_close();
	}
	json_close();
}

static void add_count(struct text *t, size_t n, const char *one, const char *several)
{
	text_add(t, "%s%zu %s", t->len ? ", " : "", n, n == 1 ? one : several);
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
	add_count(&t, count_packages(m), "socket", "sockets");
	if (m->unread && !m->units)
		text_add(&t, ", boxes that cannot be read");
	else
		add_count(&t, m->units, "box", "boxes");
	if (m->domains)
		add_count(&t, m->domains, "performance-limit domain", "performance-limit domains");
	if (m->rejects)
		text_add(&t, ", %zu rejected", m->rejects);
	if (m->devices)
		print_line("Platform %s: %s", m->device[0].platform, t.s);
	else
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

	for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++) {
		struct names pmus FREED = sysfs_children(stems[i], PMUS);

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
	for (const struct reject *r = m->reject; r < m->reject + m->rejects; r++)
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
	for (const struct domain *d = m->domain; d < m->domain + m->domains; d++)
		table_row(&t, d->name, NUMBER(d->package), NUMBER(d->id),
			  NUMBER((long)d->modules), d->cpus);
	table_print(&t);
}

/* Prints the commands that let openpmon drive more boxes and show hidden limits. */
static void print_notes(const struct machine *m)
{
	struct owners o = machine_owners(m);
	char *listed = xasprintf("%zu %s listed but not driven", o.undriven,
				       o.undriven == 1 ? "box is" : "boxes are");

	if (o.foreign) {
		print_empty_line();
		print_line("%zu %s left to %s; %s.", o.foreign,
			   o.foreign == 1 ? "box is" : "boxes are", o.driver,
			   remedy_text(remedy_now(adopt_remedy("uncore", "hands them over"))));
	}
	if (o.undriven) {
		print_empty_line();
		print_line_text(stdout, mode_text(listed, m->device[0].mode, "pmon_uncore"));
	}
	if (m->tpmis && !m->domains) {
		print_empty_line();
		print_line_text(stdout, mode_text("Performance limits are not shown",
						  m->tpmi[0].mode, "pmon_plr"));
	}
}

/* NULL for "-". */
static const char *known(const char *word)
{
	return strcmp(word, "-") ? word : NULL;
}

static void json_units(const struct machine *m, size_t device)
{
	json_open("units", '[');
	for (const struct unit *u = m->unit; u < m->unit + m->units; u++) {
		if (u->device != device)
			continue;
		json_element("type %ld name %s id %ld access %s address %s counters %s width %ld "
			     "pmu %s owner %s", (long)u->type, known(u->name), (long)u->id,
			     u->access, u->address, u->counters, (long)u->width, known(u->pmu),
			     known(u->owner));
	}
	json_close();
}

static void json_devices(const struct machine *m)
{
	json_open("devices", '[');
	for (size_t i = 0; i < m->devices; i++) {
		const struct device *d = &m->device[i];

		json_open(NULL, '{');
		json_members("name %s socket %ld owner %s mode %s platform %s fingerprint %s "
			     "?error %s", d->name, d->package, d->owner, d->mode, d->platform,
			     d->fingerprint, d->unread ? "unreadable" : NULL);
		if (!d->unread)
			json_units(m, i);
		json_rejected(m, i);
		json_close();
	}
	json_close();
}

static void json_domains(const struct machine *m)
{
	json_list("domains")
		for (const struct domain *d = m->domain; d < m->domain + m->domains; d++) {
			json_open(NULL, '{');
			json_domain_members(d);
			json_list("modules")
				for (size_t j = 0; j < d->modules; j++)
					json_number(NULL, d->module[j]);
			json_close();
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

	add_memory(&cxl);
	/* Root or switch ports, and functions without a driver. */
	add_others(&cxl, "port", "cxl_pmu_port_");
	add_others(&cxl, "function", "cxl_pmu_pci_");
	machine_read(&m);
	if (!m.devices && !m.domains && !m.tpmis && !cxl.count && !ring_is_present())
		return nothing_found(opt->json);
	if (opt->json) {
		json_document();
		json_devices(&m);
		json_open("tpmi", '[');
		for (const struct tpmi *t = m.tpmi; t < m.tpmi + m.tpmis; t++)
			json_element("name %s socket %ld mode %s", t->name, t->package, t->mode);
		json_close();
		json_domains(&m);
		cxl_json(&cxl);
		json_close();
	} else {
		print_list(&m, &cxl, &off);
	}
	return m.degraded || m.rejects || cpus_count(&off) ? STATUS_DEGRADED : STATUS_FINE;
}
