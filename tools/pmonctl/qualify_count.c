// SPDX-License-Identifier: GPL-2.0-only
/* Counts of boxes against each other, against time and against a known copy. */
#include "qualify_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "compare.h"
#include "copy.h"
#include "counts.h"
#include "descriptors.h"
#include "opening.h"
#include "output.h"
#include "sysfs.h"

/* Memory has one clock, which does not change; others follow the load. */
#define STEADY 0.01
#define MOVING 0.30

/* What a clock of a server's uncore can be, in MHz. */
#define SLOWEST 50
#define FASTEST 8000

/* Of what was copied; prefetches, page tables and others come on top. */
#define LEAST 0.95
#define MOST 1.15

#define IDLE_MS 2000
#define COPY_MS 4000

static bool is_memory(const struct pmu *pmu)
{
	static const char stem[] = "uncore_imc_";

	return !strncmp(pmu->name, stem, strlen(stem)) &&
	       !strstr(pmu->name, "free_running");
}

static void open_on(struct ticks *t, size_t pmu, const struct opening *o,
		    unsigned int cpu)
{
	struct tick one = {
		.pmu = pmu, .package = package_of(cpu), .fd = opening_on(o, cpu),
	};

	if (one.fd < 0)
		return;
	t->tick = xrealloc(t->tick, (t->count + 1) * sizeof(one));
	t->tick[t->count++] = one;
}

/* The event as we have it, by the terms of the driver that has the box. */
static void open_pmu(struct ticks *t, size_t i, const struct pmu *offered,
		     const struct pmu *present)
{
	const char *event = entries_find(&offered->events, "clockticks");
	struct opening o;

	if (!event || !opening_find(&o, present) ||
	    !opening_encode(&o, present, event))
		return;
	for (unsigned int cpu = cpus_next(&o.cpus, 0); cpu < CPUS_MAX;
	     cpu = cpus_next(&o.cpus, cpu + 1))
		open_on(t, i, &o, cpu);
}

static bool is_uncore(const char *name)
{
	return !strncmp(name, "uncore_", strlen("uncore_"));
}

static void read_ticks(struct ticks *t, struct count *begin)
{
	for (size_t i = 0; i < t->count; i++) {
		struct count now;
		double ns;

		if (!count_read(t->tick[i].fd, &now))
			continue;
		ns = (double)(now.running_ns - begin[i].running_ns);
		if (ns > 0)
			t->tick[i].rate = (double)(now.value - begin[i].value) /
				ns * 1e9;
	}
}

void ticks_take(struct ticks *t, const struct pmus *offered,
		const struct verdicts *v, long long ms)
{
	struct pmus present = pmus_present(is_uncore);
	struct count *begin;

	*t = (struct ticks){ NULL, 0 };
	descriptors_allow();
	for (size_t i = 0; i < present.count; i++) {
		const struct pmu *pmu = compare_find(offered, &present.pmu[i]);

		if (pmu)
			open_pmu(t, (size_t)(pmu - offered->pmu), pmu,
				 &present.pmu[i]);
	}
	begin = xrealloc(NULL, (t->count + 1) * sizeof(*begin));
	for (size_t i = 0; i < t->count; i++)
		if (!count_read(t->tick[i].fd, &begin[i]))
			begin[i] = (struct count){ 0, 0, 0 };
	verdicts_pause(v, ms);
	read_ticks(t, begin);
	for (size_t i = 0; i < t->count; i++)
		close(t->tick[i].fd);
	free(begin);
	pmus_free(&present);
}

void ticks_free(struct ticks *t)
{
	free(t->tick);
	*t = (struct ticks){ NULL, 0 };
}

static double rate_of(const struct ticks *t, const struct tick *of)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->tick[i].pmu == of->pmu &&
		    t->tick[i].package == of->package)
			return t->tick[i].rate;
	return 0;
}

/* What is farther apart than it may be, and the worst of it. */
struct apart {
	size_t compared, far;
	double worst;
	const char *pmu;
};

static void compare_rates(struct apart *a, double x, double y, double may,
			  const char *pmu)
{
	double apart = fabs(x - y) / (x > y ? x : y);

	a->compared++;
	a->far += apart > may;
	if (apart > may && apart > a->worst) {
		a->worst = apart;
		a->pmu = pmu;
	}
}

void ticks_compare(const struct ticks *ours, const struct ticks *theirs,
		   const struct pmus *offered, struct verdicts *v)
{
	struct apart a = { 0, 0, 0, NULL };

	for (size_t i = 0; i < ours->count; i++) {
		const struct pmu *pmu = &offered->pmu[ours->tick[i].pmu];
		double x = ours->tick[i].rate;
		double y = rate_of(theirs, &ours->tick[i]);

		if (x > 0 && y > 0)
			compare_rates(&a, x, y, is_memory(pmu) ? STEADY : MOVING,
				      pmu->name);
	}
	if (a.far)
		verdict_add(v, FAILED, "intel_uncore", "counts clocks otherwise "
			    "on %zu of %zu boxes; %s is %.1f%% apart", a.far,
			    a.compared, a.pmu, 100 * a.worst);
	else if (a.compared)
		verdict_add(v, PASSED, "intel_uncore",
			    "counts clocks alike on %zu boxes", a.compared);
	else
		verdict_add(v, UNTESTED, "intel_uncore",
			    "has no box of ours on this kernel");
}

