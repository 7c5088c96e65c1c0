/* SPDX-License-Identifier: GPL-2.0-only */
/* Declare objects that the files of drivers/core share: places, boxes, PMUs. */
#ifndef PMON_CORE_H
#define PMON_CORE_H

#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/pci.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "box_hw.h"

#undef pr_fmt
#define pr_fmt(fmt) "pmon: " fmt

/*
 * Limit of places (packages, dies with boxes, nodes near boxes). On sparc64 the
 * kernel numbers each execution unit as a package: four chips have 64.
 */
#define PMON_PLACES_MAX	72

/* Config bit of a group leader: freeze the box to read all counters at once. */
#define PMON_SNAPSHOT_MASK	BIT_ULL(63)

struct pmon_place {
	/* Protects the members from @poll_list on, and @poll of boxes. */
	raw_spinlock_t lock;
	struct pmon_place_id id;
	char name[24];			/* for the log */
	/* Designated CPU, or -1; changed under the CPU hotplug lock. */
	int cpu;
	atomic_t open_events;		/* of the place's boxes */
	/* Boxes that ran since the list was last emptied, in polling order. */
	struct list_head poll_list;
	u64 emptied;			/* times the list was emptied, plus 1 */
	unsigned int round;		/* current round; polls each box once */
	u64 period_ns;			/* time between starts of rounds */
	u64 wake_ns;			/* longest time between ticks */
	ktime_t looked;			/* time of the last look at controls */
	unsigned int look;		/* number of that look */
	ktime_t round_start;		/* start of the current round */
	struct hrtimer timer;		/* runs while @poll_list has boxes */
	int timer_cpu;			/* CPU of last start or tick, or -1 */
};

/* Members named logged_ are values at the last report; under pmon_mutex. */
struct pmon_box {
	raw_spinlock_t lock;		/* protects @hw; see pmon_box_lock() */
	struct pmon_box_hw hw;
	struct pmon_counter *counter;	/* table of @hw.layout; under @lock */
	void *data;			/* data of @hw.layout; constant */
	struct pmon_pmu *pmu;
	struct pmon_place *place;
	struct list_head poll;		/* in @poll_list of @place */
	/* @place->emptied if listed, or 0; under @place->lock, 0 also @lock. */
	u64 polled;
	unsigned int round;		/* of last poll; under @place->lock */
	unsigned int visited;		/* last probe round; under pmon_mutex */
	unsigned int failed_drops;	/* of @hw.drops: events were failed */
	bool is_dropped;		/* the log says so */
	unsigned int logged_refused;
	bool logged_disturbed;
	unsigned int logged_restarts;
	bool logged_stalls;
	/* As in pmon_box_info; changed under both @pmu->lock and @lock. */
	struct pci_dev *power;
	bool in_bar;
	u64 period_ns;			/* longest time between polls */
	u64 wake_ns;			/* until the first tick, at most */
	/* Read under @lock or pmon_mutex, changed under both. */
	struct pmon_global *global;
	bool in_global;			/* counted in @global->active */
	unsigned int disturbances;	/* of @global when last compared */
	unsigned int freezes;		/* by @global, while events counted */
};

/* Requests of perf for a PMU on one CPU, until pmu_enable() executes them. */
struct pmon_cpu_state {
	struct pmon_box *box;		/* box to apply in pmu_enable() */
	/* Deleted events; removed from the box when it is locked next. */
	struct pmon_hw_event *deleted;
	int depth;			/* nested calls of pmu_disable() */
	unsigned int txn;		/* type of the transaction, or 0 */
};

/* Added to perf's flags in @txn: pmon_read_group() has read the whole group. */
#define PMON_TXN_WAS_READ	BIT(31)

/* Files of a PMU that are made from the tables of its type. */
struct pmon_attrs {
	const struct attribute_group *groups[4];
	struct attribute_group format;
	struct attribute_group events;
	unsigned int used;
	struct attribute *list[];	/* both groups, a NULL after each */
};

