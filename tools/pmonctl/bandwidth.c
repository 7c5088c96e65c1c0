// SPDX-License-Identifier: GPL-2.0-only
#include "bandwidth.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "cpus.h"
#include "discovery.h"
#include "events.h"
#include "hardware.h"
#include "output.h"
#include "process.h"
#include "files.h"

/*
 * Memory controllers and NUMA nodes. A package that is one node has all of its
 * controllers there. Of Granite Rapids perf's sources tell which ones sub-NUMA
 * clusters have (tools/perf/arch/x86/util/pmu.c of Linux 6.16); of other
 * processors with such clusters nothing does.
 */

#define NODE_DIR "/sys/devices/system/node"

/* Of Granite Rapids. */
#define CONTROLLERS 12
#define CLUSTERS 3

/* Asked for each controller, and looked for once: the file is long. */
static bool is_granite_rapids(void)
{
	static long model = -2;

	if (model == -2)
		model = cpu_number("model");
	return model == 0xad || model == 0xae;
}

/* A node that has a CPU of this package; one without CPUs is of none. */
static bool is_in(const char *node, long package)
{
	struct cpus c = cpus_read(NODE_DIR "/%s/cpulist", node);
	unsigned int cpu = cpus_next(&c, 0);

	return cpu < CPUS_MAX && package_of(cpu) == package;
}

/* The nodes of a package, the first few of them; how many there are. */
static size_t nodes_of(long package, long node[CLUSTERS])
{
	struct names all FREED_BY(names_free) = sysfs_children("node", NODE_DIR);
	size_t count = 0;

	for (size_t i = 0; i < all.count; i++) {
		if (!is_in(all.name[i], package))
			continue;
		if (count < CLUSTERS)
			node[count] = strtol(all.name[i] + strlen("node"), NULL,
					     10);
		count++;
	}
	return count;
}

/*
 * The NUMA node whose memory a controller of a package has, by the controller's
 * number; -1 where that is not known.
 */
static long node_of_controller(unsigned int number, long package)
{
	static const unsigned char clusters[][CONTROLLERS] = {
		[2] = { 1, 1, 0, 0, 1, 1, 0, 0 },
		[3] = { 1, 1, 0, 0, 2, 2, 1, 1, 0, 0, 2, 2 },
	};
	static const unsigned char controllers[] = { [2] = 8, [3] = 12 };
	long node[CLUSTERS];
	size_t count = nodes_of(package, node);

	if (count == 1)
		return node[0];
	if (count < 2 || count > CLUSTERS || !is_granite_rapids() ||
	    number >= controllers[count])
		return -1;
	return node[clusters[count][number]];
}

/*
 * What is behind a stack: the file die<N> of its PMU has the root bus, and the
 * way to each PCI function begins with one.
 */

#define ADOPT "pmonctl adopt uncore"
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

/* ".../devices/pci0000:15/0000:15:01.0/0000:16:00.0" */
static bool is_behind(const char *function, const char *bus)
{
	char *link FREED = sysfs_link(FUNCTIONS "/%s", function);
	char *root FREED = xasprintf("/pci%s/", bus);

	return link && strstr(link, root);
}

static void add_function(struct text *t, const char *function)
{
	char *driver FREED = sysfs_link_name(FUNCTIONS "/%s/driver", function);

	/* Ports pass on what devices move. */
	if (driver && strcmp(driver, "pcieport"))
		text_add(t, "%s%s %s", t->len ? ", " : "", driver, function);
}

/*
 * The devices behind a stack of PCIe, "nvme 0000:16:00.0, mlx5_core
 * 0000:17:00.0": those with a driver, which are what moves data. NULL where there
 * is none, or where nothing says which root bus the stack has. The caller frees
 * it.
 */
static char *stack_devices(unsigned int stack, long package)
{
	char *bus FREED = sysfs_read(PMUS "/uncore_iio_%u/die%ld", stack, package);
	struct names all FREED_BY(names_free) = { NULL, 0 };
	struct text t = { NULL, 0 };

	if (bus && is_bus(bus))
		all = sysfs_children("", FUNCTIONS);
	for (size_t i = 0; i < all.count; i++)
		if (is_behind(all.name[i], bus))
			add_function(&t, all.name[i]);
	return t.s;
}

/*
 * Measures bandwidth: events for the data of memory controllers, links between
 * packages, stacks of PCIe, CXL devices and ports, by the names that drivers give
 * them.
 */

/* A flit of CXL.mem that has data has 64 bytes of it; no file says so. */
#define LINE_MIB (64.0 / (1 << 20))

