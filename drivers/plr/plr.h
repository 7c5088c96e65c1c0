/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the parts of pmon_plr fit together: a front end (auxiliary device or
 * PCI function) finds a TPMI device and attaches it; every live PLR instance
 * of it becomes a domain device with its own directories.
 */
#ifndef PMON_PLR_H
#define PMON_PLR_H

#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/workqueue.h>

#include <pmon/box.h>
#include <pmon/mode.h>
#include <pmon/plr_reasons.h>
#include <pmon/plr_snapshot.h>

#include "log.h"
#include "meter.h"
#include "pfs.h"
#include "tick.h"

/* MSR 0x54 and the mailbox have eight bits for a module. */
#define PLR_MODULES	256

enum plr_scope_kind { PLR_SCOPE_DIE, PLR_SCOPE_MESH, PLR_SCOPE_CORE };

struct plr_domain;

/**
 * struct plr_scope - one directory of reasons: the die, the mesh or a module
 * @kobj: the directory
 * @domain: the instance behind it; valid while its files can be read
 * @kind: which of them
 * @id: module or fabric cluster
 * @log: what hardware has been cleared of; it outlives the directory
 * @since_ns: when hardware was last seen clear, or was cleared, by a watcher:
 *	what it has now is of the time from then on; 0 without a watcher, or
 *	when the last look at it failed
 * @pending: hardware may have reasons that the watcher has not read yet
 * @started: accesses begun by readers, so that readers that wait share one
 * @shown: what the last of them brought
 * @ret: or why it failed
 * @reasons: the file, for programs that poll it
 * @active: the same
 *
 * The lock of the domain guards the log and what follows it.
 */
struct plr_scope {
	struct kobject kobj;
	struct plr_domain *domain;
	enum plr_scope_kind kind;
	u8 id;
	struct plr_log *log;
	u64 since_ns;
	bool pending;
	u64 started;
	u64 shown;
	int ret;
	struct kernfs_node *reasons;
	struct kernfs_node *active;
};

/**
 * struct plr_saved - what is known of a domain, also while it is not there
 * @node: in the list of all, under the lock of saved.c
 * @package: package id
 * @id: power domain in the package
 * @domain: the domain, NULL while it is not there
 * @interval_ms: how often to look, 0 for when there is a consumer
 * @max_commands: how many commands a second looking may take
 * @counting: events that count
 * @wished_ns: when an event wanted to count and could not, as nothing was known
 *	of its module; 0 for never
 * @patience_ns: two intervals of perf's multiplexing: it asks such an event
 *	again after one
 * @hurry: that was news
 * @awaited: it has gone, and its events wait for it until @back_by
 * @back_by: in jiffies
 * @meter: time limited by module, NULL for one that never had an event; a new
 *	one is made under the lock of saved.c
 * @die: log of the die
 * @mesh: log of the mesh
 * @core: logs of the modules
 *
 * @domain and @interval_ms change under the lock of watch.c, the logs
 * under that of the domain, @awaited and @back_by under that of saved.c.
 * Callbacks of perf read and change the rest without a lock.
 */
struct plr_saved {
	struct list_head node;
	u8 package;
	u8 id;
	struct plr_domain *domain;
	unsigned int interval_ms;
	unsigned int max_commands;
	atomic_t counting;
	u64 wished_ns;
	u64 patience_ns;
	bool hurry;
	bool awaited;
	unsigned long back_by;
	struct plr_meter *meter[PLR_MODULES];
	struct plr_log die;
	struct plr_log mesh;
	struct plr_log core[PLR_MODULES];
};

struct auxiliary_device;

/**
 * struct plr_feature - what firmware says of the feature PLR of a device
 * @blocked: 1 when writes are blocked, 0 when not, or an error; sleeps
 * @end: there is no such call any more, and the function is awake; may be NULL
 * @auxdev: for @blocked, where the kernel knows
 * @control: for @blocked, where it does not: physical address of the control
 *	interface, 0 when the device has none
 * @lock: for @control: the domains of a device share it
 * @owed: for @control, under @lock: it may come to be ours, see control.c
 */
struct plr_feature {
	int (*blocked)(struct plr_feature *feature);
	void (*end)(struct plr_feature *feature);
	struct auxiliary_device *auxdev;
	phys_addr_t control;
	struct mutex lock; /* one question at a time */
	bool owed;
};