/* A PMU, in use or idle. */
struct pmon_pmu {
	struct pmu pmu;
	struct list_head list;		/* list of core.c; under pmon_mutex */
	bool in_perf;			/* callbacks of @pmu must not change */
	bool registered;		/* changed under pmon_mutex and @lock */
	bool registering;		/* in progress; under pmon_mutex */
	const char *name;
	const struct pmon_type *type;	/* NULL: idle */
	const struct pmon_boxless_ops *boxless;	/* of a PMU without boxes */
	void *data;			/* of the driver */
	u64 covered[PMON_CONFIG_WORDS];	/* valid bits of config words */
	struct module *owner;
	void (*unregistered)(void);	/* of the driver, or NULL */
	struct pmon_attrs *attrs;
	struct list_head files;		/* added by the driver */
	/* Target of the link "device"; like @linked, under pmon_mutex. */
	struct device *device;
	bool linked;
	/* Indexed by place. Changed under pmon_mutex, read without a lock. */
	struct pmon_box *box[PMON_PLACES_MAX];
	struct pmon_cpu_state __percpu *cpu_state;
	struct work_struct unregister_work;	/* once @dead without events */
	struct work_struct events_work;	/* puts events into the error state */
	struct irq_work lost_work;	/* the same for disabled events */
	bool unregistering;		/* only @name valid; under pmon_mutex */
	/* Protects members below and @power of boxes; nests in perf's locks. */
	raw_spinlock_t lock;
	/* No live box, or given up; changed under both @lock and pmon_mutex. */
	bool dead;
	struct hlist_head events;	/* open events, &pmon_open_event.node */
	unsigned int moving;		/* events that leave @old_cpu */
	unsigned int old_cpu;
};

/* Return true if events have the term "snapshot". */
static inline bool pmon_type_has_snapshot(const struct pmon_type *type)
{
	return !type->free_running && !type->no_freeze;
}

/* Return true if events may be of tasks; perf chooses their CPUs. */
static inline bool pmon_pmu_is_of_tasks(const struct pmon_pmu *pmu)
{
	return pmu->boxless && pmu->boxless->of_tasks;
}

/*
 * Return true if the kernel has put the PCI function in D3. @power stays valid
 * under @box->lock, the lock of the PMU, or pmon_mutex.
 */
static inline bool pmon_box_is_in_d3(const struct pmon_box *box)
{
	pci_power_t state;

	if (!box->power)
		return false;

	state = READ_ONCE(box->power->current_state);
	return state == PCI_D3hot || state == PCI_D3cold;
}

static inline bool pmon_box_is_polled(const struct pmon_box *box)
{
	return READ_ONCE(box->polled) == READ_ONCE(box->place->emptied);
}

static inline struct pmon_pmu *to_pmon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct pmon_pmu, pmu);
}

/* ---- an event, in perf's struct hw_perf_event ---------------------------- */

/* An open event of a PMU. &pmon_pmu.lock protects @node, @cpu and @to_fail. */
struct pmon_open_event {
	struct hlist_node node;		/* in &pmon_pmu.events */
	struct pmon_box *box;		/* NULL: PMU without boxes */
	int cpu;			/* counted in pmon_cpu_events; or -1 */
	bool to_fail;			/* @events_work is to fail the event */
	/*
	 * Under &pmon_pmu.lock: set during a move to another CPU, if the user
	 * has disabled the event, or its leader in another PMU.
	 */
	u8 is_off : 1;
	u8 leader_is_off : 1;
	bool added;			/* add() was called */
	struct pmon_hw_event *deleted;	/* next in &pmon_cpu_state.deleted */
};

/* Overlays struct hw_perf_event. */
struct pmon_hw_event {
	struct pmon_event event;
	/* Includes hw.flags: x86 reads PERF_EVENT_FLAG_USER_READ_CNT there. */
	u8 not_ours[offsetof(struct hw_perf_event, extra_reg) -
		    sizeof(struct pmon_event)];
	struct pmon_open_event open;	/* over @extra_reg and @branch_reg */
};

static_assert(sizeof(struct pmon_event) <=
	      offsetof(struct hw_perf_event, flags));
static_assert(offsetof(struct pmon_hw_event, open) ==
	      offsetof(struct hw_perf_event, extra_reg));
