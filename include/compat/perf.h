/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Adapt the drivers to perf of older kernels.
 *
 * COMPAT_PMU_STAYS: a registered PMU stays registered on kernels before 6.2,
 * whose headers have no cpu_pmu_context. Until 6.13 perf_pmu_unregister() waits
 * for readers of pmus_srcu with pmus_lock held. If such a reader opens a
 * software event, it takes pmus_lock, so perf hangs until reboot. 6.6.83 and
 * 6.12.19 have the fix, 6.1 has not.
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
 * Combine the config words beyond config2, which no format term uses. perf
 * itself rejects events with a word that the kernel lacks.
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

/*
 * Return true if perf would hang when it opens @event, which belongs to a group
 * of a software event. Before 6.2, a group that moves to another CPU gets its
 * leader last, and looks like a group of software events alone. perf would move
 * the group into the context that has it, and lock one mutex twice. The caller
 * is event_init, which perf calls with the leader's context locked. A move
 * after this check and before perf's own, microseconds later, is not seen.
 */
static inline bool compat_open_hangs(const struct perf_event *event)
{
	struct perf_event *leader = event->group_leader;

	return !COMPAT_HAS_PMU_CONTEXT && is_software_event(leader) &&
	       leader->group_caps & PERF_EV_CAP_SOFTWARE &&
	       !in_software_context(leader);
}

#endif /* COMPAT_PERF_H */
