// SPDX-License-Identifier: GPL-2.0-only
/* Measures bandwidth by the data events of memory controllers, links, stacks and CXL. */
#include <fcntl.h>
#include <fnmatch.h>
#include <unistd.h>

#include "bandwidth.h"

/* The most memory controllers and sub-NUMA clusters of a package, on Granite Rapids. */
#define CONTROLLERS 12
#define CLUSTERS 3

/*
 * The number of NUMA nodes of a package; @node gets the first CLUSTERS. 0: not known, because a
 * node is of several packages, or because a node's CPUs, whose links stay, are offline.
 */
static size_t nodes_of(long package, long node[CLUSTERS])
{
	struct cpus packages = packages_off();
	size_t count = 0, all = 0;

	for_each_name(name, sysfs_children("node", NODE_DIR)) {
		struct cpus c = cpus_read(NODE_DIR "/%s/cpulist", name), of = { { 0 } };
		struct names links FREED = sysfs_children("cpu", NODE_DIR "/%s", name);

		for_each_cpu(cpu, &c)
			if (package_of(cpu) >= 0)
				cpus_add(&of, package_of(cpu));
		cpus_join(&packages, &of);
		all += links.count || cpus_count(&of);
		if (!cpus_has(&of, package))
			continue;
		if (count < CLUSTERS)
			node[count] = strtol(name + strlen("node"), NULL, 10);
		count++;
	}
	return count * cpus_count(&packages) == all ? count : 0;
}

/*
 * Sets the nodes of memory controllers; flows are sorted by package. With one node per package all
 * controllers belong to that node. For clusters of Granite Rapids see perf's tables
 * (tools/perf/arch/x86/util/pmu.c of Linux 6.16); other processors have no public table.
 */
static void find_nodes(struct bandwidth *b)
{
	static const signed char clusters[CLUSTERS + 1][CONTROLLERS] = {
		[2] = { 1, 1, 0, 0, 1, 1, 0, 0, -1, -1, -1, -1 },
		[3] = { 1, 1, 0, 0, 2, 2, 1, 1, 0, 0, 2, 2 },
	};
	long node[CLUSTERS], last = -1, model = cpu_number("model");
	bool has_clusters = model == 0xad || model == 0xae;
	size_t count = 0;

	for (struct flow *f = b->flow; f < b->flow + b->flows && f->kind == FLOW_MEMORY; f++) {
		int cluster = -1;

		if (f->package != last)
			count = nodes_of(f->package, node);
		last = f->package;
		if (count == 1)
			cluster = 0;
		else if (has_clusters && count && count <= CLUSTERS && f->number < CONTROLLERS)
			cluster = clusters[count][f->number];
		f->node = cluster < 0 ? -1 : node[cluster];
	}
}

/*
 * Devices behind a PCIe stack that have a driver, "nvme 0000:16:00.0, mlx5_core 0000:17:00.0", or
 * NULL. The kernel's driver has the root bus in a file die<N>, where N is the package unless
 * firmware numbers packages with gaps; a unit without a root bus has "-", which matches no device.
 */
static char *stack_devices(const struct machine *m, const struct flow *f, long package)
{
	char *bus = sysfs_read(PMUS "/uncore_iio_%u/die%ld", f->number, package), *root;
	struct text t = { NULL, 0 };

	for_each_item(u, m->unit, m->units)
		if (u->package == package && !strcmp(u->pmu, f->pmu) && u->stack)
			bus = u->stack;
	if (!bus)
		return NULL;
	root = xasprintf("/pci%s/", bus);
	for_each_name(function, sysfs_children("", FUNCTIONS)) {
		char *link = sysfs_link(FUNCTIONS "/%s", function);
		char *driver = link && strstr(link, root) ?
			sysfs_link_name(FUNCTIONS "/%s/driver", function) : NULL;

		/* Ports only forward data of devices. */
		if (driver && strcmp(driver, "pcieport"))
			text_add(&t, "%s%s %s", t.len ? ", " : "", driver, function);
	}
	return t.s;
}

/* Bytes per count of CXL.mem events, which have no file .scale. The unit of files .scale is MiB. */
#define LINE_BYTES 64
#define MIB (1 << 20)

