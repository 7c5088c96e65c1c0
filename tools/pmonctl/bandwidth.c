// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures bandwidth: events for the data of memory controllers, links between
 * packages, stacks of PCIe, CXL devices and ports, by the names that drivers give
 * them.
 */
#include "bandwidth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counting.h"
#include "descriptors.h"
#include "nodes.h"
#include "opening.h"
#include "pmus.h"
#include "stacks.h"
#include "sysfs.h"

/* A flit of CXL.mem that has data has 64 bytes of it; no file says so. */
#define LINE_MIB (64.0 / (1 << 20))

/* By how the names of PMUs and of events begin. */
static const struct source {
	const char *stem, *other, *name;
	const char *event[FLOW_WAYS], *client[FLOW_WAYS];
} sources[FLOW_KINDS] = {
	[FLOW_MEMORY] = { "uncore_imc", NULL, "memory",
			  { "cas_count_read", "cas_count_write" },
			  { "data_read", "data_write" } },
	/* Of functions with a driver, and of those without */
	[FLOW_CXL] = { "cxl_pmu_mem", "cxl_pmu_pci_", "cxl",
		       { "s2m_drs_memdata", "m2s_rwd_memwr" } },
	[FLOW_PORT] = { "cxl_pmu_port_", NULL, "cxlport",
			{ "s2m_drs_memdata", "m2s_rwd_memwr" } },
	[FLOW_UPI] = { "uncore_upi", NULL, "upi", { "rx_data", "tx_data" } },
	/* Counters that run by themselves: perf has none less for it. */
	[FLOW_IIO] = { "uncore_iio_free_running", NULL, "iio",
		       { "bw_in_port", "bw_out_port" } },
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
	const char *name = flow_kind_name(kind);

	for (const char *k = kinds; k && *k; k += strcspn(k, ",") + !!strchr(k, ','))
		if (strcspn(k, ",") == strlen(name) && !strncmp(k, name, strlen(name)))
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
	if (strncmp(pmu, stem, strlen(stem)))
		return false;
	pmu += strlen(stem);
	if (is_cxl(kind))
		return *pmu;
	return !*pmu || (*pmu == '_' && pmu[1] &&
			 strspn(pmu + 1, "0123456789") == strlen(pmu + 1));
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
	struct text file = { NULL, 0 };
	const char *scale;

	text_add(&file, "%s.scale", event);
	scale = entries_find(&pmu->events, file.s);
	text_free(&file);
	if (scale)
		return strtod(scale, NULL);
	return is_cxl(kind) ? LINE_MIB : 0;
}

static void add_meter(struct bandwidth *b, size_t flow, enum meter_kind kind,
		      int way, double scale, int fd)
{
	struct meter m = { flow, kind, way, scale, fd, { 0, 0, 0 }, 0, false };

	count_read(fd, &m.last);
	b->meter = xrealloc(b->meter, (b->meters + 1) * sizeof(m));
	b->meter[b->meters++] = m;
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
		close(b->meter[--b->meters].fd);
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
	b->flow = xrealloc(b->flow, (b->flows + 1) * sizeof(f));
	b->flow[b->flows++] = f;
}

/* One CPU of each package that has the box. */
static void add_pmu(struct bandwidth *b, const struct pmu *pmu,
		    enum flow_kind kind, long package)
{
	struct opening o;

	if ((!has_events(pmu, kind, FLOW_IN) &&
	     !has_events(pmu, kind, FLOW_OUT)) || !opening_find(&o, pmu))
		return;
	for (unsigned int cpu = cpus_next(&o.cpus, 0); cpu < CPUS_MAX;
	     cpu = cpus_next(&o.cpus, cpu + 1))
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
	struct pmus all = pmus_present(is_wanted);

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
	pmus_free(&all);
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
	struct count now;
	double ns;

	if (!count_read(m->fd, &now)) {
		counting_retry(m->fd, ++m->failures);
		count_read(m->fd, &m->last);
		return false;
	}
	m->failures = 0;
	m->still = now.value == m->last.value;
	ns = (double)(now.running_ns - m->last.running_ns);
	if (ns > 0)
		*sum_of(&b->flow[m->flow], m) += m->scale *
			(double)(now.value - m->last.value) / (ns / 1e9);
	m->last = now;
	return ns > 0;
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

static void note_sums(struct flow *f)
{
	for (int way = 0; way < FLOW_WAYS; way++)
		f->adds_up[way] |= flow_adds_up(f->stayed[way], f->clock);
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
		note_sums(&b->flow[i]);
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
		close(b->meter[i].fd);
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
