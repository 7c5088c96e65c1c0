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

/*
 * Words of configuration beyond config2, which no term of ours has. Where a
 * kernel lacks one perf itself refuses what has it.
 */
static inline u64 compat_attr_more_config(const struct perf_event_attr *attr)
{
	u64 more = 0;

#ifdef PERF_ATTR_SIZE_VER8
	more |= attr->config3;
#endif
#ifdef PERF_ATTR_SIZE_VER9
	more |= attr->config4;
#endif
	return more;
}

#endif /* COMPAT_PERF_H */
