// SPDX-License-Identifier: GPL-2.0-only
/*
 * Create, register and unregister PMUs. A PMU is dead once its devices were
 * removed, but stays registered until its last event is closed. If a device
 * returns earlier, the PMU is used again. Unregistered (idle) PMUs are kept.
 *
 * If perf cannot unregister PMUs safely (COMPAT_PMU_STAYS), hide a PMU instead:
 * remove the PMU only from sysfs, and fail attempts to open an event (-ENODEV).
 * This module then stays loaded, because perf keeps calling its functions.
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#include <compat/perf.h>

#include <pmon/owner.h>

#include "core.h"

/* Represents the locks and waits of perf; see the lock order in core.h. */
static struct lockdep_map pmon_perf_map __maybe_unused;
static struct lock_class_key pmon_perf_key __maybe_unused;

/* ---- PMUs in perf and sysfs ---------------------------------------------- */

static void pmon_perf_map_acquire(void)
{
	might_sleep();
	lock_map_acquire(&pmon_perf_map);
}

/*
 * Make lockdep report a lock of a hotplug callback that is held while a PMU is
 * registered or unregistered. perf then waits for readers of pmus_srcu, and a
 * reader may wait for the CPU hotplug lock.
 */
static void pmon_perf_map_init(void)
{
	lockdep_init_map(&pmon_perf_map, "perf: PMUs are registered",
			 &pmon_perf_key, 0);
	pmon_perf_map_acquire();
	cpus_read_lock();
	cpus_read_unlock();
	lock_map_release(&pmon_perf_map);
}

static void pmon_device_release(struct device *dev)
{
	kfree(dev);
}

/* Show a hidden PMU again, with a new device. */
static int pmon_device_add(struct pmon_pmu *pmu)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	int ret;

	if (!dev)
		return -ENOMEM;

	device_initialize(dev);
	dev->groups = pmu->attrs->groups;
	dev->bus = pmon_software_pmu->bus;
	dev->release = pmon_device_release;
	dev_set_drvdata(dev, &pmu->pmu);
	ret = dev_set_name(dev, "%s", pmu->name) ?: device_add(dev);
	if (ret)
		put_device(dev);
	else
		pmu->pmu.dev = dev;
	return ret;
}

/* Hide a PMU in sysfs. perf keeps @pmu, so clear pointers into the driver. */
static void pmon_device_del(struct pmon_pmu *pmu)
{
	struct device *dev = pmu->pmu.dev;
	/* Not a bool: sparc64 has no exchange of 1 byte. */
	static atomic_t stays;

	/* Safe, because the driver holds a reference to this module. */
	if (!atomic_xchg(&stays, 1))
		__module_get(THIS_MODULE);
	device_del(dev);
	pmu->pmu.dev = NULL;
	put_device(dev);
	pmu->pmu.name = "pmon";
	pmu->pmu.attr_groups = NULL;
}

/* Called, like pmon_perf_unregister(), without any lock of this module. */
static int pmon_perf_register(struct pmon_pmu *pmu, const struct pmu *callbacks)
{
	int ret;

	pmon_perf_map_acquire();
	if (COMPAT_PMU_STAYS && pmu->in_perf) {
		pmu->pmu.name = pmu->name;
		ret = pmon_device_add(pmu);
	} else {
		/* perf sets only members that are NULL, so clear old values. */
		memcpy(&pmu->pmu, callbacks, sizeof(pmu->pmu));
		pmu->pmu.module = COMPAT_PMU_STAYS ? THIS_MODULE : pmu->owner;
		pmu->pmu.attr_groups = pmu->attrs->groups;
		ret = perf_pmu_register(&pmu->pmu, pmu->name, -1);
		pmu->in_perf = !ret;
	}
	lock_map_release(&pmon_perf_map);
	return ret;
}

static void pmon_perf_unregister(struct pmon_pmu *pmu)
{
	pmon_perf_map_acquire();
	if (COMPAT_PMU_STAYS) {
		pmon_device_del(pmu);
	} else {
		perf_pmu_unregister(&pmu->pmu);
		pmu->in_perf = false;
	}
	lock_map_release(&pmon_perf_map);
}

/* ---- the end of a PMU --------------------------------------------------- */

/*
 * Reject new events. After return no box is accessed. A caller that queues the
 * unregister work has the PMU unregistered after the last event.
 */
static void pmon_pmu_give_up(struct pmon_pmu *pmu)
{
	struct pmon_box *box;
	unsigned int i;

	lockdep_assert_held(&pmon_mutex);
	scoped_guard(raw_spinlock_irq, &pmu->lock)
		pmu->dead = true;
	pmon_for_each_box(box, pmu, i)
		pmon_box_remove(box, true);
	pmon_files_unlink(pmu);
}

