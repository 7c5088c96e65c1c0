/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine's own objects: places, boxes, PMUs. */
#ifndef PMON_CORE_H
#define PMON_CORE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/pci.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <pmon/pmu.h>

#include "bank.h"
#include "round.h"

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

static inline unsigned int pmon_snapshot_word(const struct pmon_type *type)
{
	return type->snapshot_config1 ? 1 : 2;
}

/**
 * struct pmon_place - a place with boxes
 * @lock: protects @round, @timer and @timer_cpu, and boxes' @queue and @queued
 * @id: which place
 * @name: for the log
 * @cpu: the CPU that serves all its boxes, or -1 when none is online that
 *	reaches them
 * @round: boxes that have events, to be read before their counters wrap
 * @timer: ticks while there are such boxes
 * @timer_cpu: where it was started; @cpu, but for a moment
 */
struct pmon_place {
	raw_spinlock_t lock;	/* see above */
	struct pmon_place_id id;
	char name[24];
	int cpu;
	struct pmon_round round;
	struct hrtimer timer;
	int timer_cpu;
};

/**
 * struct pmon_box - one box of a PMU
 * @lock: protects @bank; taken by pmon_box_lock()
 * @flags: interrupts of the CPU that holds @lock; under @lock
 * @bank: the counters
 * @counter: the table of @bank's layout, changed under @lock
 * @data: that layout's data; stays as it is
 * @pmu: that PMU
 * @place: where it is
 * @queue: in @place's round
 * @queued: is it there? Under @place's lock
 * @told: the log says that it was disturbed; under pmon_mutex
 * @told_restarts: of how many resets it does; under pmon_mutex
 * @told_refused: of how many times that events could not be started; under
 *	pmon_mutex
 * @told_lost: of how many times that they could not be read a last time; under
 *	pmon_mutex
 * @told_unresponsive: that it does not respond; under pmon_mutex
 * @restarts: after how many resets @global was doubted; under @lock
 * @power: the function whose sleep makes @bank gone, or NULL; changed under
 *	@pmu's lock, not while @bank can be accessed
 * @in_bar: as in &struct pmon_box_info; changed with @power
 * @asleep: it sleeps, and @bank is gone for that; under @lock
 * @away: no CPU that reaches it is online, and @bank is gone for that; under
 *	@lock
 * @told_asleep: the log says so; under pmon_mutex
 * @period_ns: how often its counters must be read
 * @global: what can stop it together with others, or NULL; under @lock, and
 *	pmon_mutex to change it
 * @disturbances: which of @global's are in @bank; under @global's lock
 * @gained: an event has gained since @global was last read; under @lock
 */
struct pmon_box {
	raw_spinlock_t lock;
	unsigned long flags;
	struct pmon_bank bank;
	struct pmon_counter *counter;
	void *data;
	struct pmon_pmu *pmu;
	struct pmon_place *place;
	struct hlist_node queue;
	bool queued;
	bool told;
	unsigned int told_restarts;
	unsigned int told_refused;
	unsigned int told_lost;
	bool told_unresponsive;
	unsigned int restarts;
	struct pci_dev *power;
	bool in_bar;
	bool asleep;
	bool away;
	bool told_asleep;
	u64 period_ns;
	struct pmon_global *global;
	unsigned int disturbances;
	bool gained;
};

/**
 * struct pmon_cpu_state - what perf is doing with a PMU on one CPU
 * @depth: how many times it said to collect changes
 * @box: of the PMU, when something was asked for there
 * @txn: kind of the group transaction, 0 = none; with %PMON_TXN_WAS_READ when
 *	the group that is being read was already read as a whole
 */
struct pmon_cpu_state {
	struct pmon_box *box;
	int depth;
	unsigned int txn;
};

/* Boxes near no node: those of packages, those of dies. */
#define PMON_NEAR_PACKAGE	(-1)
#define PMON_NEAR_DIE		(-2)

/* Not one of perf's. */
#define PMON_TXN_WAS_READ	BIT(31)