/* PMUs and events that count data. Events are patterns of names. */
static const struct source {
	const char *name, *event[FLOW_WAYS];
	const char *pmu;	/* stem of a numbered name; for CXL a pattern */
	const char *out;	/* stem of the PMU with writes, if it is another */
	const char *unit;	/* name in a discovery table; NULL: none */
	const char *kernel;	/* the kernel's stem, if different */
} sources[FLOW_KINDS] = {
	[FLOW_MEMORY] = { "memory", { "@(cas_count_read*|data_read)",
				      "@(cas_count_write*|data_write)" },
			  "uncore_imc", .unit = "imc" },
	[FLOW_HBM] = { "hbm", { "cas_count_read", "cas_count_write" },
		       "uncore_mchbm", .unit = "mchbm", .kernel = "uncore_hbm" },
	/* mem: functions with a driver; pci: without */
	[FLOW_CXL] = { "cxl", { "s2m_drs_memdata*", "m2s_rwd_memwr*" },
		       "cxl_pmu_@(mem|pci_)?*" },
	[FLOW_PORT] = { "cxlport", { "s2m_drs_memdata*", "m2s_rwd_memwr*" },
			"cxl_pmu_port_?*" },
	/* Ports of the host. Up to Emerald Rapids CXLCM counts writes, and no box counts reads. */
	[FLOW_CXL_HOST] = { "cxlhost", { "rxc_pack_buf_inserts.mem_data",
					 "@(txc_pack_buf_inserts.mem|txc_agf_inserts.m2s)_data" },
			    "uncore_cxlcm", "uncore_cxldp", "cxlcm" },
	[FLOW_UPI] = { "upi", { "rx_data*", "tx_data*" }, "uncore_upi", .unit = "upi" },
	/* Free-running counters, which leave all other counters to perf */
	[FLOW_IIO] = { "iio", { "bw_in_port*", "bw_out_port*" },
		       "uncore_iio_free_running", .unit = "iio" },
};

/*
 * Groups for average latency: the clock, waiting requests summed over clocks, completed requests
 * and, with a threshold, clocks with a waiting request. Only pmon_cxl has these event names.
 */
static const char *const delays[FLOW_WAYS][1 + GROUP_OTHERS] = {
	[FLOW_IN] = { "clock_ticks", "m2s_req_resid_cnt", "m2s_req_completed",
		      "m2s_req_resid_cnt" },
	[FLOW_OUT] = { "clock_ticks", "m2s_rwd_resid_cnt", "m2s_rwd_all", "m2s_rwd_resid_cnt" },
};
#define BUSY (GROUP_OTHERS - 1)		/* the last of the others: clocks with a waiting request */

const char *flow_kind_name(enum flow_kind kind)
{
	return sources[kind].name;
}

#define is_cxl(kind) ((kind) == FLOW_CXL || (kind) == FLOW_PORT)

/* "uncore_imc_3", or "uncore_imc" if the kernel's driver has a single PMU. */
static bool is_of(const char *pmu, enum flow_kind kind)
{
	const char *name = sources[kind].pmu;

	if (is_cxl(kind))
		return !fnmatch(name, pmu, FNM_EXTMATCH);
	return !strcmp(pmu, name) || is_numbered(pmu, name);
}

static bool has_bandwidth(const char *pmu)
{
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (is_of(pmu, kind) || (sources[kind].out && is_numbered(pmu, sources[kind].out)))
			return true;
	return false;
}

/* Excludes events "nxm": answers for memory that does not exist have no data. */
static bool counts_data(const char *event, enum flow_kind kind, int way)
{
	return !fnmatch(sources[kind].event[way], event, FNM_EXTMATCH) &&
	       is_event(event) && !strstr(event, "nxm");
}

static bool has_data(const struct pmu *pmu, enum flow_kind kind, int way)
{
	for (size_t i = 0; pmu && i < pmu->events.count; i++)
		if (counts_data(pmu->events.entry[i].name, kind, way))
			return true;
	return false;
}

/* How many PMUs of a stem have a smaller number. */
static size_t rank_of(const struct pmus *all, const char *stem, const char *name)
{
	size_t rank = 0;

	for_each_item(p, all->pmu, all->count)
		rank += is_numbered(p->name, stem) && strverscmp(p->name, name) < 0;
	return rank;
}

/* Pairs the n-th CXLCM with the n-th CXLDP, as pcm does, because their numbers differ. */
static const struct pmu *pmu_of_way(const struct pmus *all, const struct pmu *pmu,
				    enum flow_kind kind, int way)
{
	const char *out = sources[kind].out;

	if (way == FLOW_IN || !out || has_data(pmu, kind, way))
		return pmu;
	for_each_item(p, all->pmu, all->count)
		if (is_numbered(p->name, out) &&
		    rank_of(all, out, p->name) == rank_of(all, sources[kind].pmu, pmu->name))
			return p;
	return NULL;
}

#define index_of(b, f)	((size_t)((f) - (b)->flow))

/* Adds a meter, whose counts begin now. */
static void add_meter(struct bandwidth *b, struct meter *m)
{
	count_read(m->counting.fd, &m->counting.begin);
	m->read_ns = clock_ns();
	m->proved = m->counting.begin;
	append(b->meter, b->meters, *m);
}