/* Free the members that perf no longer uses, or never used. */
static void pmon_pmu_clear(struct pmon_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++) {
		pmon_box_free(pmu->box[i]);
		pmu->box[i] = NULL;
	}
	pmon_attrs_free(pmu->attrs);
	pmon_files_free(pmu);
	kfree(pmu->name);
	pmu->attrs = NULL;
	pmu->name = NULL;
	pmu->type = NULL;
}

/* Fails if the PMU is in use again, unregistered already, or has events. */
static bool pmon_pmu_begin_unregister(struct pmon_pmu *pmu)
{
	guard(mutex)(&pmon_mutex);
	if (pmu->unregistering || pmu->registering || !pmu->type)
		return false;
	guard(raw_spinlock_irq)(&pmu->lock);
	if (!pmu->dead || !hlist_empty(&pmu->events))
		return false;

	pmu->unregistering = true;
	return true;
}

/*
 * perf may use the PMU after an event's destroy(), and in an event_init() that
 * fails, but does not sleep there. So an RCU-tasks grace period ends both uses.
 */
static void pmon_pmu_unregister_work(struct work_struct *work)
{
	struct pmon_pmu *pmu =
		container_of(work, struct pmon_pmu, unregister_work);
	void (*unregistered)(void);

	wait_var_event(&pmu->registering, !READ_ONCE(pmu->registering));
	if (READ_ONCE(pmu->registered))
		synchronize_rcu_tasks();
	if (!pmon_pmu_begin_unregister(pmu))
		return;

	pmon_report_flush();
	cancel_work_sync(&pmu->events_work);
	if (pmu->registered)
		pmon_perf_unregister(pmu);
	scoped_guard(mutex, &pmon_mutex) {
		scoped_guard(raw_spinlock_irq, &pmu->lock)
			pmu->registered = false;
		unregistered = pmu->unregistered;
		pmon_pmu_clear(pmu);
		pmu->unregistering = false;
		list_move(&pmu->list, &pmon_idle_pmus);
	}
	/* The driver is still there: its exit flushes pmon_workqueue. */
	if (unregistered)
		unregistered();
}

/* ---- the beginning of a PMU --------------------------------------------- */

/* Take an idle PMU. If perf still has the PMU, its callbacks cannot change. */
static struct pmon_pmu *pmon_pmu_reuse(const struct pmu *callbacks)
{
	struct pmon_pmu *pmu;

	lockdep_assert_held(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_idle_pmus, list)
		if (!pmu->in_perf ||
		    (pmu->pmu.add == callbacks->add &&
		     pmu->pmu.task_ctx_nr == callbacks->task_ctx_nr)) {
			list_del_init(&pmu->list);
			return pmu;
		}
	return NULL;
}

static struct pmon_pmu *pmon_pmu_alloc(const struct pmu *callbacks)
{
	struct pmon_pmu *pmu = pmon_pmu_reuse(callbacks);

	if (pmu)
		return pmu;

	pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);
	if (!pmu)
		return NULL;

	pmu->cpu_state = alloc_percpu(struct pmon_cpu_state);
	if (!pmu->cpu_state) {
		kfree(pmu);
		return NULL;
	}
	raw_spin_lock_init(&pmu->lock);
	INIT_WORK(&pmu->unregister_work, pmon_pmu_unregister_work);
	INIT_WORK(&pmu->events_work, pmon_pmu_events_work);
	pmu->lost_work = IRQ_WORK_INIT_HARD(pmon_pmu_lost_irq);
	INIT_LIST_HEAD(&pmu->list);
	INIT_HLIST_HEAD(&pmu->events);
	INIT_LIST_HEAD(&pmu->files);
	return pmu;
}

static int pmon_pmu_describe(struct pmon_pmu *pmu,
			     const struct pmon_pmu_info *info)
{
	const struct pmon_type *type = info->type;

	pmu->type = type;
	pmu->boxless = info->boxless;
	pmu->data = info->data;
	pmu->owner = info->owner;
	pmu->unregistered = info->unregistered;
	pmu->dead = false;
	pmon_fields_cover(type->fields, pmu->covered);
	if (pmon_type_has_snapshot(type))
		pmu->covered[type->snapshot_word ?: 2] |= PMON_SNAPSHOT_MASK;
	pmu->name = kstrdup(info->name, GFP_KERNEL);
	pmu->attrs = pmon_attrs_create(type);
	return pmu->name && pmu->attrs ? 0 : -ENOMEM;
}

static struct pmon_pmu *pmon_pmu_find(const char *name)
{
	struct pmon_pmu *pmu;

	list_for_each_entry(pmu, &pmon_pmus, list)
		if (!strcmp(pmu->name, name))
			return pmu;
	return NULL;
}