/* By how the names of PMUs and of events begin. */
static const struct source {
	const char *stem, *other, *name;
	const char *event[FLOW_WAYS], *client[FLOW_WAYS];
	const char *unit;	/* in a discovery table; NULL: there are none */
} sources[FLOW_KINDS] = {
	[FLOW_MEMORY] = { "uncore_imc", NULL, "memory",
			  { "cas_count_read", "cas_count_write" },
			  { "data_read", "data_write" }, .unit = "imc" },
	/* Of functions with a driver, and of those without */
	[FLOW_CXL] = { "cxl_pmu_mem", "cxl_pmu_pci_", "cxl",
		       { "s2m_drs_memdata", "m2s_rwd_memwr" } },
	[FLOW_PORT] = { "cxl_pmu_port_", NULL, "cxlport",
			{ "s2m_drs_memdata", "m2s_rwd_memwr" } },
	[FLOW_UPI] = { "uncore_upi", NULL, "upi", { "rx_data", "tx_data" },
		       .unit = "upi" },
	/* Counters that run by themselves: perf has none less for it. */
	[FLOW_IIO] = { "uncore_iio_free_running", NULL, "iio",
		       { "bw_in_port", "bw_out_port" }, .unit = "iio" },
};

/*
 * How long requests take: the clocks that they were in the device, over how many
 * there were. pmon_cxl has these names, the kernel's driver has not.
 */
static const struct {
	const char *event;
	enum meter_kind kind;
	enum flow_way way;
} delays[] = {
	{ "clock_ticks", METER_CLOCK, FLOW_IN },
	{ "m2s_req_resid_cnt", METER_STAYED, FLOW_IN },
	{ "m2s_req_all", METER_ASKED, FLOW_IN },
	{ "m2s_rwd_resid_cnt", METER_STAYED, FLOW_OUT },
	{ "m2s_rwd_all", METER_ASKED, FLOW_OUT },
};

#define DELAYS (sizeof(delays) / sizeof(delays[0]))

const char *flow_kind_name(enum flow_kind kind)
{
	return sources[kind].name;
}

bool flow_is_in(const char *kinds, enum flow_kind kind)
{
	char *list FREED = xstrdup(kinds);

	for_each_part(name, list, ",")
		if (!strcmp(name, flow_kind_name(kind)))
			return true;
	return false;
}

static bool is_cxl(enum flow_kind kind)
{
	return kind == FLOW_CXL || kind == FLOW_PORT;
}

/* "uncore_imc_3", or "uncore_imc" where the kernel's driver has one of a kind. */
static bool is_of(const char *pmu, enum flow_kind kind)
{
	const char *stem = sources[kind].stem, *other = sources[kind].other;

	if (other && !strncmp(pmu, other, strlen(other)))
		stem = other;
	if (is_cxl(kind))
		return !strncmp(pmu, stem, strlen(stem)) && pmu[strlen(stem)];
	return !strcmp(pmu, stem) || is_numbered(pmu, stem);
}

static bool is_wanted(const char *pmu)
{
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (is_of(pmu, kind))
			return true;
	return false;
}

/* Requests that no memory has answered moved no data. */
static bool counts_data(const char *event, enum flow_kind kind, int way)
{
	const char *begin = sources[kind].event[way];
	const char *client = sources[kind].client[way];

	return (!strncmp(event, begin, strlen(begin)) ||
		(client && !strcmp(event, client))) &&
	       !strchr(event, '.') && !strstr(event, "nxm");
}

static double scale_of(const struct pmu *pmu, const char *event,
		       enum flow_kind kind)
{
	char *file FREED = xasprintf("%s.scale", event);
	const char *scale = entries_find(&pmu->events, file);

	if (scale)
		return strtod(scale, NULL);
	return is_cxl(kind) ? LINE_MIB : 0;
}

static void add_meter(struct bandwidth *b, size_t flow, enum meter_kind kind,
		      int way, double scale, int fd)
{
	struct meter m = { flow, kind, way, scale, { .fd = fd }, false };

	count_read(fd, &m.counting.begin);
	append(b->meter, b->meters, m);
}

static void refuse(struct bandwidth *b, struct flow *f, int error)
{
	f->unopened = true;
	f->unknown = true;
	if (b->error)
		return;
	b->error = error;
	b->refused = xstrdup(f->pmu);
}

static void open_event(struct bandwidth *b, const struct pmu *pmu, size_t flow,
		       int way, const struct entry *e)
{
	struct flow *f = &b->flow[flow];
	struct opening o = { .type = f->type };
	double scale = scale_of(pmu, e->name, f->kind);
	int fd = -1;

	b->wanted++;
	if (f->unopened)
		return;
	if (scale > 0 && opening_encode(&o, pmu, e->text))
		fd = opening_on(&o, f->cpu);
	else
		errno = EINVAL;
	if (fd >= 0)
		add_meter(b, flow, METER_MOVED, way, scale, fd);
	else
		refuse(b, f, errno);
}