/* Of the memory controllers of a package, which have one clock. */
static void compare_siblings(struct apart *apart, const struct ticks *t,
			     const struct pmus *offered)
{
	const struct tick *first = NULL;

	for (size_t i = 0; i < t->count; i++) {
		const struct tick *one = &t->tick[i];

		if (!is_memory(&offered->pmu[one->pmu]) || one->rate <= 0)
			continue;
		for (size_t j = 0; j < i && !first; j++)
			if (is_memory(&offered->pmu[t->tick[j].pmu]) &&
			    t->tick[j].package == one->package)
				first = &t->tick[j];
		if (first && first->package == one->package && first->rate > 0)
			compare_rates(apart, one->rate, first->rate, STEADY,
				      offered->pmu[one->pmu].name);
		first = NULL;
	}
}

void ticks_judge(const struct ticks *a, const struct ticks *b,
		 const struct pmus *offered, struct verdicts *v)
{
	char *source = sysfs_read("/sys/devices/system/clocksource/"
				  "clocksource0/current_clocksource");
	size_t odd = 0, memory = 0;
	struct apart apart = { 0, 0, 0, NULL };
	double clock = 0;

	for (size_t i = 0; i < b->count; i++) {
		const struct pmu *pmu = &offered->pmu[b->tick[i].pmu];
		double x = b->tick[i].rate, y = rate_of(a, &b->tick[i]);

		odd += x < SLOWEST * 1e6 || x > FASTEST * 1e6;
		if (!is_memory(pmu) || x <= 0 || y <= 0)
			continue;
		memory++;
		clock = x;
		compare_rates(&apart, x, y, STEADY, pmu->name);
	}
	compare_siblings(&apart, b, offered);
	if (!b->count)
		verdict_add(v, UNTESTED, "clockticks", "no box counts its clock");
	else if (odd)
		verdict_add(v, FAILED, "clockticks", "%zu of %zu boxes count a "
			    "clock that is none", odd, b->count);
	else if (apart.far)
		verdict_add(v, FAILED, "clockticks", "the clock of %s is "
			    "%.1f%% from its own or its neighbours'", apart.pmu,
			    100 * apart.worst);
	else
		verdict_add(v, PASSED, "clockticks", "%zu boxes, %zu of memory "
			    "at %.0f MHz by %s, steady and alike", b->count,
			    memory, clock / 1e6, source ? source : "?");
	free(source);
}

/* When events were read last, in seconds by their own clock. */
static double read_at(const struct bandwidth *b)
{
	return b->meters ? (double)b->meter[0].last.enabled_ns / 1e9 : 0;
}

/*
 * MiB of memory, or MiB/s where nothing is copied, since the last call or since
 * events were opened, by way; false when it is not known.
 */
static bool memory_moved(struct bandwidth *b, const struct verdicts *v,
			 long long ms, struct copy *copy, double moved[FLOW_WAYS])
{
	double begin = read_at(b), seconds;
	size_t found = 0;

	if (copy)
		copy_run(copy, v, ms);
	else
		verdicts_pause(v, ms);
	bandwidth_read(b);
	seconds = read_at(b) - begin;
	moved[FLOW_IN] = 0;
	moved[FLOW_OUT] = 0;
	for (size_t i = 0; i < b->flows; i++) {
		const struct flow *f = &b->flow[i];

		if (f->kind != FLOW_MEMORY)
			continue;
		if (f->unknown)
			return false;
		found++;
		for (int way = 0; way < FLOW_WAYS; way++)
			moved[way] += f->rate[way] * seconds;
	}
	if (copy)
		copy->seconds = seconds;
	else if (seconds > 0)
		for (int way = 0; way < FLOW_WAYS; way++)
			moved[way] /= seconds;
	return found && seconds > 0 && verdicts_go_on(v);
}

/* A Xeon Max: bytes of its controllers' counts are not known, see bw. */
static bool has_hbm(void)
{
	static const char pmus[] = "/sys/bus/event_source/devices";

	return sysfs_has_children(pmus, "uncore_mchbm_") ||
	       sysfs_has_children(pmus, "uncore_hbm_");
}

static void judge_copied(struct verdicts *v, const struct copy *c,
			 const double idle[FLOW_WAYS],
			 const double moved[FLOW_WAYS])
{
	double part[FLOW_WAYS];
	bool good = c->mib > 0;

	for (int way = 0; way < FLOW_WAYS; way++) {
		part[way] = (moved[way] - idle[way] * c->seconds) / c->mib;
		good = good && part[way] >= LEAST && part[way] <= MOST;
	}
	if (!good && has_hbm()) {
		verdict_add(v, UNTESTED, "memory copy", "memory of the package "
			    "(HBM), which is not counted, may have what was "
			    "copied");
		return;
	}
	verdict_add(v, good ? PASSED : FAILED, "memory copy",
		    "of %.0f MiB copied in %.1f s the controllers count %.1f%% "
		    "read and %.1f%% written; before, %.0f and %.0f MiB/s", c->mib,
		    c->seconds, 100 * part[FLOW_IN], 100 * part[FLOW_OUT],
		    idle[FLOW_IN], idle[FLOW_OUT]);
}

void copy_judge(struct verdicts *v, long mib_s)
{
	struct copy copy = { .mib_s = mib_s };
	double idle[FLOW_WAYS], moved[FLOW_WAYS];
	struct bandwidth b;

	if (!copy_begin(&copy)) {
		verdict_add(v, UNTESTED, "memory copy",
			    "there is too little memory for it");
		return;
	}
	bandwidth_open(&b, false);
	if (memory_moved(&b, v, IDLE_MS, NULL, idle) &&
	    memory_moved(&b, v, COPY_MS, &copy, moved))
		judge_copied(v, &copy, idle, moved);
	else
		verdict_add(v, UNTESTED, "memory copy",
			    "not all memory controllers can be counted");
	bandwidth_close(&b);
	copy_end(&copy);
}
