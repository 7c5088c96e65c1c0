// SPDX-License-Identifier: GPL-2.0-only
/*
 * A random event: mostly one that perf accepts, so that what is behind gets
 * something to do, and sometimes damaged in one place or another.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"

#define EVENTS	"/sys/kernel/tracing/events"
/* Shorter periods only measure how slow an emulated CPU is. */
#define PERIOD_NS	2000000
/*
 * A real-time kernel wakes a thread for each sample, which is two switches more:
 * with every switch a sample, that thread of highest priority never ends.
 */
#define PERIOD_OF_SWITCHES	64

/* What breakpoints watch. */
uint64_t attr_watched;

static void set_config(struct perf_event_attr *attr, const uint64_t *config)
{
	attr->config = config[0];
	attr->config1 = config[1];
	attr->config2 = config[2];
}

static void of_pmu(struct me *me, struct perf_event_attr *attr,
		   struct target *target, bool ours)
{
	const struct pmu *pmu = pmus_pick(&me->pmus, &me->rng, ours);
	uint64_t config[WORDS];
	char text[16];

	if (!pmu)
		return;
	/* Each time that it is registered it has another number. */
	attr->type = pmu->type;
	if (rng_odds(&me->rng, 60) &&
	    read_text(text, sizeof(text), PMUS "/%s/type", pmu->name))
		attr->type = strtoul(text, NULL, 10);
	pmu_random_config(pmu, &me->rng, config);
	set_config(attr, config);
	if (pmu->nr_cpus && rng_odds(&me->rng, 80)) {
		target->cpu = pmu->cpu[rng_below(&me->rng, pmu->nr_cpus)];
		target->pid = -1;
	}
}

static void software(struct me *me, struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = rng_below(&me->rng, PERF_COUNT_SW_MAX + 1);
	if (rng_odds(&me->rng, 40))
		attr->sample_period = PERIOD_NS << rng_below(&me->rng, 6);
}

static void tracepoint(struct me *me, struct perf_event_attr *attr)
{
	static const char *const names[] = {
		"pmon/plr_reasons", "pmon/plr_reasons", "pmon/plr_reasons",
		"sched/sched_switch", "workqueue/workqueue_execute_start",
		"module/module_free",
	};
	static const char *last_name = "";
	static uint64_t last;
	const char *name = PICK(&me->rng, names);
	char text[32];

	if (switched_off("tracepoint"))
		return;
	attr->type = PERF_TYPE_TRACEPOINT;
	/* A number that no PMU has any more, or another one. */
	if (read_text(text, sizeof(text), EVENTS "/%s/id", name)) {
		last = strtoull(text, NULL, 10);
		last_name = name;
	}
	attr->config = last;
	if (rng_odds(&me->rng, 50)) {
		attr->sample_period = strstr(last_name, "switch") &&
				      !access("/sys/kernel/realtime", F_OK) ?
				      PERIOD_OF_SWITCHES : 1;
		attr->sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME;
	}
}

static void breakpoint(struct me *me, struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = 1 + rng_below(&me->rng, 4);
	attr->bp_addr = (uintptr_t)&attr_watched;
	attr->bp_len = 1ull << rng_below(&me->rng, 4);
	if (rng_odds(&me->rng, 50))
		attr->sample_period = 1;
	attr->exclude_kernel = 1;
}

static void any_type(struct me *me, struct perf_event_attr *attr)
{
	attr->type = rng_odds(&me->rng, 80) ? rng_below(&me->rng, 160) :
		     rng_odd_number(&me->rng);
	/* Tracing every function of the kernel takes an emulated CPU too long. */
	if (attr->type == PERF_TYPE_TRACEPOINT)
		attr->type = PERF_TYPE_MAX;
	attr->config = rng_odd_number(&me->rng);
}

static void kind(struct me *me, struct perf_event_attr *attr,
		 struct target *target)
{
	unsigned int n = rng_below(&me->rng, 100);

	if (n < 62)
		of_pmu(me, attr, target, true);
	else if (n < 74)
		software(me, attr);
	else if (n < 84)
		tracepoint(me, attr);
	else if (n < 88)
		of_pmu(me, attr, target, false);
	else if (n < 92 && !switched_off("breakpoint"))
		breakpoint(me, attr);
	else
		any_type(me, attr);
}

