/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf of older kernels, and what perf_pmu_unregister() does wrong.
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
 *
 * Events of other PMUs, software events say, that are in a group with one of
 * the PMU, or were, stay in the contexts that perf has for the PMU. Where they
 * outlive it perf uses what it has freed, and if the PMU comes back schedules
 * them twice. So says the code of 6.12 and 7.3, and 7.2 does it. A PMU can leave
 * sysfs before perf_pmu_unregister(): perf looks whether it has a device.
 *
 * COMPAT_PMU_REVOKES: it takes open events away, which have nothing to do with
 * the PMU, its module or us from then on. The events are gone before the timers
 * are freed, which they may have started until then; compat_pmu_unregister()
 * stops them in between.
 */
#ifndef COMPAT_PERF_H
#define COMPAT_PERF_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/device/bus.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
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

static inline ktime_t compat_pmu_interval(struct pmu *pmu)
{
	return this_cpu_ptr(pmu->pmu_cpu_context)->hrtimer_interval;
}

/* Where perf lists the events of @pmu that are on @cpu, or NULL. */
static inline struct perf_event_context *
compat_pmu_events_on(struct pmu *pmu, unsigned int cpu)
{
	return &per_cpu_ptr(pmu->pmu_cpu_context, cpu)->ctx;
}

/* How many events perf has in the contexts of @pmu for @cpu: those it lists. */
static inline unsigned int compat_pmu_refs(struct pmu *pmu, unsigned int cpu)
{
	return READ_ONCE(compat_pmu_events_on(pmu, cpu)->nr_events);
}

static inline bool compat_event_is_in(struct perf_event *event,
				      struct pmu *pmu, unsigned int cpu)
{
	return true;
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

/*
 * After which time perf asks events of @pmu on this CPU again. It is not always
 * hrtimer_interval_ms: a CPU that was offline when that was changed keeps what
 * it had. Called with interrupts off.
 */
static inline ktime_t compat_pmu_interval(struct pmu *pmu)
{
	return compat_pmu_context(pmu, smp_processor_id())->hrtimer_interval;
}

/* Where perf lists events that are on @cpu, those of @pmu too, or NULL. */
static inline struct perf_event_context *
compat_pmu_events_on(struct pmu *pmu, unsigned int cpu)
{
	return READ_ONCE(compat_pmu_context(pmu, cpu)->epc.ctx);
}

/*
 * How many events perf has in the contexts of @pmu for @cpu: from when it is
 * about to list one there until it is about to forget it, after the CPU went
 * offline, too. Since 6.15 perf itself has a reference more.
 */
static inline unsigned int compat_pmu_refs(struct pmu *pmu, unsigned int cpu)
{
	unsigned int own = LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0);

	if (!compat_pmu_events_on(pmu, cpu))
		return 0;
	return atomic_read(&compat_pmu_context(pmu, cpu)->epc.refcount) - own;
}

/* Is an event that perf lists for @cpu in the contexts of @pmu? */
static inline bool compat_event_is_in(struct perf_event *event,
				      struct pmu *pmu, unsigned int cpu)
{
	return READ_ONCE(event->pmu_ctx) == &compat_pmu_context(pmu, cpu)->epc;
}

static inline void compat_pmu_cancel_timers(struct pmu *pmu)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&compat_pmu_context(pmu, cpu)->hrtimer);
}

/*
 * Once the file is gone nothing starts them again but events, if any is still
 * open. A PMU that has left sysfs has none.
 */
static inline void compat_pmu_stop_timers(struct pmu *pmu)
{
	static const struct attribute file = {
		.name = "perf_event_mux_interval_ms",
	};

	/* Waits for those that write to it. */
	if (pmu->dev)
		sysfs_remove_file(&pmu->dev->kobj, &file);
	compat_pmu_cancel_timers(pmu);
}

#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)

#define COMPAT_PMU_REVOKES	false

static inline void compat_event_revoked(struct perf_event *event)
{
}

static inline bool compat_event_is_revocable(struct perf_event *event)
{
	return false;
}

/*
 * Call @visit for each event of @pmu that perf has on a CPU, until it returns
 * true; so does this then. @visit does not sleep, and may get an event that is
 * being closed. Events do not move to another CPU meanwhile.
 */
