// SPDX-License-Identifier: GPL-2.0-only
/*
 * How a PMU comes to perf and to sysfs, and how it leaves. On kernels whose
 * perf cannot take a PMU away safely (COMPAT_PMU_STAYS) it leaves sysfs only:
 * perf keeps it and its number, opening it gives ENODEV, and the same object
 * and number are shown again when a PMU is needed. This module stays loaded
 * then, because its callbacks are perf's for ever.
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include <compat/cleanup.h>
#include <compat/perf.h>

#include "core.h"

/*
 * Stands for what perf takes and waits for; see the order of locks in core.h.
 */
static struct lockdep_map pmon_perf_map __maybe_unused;
static struct lock_class_key pmon_perf_key __maybe_unused;

/* The event_source bus, known from the first PMU that left sysfs. */
static typeof_member(struct device, bus) pmon_event_bus;

static void pmon_perf_enter(void)
{
	might_sleep();
	lock_map_acquire(&pmon_perf_map);
}

static void pmon_perf_leave(void)
{
	lock_map_release(&pmon_perf_map);
}

/*
 * Readers of pmus_srcu wait for the CPU hotplug lock: lockdep learns here that
 * it comes after what perf waits for, and so reports any lock that is held
 * while PMUs come and go and that a hotplug callback takes.
 */
void __init pmon_presence_init(void)
{
	lockdep_init_map(&pmon_perf_map, "perf: PMUs come and go",
			 &pmon_perf_key, 0);
	pmon_perf_enter();
	cpus_read_lock();
	cpus_read_unlock();
	pmon_perf_leave();
}

static void pmon_device_release(struct device *dev)
{
	kfree(dev);
}

/* A PMU that perf has kept gets a new device; perf's own is long freed. */
static int pmon_device_add(struct pmon_pmu *pmu)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;

	device_initialize(dev);
	dev->groups = pmu->groups;
	dev->bus = pmon_event_bus;
	dev->release = pmon_device_release;
	dev_set_drvdata(dev, &pmu->pmu);
	ret = dev_set_name(dev, "%s", pmu->name) ?: device_add(dev);
	if (ret)
		put_device(dev);
	else
		pmu->pmu.dev = dev;
	return ret;
}

static void pmon_device_del(struct pmon_pmu *pmu)
{
	struct device *dev = pmu->pmu.dev;

	pmon_event_bus = dev->bus;
	device_del(dev);
	pmu->pmu.dev = NULL;
	put_device(dev);
}

/* perf keeps it, without anything that is the leaf's. */
static void pmon_pmu_hide(struct pmon_pmu *pmu)
{
	pmon_device_del(pmu);
	pmu->pmu.name = "pmon";
	pmu->pmu.attr_groups = NULL;
}

/* Cannot fail: the leaf that removes the PMU has a reference to this module. */
static void pmon_stay_loaded(void)
{
	/* Of 4 bytes: sparc64 before 6.2 exchanges no smaller ones. */
	static atomic_t stays;

	if (!atomic_xchg(&stays, 1))
		__module_get(THIS_MODULE);
}

/* Make a PMU known, with all its files. */
int pmon_presence_begin(struct pmon_pmu *pmu, const struct pmu *callbacks)
{
	int ret;

	pmon_perf_enter();
	if (COMPAT_PMU_STAYS && pmu->known) {
		pmu->pmu.name = pmu->name;
		ret = pmon_device_add(pmu);
	} else {
		/*
		 * perf fills in what is not set: nothing is left from before.
		 */
		memcpy(&pmu->pmu, callbacks, sizeof(pmu->pmu));
		pmu->pmu.module = COMPAT_PMU_STAYS ? THIS_MODULE : pmu->owner;
		pmu->pmu.attr_groups = pmu->groups;
		ret = perf_pmu_register(&pmu->pmu, pmu->name, -1);
		pmu->known = !ret;
	}
	pmon_perf_leave();
	return ret;
}

/*
 * Take away a PMU that can get no events, and has none if perf cannot take them
 * away.
 */
void pmon_presence_end(struct pmon_pmu *pmu)
{
	pmon_perf_enter();
	if (COMPAT_PMU_STAYS) {
		pmon_stay_loaded();
		pmon_pmu_hide(pmu);
		compat_pmu_stop_timers(&pmu->pmu);
	} else {
		compat_pmu_stop_timers(&pmu->pmu);
		compat_pmu_unregister(&pmu->pmu);
		pmu->known = false;
	}
	pmon_perf_leave();
}

/*
 * Take a PMU out of sysfs only, because perf has events of other PMUs in its
 * contexts for this one: the leaf goes, so from now on perf keeps this module
 * loaded. pmon_presence_end() takes the PMU away later.
 *
 * What opens events reads @module and looks at the leaf through it, without
 * sleeping in between: that is waited for before the leaf is freed. It gets no
 * reference to a leaf that is going, so none is given back to this module.
 */
void pmon_presence_keep(struct pmon_pmu *pmu)
{
	pmon_perf_enter();
	__module_get(THIS_MODULE);
	pmon_pmu_hide(pmu);
	WRITE_ONCE(pmu->pmu.module, THIS_MODULE);
	synchronize_rcu_tasks();
	pmon_perf_leave();
}
