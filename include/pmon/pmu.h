/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declare the functions of drivers/core. A PMU is one name on the event_source
 * bus, with at most one box per package or die, or one box near a NUMA node.
 *
 *	pmu = pmon_pmu_create(&info);
 *	pmon_pmu_add_box(pmu, &box);		once per place
 *	pmon_pmu_register(pmu);			visible to perf
 *	...
 *	pmon_pmu_remove_box(pmu, place, true);	device removed
 *	...
 *	pmon_pmu_destroy(pmu);			PMU given up
 *	pmon_pmu_flush();			removed PMUs are unregistered
 *	...
 *	pmon_pmu_destroy_all(THIS_MODULE);	driver unloads
 *
 * All of these may sleep. A driver serialises the calls for a PMU.
 * pmon_pmu_register(), pmon_pmu_flush() and pmon_pmu_destroy_all() wait for
 * perf, so the caller must hold no lock that a CPU hotplug callback, a file in
 * sysfs or a perf callback takes.
 */
#ifndef PMON_PMU_H
#define PMON_PMU_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include <pmon/box.h>
#include <pmon/place.h>
#include <pmon/regs.h>

struct cpumask;
struct device;
struct module;
struct pci_dev;
struct perf_event;
struct pmon_pmu;
struct pmu;

/**
 * struct pmon_boxless_ops - operations of a driver that counts without boxes
 * @cpus: add to the empty mask @cpus all CPUs on which events can be opened;
 *	NULL with @of_tasks, then there is no file "cpumask"
 * @open: check an event, and set its CPU; returns 0 or an error. Must not
 *	sleep, so that an RCU-tasks grace period waits for the call. Must not
 *	access hardware, because perf may reject the event afterwards
 * @close: undo @open
 * @start: start counting, with interrupts off. Returns 0, or -EAGAIN if
 *	counting cannot start yet: perf tries again after some milliseconds
 * @stop: stop counting, with interrupts off; or NULL
 * @now: get the present value of an event, in any context including NMI
 * @of_tasks: events are of a task, a cgroup or any CPU, in perf's context of
 *	software events; nothing here moves or fails one. @start must return 0.
 *	Neither @open nor @close is called for events that a child inherits,
 *	because the parent's event outlives them, and a failed @open would fail
 *	fork(). @open checks rights, and attributes that exclude contexts
 * @perf: NULL, or callbacks of perf that replace @start, @stop and @now: add
 *	(starts the event), del, read, pmu_enable, {start,commit,cancel}_txn
 *
 * The PMU's &pmon_type.free_running must be set. Without @perf or @of_tasks,
 * events need CAP_PERFMON, whatever the value of perf_event_paranoid.
 */
struct pmon_boxless_ops {
	void (*cpus)(struct cpumask *cpus);
	int (*open)(struct perf_event *event);
	void (*close)(struct perf_event *event);
	int (*start)(struct perf_event *event);
	void (*stop)(struct perf_event *event);
	u64 (*now)(struct perf_event *event);
	bool of_tasks;
	const struct pmu *perf;
};

/**
 * struct pmon_pmu_info - description of a PMU
 * @name: name on the event_source bus; copied
 * @type: kind of the boxes; must stay valid
 * @boxless: operations of a PMU without boxes, or NULL; must stay valid
 * @data: for the driver, see pmon_pmu_data()
 * @owner: THIS_MODULE; cannot be unloaded while an event is open
 * @unregistered: NULL, or called without a lock after the PMU was unregistered
 *	and its name is free. Only queues work; a driver cancels the work after
 *	pmon_pmu_destroy_all()
 */
struct pmon_pmu_info {
	const char *name;
	const struct pmon_type *type;
	const struct pmon_boxless_ops *boxless;
	void *data;
	struct module *owner;
	void (*unregistered)(void);
};