/* A latency whose events cannot be opened is not shown; the bandwidth is. */
static void open_delays(struct bandwidth *b, const struct pmu *pmu, size_t flow)
{
	struct opening o = { .type = b->flow[flow].type };

	for (size_t i = 0; i < DELAYS; i++) {
		const char *text = entries_find(&pmu->events, delays[i].event);
		int fd = -1;

		b->wanted += !!text;
		if (text && opening_encode(&o, pmu, text))
			fd = opening_on(&o, b->flow[flow].cpu);
		if (fd >= 0)
			add_meter(b, flow, delays[i].kind, delays[i].way, 1, fd);
	}
}

/* A box of which an event is missing keeps none: its sum is not known. */
static void close_flow(struct bandwidth *b, size_t flow)
{
	while (b->meters && b->meter[b->meters - 1].flow == flow)
		close(b->meter[--b->meters].counting.fd);
}

static void open_flow(struct bandwidth *b, const struct pmu *pmu, size_t flow,
		      bool delays_too)
{
	struct flow *f = &b->flow[flow];

	/* The next event would have no file descriptor either. */
	f->unopened = b->error == EMFILE;
	f->unknown = f->unopened;
	for (int way = 0; way < FLOW_WAYS; way++)
		for (size_t i = 0; i < pmu->events.count; i++)
			if (counts_data(pmu->events.entry[i].name, f->kind, way))
				open_event(b, pmu, flow, way,
					   &pmu->events.entry[i]);
	if (f->unopened)
		close_flow(b, flow);
	else if (delays_too && f->kind == FLOW_CXL &&
		 entries_find(&pmu->events, delays[1].event))
		open_delays(b, pmu, flow);
}

static bool has_events(const struct pmu *pmu, enum flow_kind kind, int way)
{
	for (size_t i = 0; i < pmu->events.count; i++)
		if (counts_data(pmu->events.entry[i].name, kind, way))
			return true;
	return false;
}

static void add_flow(struct bandwidth *b, const struct pmu *pmu, long type,
		     enum flow_kind kind, unsigned int cpu)
{
	const char *digits = strrchr(pmu->name, '_');
	struct flow f = { .kind = kind, .pmu = xstrdup(pmu->name), .cpu = cpu,
			  .type = type };

	f.number = digits ? (unsigned int)strtoul(digits + 1, NULL, 10) : 0;
	f.package = is_cxl(kind) ? -1 : package_of(cpu);
	f.node = kind == FLOW_MEMORY ? node_of_controller(f.number, f.package) : -1;
	if (kind == FLOW_IIO)
		f.devices = stack_devices(f.number, f.package);
	for (int way = 0; way < FLOW_WAYS; way++)
		f.counted[way] = has_events(pmu, kind, way);
	append(b->flow, b->flows, f);
}

/* One CPU of each package that has the box. */
static void add_pmu(struct bandwidth *b, const struct pmu *pmu,
		    enum flow_kind kind, long package)
{
	struct opening o;

	if ((!has_events(pmu, kind, FLOW_IN) &&
	     !has_events(pmu, kind, FLOW_OUT)) || !opening_find(&o, pmu))
		return;
	for_each_cpu(cpu, &o.cpus)
		if (package < 0 || package_of(cpu) == package)
			add_flow(b, pmu, o.type, kind, cpu);
}

static int compare_flows(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->package != y->package)
		return x->package < y->package ? -1 : 1;
	return strverscmp(x->pmu, y->pmu);
}

/* One descriptor is kept for the files that are read while these are open. */
static void open_all(struct bandwidth *b, const struct pmus *all,
		     bool delays_too)
{
	int spare = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (size_t i = 0; i < b->flows; i++)
		open_flow(b, pmus_find(all, b->flow[i].pmu), i, delays_too);
	if (spare >= 0)
		close(spare);
}

/* All that takes files is known before the first event takes one. */
void bandwidth_open(struct bandwidth *b, long package, const char *kinds,
		    bool delays_too)
{
	struct pmus all FREED_BY(pmus_free) = pmus_present(is_wanted);

	*b = (struct bandwidth){ .flow = NULL };
	descriptors_allow();
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		for (size_t i = 0; i < all.count; i++)
			if (is_of(all.pmu[i].name, kind) &&
			    (!kinds || flow_is_in(kinds, kind)))
				add_pmu(b, &all.pmu[i], kind, package);
	if (b->flows)
		qsort(b->flow, b->flows, sizeof(*b->flow), compare_flows);
	open_all(b, &all, delays_too);
}