/* Bits that change what perf does with the event. */
static void flags(struct me *me, struct perf_event_attr *attr)
{
	struct rng *r = &me->rng;

	attr->disabled = rng_odds(r, 25);
	attr->inherit = rng_odds(r, 12);
	attr->pinned = rng_odds(r, 6);
	attr->exclusive = rng_odds(r, 4);
	attr->enable_on_exec = rng_odds(r, 4);
	attr->remove_on_exec = rng_odds(r, 3);
	attr->inherit_stat = rng_odds(r, 2);
	attr->inherit_thread = rng_odds(r, 2);
	attr->sigtrap = rng_odds(r, 1);
	attr->mmap = rng_odds(r, 4);
	attr->comm = rng_odds(r, 4);
	attr->task = rng_odds(r, 4);
	attr->freq = rng_odds(r, 1);
	attr->watermark = rng_odds(r, 3);
	attr->sample_id_all = rng_odds(r, 5);
	attr->context_switch = rng_odds(r, 3);
	attr->cgroup = rng_odds(r, 2);
	attr->ksymbol = rng_odds(r, 2);
	attr->exclude_idle = rng_odds(r, 2);
	if (rng_odds(r, 5))
		attr->exclude_user = 1;
	if (rng_odds(r, 5))
		attr->exclude_kernel = 1;
	if (rng_odds(r, 50))
		attr->read_format = rng_below(r, PERF_FORMAT_MAX);
}

static void damage(struct me *me, struct perf_event_attr *attr)
{
	static const unsigned int sizes[] = {
		PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER1, PERF_ATTR_SIZE_VER5,
		0, 8, 4096, 4097,
	};
	struct rng *r = &me->rng;

	switch (rng_below(r, 8)) {
	case 0:
		attr->size = PICK(r, sizes);
		break;
	case 1:
		attr->sample_type = rng_odd_number(r);
		break;
	case 2:
		attr->read_format = rng_odd_number(r);
		break;
	case 3:
		/* No storm of samples, which perf would only throttle. */
		attr->sample_period = rng_odd_number(r) | 1ull << 22;
		break;
	case 4:
		attr->clockid = rng_odd_number(r);
		attr->use_clockid = 1;
		break;
	case 5:
		attr->aux_watermark = rng_odd_number(r);
		break;
	case 6:
		attr->branch_sample_type = rng_odd_number(r);
		break;
	default:
		if (attr->type != PERF_TYPE_TRACEPOINT)
			attr->config ^= rng_odd_number(r);
		break;
	}
}

static void place(struct me *me, struct target *target)
{
	struct rng *r = &me->rng;
	unsigned int n = rng_below(r, 100);

	if (n < 40) {
		target->pid = -1;
		target->cpu = rng_below(r, sysconf(_SC_NPROCESSORS_CONF));
	} else if (n < 80) {
		target->pid = 0;
		target->cpu = -1;
	} else if (n < 90) {
		target->pid = shared->record[rng_below(r, MAX_RECORDS)].pid;
		target->cpu = rng_odds(r, 50) ? -1 : (int)rng_below(r, 4);
	} else {
		target->pid = (int)rng_below(r, 4) - 2;
		target->cpu = (int)rng_below(r, 70) - 2;
	}
}

static void gathering(struct me *me, struct target *target)
{
	struct rng *r = &me->rng;

	target->group = -1;
	target->flags = rng_odds(r, 50) ? PERF_FLAG_FD_CLOEXEC : 0;
	if (rng_odds(r, 30))
		target->group = random_slot(me);
	if (rng_odds(r, 3))
		target->flags |= PERF_FLAG_FD_NO_GROUP;
	if (rng_odds(r, 3))
		target->flags |= PERF_FLAG_FD_OUTPUT;
	if (rng_odds(r, 4) && !switched_off("cgroup")) {
		target->flags |= PERF_FLAG_PID_CGROUP;
		target->cpu = rng_below(r, 4);
		target->pid = open(rng_odds(r, 50) ? CGROUPS "/a" : CGROUPS,
				   O_RDONLY | O_CLOEXEC);
	}
	if (rng_odds(r, 1))
		target->flags = rng_odd_number(r);
}

void attr_random(struct me *me, struct perf_event_attr *attr,
		 struct target *target)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	place(me, target);
	kind(me, attr, target);
	flags(me, attr);
	if (me->worker->uid && rng_odds(&me->rng, 50)) {
		attr->exclude_kernel = 1;
		attr->exclude_hv = 1;
	}
	gathering(me, target);
	if (rng_odds(&me->rng, 8))
		damage(me, attr);
}

void attr_describe(const struct perf_event_attr *attr, char *text, size_t size)
{
	int n = snprintf(text, size, "type %u config %llx", attr->type,
			 (unsigned long long)attr->config);

	if (attr->config1 || attr->config2)
		n += snprintf(text + n, size - n, ",%llx,%llx",
			      (unsigned long long)attr->config1,
			      (unsigned long long)attr->config2);
	if (attr->sample_period)
		n += snprintf(text + n, size - n, " period %llu",
			      (unsigned long long)attr->sample_period);
	snprintf(text + n, size - n, "%s%s%s%s", attr->disabled ? " off" : "",
		 attr->inherit ? " inherit" : "", attr->pinned ? " pinned" : "",
		 attr->sigtrap ? " sigtrap" : "");
}