static void close_meter(const struct meter *m)
{
	if (m->counting.fd >= 0)
		close(m->counting.fd);
	for (int i = 0; i < GROUP_OTHERS && m->kind == METER_DELAY; i++)
		if (m->other[i] >= 0)
			close(m->other[i]);
}

/* Opens event @i of a group. With the term snapshot, all counters are read at one moment. */
static int open_of_delay(const struct pmu *pmu, const struct flow *f, enum flow_way way, int i,
			 int leader)
{
	const char *text = entries_find(&pmu->events, delays[way][i]);
	bool snapshot = !i && entries_find(&pmu->format, "snapshot");
	struct opening o = { .type = f->type[FLOW_IN] };

	return text && event_encode(pmu, xasprintf("%s%s%s", text, snapshot ? ",snapshot=1" : "",
						   i > BUSY ? ",threshold=1" : ""), o.config) ?
		opening_on(&o, f->cpu, leader) : -1;
}

/* Opens a clock and others, without the last if counters are short. If this fails, no latency. */
static void open_delay(struct bandwidth *b, const struct pmu *pmu, const struct flow *f,
		       enum flow_way way)
{
	struct meter m = { index_of(b, f), METER_DELAY, way, .scale = 0 };

	b->needed += 1 + GROUP_OTHERS;
	m.snapshot = entries_find(&pmu->format, "snapshot");
	m.counting.fd = open_of_delay(pmu, f, way, 0, -1);
	for (int i = 0; i < GROUP_OTHERS; i++)
		m.other[i] = m.counting.fd < 0 ? -1 :
			open_of_delay(pmu, f, way, i + 1, m.counting.fd);
	if (m.counting.fd >= 0 && m.other[0] >= 0 && m.other[1] >= 0)
		add_meter(b, &m);
	else
		close_meter(&m);
}

static void close_flow(struct bandwidth *b, const struct flow *f)
{
	size_t left = 0;

	for_each_item(m, b->meter, b->meters)
		if (m->flow == index_of(b, f))
			close_meter(m);
		else
			b->meter[left++] = *m;
	b->meters = left;
}

/* Opens all data events of a box or none, because a partial sum is wrong. */
static void open_data(struct bandwidth *b, const struct pmu *pmu, struct flow *f, int way)
{
	for (size_t i = 0; pmu && i < pmu->events.count; i++) {
		const struct entry *e = &pmu->events.entry[i];
		struct meter m = { index_of(b, f), METER_MOVED, way, .counting.fd = -1 };
		const char *scale = entries_find(&pmu->events, xasprintf("%s.scale", e->name));
		struct opening o = { .type = f->type[way] };

		if (!counts_data(e->name, f->kind, way))
			continue;
		b->needed++;
		if (f->unopened)
			continue;
		m.scale = scale ? strtod(scale, NULL) * MIB : is_cxl(f->kind) ? LINE_BYTES : 0;
		if (m.scale > 0 && m.scale < 1024.0 * MIB && event_encode(pmu, e->text, o.config))
			m.counting.fd = opening_on(&o, f->cpu, -1);
		else
			errno = EINVAL;
		if (m.counting.fd >= 0) {
			add_meter(b, &m);
			continue;
		}
		f->unopened = true;
		if (!b->error) {
			b->error = errno;
			b->refused = f->pmu;
		}
	}
	if (f->unopened)
		close_flow(b, f);
}

/* Clock event of a CHA on Sapphire Rapids and later. */
#define CLOCK 0x01

static const struct meter *clock_of(const struct bandwidth *b, long package)
{
	for_each_item(m, b->meter, b->meters)
		if (m->kind == METER_CLOCK && b->flow[m->flow].package == package)
			return m;
	return NULL;
}

/* Opens the clock event on the package's first CHA where that succeeds. */
static void open_clock(struct bandwidth *b, const struct flow *f)
{
	struct meter m = { index_of(b, f), METER_CLOCK, FLOW_IN, .scale = 1, .counting.fd = -1 };

	for_each_name(name, sysfs_entries(PMUS)) {
		const struct pmu cha = { .name = (char *)name };
		struct opening o = { .config = { CLOCK } };

		if ((!is_numbered(name, "uncore_cha") && !is_numbered(name, "uncore_type_0")) ||
		    !opening_find(&o, &cha))
			continue;
		m.named = sysfs_exists(PMUS "/%s/events/clockticks", name);
		for_each_cpu(cpu, &o.cpus)
			if (package_of(cpu) == f->package && m.counting.fd < 0)
				m.counting.fd = opening_on(&o, cpu, -1);
		if (m.counting.fd >= 0) {
			add_meter(b, &m);
			return;
		}
	}
}

