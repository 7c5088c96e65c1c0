/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Say what perf of older kernels lacks.
 *
 * COMPAT_PMU_STAYS: until 6.13 perf_pmu_unregister() waits for all that look up
 * a PMU (pmus_srcu) with pmus_lock held, and opening a software event takes that
 * lock during such a look-up: if both meet, perf hangs until reboot. So a PMU
 * that perf was given once stays with perf where headers show that the fault is
 * there: 6.6.83 and 6.12.19 have it mended, 6.1 has not, and cpu_pmu_context came
 * with 6.2.
 */
#ifndef COMPAT_PERF_H
#define COMPAT_PERF_H

#include <linux/perf_event.h>

#if COMPAT_HAS_PMU_CONTEXT
#define COMPAT_PMU_STAYS	false
#else
#define COMPAT_PMU_STAYS	true
#endif

/* attr.config3 came in 6.3; before, perf itself refuses what has it. */
static inline u64 compat_attr_config3(const struct perf_event_attr *attr)
{
#ifdef PERF_ATTR_SIZE_VER8
	return attr->config3;
#else
	return 0;
#endif
}

#endif /* COMPAT_PERF_H */