/**
 * struct pmon_pmu - a PMU, in use or waiting to be used again
 * @pmu: perf's part
 * @list: among the PMUs, or among those that wait to be used again; under
 *	pmon_mutex
 * @known: perf has @pmu, and its callbacks stay as they are; changed by the one
 *	that shows or hides it
 * @registered: perf and sysfs show it; under pmon_mutex
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
 * @groups: all files in sysfs, for perf
 * @files: files in sysfs that the leaf added
 * @device: to which there is a link in sysfs when @registered, or NULL; under
 *	pmon_mutex
 * @linked: there is; under pmon_mutex
 * @box: by the index of its place; under pmon_mutex, read under RCU
 * @near: of a PMU whose box is near a node: its index; or whose the boxes are,
 *	%PMON_NEAR_PACKAGE or %PMON_NEAR_DIE. Under @lock, and pmon_mutex to
 *	change it
 * @cpu_state: what perf is doing with it, per CPU
 * @unregister_work: unregisters @pmu once it is @dead and has no open events
 * @events_work: fails or disables the events that are marked
 * @leaving: being unregistered, only its name still counts; under pmon_mutex
 * @lock: protects @ready, @dead, @events, @open and boxes' @power; a leaf but
 *	for boxes' locks, held over no call of perf
 * @ready: perf has registered it; changed with pmon_mutex held, too
 * @dead: no box has hardware, or the driver is unloading; likewise
 * @events: the open events, &pmon_open_event.list
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
	const struct attribute_group **groups;
	struct list_head files;
	struct device *device;
	bool linked;
	struct pmon_box *box[PMON_PLACES_MAX];
	int near;
	struct pmon_cpu_state __percpu *cpu_state;
	struct work_struct unregister_work;
	struct work_struct events_work;
	bool leaving;
	spinlock_t lock;	/* see above */
	bool ready;
	bool dead;
	struct list_head events;
	unsigned int open;
};

/*
 * Is the PCI function of @box in D3, as far as pci_dev.current_state says? May
 * be called in any context. The caller holds @box->lock, the lock of its PMU or
 * pmon_mutex, and the box was not lost: so @box->power stays.
 */
static inline bool pmon_box_is_off(const struct pmon_box *box)
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
 *	pmon_mutex		registry.c; taken in hotplug callbacks
 *	pmon_files_mutex	files.c
 *	pmon_pmu.lock
 *	pmon_places_lock	with interrupts off; innermost
 *	pmon_place.lock		with interrupts off, also in the timer
 *	pmon_box.lock		with interrupts off, also in perf's callbacks
 *	pmon_global.lock	likewise
 *	settings_lock		of pmon_vfalls; likewise, and innermost
 *
 * While a PMU is given to perf or taken away none of ours is held, and none
 * while sysfs waits for readers of a file: perf takes pmus_lock then and waits
 * for pmus_srcu, whose readers wait for the CPU hotplug lock, whose owner waits
 * for the callbacks of hotplug, and these take our locks. pmu.c teaches
 * that to lockdep. So what makes PMUs leave is a work item without locks, and
 * pmon_pmu_flush(), which waits for it, is called without locks too.
 *
 * perf_pmu_migrate_context() takes the mutexes of perf's contexts and is called
 * in hotplug callbacks with pmon_mutex held; perf's callbacks, which run inside
 * these mutexes, take no lock above pmon_pmu.lock.
 */

/* registry.c: all PMUs */
void pmon_registry_each(void (*fn)(struct pmon_pmu *pmu, void *data),
			void *data);
void pmon_registry_each_open(void (*fn)(struct pmon_pmu *pmu, void *data),
			     void *data);
bool pmon_registry_has(const struct pmu *pmu);
void pmon_pmu_free(struct pmon_pmu *pmu);
int pmon_registry_init(void);
void pmon_registry_exit(void);
extern struct workqueue_struct *pmon_workqueue;
extern struct mutex pmon_mutex;
extern struct list_head pmon_pmus;
extern struct list_head pmon_idle_pmus;

/* pmu.c: the life of each */
void pmon_pmu_quiesce(void);
void pmon_perf_map_init(void);

/* later.c: what waits until interrupts are on */
enum pmon_later_kind {
	PMON_LATER_TELL,	/* tell.c: a box has met something */
	PMON_LATER_POWER,	/* power.c: a function may sleep or a box not */
				/* answer */
};

void pmon_later(enum pmon_later_kind kind);
void pmon_later_begin(enum pmon_later_kind kind, void (*fn)(void));
void pmon_later_end(enum pmon_later_kind kind);

/* tell.c */
void pmon_box_tell(struct pmon_box *box);
int pmon_tell_init(void);
void pmon_tell_exit(void);

/* open.c: the open events */
typedef bool (*pmon_event_match_t)(const struct perf_event *event,
				   const void *data);
