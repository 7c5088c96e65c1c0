/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine's own objects: places, boxes, PMUs. */
#ifndef PMON_CORE_H
#define PMON_CORE_H

#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/pci.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <compat/cleanup.h>

#include <pmon/pmu.h>

#include "counters.h"

#undef pr_fmt
#define pr_fmt(fmt) "pmon: " fmt

/*
 * Processor packages of a server, dies with boxes, and NUMA nodes with boxes
 * near them. What sparc64 calls a package is an execution unit, of which four
 * chips have 64.
 */
#define PMON_PLACES_MAX	72

/* The leader asks for all counters of a group as of one moment. */
#define PMON_SNAPSHOT_MASK	BIT_ULL(63)

/**
 * struct pmon_place - a place with boxes
 * @lock: protects what follows @cpu, and boxes' @poll, @polled and @round
 * @id: which place
 * @name: for the log
 * @cpu: the designated CPU, or -1 when none is online that reaches its boxes
 * @open: how many events of its boxes are open
 * @polled: boxes that have run meanwhile, those first that were polled the
 *	longest time ago
 * @round: in which each of these is polled once
 * @period_ns: how often that is done
 * @timer: ticks while there are such boxes
 * @timer_cpu: where it was started; @cpu, but for a moment
 */
struct pmon_place {
	raw_spinlock_t lock;	/* see above */
	struct pmon_place_id id;
	char name[24];
	int cpu;
	atomic_t open;
	struct list_head polled;
	unsigned int round;
	u64 period_ns;
	struct hrtimer timer;
	int timer_cpu;
};

/**
 * struct pmon_box - one box of a PMU
 * @lock: protects @bank; taken by pmon_box_lock()
 * @flags: of pmon_box_lock_irqsave(), under @lock
 * @bank: the counters
 * @counter: the table of @bank's layout, changed under @lock
 * @data: that layout's data; stays as it is
 * @pmu: that PMU
 * @place: where it is
 * @poll: in @place's @polled
 * @polled: is it there? Under @place's lock, like @round; becomes false with
 *	@lock held, too, or when no event is open
 * @round: in which it was polled last
 * @logged_disturbed: the log has that; this and what follows under pmon_mutex
 * @logged_unresponsive: that it does not respond
 * @logged_d3: that its function is in D3
 * @logged_restarts: of how many resets the log has a line
 * @logged_refused: of how many times that events could not be started
 * @logged_lost: of how many times that they could not be read a last time
 * @logged_still: that a clock stood still
 * @restarts: after how many resets @global was rechecked; under @lock
 * @power: the function whose D3 stops it, or NULL; changed under @pmu's lock,
 *	not while @bank can be accessed
 * @in_bar: as in &struct pmon_box_info; changed with @power
 * @period_ns: how often its counters must be read
 * @global: what can stop it together with others, or NULL; under @lock, and
 *	pmon_mutex to change it
 * @may_refuse: unfreeze=N, so events are refused while @global is frozen
 * @refuses: it was when an event was opened last
 * @counted: among @global's active ones; under @lock
 * @disturbances: which of @global's are in @bank; under @global's lock
 */
struct pmon_box {
	raw_spinlock_t lock;
	unsigned long flags;
	struct pmon_bank bank;
	struct pmon_counter *counter;
	void *data;
	struct pmon_pmu *pmu;
	struct pmon_place *place;
	struct list_head poll;
	bool polled;
	unsigned int round;
	bool logged_disturbed;
	bool logged_unresponsive;
	bool logged_d3;
	unsigned int logged_restarts;
	unsigned int logged_refused;
	unsigned int logged_lost;
	bool logged_still;
	unsigned int restarts;
	struct pci_dev *power;
	bool in_bar;
	u64 period_ns;
	struct pmon_global *global;
	bool may_refuse;
	bool refuses;
	bool counted;
	unsigned int disturbances;
};

/**
 * struct pmon_cpu_state - what perf is doing with a PMU on one CPU
 * @depth: how many times it said to collect changes
 * @box: of the PMU, when something was asked for there
 * @deleted: events that perf has taken off; for the next that locks the box
 * @txn: kind of the group transaction, 0 = none; with %PMON_TXN_WAS_READ when
 *	the group that is being read was already read as a whole
 */