static bool pmon_pmu_cancel_unregister(struct pmon_pmu *pmu,
				       const struct pmon_pmu_info *info)
{
	if (!pmu->dead || pmu->owner != info->owner ||
	    pmu->type != info->type || pmu->boxless != info->boxless)
		return false;

	scoped_guard(raw_spinlock_irq, &pmu->lock)
		pmu->dead = false;
	return true;
}

struct pmon_pmu *pmon_pmu_create(const struct pmon_pmu_info *info)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	pmu = pmon_pmu_find(info->name);
	/* Without events, a dead PMU is about to be unregistered. */
	if (pmu && (pmu->unregistering ||
		    (pmu->dead && hlist_empty(&pmu->events))))
		return ERR_PTR(-EAGAIN);
	if (pmu)
		return pmon_pmu_cancel_unregister(pmu, info) ?
		       pmu : ERR_PTR(-EEXIST);

	pmu = pmon_pmu_alloc(pmon_pmu_callbacks(info->boxless));
	if (!pmu)
		return ERR_PTR(-ENOMEM);

	if (pmon_pmu_describe(pmu, info)) {
		pmon_pmu_clear(pmu);
		list_add(&pmu->list, &pmon_idle_pmus);
		return ERR_PTR(-ENOMEM);
	}
	list_add_tail(&pmu->list, &pmon_pmus);
	return pmu;
}
EXPORT_SYMBOL_GPL(pmon_pmu_create);

/* A PMU has boxes of packages, boxes of dies, or one box near a node. */
static bool pmon_pmu_can_add_box(const struct pmon_pmu *pmu,
				 const struct pmon_place *place,
				 unsigned int index)
{
	unsigned int i = 0;
	const struct pmon_box *first = pmon_next_box(pmu, &i);

	lockdep_assert_held(&pmon_mutex);
	return !first || i == index ||
	       (place->id.kind == first->place->id.kind &&
		place->id.kind != PMON_PLACE_NODE);
}

/* If the device is back, open events of the removed box count on. */
static int pmon_pmu_insert_box(struct pmon_pmu *pmu, struct pmon_place *place,
			       unsigned int index,
			       const struct pmon_box_info *info)
{
	struct pmon_box *box;

	guard(mutex)(&pmon_mutex);
	if (!pmon_pmu_can_add_box(pmu, place, index))
		return -EBUSY;

	box = pmu->box[index];
	if (box && box->hw.state != PMON_BOX_REMOVED)
		return -EEXIST;
	if (box && !pmon_layouts_alike(&box->hw.layout, &info->layout))
		return -EBUSY;
	if (box) {
		pmon_box_attach(box, info);
		return 0;
	}
	box = pmon_box_create(pmu, place, info);
	if (!box)
		return -ENOMEM;

	/* Publish an initialised box for perf's callbacks. */
	smp_store_release(&pmu->box[index], box);
	return 0;
}

int pmon_pmu_add_box(struct pmon_pmu *pmu, const struct pmon_box_info *info)
{
	struct pmon_place *place;
	unsigned int index;
	int ret;

	if (pmon_layout_valid(&info->layout, info->regs.size) ||
	    pmon_layout_is_free_running(&info->layout) !=
		    pmu->type->free_running)
		return -EINVAL;

	place = pmon_place_get(info->place, &index);
	if (!place)
		return -ENOSPC;

	ret = pmon_pmu_insert_box(pmu, place, index, info);
	if (ret)
		return ret;

	guard(pmon_cpus_and)(&pmon_mutex);
	pmon_box_reconcile(pmu->box[index]);
	return 0;
}
EXPORT_SYMBOL_GPL(pmon_pmu_add_box);

/* The unregister work waits until pmon_pmu_end_register(). */
static int pmon_pmu_begin_register(struct pmon_pmu *pmu)
{
	guard(mutex)(&pmon_mutex);
	if (pmu->dead || pmu->unregistering || !pmu->type)
		return -ENODEV;
	/* The PMU outlived a removal, or an earlier call registered it. */
	if (pmu->registered || pmu->registering)
		return -EALREADY;

	WRITE_ONCE(pmu->registering, true);
	return 0;
}

static void pmon_pmu_end_register(struct pmon_pmu *pmu, bool registered)
{
	scoped_guard(mutex, &pmon_mutex) {
		scoped_guard(raw_spinlock_irq, &pmu->lock)
			pmu->registered = registered;
		WRITE_ONCE(pmu->registering, false);
	}
	wake_up_var(&pmu->registering);
}