static inline bool compat_pmu_visit(struct pmu *pmu,
				    bool (*visit)(struct perf_event *event,
						  const void *data),
				    const void *data)
{
	struct perf_event_context *ctx;
	struct perf_event *event;
	unsigned int cpu;
	bool found = false;

	rcu_read_lock();
	for_each_possible_cpu(cpu) {
		ctx = compat_pmu_events_on(pmu, cpu);
		if (!ctx)
			continue;
		list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
			found = event->pmu == pmu && visit(event, data);
			if (found)
				break;
		}
		if (found)
			break;
	}
	rcu_read_unlock();
	return found;
}

/* No event is open. */
static inline void compat_pmu_unregister(struct pmu *pmu)
{
	perf_pmu_unregister(pmu);
}

#else

#define COMPAT_PMU_REVOKES	true

/*
 * What reads an event that was taken away is given its last count, and the time
 * until then, as if it counted on: perf looks at the size of the buffer only.
 * So that is made too small for all that expect a count, and they get ENOSPC.
 * perf calls this, as it reads, with the mutex of the event's context held.
 */
static inline void compat_event_revoked(struct perf_event *event)
{
	event->read_size = U16_MAX;
}

/* As above; here also events that perf is about to have on a CPU. */
static inline bool compat_pmu_visit(struct pmu *pmu,
				    bool (*visit)(struct perf_event *event,
						  const void *data),
				    const void *data)
{
	struct perf_event *event;
	bool found = false;

	spin_lock(&pmu->events_lock);
	list_for_each_entry(event, &pmu->events, pmu_list) {
		found = visit(event, data);
		if (found)
			break;
	}
	spin_unlock(&pmu->events_lock);
	return found;
}

/*
 * Does @event have a reference to the contexts of its PMU, which perf gives
 * back as it takes the event away? One that is being closed may have none.
 */
static inline bool compat_event_is_revocable(struct perf_event *event)
{
	return READ_ONCE(event->pmu_ctx) && atomic_long_read(&event->refcount);
}

/* perf calls @destroy of an event that it takes away. */
static inline bool compat_event_will_be_revoked(struct perf_event *event,
						const void *data)
{
	if (!event->destroy)
		event->destroy = compat_event_revoked;
	return false;
}

struct compat_pmu_leaving {
	struct notifier_block nb;
	struct pmu *pmu;
};

/* perf deletes the device after it has taken the last event away. */
static inline int compat_pmu_has_no_events(struct notifier_block *nb,
					   unsigned long action, void *dev)
{
	struct pmu *pmu = container_of(nb, struct compat_pmu_leaving, nb)->pmu;

	if (action == BUS_NOTIFY_DEL_DEVICE && dev == pmu->dev)
		compat_pmu_cancel_timers(pmu);
	return NOTIFY_DONE;
}

/* perf has listed each event that is open. Without a device there is none. */
static inline void compat_pmu_unregister(struct pmu *pmu)
{
	struct compat_pmu_leaving leaving = {
		.nb.notifier_call = compat_pmu_has_no_events, .pmu = pmu,
	};
	const struct bus_type *bus;

	if (!pmu->dev) {
		perf_pmu_unregister(pmu);
		return;
	}
	bus = pmu->dev->bus;
	compat_pmu_visit(pmu, compat_event_will_be_revoked, NULL);
	bus_register_notifier(bus, &leaving.nb);
	perf_pmu_unregister(pmu);
	bus_unregister_notifier(bus, &leaving.nb);
}

#endif

/*
 * How many of compat_pmu_refs() are events of other PMUs, which are in a group
 * with one of @pmu, or were. Those that perf is about to list or to forget are
 * not among them.
 */
static inline unsigned int compat_pmu_others(struct pmu *pmu, unsigned int cpu)
{
	struct perf_event_context *ctx = compat_pmu_events_on(pmu, cpu);
	struct perf_event *event;
	unsigned int others = 0;

	if (!ctx)
		return 0;
	rcu_read_lock();
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry)
		others += event->pmu != pmu &&
			  compat_event_is_in(event, pmu, cpu);
	rcu_read_unlock();
	return others;
}

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