struct pmon_cpu_state {
	struct pmon_box *box;
	struct pmon_hw_event *deleted;
	int depth;
	unsigned int txn;
};

/* Not one of perf's. */
#define PMON_TXN_WAS_READ	BIT(31)

/* The files of a PMU that come from the tables of its type. */
struct pmon_attrs {
	const struct attribute_group *groups[4];
	struct attribute_group format;
	struct attribute_group events;
	unsigned int used;
	struct attribute *list[];	/* of both, each ended by NULL */
};

/**
 * struct pmon_pmu - a PMU, in use or waiting to be used again
 * @pmu: perf's part
 * @list: among the PMUs, or among those that wait to be used again; under
 *	pmon_mutex
 * @known: perf has @pmu, and its callbacks stay as they are; changed by the one
 *	that shows or hides it
 * @registered: perf and sysfs show it; changed under pmon_mutex and @lock
 * @registering: is about to be; under pmon_mutex
 * @name: on the event_source bus
 * @alias: contents of the file alias, or NULL
 * @type: what kind of boxes, and which files; NULL: not in use
 * @soft: of a PMU of software counts: the leaf's part
 * @data: the driver's, for such a PMU
 * @covered: bits of the config words that may be asked for
 * @refusal: the error of what samples or counts for a task
 * @owner: the driver
 * @attrs: files in sysfs that come from @type
 * @files: files in sysfs that the leaf added
 * @device: to which there is a link in sysfs when @registered, or NULL; under
 *	pmon_mutex
 * @linked: there is; under pmon_mutex
 * @box: by the index of its place: one near a node, or those of packages or of
 *	dies. Under pmon_mutex, read under RCU
 * @cpu_state: what perf is doing with it, per CPU
 * @unregister_work: unregisters @pmu once it is @dead and has no open events
 * @events_work: fails or disables the events that are marked
 * @leaving: being unregistered, only its name still counts; under pmon_mutex
 * @lock: protects @dead, @events, @open and boxes' @power; a leaf but for
 *	boxes' locks, held over no call of perf
 * @dead: no box has hardware, or the driver is unloading, or it is @leaving;
 *	changed with pmon_mutex held, too
 * @events: the open events, &pmon_open_event.node
 * @open: how many these are
 */
struct pmon_pmu {
	struct pmu pmu;
	struct list_head list;
	bool known;
	bool registered;
	bool registering;
	const char *name;
	const char *alias;
	const struct pmon_type *type;
	const struct pmon_soft_ops *soft;
	void *data;
	u64 covered[PMON_CONFIG_WORDS];
	int refusal;
	struct module *owner;
	struct pmon_attrs *attrs;
	struct list_head files;
	struct device *device;
	bool linked;
	struct pmon_box *box[PMON_PLACES_MAX];
	struct pmon_cpu_state __percpu *cpu_state;
	struct work_struct unregister_work;
	struct work_struct events_work;
	bool leaving;
	spinlock_t lock;	/* see above */
	bool dead;
	struct hlist_head events;
	unsigned int open;
};

/*
 * Is the PCI function of @box in D3, as far as pci_dev.current_state says? May
 * be called in any context. The caller holds @box->lock, the lock of its PMU or
 * pmon_mutex, and the box was not removed: so @box->power stays.
 */
static inline bool pmon_box_is_in_d3(const struct pmon_box *box)
{
	pci_power_t state;

	if (!box->power)
		return false;

	state = READ_ONCE(box->power->current_state);
	return state == PCI_D3hot || state == PCI_D3cold;
}

static inline struct pmon_pmu *to_pmon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct pmon_pmu, pmu);
}

/* ---- an event, in perf's struct hw_perf_event ---------------------------- */

/**
 * enum pmon_event_mark - what the work item does with an event
 * @PMON_EVENT_FAIL: disable it and put it in perf's error state
 * @PMON_EVENT_DISABLE: its user has disabled it, and perf enabled it when its
 *	CPU changed: disable it; add() refuses it until then
 */
enum pmon_event_mark {
	PMON_EVENT_FAIL		= BIT(0),
	PMON_EVENT_DISABLE	= BIT(1),
};

