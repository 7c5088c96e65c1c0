// SPDX-License-Identifier: GPL-2.0-only
/*
 * A random event: mostly one that perf accepts, so that what is behind gets
 * something to do, and sometimes damaged in one place or another.
 */
#include <linux/hw_breakpoint.h>

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

static void of_pmu(struct perf_event_attr *attr, struct target *target, bool ours)
{
	const struct pmu *pmu = pmus_pick(ours);
	uint64_t config[WORDS];

	if (!pmu)
		return;
	/* Each time that it is registered it has another number. */
	attr->type = pmu->type;
	if (odds(60) && pmu_type(pmu->name) >= 0)
		attr->type = pmu_type(pmu->name);
	pmu_random_config(pmu, config);
	attr->config = config[0];
	attr->config1 = config[1];
	attr->config2 = config[2];
	if (pmu->nr_cpus && odds(80)) {
		target->cpu = pmu->cpu[below(pmu->nr_cpus)];
		target->pid = -1;
	}
}

static void software(struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = below(PERF_COUNT_SW_MAX + 1);
	if (odds(40))
		attr->sample_period = PERIOD_NS << below(6);
}

static void tracepoint(struct perf_event_attr *attr)
{
	static const char *const names[] = {
		"pmon/plr_reasons", "pmon/plr_reasons", "pmon/plr_reasons",
		"sched/sched_switch", "workqueue/workqueue_execute_start",
		"module/module_free",
	};
	static const char *last_name = "";
	static uint64_t last;
	const char *name = PICK(names);
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
	if (odds(50)) {
		attr->sample_period = strstr(last_name, "switch") &&
				      !access("/sys/kernel/realtime", F_OK) ?
				      PERIOD_OF_SWITCHES : 1;
		attr->sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TIME;
	}
}

static void breakpoint(struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->bp_type = 1 + below(4);
	attr->bp_addr = (uintptr_t)&attr_watched;
	attr->bp_len = 1ull << below(4);
	if (odds(50))
		attr->sample_period = 1;
	attr->exclude_kernel = 1;
}

static void any_type(struct perf_event_attr *attr)
{
	attr->type = odds(80) ? below(160) : odd_number();
	/* Tracing every function of the kernel takes an emulated CPU too long. */
	if (attr->type == PERF_TYPE_TRACEPOINT)
		attr->type = PERF_TYPE_MAX;
	attr->config = odd_number();
}

static void kind(struct perf_event_attr *attr, struct target *target)
{
	unsigned int n = below(100);

	if (n < 62)
		of_pmu(attr, target, true);
	else if (n < 74)
		software(attr);
	else if (n < 84)
		tracepoint(attr);
	else if (n < 88)
		of_pmu(attr, target, false);
	else if (n < 92 && !switched_off("breakpoint"))
		breakpoint(attr);
	else
		any_type(attr);
}

/* Bits that change what perf does with the event. */
static void flags(struct perf_event_attr *attr)
{
	attr->disabled = odds(25);
	attr->inherit = odds(12);
	attr->pinned = odds(6);
	attr->exclusive = odds(4);
	attr->enable_on_exec = odds(4);
	attr->remove_on_exec = odds(3);
	attr->inherit_stat = odds(2);
	attr->inherit_thread = odds(2);
	attr->sigtrap = odds(1);
	attr->mmap = odds(4);
	attr->comm = odds(4);
	attr->task = odds(4);
	attr->freq = odds(1);
	attr->watermark = odds(3);
	attr->sample_id_all = odds(5);
	attr->context_switch = odds(3);
	attr->cgroup = odds(2);
	attr->ksymbol = odds(2);
	attr->exclude_idle = odds(2);
	if (odds(5))
		attr->exclude_user = 1;
	if (odds(5))
		attr->exclude_kernel = 1;
	if (odds(50))
		attr->read_format = below(PERF_FORMAT_MAX);
}

static void damage(struct perf_event_attr *attr)
{
	static const unsigned int sizes[] = {
		PERF_ATTR_SIZE_VER0, PERF_ATTR_SIZE_VER1, PERF_ATTR_SIZE_VER5,
		0, 8, 4096, 4097,
	};

	switch (below(8)) {
	case 0:
		attr->size = PICK(sizes);
		break;
	case 1:
		attr->sample_type = odd_number();
		break;
	case 2:
		attr->read_format = odd_number();
		break;
	case 3:
		/* No storm of samples, which perf would only throttle. */
		attr->sample_period = odd_number() | 1ull << 22;
		break;
	case 4:
		attr->clockid = odd_number();
		attr->use_clockid = 1;
		break;
	case 5:
		attr->aux_watermark = odd_number();
		break;
	case 6:
		attr->branch_sample_type = odd_number();
		break;
	default:
		if (attr->type != PERF_TYPE_TRACEPOINT)
			attr->config ^= odd_number();
		break;
	}
}

static void place(struct target *target)
{
	unsigned int n = below(100);

	if (n < 40) {
		target->pid = -1;
		target->cpu = below(sysconf(_SC_NPROCESSORS_CONF));
	} else if (n < 80) {
		target->pid = 0;
		target->cpu = -1;
	} else if (n < 90) {
		target->pid = shared->record[below(MAX_RECORDS)].pid;
		target->cpu = odds(50) ? -1 : (int)below(4);
	} else {
		target->pid = (int)below(4) - 2;
		target->cpu = (int)below(70) - 2;
	}
}

static void gathering(struct target *target)
{
	target->group = -1;
	target->flags = odds(50) ? PERF_FLAG_FD_CLOEXEC : 0;
	if (odds(30))
		target->group = random_slot();
	if (odds(3))
		target->flags |= PERF_FLAG_FD_NO_GROUP;
	if (odds(3))
		target->flags |= PERF_FLAG_FD_OUTPUT;
	if (odds(4) && !switched_off("cgroup")) {
		target->flags |= PERF_FLAG_PID_CGROUP;
		target->cpu = below(4);
		target->pid = open(odds(50) ? CGROUPS "/a" : CGROUPS,
				   O_RDONLY | O_CLOEXEC);
	}
	if (odds(1))
		target->flags = odd_number();
}

void attr_random(struct perf_event_attr *attr, struct target *target)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	place(target);
	kind(attr, target);
	flags(attr);
	if (me.record->worker->uid && odds(50)) {
		attr->exclude_kernel = 1;
		attr->exclude_hv = 1;
	}
	gathering(target);
	if (odds(8))
		damage(attr);
}