static int pmon_pmu_publish(struct pmon_pmu *pmu)
{
	int ret;

	/* perf would fail too, but with a stack dump. */
	if (pmon_owner_has(pmu->name))
		return -EEXIST;

	ret = pmon_perf_register(pmu, pmon_pmu_callbacks(pmu->boxless));
	if (ret)
		return ret;

	ret = pmon_files_publish(pmu);
	if (ret)
		pmon_perf_unregister(pmu);
	return ret;
}

int pmon_pmu_register(struct pmon_pmu *pmu)
{
	int ret = pmon_pmu_begin_register(pmu);

	if (ret)
		return ret == -EALREADY ? 0 : ret;

	ret = pmon_pmu_publish(pmu);
	pmon_pmu_end_register(pmu, !ret);
	return ret;
}
EXPORT_SYMBOL_GPL(pmon_pmu_register);

void pmon_pmu_remove_box(struct pmon_pmu *pmu, struct pmon_place_id place,
			 bool release)
{
	struct pmon_box *box;
	bool alive = false;
	unsigned int i;

	guard(pmon_cpus_and)(&pmon_mutex);
	pmon_for_each_box(box, pmu, i) {
		if (box->place->id.kind != place.kind ||
		    box->place->id.id != place.id) {
			alive |= box->hw.state != PMON_BOX_REMOVED;
			continue;
		}
		pmon_box_remove(box, release);
		pmon_pmu_fail_events(pmu, pmon_event_is_of, box);
		pmon_files_unlink(pmu);
	}
	if (alive)
		return;
	pmon_pmu_give_up(pmu);
	queue_work(pmon_workqueue, &pmu->unregister_work);
}
EXPORT_SYMBOL_GPL(pmon_pmu_remove_box);

void pmon_pmu_flush(void)
{
	flush_workqueue(pmon_workqueue);
}
EXPORT_SYMBOL_GPL(pmon_pmu_flush);

void pmon_pmu_destroy(struct pmon_pmu *pmu)
{
	if (!pmu)
		return;

	guard(pmon_cpus_and)(&pmon_mutex);
	pmon_pmu_give_up(pmu);
	queue_work(pmon_workqueue, &pmu->unregister_work);
	pmon_pmu_fail_events(pmu, NULL, NULL);
}
EXPORT_SYMBOL_GPL(pmon_pmu_destroy);

/*
 * No event is open when the driver is unloaded. Unregister PMUs in parallel,
 * because each waits for grace periods. The flush waits for skipped PMUs, too.
 */
void pmon_pmu_destroy_all(struct module *owner)
{
	struct pmon_pmu *pmu;

	scoped_guard(pmon_cpus_and, &pmon_mutex) {
		list_for_each_entry(pmu, &pmon_pmus, list) {
			if (pmu->owner != owner || pmu->unregistering)
				continue;
			pmon_pmu_give_up(pmu);
			queue_work(pmon_workqueue, &pmu->unregister_work);
		}
	}
	flush_workqueue(pmon_workqueue);
}
EXPORT_SYMBOL_GPL(pmon_pmu_destroy_all);

bool pmon_pmu_exists(const struct module *owner)
{
	struct pmon_pmu *pmu;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (pmu->owner == owner)
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(pmon_pmu_exists);

unsigned int pmon_pmu_count_events(const char *name)
{
	struct hlist_node *node;
	struct pmon_pmu *pmu;
	unsigned int n = 0;

	guard(mutex)(&pmon_mutex);
	pmu = pmon_pmu_find(name);
	if (!pmu)
		return 0;
	guard(raw_spinlock_irq)(&pmu->lock);
	hlist_for_each(node, &pmu->events)
		n++;
	return n;
}
EXPORT_SYMBOL_GPL(pmon_pmu_count_events);

const char *pmon_pmu_name(const struct pmon_pmu *pmu)
{
	return pmu->name;
}
EXPORT_SYMBOL_GPL(pmon_pmu_name);

/* ---- the module --------------------------------------------------------- */

void pmon_pmu_quiesce(void)
{
	struct pmon_pmu *pmu;

	guard(pmon_cpus_and)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		if (!pmu->unregistering)
			pmon_pmu_give_up(pmu);
}

int pmon_pmu_init(void)
{
	pmon_perf_map_init();
	pmon_workqueue = alloc_workqueue("pmon", WQ_UNBOUND, 0);
	return pmon_workqueue ? 0 : -ENOMEM;
}

/* No driver is loaded, so all PMUs are idle. */
void pmon_pmu_exit(void)
{
	struct pmon_pmu *pmu, *next;

	destroy_workqueue(pmon_workqueue);
	pmon_report_flush();
	list_for_each_entry_safe(pmu, next, &pmon_idle_pmus, list) {
		irq_work_sync(&pmu->lost_work);
		free_percpu(pmu->cpu_state);
		kfree(pmu);
	}
}