static_assert(sizeof(struct pmon_open_event) <=
	      2 * sizeof(struct hw_perf_event_extra));

static inline struct pmon_hw_event *
pmon_event_hw(const struct perf_event *event)
{
	return (struct pmon_hw_event *)&event->hw;
}

static inline struct perf_event *pmon_event_perf(struct pmon_event *event)
{
	return container_of((struct hw_perf_event *)event, struct perf_event,
			    hw);
}

/*
 * Lock order, outermost first: CPU hotplug lock, pmon_mutex, pmon_files_mutex;
 * then with interrupts off: pmon_pmu.lock, pmon_place.lock, pmon_box.lock,
 * pmon_global.lock. No lock is taken under pmon_places_lock.
 *
 * This module holds none of its locks while perf registers or unregisters a
 * PMU, or while sysfs waits for readers of a file; pmu.c annotates the order
 * for lockdep. Documentation/locking.rst has the locks of all modules.
 */

/* Get the first box of a PMU from place *@i on, or NULL. */
static inline struct pmon_box *pmon_next_box(const struct pmon_pmu *pmu,
					     unsigned int *i)
{
	for (; *i < PMON_PLACES_MAX; ++*i)
		if (READ_ONCE(pmu->box[*i]))
			return READ_ONCE(pmu->box[*i]);
	return NULL;
}

#define pmon_for_each_box(box, pmu, i) \
	for ((i) = 0; ((box) = pmon_next_box(pmu, &(i))); (i)++)

/*
 * Number of box locks that the CPU holds or waits for. A probe (kprobe, BPF) in
 * a register access may read an event, but must not wait for a lock that its
 * CPU holds. pmon_box_lock() is inline: a call would cost a tenth of a read.
 */
DECLARE_PER_CPU(unsigned int, pmon_box_locks);

static __always_inline void pmon_box_lock(struct pmon_box *box)
{
	lockdep_assert_irqs_disabled();
	raw_cpu_inc(pmon_box_locks);
	raw_spin_lock(&box->lock);
}

static inline void pmon_box_unlock(struct pmon_box *box)
{
	raw_spin_unlock(&box->lock);
	raw_cpu_dec(pmon_box_locks);
}

DEFINE_GUARD(pmon_box, struct pmon_box *, pmon_box_lock(_T),
	     pmon_box_unlock(_T))
DEFINE_GUARD(pmon_box_irq, struct pmon_box *,
	     ({ local_irq_disable(); pmon_box_lock(_T); }),
	     ({ pmon_box_unlock(_T); local_irq_enable(); }))

/* core.c: shared by all files */
extern struct workqueue_struct *pmon_workqueue;
extern struct mutex pmon_mutex;
extern struct list_head pmon_pmus;
extern struct list_head pmon_idle_pmus;
extern struct delayed_work pmon_report_work;
extern atomic_t pmon_open_places;
extern struct irq_work pmon_report_irq_work;

void pmon_report_soon(void);
void pmon_report_again(void);
void pmon_report_tick(void);

DEFINE_GUARD(pmon_cpus_and, struct mutex *,
	     ({ cpus_read_lock(); mutex_lock(_T); }),
	     ({ mutex_unlock(_T); cpus_read_unlock(); }))

/* pmu.c: create, register and unregister PMUs */
void pmon_pmu_quiesce(void);
int pmon_pmu_init(void);
void pmon_pmu_exit(void);

/* owner.c */
int pmon_owner_init(void);
extern struct device *pmon_software_pmu;

/* sysfs.c */
struct pmon_attrs *pmon_attrs_create(const struct pmon_type *type);
void pmon_attrs_free(struct pmon_attrs *attrs);
int pmon_files_publish(struct pmon_pmu *pmu);
void pmon_files_unlink(struct pmon_pmu *pmu);
void pmon_files_free(struct pmon_pmu *pmu);

/* boxless.c */
const struct pmu *pmon_pmu_callbacks(const struct pmon_boxless_ops *ops);

/* event.c: perf's callbacks and the open events */
extern const struct pmu pmon_perf_callbacks;
extern const struct pmon_hw_ops pmon_hw_ops;