static double *sum_of(struct flow *f, const struct meter *m)
{
	switch (m->kind) {
	case METER_STAYED:
		return &f->stayed[m->way];
	case METER_ASKED:
		return &f->asked[m->way];
	case METER_CLOCK:
		return &f->clock;
	default:
		return &f->rate[m->way];
	}
}

/*
 * An event that had no counter for part of the time is scaled, as by perf; one
 * that ended in error, as of a device that was reset, is tried again.
 */
static bool read_meter(struct bandwidth *b, struct meter *m)
{
	struct count since;
	bool good = counting_take(&m->counting, &since);

	counting_retry(m->counting.fd, m->counting.failures);
	m->still = good && !since.value;
	if (good)
		*sum_of(&b->flow[m->flow], m) += m->scale * (double)since.value /
			((double)since.running_ns / 1e9);
	return good;
}

/*
 * Residency is clocks with any request that waits, or the sum of all that do: the
 * specification says both (CXL 3.2, table 13-5). Only a sum gives an average, and
 * only more than one in a clock shows that it is one. A device that compares
 * instead of adding up counts each clock once. What is read one after the other
 * differs by less than this part.
 */
#define MORE_THAN_CLOCK 1.05

bool flow_adds_up(double stayed, double clock)
{
	return clock > 0 && stayed > MORE_THAN_CLOCK * clock;
}

void bandwidth_read(struct bandwidth *b)
{
	for (size_t i = 0; i < b->flows; i++) {
		struct flow *f = &b->flow[i];

		memset(f->rate, 0, sizeof(f->rate));
		memset(f->stayed, 0, sizeof(f->stayed));
		memset(f->asked, 0, sizeof(f->asked));
		f->clock = 0;
		f->unknown = f->unopened;
	}
	for (size_t i = 0; i < b->meters; i++)
		if (!read_meter(b, &b->meter[i]) &&
		    b->meter[i].kind == METER_MOVED)
			b->flow[b->meter[i].flow].unknown = true;
	for (size_t i = 0; i < b->flows; i++)
		for (int way = 0; way < FLOW_WAYS; way++) {
			struct flow *f = &b->flow[i];

			f->adds_up[way] |= flow_adds_up(f->stayed[way], f->clock);
		}
}

double flow_latency_ns(const struct flow *f, enum flow_way way)
{
	if (!f->adds_up[way] || f->stayed[way] <= 0 || f->asked[way] <= 0 ||
	    f->clock <= 0)
		return -1;
	return f->stayed[way] / f->asked[way] / f->clock * 1e9;
}

void bandwidth_close(struct bandwidth *b)
{
	for (size_t i = 0; i < b->meters; i++)
		close(b->meter[i].counting.fd);
	for (size_t i = 0; i < b->flows; i++) {
		free(b->flow[i].pmu);
		free(b->flow[i].devices);
	}
	free(b->flow);
	free(b->meter);
	free(b->refused);
	free(b->lacking);
	free(b->frozen);
	*b = (struct bandwidth){ .flow = NULL };
}

/*
 * Finds packages whose boxes are frozen by their global control, as firmware
 * leaves it at power-on: a count of 0 is none there. The register is of no help:
 * it need not be readable, and only openpmon shows it.
 */

/* What a CHA of Sapphire Rapids and later counts its clock by. */
#define CLOCK "event=0x01"
#define CLOCK_MS 20

bool flow_is_free(const struct flow *f)
{
	return strstr(f->pmu, "free_running");
}

static bool stands_still(const struct bandwidth *b, long package)
{
	bool any = false;

	for (size_t i = 0; i < b->meters; i++) {
		const struct flow *f = &b->flow[b->meter[i].flow];

		if (f->kind != FLOW_MEMORY || f->package != package)
			continue;
		if (!b->meter[i].still)
			return false;
		any = true;
	}
	return any;
}

enum ticking { TICKS, STANDS, HIDDEN };

static enum ticking read_clock(int fd)
{
	struct count before, after;
	bool good = count_read(fd, &before);

	clock_pause_ms(CLOCK_MS);
	if (!good || !count_read(fd, &after) ||
	    after.running_ns <= before.running_ns)
		return HIDDEN;
	return after.value > before.value ? TICKS : STANDS;
}

/* The first CHA, by its name or its number. */
static bool is_cha(const char *pmu)
{
	return !strcmp(pmu, "uncore_cha_0") || !strcmp(pmu, "uncore_type_0_0");
}