/* Opens the events of a box. Keeps one descriptor for sysfs. */
static void open_flow(struct bandwidth *b, struct flow *f)
{
	const struct pmu *pmu = pmus_find(&b->pmus, f->pmu);
	int spare CLOSED = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* After EMFILE the next event would have no file descriptor either. */
	f->unopened = f->off || b->error == EMFILE;
	for (int way = 0; way < FLOW_WAYS && !f->off; way++)
		open_data(b, pmu_of_way(&b->pmus, pmu, f->kind, way), f, way);
	f->unknown = f->unopened;
	for (int way = 0; way < FLOW_WAYS; way++)
		if (b->delays && f->kind == FLOW_CXL && !f->unopened)
			open_delay(b, pmu, f, way);
	if (f->unopened || f->package < 0 || flow_is_free(f) || clock_of(b, f->package) ||
	    cpus_has(&b->clocked, f->package))
		return;
	cpus_add(&b->clocked, f->package);
	open_clock(b, f);
}

/* Sets b->off. @error: errno of an open on an online CPU, or 0 */
static void set_off(struct bandwidth *b, int error)
{
	struct text t = { NULL, 0 };
	struct cpus off = { { 0 } };

	for_each_item(f, b->flow, b->flows)
		if (f->off && f->package >= 0)
			cpus_add(&off, f->package);
	if (cpus_count(&off)) {
		text_add(&t, "socket ");
		cpus_add_text(&t, &off);
		text_add(&t, ": not counted, %s", error ?
			 xasprintf("events cannot be opened again (%s)", error_name(error)) :
			 "all of its CPUs are offline");
	}
	keep(&b->off, t.s);
}

/*
 * Finds an online CPU that no other box of the PMU uses, as some PMUs have a CPU for each die of a
 * package. False if all CPUs of the box are offline.
 */
static bool find_cpu(const struct bandwidth *b, struct flow *f)
{
	struct opening o;

	if (!opening_find(&o, pmus_find(&b->pmus, f->pmu)))
		return false;
	for_each_cpu(cpu, &o.cpus) {
		bool other = f->package >= 0 && package_of(cpu) != f->package;

		for (const struct flow *g = b->flow; g < b->flow + b->flows && !other; g++)
			other = !g->off && g->cpu == cpu && !strcmp(g->pmu, f->pmu);
		if (!other) {
			f->cpu = cpu;
			return true;
		}
	}
	return false;
}

/* Is the PMU there, and its device? Only pmon_cxl has the file serial and a link to the device. */
static bool has_device(const char *pmu)
{
	return sysfs_exists(PMUS "/%s/type", pmu) &&
	       (!sysfs_exists(PMUS "/%s/serial", pmu) || sysfs_link_name(PMUS "/%s/device", pmu));
}

/* A PMU of this name that was registered later has another type. */
static bool is_gone(const struct flow *f)
{
	long type = sysfs_read_long(PMUS "/%s/type", f->pmu);

	return (f->kind != FLOW_CXL_HOST && type != f->type[FLOW_IN] &&
		type != f->type[FLOW_OUT]) || !has_device(f->pmu);
}

void bandwidth_close_gone(struct bandwidth *b, bool all)
{
	for_each_item(f, b->flow, b->flows) {
		bool check = all && is_cxl(f->kind);

		for_each_item(m, b->meter, b->meters)
			check |= m->flow == index_of(b, f) && m->counting.failures;
		if (!check || f->gone || f->off || !is_gone(f))
			continue;
		close_flow(b, f);
		f->gone = true;
		f->gone_ms = clock_ms();
		f->unopened = true;
		f->unknown = true;
	}
}

void bandwidth_report_off(struct bandwidth *b)
{
	const char *off = b->off ? b->off : "all sockets are counted again";

	if (b->reported ? strcmp(b->reported, off) : !!b->off) {
		complain("%s", off);
		keep(&b->reported, off);
	}
}

/* Does a package's table have the unit of a box? Units of other drivers have no PMU there. */
static bool has_unit(const struct machine *m, long package, const struct flow *f)
{
	const char *unit = sources[f->kind].unit;

	for_each_item(u, m->unit, m->units)
		if (u->package == package && (!unit_is_foreign(u) ?
		    !strcmp(u->pmu, f->pmu) : unit && !strcmp(u->name, unit) && u->id == f->number))
			return true;
	return false;
}

static void add_flow(struct bandwidth *b, struct flow f, long of)
{
	unsigned int device;

	if (b->package >= 0 && of != b->package)
		return;
	if (!is_cxl(f.kind))
		f.package = of;
	if (f.kind == FLOW_CXL && sscanf(f.pmu, "cxl_pmu_mem%u", &device) == 1)
		f.node = cxl_memory_node(xasprintf("mem%u", device));
	if (f.kind == FLOW_IIO)
		f.devices = stack_devices(&b->m, &f, of);
	append(b->flow, b->flows, f);
}