/**
 * struct pmon_global - register that stops all boxes of a device at once
 * @regs: the register, at offset 0, reached from the CPUs that reach the boxes;
 *	the value 0 lets the boxes run
 * @bytes: width of the register, 4 or 8
 * @freeze: bits of the register that stop the boxes
 * @status: the register is a status, which is never written. Read only while
 *	@checked is false, because set @freeze bits do not prove a freeze
 * @lock: protects the members below; innermost, taken under a box's lock
 * @active: number of boxes with events
 * @disturbances: number of reads with a bit of @freeze set while @active > 0
 * @round: round of the poll timer in which the register was last read
 * @look: look of the poll timer, one a second, in which it was last read
 * @checked: the register was read or written since the last sleep, and since a
 *	box last responded again, left D3, or got a CPU
 * @value: last value read with a bit of @freeze set
 * @times_frozen: number of reads with a bit of @freeze set
 * @logged_frozen: value of @times_frozen at the last log line; under pmon_mutex
 */
struct pmon_global {
	struct pmon_regs regs;
	u8 bytes;
	u64 freeze;
	bool status;
	raw_spinlock_t lock;	/* see above */
	unsigned int active;
	unsigned int disturbances;
	unsigned int round;
	unsigned int look;
	bool checked;
	u64 value;
	unsigned int times_frozen;
	unsigned int logged_frozen;
};

/**
 * pmon_global_init() - prepare a control that stops several boxes
 * @global: control, with the members before @lock set
 *
 * Accesses no register.
 */
void pmon_global_init(struct pmon_global *global);

/**
 * pmon_global_state() - get the last known state of a control
 * @global: initialised control
 *
 * Return: "running" if &pmon_global.checked, otherwise "unknown".
 */
const char *pmon_global_state(const struct pmon_global *global);

/**
 * struct pmon_box_info - description of a new box
 * @place: CPUs that reach the box
 * @power: PCI function that may enter D3, or NULL. In D3 the core accesses no
 *	register, rejects new events (-ENXIO), and fails events that count
 * @in_bar: the registers are in a BAR of @power, and do not respond while
 *	memory decoding is off
 * @global: control that stops the box together with others, or NULL
 * @layout: the registers; copied, including the table of counters
 * @regs: access to the registers; copied
 * @ctl: what the control of each counter holds if it selects no event, so with
 *	&pmon_protocol.no_reset the core need not clear it; all-ones: unknown.
 *	NULL: all are unknown. Used during the call alone
 *
 * @power, @global, and the mapping or function of @regs must stay valid until
 * the box is removed or the PMU destroyed.
 */
struct pmon_box_info {
	struct pmon_place_id place;
	struct pci_dev *power;
	bool in_bar;
	struct pmon_global *global;
	struct pmon_layout layout;
	struct pmon_regs regs;
	const u64 *ctl;
};

/**
 * pmon_pmu_create() - get a PMU
 * @info: description
 *
 * Return: a new PMU, or the PMU of that name if its boxes were removed while
 * events were open; or an ERR_PTR: -ENOMEM; -EEXIST if the name is in use;
 * -EAGAIN if that PMU is being unregistered: call pmon_pmu_flush(), try again.
 */
struct pmon_pmu *pmon_pmu_create(const struct pmon_pmu_info *info);

/**
 * pmon_pmu_add_box() - add a box to a PMU
 * @pmu: PMU, registered or not
 * @info: description of the box
 *
 * Return: 0; -EINVAL for an invalid layout; -EEXIST if the PMU has a live box
 * in that place; -EBUSY if the removed box in that place had other counters, or
 * if the PMU has a box in a place of another kind or near another node;
 * -ENOSPC if there are too many places; -ENOMEM.
 */
int pmon_pmu_add_box(struct pmon_pmu *pmu, const struct pmon_box_info *info);

/**
 * pmon_pmu_register() - register a PMU with perf
 * @pmu: PMU with at least one box, or with @boxless
 *
 * Return: 0, also if the PMU is registered already; -ENODEV if the last box was
 * removed meanwhile, so @pmu belongs to the core; -EEXIST if another driver has
 * a PMU of that name; or an error of perf or sysfs.
 */
int pmon_pmu_register(struct pmon_pmu *pmu);

/**
 * pmon_pmu_add_file() - add a file with a line of text to a PMU in sysfs
 * @pmu: PMU, registered or not
 * @name: name of the file; copied
 * @text: the text; copied. Replaces the text of an existing file
 *
 * Return: 0, -ENOMEM, or an error of sysfs.
 */
int pmon_pmu_add_file(struct pmon_pmu *pmu, const char *name,
		      const char *text);

