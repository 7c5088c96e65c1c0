// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register the PMU "plr_task": time for which a task, a cgroup or a CPU ran on
 * modules that a reason limited. While perf has an event on a CPU, the event
 * gains S(b) - S(a) of the CPU's module (residency.c). perf moves the events of
 * tasks by itself, so drivers/core only counts them.
 */
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include <pmon/class.h>
#include <pmon/pmu.h>

#include "plr.h"

static unsigned int plr_task_code(const struct perf_event *event)
{
	return event->attr.config & PLR_PERF_EVENT;
}

/* Return S(now), or @last in an NMI that may have interrupted a change. */
static u64 plr_task_sum(const struct plr_scope *scope, unsigned int code,
			u64 last)
{
	const struct plr_residency *residency = &scope->residency;
	unsigned int seq;
	u64 ns;

	do {
		while ((seq = raw_read_seqcount(&scope->residency_seq)) & 1) {
			if (in_nmi())
				return last;
			cpu_relax();
		}
		/* Without the reason no clock is read. */
		ns = plr_residency_at(residency, code,
				      plr_residency_has(residency, code) ?
				      ktime_get_mono_fast_ns() : 0);
	} while (read_seqcount_retry(&scope->residency_seq, seq));
	return ns;
}

/*
 * perf starts and reads an event on the CPU of its task. If the module of that
 * CPU was not known at the start, look again: the time before counts nothing.
 */
static u64 plr_task_now(struct perf_event *event)
{
	const struct plr_scope *scope = event->pmu_private;
	u64 last = local64_read(&event->hw.prev_count);
	u64 ns;

	if (scope)
		return plr_task_sum(scope, plr_task_code(event), last);
	scope = plr_cpu_module(smp_processor_id());
	if (!scope)
		return last;
	ns = plr_task_sum(scope, plr_task_code(event), last);
	local64_set(&event->hw.prev_count, ns);
	WRITE_ONCE(event->pmu_private, (void *)scope);
	return ns;
}

/* Never fails, because perf does not try to add events of tasks again. */
static int plr_task_start(struct perf_event *event)
{
	WRITE_ONCE(event->pmu_private, plr_cpu_module(smp_processor_id()));
	return 0;
}

/*
 * With CAP_PERFMON an open event has all domains polled with its reason in the
 * gate. A member of the module's group may open events while root has all
 * domains polled anyway. Times of modules include kernel and hypervisor, so
 * attributes that leave these out have no effect; others are refused.
 */
static int plr_task_open(struct perf_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	unsigned int code = plr_task_code(event);

	if (code >= PLR_CODES || attr->exclude_user || attr->exclude_host ||
	    attr->exclude_idle)
		return -EINVAL;
	event->hw.config = perfmon_capable();
	if (event->hw.config)
		plr_domains_request(code);
	else if (!pmon_caller_in_group() || !plr_domains_are_polled(code))
		return -EACCES;
	return 0;
}

static void plr_task_close(struct perf_event *event)
{
	if (event->hw.config)
		plr_domains_release(plr_task_code(event));
}

const struct pmon_boxless_ops plr_task_ops = {
	.open = plr_task_open,
	.close = plr_task_close,
	.start = plr_task_start,
	.now = plr_task_now,
	.of_tasks = true,
};