/* Sets which ways a box counts, and its types. False if none. */
static bool find_events(struct bandwidth *b, struct flow *f, const struct pmu *pmu)
{
	struct opening o;

	for (int way = 0; way < FLOW_WAYS; way++) {
		const struct pmu *counts = pmu_of_way(&b->pmus, pmu, f->kind, way);

		f->counted[way] = has_data(counts, f->kind, way) && opening_find(&o, counts);
		f->type[way] = f->counted[way] ? o.type : -1;
	}
	f->pmu = pmu->name;
	return f->counted[FLOW_IN] || f->counted[FLOW_OUT];
}

/* Adds a box per CPU of the PMU's cpumask, and per offline package with the PMU's units. */
static void add_flows(struct bandwidth *b, const struct pmu *pmu, enum flow_kind kind)
{
	const char *digits = strrchr(pmu->name, '_');
	struct flow f = { .kind = kind, .package = -1, .node = -1 };
	struct opening o;

	f.number = digits ? (unsigned int)strtoul(digits + 1, NULL, 10) : 0;
	if (!find_events(b, &f, pmu) || !opening_find(&o, pmu))
		return;
	for_each_cpu(cpu, &o.cpus) {
		f.cpu = cpu;
		add_flow(b, f, package_of(cpu));
	}
	f.off = true;
	for_each_cpu(off, &b->packages_off)
		if (has_unit(&b->m, off, &f))
			add_flow(b, f, off);
}

/* Are both CPMUs of one device, such as cxl_pmu_mem0.0 and cxl_pmu_mem0.1, and count both ways? */
static bool counts_same(const struct flow *a, const struct flow *b)
{
	const char *dot = strrchr(a->pmu, '.');

	return a->kind == FLOW_CXL && b->kind == FLOW_CXL && dot &&
	       !strncmp(a->pmu, b->pmu, (size_t)(dot - a->pmu) + 1) && a->counted[FLOW_IN] &&
	       a->counted[FLOW_OUT] && b->counted[FLOW_IN] && b->counted[FLOW_OUT];
}

void doubled_mark(struct bandwidth *b)
{
	for_each_item(f, b->flow, b->flows) {
		double most = f->rate[FLOW_IN] + f->rate[FLOW_OUT];

		f->first = index_of(b, f);
		f->doubled = false;
		for_each_item(g, b->flow, b->flows) {
			double moved = g->rate[FLOW_IN] + g->rate[FLOW_OUT];

			if (g == f || !counts_same(f, g))
				continue;
			if (g < b->flow + f->first)
				f->first = index_of(b, g);
			f->doubled |= !f->unknown && (moved > most || (moved >= most && g < f));
		}
	}
}

static int compare_flows(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	int kind = (int)x->kind - (int)y->kind;
	int package = (x->package > y->package) - (x->package < y->package);

	return kind ? kind : package ? package : strverscmp(x->pmu, y->pmu);
}

/* Removes dropped flows, and sorts the others; meters follow their flows. */
static void arrange(struct bandwidth *b)
{
	size_t *place FREED = xrealloc(NULL, (b->flows + 1) * sizeof(*place)), left = 0;

	for (size_t i = 0; i < b->flows; i++) {
		b->flow[i].was = i;
		if (!b->flow[i].dropped)
			b->flow[left++] = b->flow[i];
	}
	b->flows = left;
	if (left)
		qsort(b->flow, left, sizeof(*b->flow), compare_flows);
	for (size_t i = 0; i < left; i++)
		place[b->flow[i].was] = i;
	for_each_item(m, b->meter, b->meters)
		m->flow = place[m->flow];
	find_nodes(b);
}

static void add_pmu(struct bandwidth *b, const struct pmu *pmu)
{
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (b->kinds >> kind & 1 && is_of(pmu->name, kind))
			add_flows(b, pmu, kind);
}

#define LIST_MS 60000

/* Adds boxes of PMUs that came later. */
static void add_new(struct bandwidth *b)
{
	struct names new FREED = { .name = NULL };
	size_t step = step_begin(), first = b->flows;

	for_each_name(name, sysfs_entries(PMUS))
		if (has_bandwidth(name) && !pmus_find(&b->pmus, name))
			append(new.name, new.count, checked(strdup(name)));
	step_end(step);
	for (size_t i = 0; i < new.count; i++) {
		add_pmu(b, pmus_read(&b->pmus, new.name[i]));
		free(new.name[i]);
	}
	for (struct flow *f = b->flow + first; f < b->flow + b->flows; f++)
		f->off = true;
}