/**
 * struct pmon_open_event - an open event in the list of its PMU
 * @node: in &pmon_pmu.events; under &pmon_pmu.lock
 * @box: where it counts, if its PMU has boxes
 * @cpu: the CPU that the event is counted for in pmon_cpu_events; likewise
 * @marks: enum pmon_event_mark; changed likewise, read by add()
 * @added: add() was called, so perf has installed the event; written by add()
 * @is_lost: pmon_event_lost() has put it into a list
 * @deleted: the next one in @deleted of &struct pmon_cpu_state
 * @lost: in that list
 */
struct pmon_open_event {
	struct hlist_node node;
	struct pmon_box *box;
	unsigned int cpu;
	u8 marks;
	bool added;
	bool is_lost;
	struct pmon_hw_event *deleted;
	struct llist_node lost;
};

/**
 * struct pmon_hw_event - lies over struct hw_perf_event
 * @event: what the bank knows
 * @not_ours: hw.flags is among these: x86 looks there, for any event, whether
 *	user space may read the counter itself
 * @open: lies over @extra_reg and @branch_reg
 */
struct pmon_hw_event {
	struct pmon_event event;
	u8 not_ours[offsetof(struct hw_perf_event, extra_reg) -
		    sizeof(struct pmon_event)];
	struct pmon_open_event open;
};

static_assert(sizeof(struct pmon_event) <=
	      offsetof(struct hw_perf_event, flags));
static_assert(offsetof(struct pmon_hw_event, open) ==
	      offsetof(struct hw_perf_event, extra_reg));
static_assert(sizeof(struct pmon_open_event) <=
	      2 * sizeof(struct hw_perf_event_extra));

static inline struct pmon_hw_event *pmon_hw(const struct perf_event *event)
{
	return (struct pmon_hw_event *)&event->hw;
}

static inline struct perf_event *pmon_event_perf(struct pmon_event *event)
{
	return container_of((struct hw_perf_event *)event, struct perf_event,
			    hw);
}

/*
 * Locks, from the outermost to the innermost. One is taken only while those
 * above it are held, or none; Documentation/locking.rst says over which calls:
 *
 *	uncore_tables_lock	of pmon_uncore; not taken by readers of files
 *	r2.lock, cxl.lock,	of pmon_r2pcie, pmon_cxl and pmon_uncore; never
 *	uncore.lock		held together
 *	the CPU hotplug lock	the kernel's; perf_event_open() takes it with
 *				pmus_srcu held
 *	plr_lock		of pmon_plr; taken in hotplug callbacks
 *	pmon_mutex		pmu.c; taken in hotplug callbacks
 *	pmon_files_mutex	sysfs.c
 *	pmon_pmu.lock
 *	pmon_places_lock	with interrupts off; innermost
 *	pmon_place.lock		with interrupts off, also in the timer
 *	pmon_box.lock		with interrupts off, also in perf's callbacks
 *	pmon_global.lock	likewise
 *	settings_lock		of pmon_vfalls; likewise, and innermost
 *
 * None of ours is held while a PMU is given to perf or taken away, and none
 * while sysfs waits for readers of a file; pmu.c shows that to lockdep.
 * perf_pmu_migrate_context() takes the mutexes of perf's contexts: perf's
 * callbacks, which run inside these, take no lock above pmon_pmu.lock.
 */

/* The first box of a PMU from place *@i on; NULL: there is none. */
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
 * The lock of a box, with interrupts off. Each CPU counts the locks that it
 * holds or waits for: a probe (kprobe, BPF) in the middle of an access may read
 * an event, and must not wait for its own CPU. Inline: a tenth of a reading.
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

static inline void pmon_box_lock_irqsave(struct pmon_box *box)
{
	unsigned long flags;

	local_irq_save(flags);
	pmon_box_lock(box);
	box->flags = flags;
}

static inline void pmon_box_unlock_irqrestore(struct pmon_box *box)
{
	unsigned long flags = box->flags;

	pmon_box_unlock(box);
	local_irq_restore(flags);
}

COMPAT_DEFINE_GUARD(pmon_box, struct pmon_box *, pmon_box_lock(_T),
		    pmon_box_unlock(_T))