/**
 * struct plr_domain - one live PLR instance
 * @dev: pkg<P>-dom<D>
 * @pdev: the function that the registers belong to
 * @feature: what firmware says of it
 * @package: package id, as CPUs show it
 * @id: power domain in the package
 * @minor: minor version of the interface
 * @lock: one command at a time in the mailbox
 * @suspect: the last answer was all ones, or the function was frozen since
 * @placed: CPUs get their directories and links; under plr_lock
 * @told_blocked: the log says that firmware has blocked writes
 * @blocked: what firmware said last, or an error when it did not; 0 when a
 *	clear was seen to work since
 * @asked_ns: when that was, 0 for never
 * @regs: the registers
 * @mailbox: access to them
 * @dir: the directory plr
 * @die: reasons of the die
 * @mesh: reasons of the mesh, NULL when hardware does not answer for it
 * @mesh_silent: it does not, but its directory is still there
 * @mesh_work: removes the directory of a silent mesh
 * @core: reasons of each module that has had a CPU online
 * @bound: above the number of each of these modules
 * @snapshots: passes begun for readers of snapshot
 * @snapshot_ns: boot time of the last of them
 * @snapshot_ret: or why it failed
 * @watch: in the list of watch.c, whose lock guards what follows
 * @saved: what outlives it
 * @due_ns: when to look next
 * @looking: the work looks at it now
 * @look_ns: since when
 * @look_boot_ns: the same as boot time
 * @was_known: before that, something was known of it
 * @tick: the look itself
 * @targets: whom it asks
 * @watched: whose directories those are
 * @names: text of a trace event
 * @ended: the same
 */
struct plr_domain {
	struct device dev;
	struct pci_dev *pdev;
	struct plr_feature *feature;
	u8 package;
	u8 id;
	u8 minor;
	struct mutex lock; /* one command at a time in the mailbox */
	bool suspect;
	bool placed;
	bool told_blocked;
	int blocked;
	u64 asked_ns;
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct kobject *dir;
	struct plr_scope *die;
	struct plr_scope *mesh;
	bool mesh_silent;
	struct work_struct mesh_work;
	struct plr_scope *core[PLR_MODULES];
	unsigned int bound;
	u64 snapshots;
	u64 snapshot_ns;
	int snapshot_ret;
	struct list_head watch;
	struct plr_saved *saved;
	u64 due_ns;
	bool looking;
	u64 look_ns;
	u64 look_boot_ns;
	bool was_known;
	struct plr_tick tick;
	struct plr_target targets[PLR_MODULES + 1];
	struct plr_scope *watched[PLR_MODULES + 1];
	char names[PLR_REASONS_SIZE];
	char ended[PLR_REASONS_SIZE];
};

/*
 * An access begins whose result is for all readers that wait for it. One that
 * comes later finds that it needs another.
 */
static inline void plr_scope_begin(struct plr_scope *scope)
{
	WRITE_ONCE(scope->started, scope->started + 1);
}

/*
 * The directory of a module, complete, or NULL; they do not go before all do.
 */
static inline struct plr_scope *plr_core(struct plr_domain *domain,
					 unsigned int module)
{
	/* Pairs with plr_domain_add_cpu(). */
	return smp_load_acquire(&domain->core[module]);
}

/* Above the number of each module that plr_core() has; it only grows. */
static inline unsigned int plr_domain_bound(struct plr_domain *domain)
{
	/* Pairs with plr_domain_add_cpu(). */
	return smp_load_acquire(&domain->bound);
}

/**
 * struct plr_beside - the registers of another feature of a TPMI device
 * @start: physical address of instance 0, 0 when the device has none
 * @stride: bytes from one instance to the next
 * @count: instances
 */
struct plr_beside {
	phys_addr_t start;
	u32 stride;
	u32 count;
};

/**
 * struct plr_tpmi - a TPMI device
 * @dev: pkg<P>-tpmi<N>
 * @node: in the list of all
 * @pdev: the PCI function
 * @info: TPMI_INFO
 * @feature: how to ask firmware for the state of PLR
 * @base: the registers of all its PLR instances
 * @rapl: its power limits
 * @sst: its limits of frequency
 * @rows: the PFS
 * @row_count: rows in @rows
 * @count: places in @domain
 * @domain: by instance, NULL where there is none
 */
struct plr_tpmi {
	struct device dev;
	struct list_head node;
	struct pci_dev *pdev;
	struct pfs_info info;
	struct plr_feature feature;
	void __iomem *base;
	struct plr_beside rapl;
	struct plr_beside sst;
	u64 *rows;
	unsigned int row_count;
	unsigned int count;
	struct plr_domain *domain[];
};