/* Adds boxes that came, and drops boxes that are gone for a minute, unless @fixed. */
static bool list_again(struct bandwidth *b, bool fixed)
{
	bool due = clock_ms() >= b->list_ms, changed = false;
	size_t before = b->flows, step = step_begin();

	bandwidth_close_gone(b, due);
	step_end(step);
	for_each_item(f, b->flow, b->flows) {
		bool long_gone = clock_ms() - f->gone_ms >= LIST_MS;

		if (!f->gone)
			continue;
		/* A device that is back, perhaps with other events, goes on counting. */
		if ((due || !long_gone) && has_device(f->pmu) &&
		    find_events(b, f, pmus_read(&b->pmus, f->pmu))) {
			f->gone = false;
			f->off = true;
		} else if (!fixed && long_gone) {
			pmus_forget(&b->pmus, f->pmu);
			f->dropped = true;
			changed = true;
		}
	}
	if (due) {
		b->list_ms = clock_ms() + LIST_MS;
		if (!fixed)
			add_new(b);
	}
	changed |= b->flows > before;
	if (changed)
		arrange(b);
	return changed;
}

bool bandwidth_renew(struct bandwidth *b, bool fixed)
{
	const struct bandwidth before = *b;
	bool changed = list_again(b, fixed);
	size_t step = step_begin();

	/* Descriptors and counters may be free again. */
	b->error = 0;
	b->clocked = (struct cpus){ { 0 } };
	for_each_item(m, b->meter, b->meters)
		b->flow[m->flow].off |= m->counting.ended;
	for_each_item(f, b->flow, b->flows) {
		if (!f->off)
			continue;
		close_flow(b, f);
		f->off = !find_cpu(b, f);
		open_flow(b, f);
		f->off = f->unopened;
		/* A box opened just now has no rate until the next read. */
		f->unknown = true;
	}
	set_off(b, b->error);
	b->error = before.error;
	b->refused = before.refused;
	b->needed = before.needed;
	step_end(step);
	return changed;
}

/* Names kinds that have boxes, as a discovery table or a PMU of the kernel shows, but no events. */

/* Does another driver have boxes of a source? Without tables a PMU shows this. */
static bool others_have(const struct machine *m, const struct source *s)
{
	bool tables = false;

	for (size_t i = 0; i < m->devices; i++)
		tables |= !m->device[i].unread;
	for_each_item(u, m->unit, m->units)
		if (!strcmp(u->name, s->unit) && unit_is_foreign(u))
			return true;
	return !tables && sysfs_exists(PMUS "/%s_0", s->kernel ? s->kernel : s->pmu);
}

static void find_lacking(struct bandwidth *b)
{
	struct text t = { NULL, 0 };

	for (enum flow_kind kind = 0; kind < FLOW_KINDS; kind++) {
		bool in = false, out = false;

		if (!(b->kinds >> kind & 1) || !sources[kind].unit ||
		    !others_have(&b->m, &sources[kind]) ||
		    (kind == FLOW_CXL_HOST && !cxl_memory_present()))
			continue;
		for_each_item(f, b->flow, b->flows) {
			in |= f->kind == kind && f->counted[FLOW_IN];
			out |= f->kind == kind && f->counted[FLOW_OUT];
		}
		if (!in || !out)
			text_add(&t, "%s%s%s", t.len ? ", " : "", flow_kind_name(kind),
				 in ? " write" : out ? " read" : "");
	}
	if (t.len) {
		text_add(&t, ": the kernel's driver has no events for %s%s",
			 strchr(t.s, ',') ? "these" : "this",
			 b->adopt ? xasprintf("; %s adds them", b->adopt) : "");
		b->remedy = b->adopt;
	}
	b->lacking = t.s;
}

/* Reads all files before events take descriptors. */
void bandwidth_open(struct bandwidth *b, long package, unsigned int kinds, bool delays_too)
{
	*b = (struct bandwidth){
		.pmus = pmus_present(has_bandwidth), .packages_off = packages_off(),
		.package = package, .kinds = kinds, .list_ms = clock_ms() + LIST_MS,
		.delays = delays_too, .m.quiet = true,
		.adopt = module_is_left_out("pmon_uncore") ? NULL :
			 remedy_now(adopt_remedy("uncore", NULL)).command,
	};
	machine_read_boxes(&b->m);
	descriptors_allow();
	for (size_t i = 0; i < b->pmus.count; i++)
		add_pmu(b, &b->pmus.pmu[i]);
	arrange(b);
	for_each_item(f, b->flow, b->flows)
		open_flow(b, f);
	set_off(b, 0);
	if (hardware_present())
		find_lacking(b);
}

/*
 * CXL 3.2, table 13-5, allows two meanings of residency: clocks with any waiting request, or the
 * sum of waiting requests over clocks. An average needs the sum. More than one request per
 * clock proves a sum for that interval. Two intervals in a row prove a sum for the device if the
 * event counts more with threshold 0 than with threshold 1 (clocks with a waiting request), but not
 * every clock. A device that only compares requests with the threshold counts every clock with 0.
 * The proof ends where both count the same although a request waited in more than LOADED of the
 * clocks. Comparisons have margins, because without a snapshot counters are read one after the
 * other; accesses between the reads are a proof of nothing while there are fewer than
 * REQUESTS_LEAST requests. A result below CLOCKS_LEAST clocks per request is impossible, so the
 * event counts something else.
 */