static enum ticking find_clock(long package)
{
	struct pmus all FREED_BY(pmus_free) = pmus_present(is_cha);
	enum ticking ticking = HIDDEN;
	struct opening o;

	for (size_t i = 0; i < all.count; i++) {
		if (!opening_find(&o, &all.pmu[i]) ||
		    !opening_encode(&o, &all.pmu[i], CLOCK))
			continue;
		for_each_cpu(cpu, &o.cpus) {
			int fd = package_of(cpu) == package ?
				opening_on(&o, cpu) : -1;

			if (fd < 0)
				continue;
			ticking = read_clock(fd);
			close(fd);
		}
	}
	return ticking;
}

static bool is_ours(const struct flow *f)
{
	return sysfs_exists(PMUS "/%s/frozen_ns", f->pmu);
}

static void mark(struct bandwidth *b, const struct flow *first,
		 enum ticking ticking)
{
	struct text t = { NULL, 0 };

	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].package == first->package &&
		    !flow_is_free(&b->flow[i]))
			b->flow[i].unknown = true;
	if (b->frozen)
		return;
	text_add(&t, "package %ld: its boxes %s frozen", first->package,
		 ticking == STANDS ? "are" : "count nothing and may be");
	b->remedy = !is_ours(first) && hardware_has_tables() ? ADOPT : "pmonctl doctor";
	if (is_ours(first))
		text_add(&t, "; pmonctl doctor says more");
	else
		text_add(&t, " by firmware; this kernel's intel_uncore leaves "
			 "them so: %s", b->remedy);
	b->frozen = t.s;
}

void frozen_mark(struct bandwidth *b)
{
	long last = -1;

	free(b->frozen);
	b->frozen = NULL;
	/* Packages ascend among the flows of a kind. */
	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];
		enum ticking ticking;

		if (f->kind != FLOW_MEMORY || f->package <= last)
			continue;
		last = f->package;
		if (!stands_still(b, f->package))
			continue;
		ticking = find_clock(f->package);
		if (ticking != TICKS)
			mark(b, f, ticking);
	}
}

/*
 * Names numbers that are missing until openpmon drives the boxes: by the units
 * that a discovery table has, or else by PMUs that have no events.
 */

/* A line of units: its second word is the name, its ninth the owner. */
static bool is_left(const char *line, const char *name)
{
	char unit[32], owner[64];

	return name && sscanf(line, "%*s %31s %*s %*s %*s %*s %*s %*s %63s", unit, owner) == 2 &&
	       !strcmp(unit, name) && strcmp(owner, "-") && strcmp(owner, "openpmon");
}

/* Without a table of openpmon's, all boxes are another driver's. */
static void find_others(bool left[FLOW_KINDS])
{
	struct names n FREED_BY(names_free) = sysfs_children("pkg", CLASS_DIR);
	bool tables = false;

	for (size_t i = 0; i < n.count; i++) {
		char *units FREED = sysfs_read(CLASS_DIR "/%s/units", n.name[i]);

		tables |= !!units;
		for_each_part(line, units, "\n")
			for (int kind = 0; kind < FLOW_KINDS; kind++)
				left[kind] |= is_left(line, sources[kind].unit);
	}
	for (int kind = 0; kind < FLOW_KINDS && !tables; kind++)
		left[kind] = sources[kind].unit &&
			     sysfs_exists(PMUS "/%s_0", sources[kind].stem);
}

static bool is_counted(const struct bandwidth *b, enum flow_kind kind, int way)
{
	for (size_t i = 0; i < b->flows; i++)
		if (b->flow[i].kind == kind && b->flow[i].counted[way])
			return true;
	return false;
}

static void add_kind(struct text *t, const struct bandwidth *b,
		     enum flow_kind kind)
{
	bool in = is_counted(b, kind, FLOW_IN);
	bool out = is_counted(b, kind, FLOW_OUT);

	if (in && out)
		return;
	text_add(t, "%s%s", t->len ? ", " : "", flow_kind_name(kind));
	if (in || out)
		text_add(t, " %s", in ? "WRITE/OUT" : "READ/IN");
}

void lacking_find(struct bandwidth *b)
{
	struct text t = { NULL, 0 };
	bool left[FLOW_KINDS] = { false };

	find_others(left);
	for (int kind = 0; kind < FLOW_KINDS; kind++)
		if (left[kind])
			add_kind(&t, b, kind);
	if (t.len)
		text_add(&t, ": the driver in the kernel has no events for %s; "
			 ADOPT " brings them",
			 strchr(t.s, ',') ? "these" : "this");
	if (t.len)
		b->remedy = ADOPT;
	b->lacking = t.s;
}
