// SPDX-License-Identifier: GPL-2.0-only
/*
 * Implement perf's callbacks for PMUs without boxes. A driver returns the value
 * of an event, for example the time of a limit, or has its own perf callbacks.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/perf_event.h>

#include "core.h"

static const struct pmon_boxless_ops *
pmon_boxless(const struct perf_event *event)
{
	return to_pmon_pmu(event->pmu)->boxless;
}

/*
 * Get a count as atomic_long_t, because local64_add() and local64_xchg() omit
 * the LOCK prefix on x86. On x86-64 and sparc64 a local64_t contains this type.
 */
static atomic_long_t *pmon_atomic_of(local64_t *value)
{
	return &value->a.a;
}

/* Several CPUs and NMIs may call this at once: each adds part of the gain. */
static void pmon_boxless_update(struct perf_event *event)
{
	long now = pmon_boxless(event)->now(event);
	long before = atomic_long_xchg(pmon_atomic_of(&event->hw.prev_count),
				       now);

	atomic_long_add(now - before, pmon_atomic_of(&event->count));
}

static void pmon_boxless_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		pmon_boxless_update(event);
}

static int pmon_boxless_add(struct perf_event *event, int flags)
{
	int ret;

	pmon_event_mark_added(event);
	pmon_event_hw(event)->event.failed = false;
	ret = pmon_boxless(event)->start(event);
	if (ret)
		return ret;

	local64_set(&event->hw.prev_count, pmon_boxless(event)->now(event));
	event->hw.state = 0;
	return 0;
}

static void pmon_boxless_del(struct perf_event *event, int flags)
{
	pmon_boxless_read(event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (pmon_boxless(event)->stop)
		pmon_boxless(event)->stop(event);
}

/* perf has checked the parent's event, and closes it last. */
static bool pmon_event_is_inherited(const struct perf_event *event)
{
	return event->parent && event->parent->pmu == event->pmu;
}

static int pmon_boxless_event_init(struct perf_event *event)
{
	const struct pmon_boxless_ops *ops;
	int ret;

	if (pmon_event_is_inherited(event)) {
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
		return 0;
	}
	ret = pmon_event_begin_open(event);
	if (ret)
		return ret;

	ops = pmon_boxless(event);
	/* BPF in an NMI may read the event before add() is done. */
	if (!ops->perf)
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	/* With @perf, perf's later check suffices: open() uses no hardware. */
	ret = ops->perf || ops->of_tasks || perfmon_capable() ?
		ops->open(event) : -EACCES;
	if (!ret) {
		ret = pmon_event_finish_open(event);
		if (ret)
			ops->close(event);
	}
	if (ret)
		pmon_event_put_owner(event);
	return ret;
}

static void pmon_boxless_enable(struct pmu *pmu)
{
}

static void pmon_boxless_disable(struct pmu *pmu)
{
	pmon_pmu_keep_events_off(to_pmon_pmu(pmu));
}

#define PMON_BOXLESS_CALLBACKS				\
	.event_init = pmon_boxless_event_init,		\
	.add = pmon_boxless_add,			\
	.del = pmon_boxless_del,			\
	.start = pmon_perf_start_or_stop,		\
	.stop = pmon_perf_start_or_stop,		\
	.read = pmon_boxless_read

static const struct pmu pmon_boxless_callbacks = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_enable = pmon_boxless_enable,
	.pmu_disable = pmon_boxless_disable,
	PMON_BOXLESS_CALLBACKS,
};

/*
 * As perf's own PMU "msr", but for PERF_PMU_CAP_NO_EXCLUDE: perf stat leaves
 * the kernel out for users without rights. Without pmu_disable, which perf
 * would call at each switch of tasks.
 */
static const struct pmu pmon_task_callbacks = {
	.task_ctx_nr = perf_sw_context,
	PMON_BOXLESS_CALLBACKS,
};

/*
 * Wrap the driver's callbacks, because a PMU that perf keeps (COMPAT_PMU_STAYS)
 * must not point into an unloaded driver. Apart from event_init, perf calls
 * callbacks only for open events, which keep the driver loaded.
 */
static const struct pmu *pmon_driver_perf(struct pmu *pmu)
{
	return to_pmon_pmu(pmu)->boxless->perf;
}

static void pmon_driver_enable(struct pmu *pmu)
{
	pmon_driver_perf(pmu)->pmu_enable(pmu);
}

static int pmon_driver_add(struct perf_event *event, int flags)
{
	pmon_event_mark_added(event);
	pmon_event_hw(event)->event.failed = false;
	return pmon_driver_perf(event->pmu)->add(event, flags);
}

static void pmon_driver_del(struct perf_event *event, int flags)
{
	pmon_driver_perf(event->pmu)->del(event, flags);
}

static void pmon_driver_read(struct perf_event *event)
{
	pmon_driver_perf(event->pmu)->read(event);
}

static void pmon_driver_start_txn(struct pmu *pmu, unsigned int txn)
{
	pmon_driver_perf(pmu)->start_txn(pmu, txn);
}

static int pmon_driver_commit_txn(struct pmu *pmu)
{
	return pmon_driver_perf(pmu)->commit_txn(pmu);
}

static void pmon_driver_cancel_txn(struct pmu *pmu)
{
	pmon_driver_perf(pmu)->cancel_txn(pmu);
}

static const struct pmu pmon_driver_callbacks = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.pmu_enable = pmon_driver_enable,
	.pmu_disable = pmon_boxless_disable,
	.event_init = pmon_boxless_event_init,
	.add = pmon_driver_add,
	.del = pmon_driver_del,
	.start = pmon_perf_start_or_stop,
	.stop = pmon_perf_start_or_stop,
	.read = pmon_driver_read,
	.start_txn = pmon_driver_start_txn,
	.commit_txn = pmon_driver_commit_txn,
	.cancel_txn = pmon_driver_cancel_txn,
};

/* Get the perf callbacks; @ops is NULL for PMUs with boxes. */
const struct pmu *pmon_pmu_callbacks(const struct pmon_boxless_ops *ops)
{
	if (!ops)
		return &pmon_perf_callbacks;
	if (ops->of_tasks)
		return &pmon_task_callbacks;
	return ops->perf ? &pmon_driver_callbacks : &pmon_boxless_callbacks;
}

void *pmon_pmu_data(const struct pmu *pmu)
{
	return container_of(pmu, struct pmon_pmu, pmu)->data;
}
EXPORT_SYMBOL_GPL(pmon_pmu_data);

void pmon_boxless_migrate(const struct pmon_boxless_ops *ops, unsigned int from,
			  unsigned int to)
{
	struct pmon_pmu *pmu;

	if (!pmon_cpu_has_events(from))
		return;
	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (pmu->boxless == ops)
			pmon_pmu_move_events(pmu, from, to);
}
EXPORT_SYMBOL_GPL(pmon_boxless_migrate);

void pmon_boxless_fail(const struct pmon_boxless_ops *ops,
		       bool (*match)(const struct perf_event *event,
				     const void *data),
		       const void *data)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (pmu->boxless == ops)
			pmon_pmu_fail_events(pmu, match, data);
}
EXPORT_SYMBOL_GPL(pmon_boxless_fail);