#define MORE_THAN_CLOCK 1.05
#define MARGIN 0.01
#define PROOFS 2
#define LOADED 0.25
#define REQUESTS_LEAST 1000
#define CLOCKS_LEAST 4

void delay_prove(struct meter *m, const struct count *since)
{
	double clock = (double)since->value, all = (double)since->other[0];
	double busy = (double)since->other[BUSY];
	bool is_clock = all >= clock * (1 - MARGIN) && all <= clock * (1 + MARGIN);
	bool is_more = all > busy * (1 + MARGIN);
	bool enough = m->snapshot || since->other[1] >= REQUESTS_LEAST;

	if (m->other[BUSY] < 0 || !since->value)
		return;
	if (is_clock ? busy < clock * (1 - MARGIN) : !is_more && busy > clock * LOADED)
		m->proofs = 0;
	else if (!is_clock && is_more && enough)
		m->proofs += m->proofs < PROOFS;
	else if (m->proofs < PROOFS)
		m->proofs = 0;
}

void bandwidth_prove(struct bandwidth *b)
{
	for_each_item(m, b->meter, b->meters) {
		struct count now, since;

		if (m->kind != METER_DELAY || !count_read(m->counting.fd, &now))
			continue;
		since = count_since(&now, &m->proved);
		delay_prove(m, &since);
		m->proved = now;
	}
}

bool delay_is_known(const struct meter *m, const struct count *c, double *waiting,
		    double *requests)
{
	double clock = (double)c->value, stayed = (double)c->other[0];

	*waiting = clock > 0 ? stayed / clock : 0;
	*requests = (double)c->other[1];
	return (*waiting > MORE_THAN_CLOCK || m->proofs == PROOFS) && *requests > 0 &&
	       stayed >= CLOCKS_LEAST * *requests;
}

static double delay_ns_of(const struct meter *m, const struct count *c)
{
	double waiting, requests;

	if (delay_is_known(m, c, &waiting, &requests))
		return waiting * (double)c->running_ns / requests;
	return waiting > 0 && requests > 0 ? -1 : 0;
}

/*
 * As counting_take(), but false also if the event was enabled for a part of the interval only, as
 * all CPUs of its package went offline. The clock is read between the two reads of the event, so
 * a delay never makes the interval look longer; perf's clock may differ by less than an eighth.
 */
static bool meter_take(struct meter *m, struct count *since)
{
	long long passed = clock_ns() - m->read_ns;
	bool good = counting_take(&m->counting, since);

	m->read_ns = clock_ns();
	return good && (long long)since->enabled_ns >= passed - passed / 8;
}

/* Scales for multiplexing, as perf does; retries events in perf's error state. */
void bandwidth_read(struct bandwidth *b)
{
	for_each_item(f, b->flow, b->flows) {
		memset(f->rate, 0, sizeof(f->rate));
		f->unknown = f->unopened;
	}
	bandwidth_prove(b);
	for_each_item(m, b->meter, b->meters) {
		struct flow *f = &b->flow[m->flow];
		struct count since = { .value = 0 };
		bool good = meter_take(m, &since);

		counting_retry(m->counting.fd, m->counting.failures);
		if (m->kind == METER_CLOCK) {
			m->stopped = good ? !since.value : m->stopped;
			continue;
		}
		m->stopped = good && !since.value;
		if (m->kind == METER_DELAY)
			f->delay_ns[m->way] = delay_ns_of(m, &since);
		else if (good)
			f->rate[m->way] += m->scale * (double)since.value /
					   ((double)since.running_ns / 1e9);
		else
			f->unknown = true;
	}
	/* When a box stops responding, one more read returns the last count; later reads fail. */
	for_each_item(f, b->flow, b->flows)
		f->unknown = f->unknown || pmu_sum(f->pmu, f->package, "unresponsive");
	doubled_mark(b);
	frozen_mark(b);
}

/*
 * Finds packages frozen by their global control, as firmware leaves them at power-on. Infers this
 * from counts, because the register may be unreadable, and the kernel's driver does not show it.
 */

enum ticking clock_ticking(const struct meter *m)
{
	if (!m || m->counting.unknown || m->counting.ended)
		return HIDDEN;
	return m->stopped ? STOPPED : TICKS;
}

/*
 * The clock's state if all boxes of a package and of @first's kind, which is memory unless --kind
 * leaves it out, counted nothing, else TICKS. Without memory only a clock that stands is a proof.
 */