/**
 * struct plr_source - what a front end found
 * @parent: the device that it is bound to, or stands beside
 * @pdev: the PCI function
 * @info: TPMI_INFO
 * @feature: how to ask firmware for the state of PLR
 * @start: physical address of PLR instance 0
 * @stride: bytes from one instance to the next
 * @count: instances
 * @rapl: power limits
 * @sst: limits of frequency
 * @rows: the PFS; goes over to the device that is attached
 * @row_count: rows in @rows
 */
struct plr_source {
	struct device *parent;
	struct pci_dev *pdev;
	struct pfs_info info;
	struct plr_feature feature;
	phys_addr_t start;
	u32 stride;
	u32 count;
	struct plr_beside rapl;
	struct plr_beside sst;
	u64 *rows;
	unsigned int row_count;
};

/**
 * struct plr_place - where a CPU is
 * @package: package id
 * @domain: power domain in the package
 * @module: module in the domain, the ID that the mailbox takes
 */
struct plr_place {
	u16 package;
	u8 domain;
	u8 module;
};

/*
 * Locks, from the outermost to the innermost; core.h of the engine says what
 * holds for all modules: none is held while the PMU is registered or goes,
 * while sysfs waits for readers of a file, or, but for the last three, over
 * an access of hardware.
 *
 *	the CPU hotplug lock	the kernel's
 *	plr_lock		list.c; taken in hotplug callbacks
 *	plr_pci_lock		front_pci.c; not with plr_lock
 *	plr_watch_lock		watch.c; not taken with plr_lock held, and not
 *				in callbacks of perf, of the tracepoint or of
 *				hotplug: looks are made by a work item
 *	plr_domain.lock		the mailbox; readers of files take it
 *	plr_saved_lock		saved.c; taken in event_init of perf, by the
 *				watch, which may have the lock of a domain, and
 *				without another lock by work items
 */

/*
 * The files from the ground up, the pure ones below them: each uses those above
 * it in this list only.
 */

/* mode.c */
void plr_mode_init(void);
void plr_mode_give_up(void);
enum pmon_mode plr_mode(void);

/* cpus.c */
#define PLR_ANY_MODULE	(-1)

int plr_cpus_init(void);
void plr_cpus_exit(void);
void plr_cpu_set_place(unsigned int cpu, const struct plr_place *place);
void plr_cpu_clear_place(unsigned int cpu);
bool plr_cpu_place(unsigned int cpu, struct plr_place *place);
bool plr_cpu_is_in(unsigned int cpu, u8 package, u8 domain, int module);
int plr_cpus_print(char *buf, u8 package, u8 domain, int module);

/* vsec.c */
/* How often to look whether a function has recovered from an error. */
#define PLR_RECOVERY_JIFFIES	(HZ / 10)

bool plr_pci_recovers(struct pci_dev *pdev);
bool plr_pci_ready(struct pci_dev *pdev);
int plr_vsec_source(struct pci_dev *pdev, struct plr_source *source);

/* saved.c */
/*
 * For how long events wait after a PCI error. When the device goes its function
 * has answered again, and intel_vsec takes up one function after the other, two
 * seconds each. Before that the kernel waits a minute for what was reset.
 */
#define PLR_RETURN_JIFFIES	(30 * HZ)
#define PLR_FROZEN_JIFFIES	(120 * HZ)

struct plr_saved *plr_saved_find(u8 package, u8 id);
struct plr_saved *plr_saved_get(u8 package, u8 id);
struct plr_meter *plr_saved_meter(struct plr_saved *saved, u8 module);
struct plr_log *plr_saved_log(struct plr_saved *saved, enum plr_scope_kind kind,
			      u8 id);
void plr_saved_await_begin(void (*late)(void));
void plr_saved_await_end(void);
void plr_saved_await(struct plr_saved *saved, unsigned long patience);
void plr_saved_await_cancel(struct plr_saved *saved);
bool plr_saved_awaits(void);
struct plr_saved *plr_saved_late(void);
void plr_saved_free(void);

/* scope.c */
/*
 * The watch asks firmware this often at most whether writes are blocked: other
 * agents use its interface, too.
 */
#define PLR_STATE_NS	1000000000ULL

bool plr_domain_reachable(struct plr_domain *domain);
int plr_domain_error(struct plr_domain *domain, int ret);
unsigned int plr_domain_modules(struct plr_domain *domain);
void plr_scope_notify(struct plr_scope *scope);
struct plr_target plr_scope_target(const struct plr_scope *scope);
int plr_scope_read(struct plr_scope *scope, u64 *value);
int plr_scope_clear(struct plr_scope *scope, u64 mask);
void plr_domain_check_mesh(struct plr_domain *domain, struct plr_scope *module,
			   int ret);
