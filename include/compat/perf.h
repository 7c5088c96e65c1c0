/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf of older kernels, and what perf_pmu_unregister() does wrong on some.
 *
 * COMPAT_PMU_STAYS: it waits for all that look up a PMU (pmus_srcu) with
 * pmus_lock held, and opening a software event takes that lock during such a
 * look-up: if both meet, perf hangs until reboot. So says kernel/events/core.c
 * of 6.1; that of 6.12 releases the lock first. There a PMU that perf was given
 * once must stay with perf.
 *
 * Elsewhere it frees the timers that multiplex events, and writing to the file
 * perf_event_mux_interval_ms has started them, with or without events:
 * compat_pmu_stop_timers() comes before it. Where a PMU stays, it comes when
 * the PMU leaves sysfs, and the next one begins with the interval that perf
 * gives to a new one.
 */
#ifndef COMPAT_PERF_H
#define COMPAT_PERF_H

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)

#define COMPAT_PMU_STAYS	true

/* No event is open and the file is gone, so nothing starts them meanwhile. */
static inline void compat_pmu_stop_timers(struct pmu *pmu)
{
	unsigned int cpu;

	pmu->hrtimer_interval_ms = jiffies_to_msecs(1);
	for_each_possible_cpu(cpu) {
		struct perf_cpu_context *context =
			per_cpu_ptr(pmu->pmu_cpu_context, cpu);

		hrtimer_cancel(&context->hrtimer);
		context->hrtimer_active = 0;
		context->hrtimer_interval = ms_to_ktime(pmu->hrtimer_interval_ms);
	}
}

#else

#define COMPAT_PMU_STAYS	false

static inline struct perf_cpu_pmu_context *
compat_pmu_context(struct pmu *pmu, unsigned int cpu)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return per_cpu_ptr(pmu->cpu_pmu_context, cpu);
#else
	return *per_cpu_ptr(pmu->cpu_pmu_context, cpu);
#endif
}

/* No event is open, so once the file is gone nothing starts them again. */
static inline void compat_pmu_stop_timers(struct pmu *pmu)
{
	static const struct attribute file = {
		.name = "perf_event_mux_interval_ms",
	};
	unsigned int cpu;

	/* Waits for those that write to it. */
	sysfs_remove_file(&pmu->dev->kobj, &file);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&compat_pmu_context(pmu, cpu)->hrtimer);
}

#endif

/* attr.config3 came in 6.3; before, perf itself refuses what has it. */
static inline u64 compat_attr_config3(const struct perf_event_attr *attr)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	return 0;
#else
	return attr->config3;
#endif
}

#endif /* COMPAT_PERF_H */