/**
 * pmon_pmu_link() - add a link "device" to a PMU in sysfs
 * @pmu: PMU with one box, registered or not
 * @device: device of the box; must stay on its bus until the box is removed or
 *	the PMU destroyed
 *
 * Return: 0, or an error of sysfs.
 */
int pmon_pmu_link(struct pmon_pmu *pmu, struct device *device);

/**
 * pmon_pmu_remove_box() - remove a box, whose device is removed or reassigned
 * @pmu: the PMU
 * @place: place of the box
 * @release: first reset a used box and let it run, unless the box does not
 *	respond or its function is in D3
 *
 * The core accesses no register of the box after return. Open events end in
 * perf's error state; new events get -ENODEV. After the last box is removed and
 * the last event closed, the PMU is unregistered and @pmu belongs to the core:
 * to use the name again, call pmon_pmu_create().
 */
void pmon_pmu_remove_box(struct pmon_pmu *pmu, struct pmon_place_id place,
			 bool release);

/**
 * pmon_pmu_destroy() - give up a PMU
 * @pmu: the PMU; may be NULL
 *
 * Used boxes are reset and left running; unused boxes are not written. Open
 * events end in perf's error state.
 */
void pmon_pmu_destroy(struct pmon_pmu *pmu);

/**
 * pmon_pmu_flush() - wait for removed PMUs and failed events
 *
 * Waits until removed PMUs without open events are unregistered, and until open
 * events of removed boxes are in perf's error state.
 */
void pmon_pmu_flush(void);

/**
 * pmon_boxless_migrate() - move events of PMUs without boxes to another CPU
 * @ops: operations of the PMUs
 * @from: old CPU of the events, which &pmon_boxless_ops.open no longer chooses
 * @to: new CPU; online
 *
 * Context: CPU hotplug lock held, at least for reading.
 */
void pmon_boxless_migrate(const struct pmon_boxless_ops *ops, unsigned int from,
			  unsigned int to);

/**
 * pmon_boxless_fail() - put events of PMUs without boxes into the error state
 * @ops: operations of the PMUs
 * @match: returns true if the event must fail. Called with a raw spinlock held,
 *	after @open of @ops has returned for the event
 * @data: argument of @match
 *
 * Asynchronous: pmon_pmu_flush() waits.
 */
void pmon_boxless_fail(const struct pmon_boxless_ops *ops,
		       bool (*match)(const struct perf_event *event,
				     const void *data),
		       const void *data);

/**
 * pmon_event_report_lost() - report that the last read of an event failed
 * @event: event of a PMU with &pmon_boxless_ops.perf
 *
 * If disabled, the event and its group leader enter perf's error state.
 *
 * Context: interrupts off, before del() returns or in the following
 * pmu_enable().
 */
void pmon_event_report_lost(struct perf_event *event);

/**
 * pmon_pmu_data() - get &pmon_pmu_info.data of a PMU
 * @pmu: the PMU in a perf callback
 *
 * Return: the data.
 */
void *pmon_pmu_data(const struct pmu *pmu);

/**
 * pmon_pmu_destroy_all() - destroy all PMUs of a driver in parallel
 * @owner: THIS_MODULE
 *
 * Must be the last call in a driver's exit. Also waits for PMUs whose boxes are
 * all removed: perf uses the driver's tables until a PMU is unregistered.
 */
void pmon_pmu_destroy_all(struct module *owner);

/**
 * pmon_pmu_exists() - check for PMUs, also without boxes
 * @owner: the driver
 *
 * Return: true if the driver has a PMU. A PMU whose boxes were removed exists
 * until its last event is closed.
 */
bool pmon_pmu_exists(const struct module *owner);

/**
 * pmon_pmu_count_events() - count the open events of a PMU
 * @name: name of the PMU, which may have been given up
 *
 * Return: the number of events, 0 without a PMU of that name.
 */
unsigned int pmon_pmu_count_events(const char *name);

/**
 * pmon_pmu_name() - get the name of a PMU on the event_source bus
 * @pmu: the PMU
 *
 * Return: the name, valid until the driver gives up @pmu.
 */
const char *pmon_pmu_name(const struct pmon_pmu *pmu);

#endif /* PMON_PMU_H */