void plr_domain_judge_mesh(struct plr_domain *domain);
int plr_domain_writes_blocked(struct plr_domain *domain, u64 age_ns);
int plr_domain_judge_writes(struct plr_domain *domain, int ret, bool watching);

/* snapshot.c */
#define PLR_SNAPSHOT_SIZE \
	(sizeof(struct plr_snapshot) + PLR_MODULES * sizeof(u64))

ssize_t plr_snapshot_read(struct plr_domain *domain, char *buf);

/* wishes.c */
unsigned int plr_wish_interval(const struct plr_saved *saved);
bool plr_wish_waits(const struct plr_meter *meter);
int plr_wish_begin(struct plr_meter *meter, unsigned int retry_ms);
void plr_wish_end(struct plr_meter *meter);
void plr_wish_close(struct plr_meter *meter);
const atomic_t *plr_wish_pins(void);
void plr_wish_look_in(unsigned long delay);
void plr_wish_start(work_func_t look);
void plr_wish_stop(void);

/* watch.c */
void plr_watch_add(struct plr_domain *domain);
void plr_watch_del(struct plr_domain *domain);
void plr_watch_set_interval(struct plr_domain *domain, unsigned int ms);
unsigned int plr_watch_get_interval(const struct plr_domain *domain);
void plr_watch_set_max_commands(struct plr_domain *domain,
				unsigned int commands);
unsigned int plr_watch_get_max_commands(const struct plr_domain *domain);
void plr_watch_start(void);
void plr_watch_stop(void);

/* sysfs.c */
extern const struct attribute_group *plr_domain_groups[];
struct kobject *plr_dir_create(struct plr_domain *domain);
int plr_dir_show(struct kobject *dir);
void plr_dir_hide(struct kobject *dir);
struct plr_scope *plr_scope_create(struct plr_domain *domain,
				   enum plr_scope_kind kind, u8 id);
void plr_kobject_remove(struct kobject *kobj);
void plr_scope_remove(struct plr_scope *scope);

/* tpmi.c */
extern const struct attribute_group *plr_tpmi_groups[];

/* perf_cpus.c; changes under plr_lock */
int plr_perf_cpus_init(void);
void plr_perf_cpus_exit(void);
int plr_perf_cpus_online(unsigned int cpu, const struct plr_place *place);
int plr_perf_cpus_offline(unsigned int cpu, const struct plr_place *place);
void plr_perf_cpus_remove(u8 package, u8 domain);
int plr_perf_cpu_of(const struct plr_place *place);
void plr_perf_cpus(struct cpumask *cpus);

/* perf_events.c */
#define PLR_PERF_EVENT	GENMASK_ULL(6, 0)

extern const struct pmon_type plr_perf_type;
int plr_perf_events_init(void);
void plr_perf_events_exit(void);

/* perf.c */
int plr_perf_init(bool (*wanted)(void));
void plr_perf_exit(void);
void plr_perf_update(void);
void plr_perf_end(const struct plr_saved *saved);
void plr_perf_migrate(int from, int to);
void plr_perf_vacate(int from, int to);

/* wait.c */
extern const struct plr_wait plr_wait;

/* list.c */
extern struct mutex plr_lock;
struct plr_domain *plr_domain_find(u8 package, u8 id);
bool plr_domains_any(void);
int plr_domain_reserve(struct plr_tpmi *tpmi, unsigned int instance,
		       struct plr_domain *domain);
void plr_domain_cancel(struct plr_tpmi *tpmi, unsigned int instance);
int plr_tpmi_reserve(struct plr_tpmi *tpmi);
void plr_tpmi_cancel(struct plr_tpmi *tpmi);

/* placing.c */
void plr_domains_cpu_online(unsigned int cpu, const struct plr_place *place);
void plr_domains_cpu_offline(unsigned int cpu);
void plr_domain_place(struct plr_domain *domain);
void plr_domain_displace(struct plr_domain *domain);

/* domain.c */
int plr_domain_add(struct plr_tpmi *tpmi, unsigned int instance,
		   const struct pmon_regs *regs, u64 header,
		   struct device *parent);
void plr_domain_remove(struct plr_tpmi *tpmi, unsigned int instance,
		       bool comes_back);

/* device.c */
struct plr_tpmi *plr_tpmi_attach(struct plr_source *source);
void plr_tpmi_detach(struct plr_tpmi *tpmi, bool comes_back);

/* hotplug.c */
int plr_hotplug_start(void);
void plr_hotplug_stop(void);

/* front_aux.c or front_pci.c */
int plr_front_start(void);
void plr_front_stop(void);

#endif /* PMON_PLR_H */