typedef bool (*pmon_event_match_t)(const struct perf_event *event,
				   const void *data);
bool pmon_cpu_has_events(unsigned int cpu);
int pmon_event_begin_open(struct perf_event *event);
void pmon_event_put_owner(struct perf_event *event);
int pmon_event_finish_open(struct perf_event *event);
void pmon_perf_start_or_stop(struct perf_event *event, int flags);
void pmon_event_mark_added(struct perf_event *event);
void pmon_pmu_keep_events_off(struct pmon_pmu *pmu);
void pmon_pmu_lost_irq(struct irq_work *irq);
void pmon_pmu_set_failed(struct pmon_pmu *pmu);
void pmon_pmu_lost(struct pmon_pmu *pmu);
void pmon_pmu_events_work(struct work_struct *work);
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data);
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to);

/* report.c: log lines and failed events of boxes */
bool pmon_event_is_of(const struct perf_event *event, const void *box);
void pmon_reconcile(void);
void pmon_report_flush(void);

/* attach.c: set up and release boxes */
struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info);
void pmon_box_free(struct pmon_box *box);
void pmon_box_attach(struct pmon_box *box, const struct pmon_box_info *info);
/* Callers of the following functions of attach.c hold the CPU hotplug lock. */
void pmon_box_call(struct pmon_box *box, smp_call_func_t fn);
void pmon_box_reconcile(struct pmon_box *box);
void pmon_box_resume(struct pmon_box *box);
void pmon_box_remove(struct pmon_box *box, bool release);
void pmon_box_cpu_offline(struct pmon_box *box);

/* box.c: sleep, and boxes that may not be accessed */
enum pmon_pci_access pmon_box_access(const struct pmon_box *box);
bool pmon_box_is_blocked(const struct pmon_box *box);
bool pmon_box_probe(struct pmon_box *box);
bool pmon_box_update_state(struct pmon_box *box);
bool pmon_box_retry(struct pmon_box *box);
/* Returned by pmon_box_apply(). */
#define PMON_APPLIED_STARTS	BIT(0)	/* pmon_poll_add() is due */
#define PMON_APPLIED_LOST	BIT(1)	/* pmon_pmu_lost() is due */
unsigned int pmon_box_apply(struct pmon_box *box,
			    struct pmon_hw_event *deleted);
extern bool pmon_suspended;
u64 pmon_sleep_ns(void);
void pmon_sleep_clear(void);

/* probe.c */
void pmon_probe_soon(void);
void pmon_probe_exit(void);

/* global.c */
void pmon_global_start(struct pmon_box *box);
void pmon_global_update_active(struct pmon_box *box);
bool pmon_global_is_watched(const struct pmon_box *box);
unsigned int pmon_global_visit(struct pmon_box *box, unsigned int number,
			       bool is_look);
void pmon_global_mark_unchecked(struct pmon_box *box);
void pmon_global_report(const struct pmon_box *box);

/* place.c: CPUs of each box, and the designated CPU */
extern struct pmon_place pmon_places[PMON_PLACES_MAX];

struct pmon_place *pmon_place_at(unsigned int i);
#define pmon_for_each_place(place, i) \
	for ((i) = 0; ((place) = pmon_place_at(i)); (i)++)

void pmon_place_add_cpu(unsigned int cpu);
struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index);
struct pmon_box *pmon_box_of_cpu(struct pmon_pmu *pmu, unsigned int cpu);
int pmon_cpu_distance(unsigned int cpu, struct pmon_place_id id);
int pmon_cpu_choose(struct pmon_place_id id, int now, int but);
int pmon_place_shown_cpu(const struct pmon_place *place);

/* poll.c: read boxes before counters wrap */
void pmon_poll_init(struct pmon_place *place);
void pmon_poll_add(struct pmon_box *box);
void pmon_poll_remove(struct pmon_box *box);
void pmon_poll_end(struct pmon_place *place);
void pmon_timer_reconcile(struct pmon_place *place);

/* hotplug.c */
int pmon_hotplug_init(void);
void pmon_hotplug_exit(void);

#endif /* PMON_CORE_H */