COMPAT_DEFINE_GUARD(pmon_box_irqsave, struct pmon_box *,
		    pmon_box_lock_irqsave(_T), pmon_box_unlock_irqrestore(_T))

/* pmu.c: the life of each PMU */
extern struct workqueue_struct *pmon_workqueue;
extern struct mutex pmon_mutex;
extern struct list_head pmon_pmus;

/* The CPU hotplug lock and pmon_mutex, in this order. */
COMPAT_DEFINE_GUARD(pmon_cpus_and, struct mutex *,
		    ({ cpus_read_lock(); mutex_lock(_T); }),
		    ({ mutex_unlock(_T); cpus_read_unlock(); }))

bool pmon_pmu_is_ours(const struct pmu *pmu);
void pmon_pmu_quiesce(void);
int pmon_pmu_init(void);
void pmon_pmu_exit(void);

/* owner.c */
int pmon_owner_init(void);

/* sysfs.c */
struct pmon_attrs *pmon_attrs_create(const struct pmon_type *type);
void pmon_attrs_free(struct pmon_attrs *attrs);
int pmon_files_show(struct pmon_pmu *pmu);
void pmon_files_unlink(struct pmon_pmu *pmu);
void pmon_files_free(struct pmon_pmu *pmu);

/* soft.c */
int pmon_soft_open(struct perf_event *event);
const struct pmu *pmon_pmu_callbacks(const struct pmon_soft_ops *soft);

/* event.c: perf's callbacks, and the open events */
extern const struct pmu pmon_perf_callbacks;

typedef bool (*pmon_event_match_t)(const struct perf_event *event,
				   const void *data);
bool pmon_cpu_has_events(unsigned int cpu);
int pmon_perf_event_init(struct perf_event *event);
void pmon_perf_start_or_stop(struct perf_event *event, int flags);
int pmon_event_enter(struct perf_event *event);
void pmon_event_init(void);
void pmon_event_exit(void);
void pmon_pmu_events_work(struct work_struct *work);
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data);
bool pmon_event_is_of(const struct perf_event *event, const void *box);
void pmon_box_fail_refused(struct pmon_box *box);
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to);

/*
 * box.c; callers of pmon_box_apply_remotely(), pmon_box_resume(),
 * pmon_box_return() and pmon_box_remove() hold the CPU hotplug lock
 */
struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info);
void pmon_box_free(struct pmon_box *box);
void pmon_box_find(struct pmon_box *box, const struct pmon_box_info *info);
void pmon_box_remove(struct pmon_box *box, bool hand_back);
void pmon_box_stop(struct pmon_box *box, enum pmon_box_state state);
void pmon_box_leave(struct pmon_box *box);
void pmon_box_return(struct pmon_box *box);
void pmon_box_resume(struct pmon_box *box);
void pmon_box_find_again(struct pmon_box *box);
bool pmon_box_reads_d3(const struct pmon_box *box);
bool pmon_box_enters_d3(struct pmon_box *box);
void pmon_box_apply(struct pmon_box *box, struct pmon_hw_event *deleted);
void pmon_box_apply_remotely(struct pmon_box *box);
void pmon_box_report(struct pmon_box *box);
void pmon_report_soon(void);
void pmon_report_exit(void);

/* global.c */
int pmon_global_start(struct pmon_box *box);
void pmon_global_count(struct pmon_box *box);
bool pmon_global_tick(struct pmon_box *box, unsigned int round);
void pmon_global_unfreeze(struct pmon_box *box);
void pmon_global_recheck(struct pmon_box *box);
int pmon_global_open(struct pmon_box *box);
void pmon_global_report(const struct pmon_box *box);

/* cpu.c: places, their designated CPUs, and the timers there */
extern struct delayed_work pmon_isolation_work;

struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index);
struct pmon_box *pmon_box_of_cpu(struct pmon_pmu *pmu, unsigned int cpu);
int pmon_place_shown_cpu(const struct pmon_place *place);
void pmon_timer_start(struct pmon_box *box);
void pmon_timer_stop(struct pmon_box *box);
void pmon_timer_end(struct pmon_place *place);
int pmon_cpu_init(void);
void pmon_cpu_exit(void);

#endif /* PMON_CORE_H */