bool pmon_cpu_has_events(unsigned int cpu);
bool pmon_pmu_get(struct pmon_pmu *pmu);
void pmon_pmu_put(struct pmon_pmu *pmu);
bool pmon_event_open(struct perf_event *event);
int pmon_event_enter(struct perf_event *event);
bool pmon_box_has_events(struct pmon_box *box);
void pmon_pmu_events_work(struct work_struct *work);
void pmon_pmu_fail_events(struct pmon_pmu *pmu, pmon_event_match_t which,
			  const void *data);
void pmon_box_fail_events(struct pmon_box *box);
void pmon_box_fail_refused(struct pmon_box *box);
void pmon_pmu_move_events(struct pmon_pmu *pmu, unsigned int from,
			  unsigned int to);

/*
 * box.c; callers of pmon_box_apply_remotely(), pmon_box_wake(),
 * pmon_box_resume(), pmon_box_release() and
 * pmon_box_give_over() hold the CPU hotplug lock
 */
struct pmon_box *pmon_box_create(struct pmon_pmu *pmu,
				 struct pmon_place *place,
				 const struct pmon_box_info *info);
void pmon_box_free(struct pmon_box *box);
bool pmon_box_sleeps(struct pmon_box *box);
void pmon_box_find(struct pmon_box *box, const struct pmon_box_info *info);
void pmon_box_apply(struct pmon_box *box);
void pmon_box_lose(struct pmon_box *box);
void pmon_box_leave(struct pmon_box *box, bool off);
void pmon_box_return(struct pmon_box *box);
void pmon_box_sleep(struct pmon_box *box);
void pmon_box_wake(struct pmon_box *box);
void pmon_box_doubt(struct pmon_box *box);
void pmon_box_resume(struct pmon_box *box);
void pmon_box_apply_remotely(struct pmon_box *box);
void pmon_box_release(struct pmon_box *box);
void pmon_box_give_over(struct pmon_box *box);

/* resume.c */
int pmon_resume_init(void);
void pmon_resume_exit(void);

/* global.c */
int pmon_global_start(struct pmon_box *box);
void pmon_global_count(struct pmon_box *box, bool runs);
bool pmon_global_tick(struct pmon_box *box, unsigned int round);
void pmon_global_unfreeze(struct pmon_box *box);
void pmon_global_doubt(struct pmon_box *box);
int pmon_global_open(struct pmon_box *box);
void pmon_global_tell(const struct pmon_box *box);

/* power.c */
bool pmon_power_asks_off(const struct pmon_box *box);
int pmon_power_init(void);
void pmon_power_exit(void);

/* place.c */
bool pmon_place_is(const struct pmon_place *place, struct pmon_place_id id);
struct pmon_place *pmon_place_get(struct pmon_place_id id, unsigned int *index);
struct pmon_place *pmon_place_enter(unsigned int cpu);
struct pmon_place *pmon_place_at(unsigned int index);
unsigned int pmon_place_count(void);
int pmon_place_index(int near, unsigned int cpu);
bool pmon_place_reaches(const struct pmon_place *place, unsigned int cpu);
int pmon_place_shown_cpu(const struct pmon_place *place);
int pmon_place_after_online(const struct pmon_place *place, unsigned int cpu);
int pmon_place_after_offline(const struct pmon_place *place, unsigned int cpu);

/* hotplug.c */
int pmon_hotplug_init(void);
void pmon_hotplug_exit(void);

/* timer.c */
int pmon_timer_init(void);
void pmon_timer_exit(void);
void pmon_timer_update(struct pmon_box *box);
void pmon_timer_move(struct pmon_place *place);
bool pmon_timer_is_on(const struct pmon_place *place, unsigned int cpu);

/* perf.c */
extern const struct pmu pmon_perf_callbacks;
int pmon_event_refuse(const struct perf_event *event);

/* soft.c */
const struct pmu *pmon_soft_perf(const struct pmon_soft_ops *soft);

/* sysfs.c */
struct pmon_attrs *pmon_attrs_create(const struct pmon_type *type);
void pmon_attrs_free(struct pmon_attrs *attrs);
const struct attribute_group **pmon_attrs_groups(struct pmon_attrs *attrs);

/* files.c */
int pmon_files_show(struct pmon_pmu *pmu);
void pmon_files_unlink(struct pmon_pmu *pmu);
void pmon_files_free(struct pmon_pmu *pmu);

/* owner.c */
int pmon_owner_init(void);

/* class.c */
int pmon_class_init(void);
void pmon_class_exit(void);

#endif /* PMON_CORE_H */