static enum ticking ticking_of(const struct bandwidth *b, const struct flow *first)
{
	const struct meter *clock = clock_of(b, first->package);

	for_each_item(m, b->meter, b->meters)
		if (b->flow[m->flow].kind == first->kind && m != clock &&
		    b->flow[m->flow].package == first->package && !m->stopped)
			return TICKS;
	return first->kind == FLOW_MEMORY || clock_ticking(clock) == STOPPED ?
	       clock_ticking(clock) : TICKS;
}

void frozen_mark(struct bandwidth *b)
{
	struct cpus frozen = { { 0 } }, seen = frozen;
	struct text t = { NULL, 0 };
	bool stopped = true, openpmon = false;

	for_each_item(f, b->flow, b->flows) {
		enum ticking ticking = TICKS;

		if (f->package < 0 || flow_is_free(f) || cpus_has(&seen, f->package))
			continue;
		cpus_add(&seen, f->package);
		if (!f->unopened)
			ticking = ticking_of(b, f);
		if (ticking == TICKS)
			continue;
		stopped &= ticking == STOPPED;
		openpmon |= sysfs_exists(PMUS "/%s/frozen_ns", f->pmu);
		cpus_add(&frozen, f->package);
		for_each_item(g, b->flow, b->flows)
			g->unknown |= g->package == f->package && !flow_is_free(g);
	}
	if (cpus_count(&frozen)) {
		b->remedy = !openpmon && b->adopt && hardware_has_tables() ? b->adopt :
			    "pmonctl doctor";
		text_add(&t, "socket ");
		cpus_add_text(&t, &frozen);
		text_add(&t, ": boxes %s frozen%s", stopped ? "are" : "count nothing and may be",
			 openpmon ? "" : " by firmware; this kernel's intel_uncore leaves them so");
	}
	keep(&b->frozen, t.s);
}

/* Descriptors other than events: output, sysfs files. */
#define OTHERS 16

/* Why an event failed to open. */
static char *why_refused(const struct bandwidth *b)
{
	char *names = b->error == EBUSY ? holders_names() : NULL;

	if (b->error == EACCES || b->error == EPERM)
		return xasprintf("%s: counting needs %s (see rights.rst)", b->refused,
				 event_rights());
	if (b->error == EMFILE)
		return xasprintf("%s: too many open files: ulimit -n is %ld, and %zu are needed",
				 b->refused, sysconf(_SC_OPEN_MAX), b->needed + OTHERS);
	if (names)
		return xasprintf("%s: all counters are in use%s%s", b->refused,
				 *names ? "; open perf events: " : "", names);
	return xasprintf("%s: an event cannot be opened (%s); %s", b->refused,
			 error_name(b->error), b->error == ENXIO ? error_remedy(ENXIO) :
			 "the kernel log may say why");
}

struct trouble bandwidth_trouble(const struct bandwidth *b)
{
	const struct flow *first = NULL;
	struct text t = { NULL, 0 };
	size_t unknown = 0;
	bool silent;

	if (b->frozen)
		return (struct trouble){ b->frozen, b->remedy, false };
	if (b->error)
		return (struct trouble){ why_refused(b), NULL, false };
	if (b->off)
		return (struct trouble){ b->off, NULL, true };
	for_each_item(f, b->flow, b->flows)
		if (f->unknown && !unknown++)
			first = f;
	if (!first)
		return (struct trouble){ NULL, NULL, false };
	silent = pmu_sum(first->pmu, first->package, "unresponsive");
	text_add(&t, "%s", first->pmu);
	if (first->package >= 0)
		text_add(&t, " of socket %ld", first->package);
	if (unknown > 1)
		text_add(&t, " and %zu more boxes", unknown - 1);
	text_add(&t, first->gone ? ": its device is gone" : silent ? ": no response" :
		 ": no value: events got no counter or have ended");
	return (struct trouble){ t.s, "pmonctl doctor", silent };
}

void bw_row_add(struct bw_rows *r, const struct flow *f, long node, bool alone)
{
	struct bw_row *row;
	size_t i = 0;

	if (f->doubled && !alone)
		return;
	while (i < r->count && (alone || r->row[i].kind != f->kind || r->row[i].box ||
				r->row[i].package != f->package || r->row[i].node != node))
		i++;
	if (i == r->count)
		append(r->row, r->count, (struct bw_row){
			.kind = f->kind, .package = f->package, .node = node,
			.box = alone ? f : NULL, .counted = { true, true },
		});
	row = &r->row[i];
	row->boxes++;
	row->unknown += f->unknown;
	for (int way = 0; way < FLOW_WAYS; way++) {
		row->rate[way] += f->rate[way];
		row->counted[way] &= f->counted[way];
		row->moved[way] += f->sums.moved[way];
	}
}
