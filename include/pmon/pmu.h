/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PMUs and boxes. A PMU is one name on the event_source bus, with at most one
 * box per package or die, or one box near a NUMA node. A driver finds and
 * describes boxes; the core counts with them.
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
 * All of these sleep. A driver serialises the calls for a PMU. The only calls
 * that write registers are pmon_pmu_remove_box() with @release and
 * pmon_pmu_destroy(): used boxes are reset and left running.
 *
 * pmon_pmu_register(), pmon_pmu_flush() and pmon_pmu_destroy_all() wait for
 * perf, so the caller must hold no lock that a CPU hotplug callback, a file in
 * sysfs or a perf callback takes.
 *
 * The driver itself counts the events of a PMU without boxes: @boxless is set
 * in pmon_pmu_info, and @type is free-running.
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
 * struct pmon_boxless_ops - events of a PMU without boxes: the driver counts
 * @cpus: add the CPUs on which events can be opened to the empty mask @cpus
 * @open: describe an event for a CPU, and store the description in the event.
 *	Does not sleep or access hardware, because perf may reject the event
 *	afterwards. Returns 0 or an error
 * @close: undo @open
 * @start: start counting, with interrupts off. Returns 0, or -EAGAIN if
 *	counting cannot start yet: perf tries again after some milliseconds, and
 *	the running time starts then
 * @stop: or NULL: stop counting, after @start returned 0; with interrupts off
 * @now: get the number, in any context including NMI
 * @perf: or NULL: perf callbacks of the driver, used instead of @start, @stop
 *	and @now: pmu_enable, add (starts the event), del, read, start_txn,
 *	commit_txn and cancel_txn
 *
 * Without @perf, events need CAP_PERFMON (or CAP_SYS_ADMIN), whatever the value
 * of perf_event_paranoid, because the driver works for each event.
 */
struct pmon_boxless_ops {
	void (*cpus)(struct cpumask *cpus);
	int (*open)(struct perf_event *event);
	void (*close)(struct perf_event *event);
	int (*start)(struct perf_event *event);
	void (*stop)(struct perf_event *event);
	u64 (*now)(const struct perf_event *event);
	const struct pmu *perf;
};

/**
 * struct pmon_pmu_info - description of a new PMU
 * @name: name on the event_source bus; copied
 * @type: kind of the boxes; must stay valid
 * @boxless: operations of a PMU without boxes, or NULL; must stay valid
 * @data: for the driver, see pmon_pmu_data()
 * @owner: THIS_MODULE; cannot be unloaded while an event is open
 */
struct pmon_pmu_info {
	const char *name;
	const struct pmon_type *type;
	const struct pmon_boxless_ops *boxless;
	void *data;
	struct module *owner;
};

/**
 * struct pmon_global - register that stops all boxes of a device at once
 * @regs: the register at offset 0, reached from the CPUs that reach the boxes.
 *	Writing 0 lets the boxes run
 * @bytes: width of the register, 4 or 8
 * @freeze: bits of the register that stop the boxes
 * @read_only: never write the register, and open no event while a bit of
 *	@freeze is set
 * @status: with @read_only: a bit of @freeze does not prove that the boxes are
 *	frozen. Read the register once, when the first event starts, and reject
 *	no event
 * @lock: protects the members below; innermost, taken under a box's lock
 * @active: number of boxes with events
 * @disturbances: number of times a bit of @freeze was set while @active
 * @round: round of the poll timer with the last read
 * @checked: read or written since the start or the last sleep state
 * @is_frozen: with @read_only: the last read found a bit of @freeze set
 * @value: last value with a bit of @freeze set
 * @unfreezes: number of times the core cleared a bit of @freeze
 * @logged_unfreezes: value of @unfreezes at the last log line; under pmon_mutex
 * @logged_frozen: @is_frozen was logged; under pmon_mutex
 *
 * The driver sets the members before @lock and calls pmon_global_init().
 */
struct pmon_global {
	struct pmon_regs regs;
	u8 bytes;
	u64 freeze;
	bool read_only;
	bool status;
	raw_spinlock_t lock;	/* see above */
	unsigned int active;
	unsigned int disturbances;
	unsigned int round;
	bool checked;
	bool is_frozen;
	u64 value;
	unsigned int unfreezes;
	unsigned int logged_unfreezes;
	bool logged_frozen;
};

/**
 * pmon_global_init() - prepare a control that stops several boxes
 * @global: control, with the members before @lock set
 *
 * Called before the first box with @global is added. Accesses no register.
 */
void pmon_global_init(struct pmon_global *global);

/**
 * pmon_global_state() - get the last known state of a control
 * @global: initialised control
 *
 * Accesses no register.
 *
 * Return: "unknown" before the first access, "running", or "frozen" if
 * @read_only leaves the boxes frozen.
 */
const char *pmon_global_state(const struct pmon_global *global);

/**
 * struct pmon_box_info - description of a new box
 * @place: CPUs that reach the box
 * @power: PCI function of the registers, if the function may enter D3, or NULL;
 *	valid until the box is removed
 * @in_bar: the registers are in a BAR of @power, and do not respond while
 *	memory decoding is off
 * @global: control that stops the box together with others, or NULL; valid
 *	until the box is removed
 * @layout: the registers; copied, including the table of counters
 * @regs: access to the registers; copied. The mapping or PCI function must stay
 *	valid until the box is removed or the PMU destroyed
 * @off: counters, by index in the table, whose control was read and selects no
 *	event. With &pmon_protocol.no_reset the core need not zero these
 *	controls
 *
 * While @power is in D3 the core accesses no register, rejects new events
 * (-ENXIO), and fails events that count. The core never changes the power
 * state. The core checks the kernel's power state when a box becomes active,
 * when an event is opened, when an event starts, and at each poll. If a counter
 * reads as all-ones, the core reads the power state from the function. A
 * function that was reset counts as in D3 until the kernel has restored the
 * function.
 */
struct pmon_box_info {
	struct pmon_place_id place;
	struct pci_dev *power;
	bool in_bar;
	struct pmon_global *global;
	struct pmon_layout layout;
	struct pmon_regs regs;
	u64 off;
};

/**
 * pmon_pmu_create() - get a PMU
 * @info: description
 *
 * Reuses a PMU of the same name whose boxes were removed while events were
 * open.
 *
 * Return: the PMU, or an ERR_PTR: -ENOMEM; -EEXIST if the driver has a live PMU
 * of that name; -EAGAIN if a PMU of that name is being unregistered: call
 * pmon_pmu_flush() and try again.
 */
struct pmon_pmu *pmon_pmu_create(const struct pmon_pmu_info *info);

/**
 * pmon_pmu_add_box() - add a box to a PMU
 * @pmu: PMU, registered or not
 * @info: description of the box
 *
 * Return: 0; -EINVAL if pmon_layout_valid() rejects the layout or the PMU's
 * type is for other counters; -EEXIST if the PMU has a live box in that place;
 * -EBUSY if an event is open on a removed box with other counters, or if the
 * PMU has a box elsewhere and either box is near a node; -ENOSPC if there are
 * too many places; -ENOMEM.
 */
int pmon_pmu_add_box(struct pmon_pmu *pmu, const struct pmon_box_info *info);

/**
 * pmon_pmu_register() - register a PMU with perf
 * @pmu: PMU with at least one box, or with @boxless
 *
 * Events can be opened from then on.
 *
 * Return: 0, also if the PMU is registered already; -ENODEV if the last box was
 * removed meanwhile and @pmu belongs to the core; -EEXIST if another driver has
 * a PMU of that name; or an error of perf.
 */
int pmon_pmu_register(struct pmon_pmu *pmu);

/**
 * pmon_pmu_add_file() - add a file with a line of text to a PMU in sysfs
 * @pmu: PMU, registered or not
 * @name: name of the file; copied
 * @text: the text; copied. Replaces the text of an existing file
 *
 * The file is removed with the PMU.
 *
 * Return: 0, -ENOMEM, or an error of sysfs.
 */
int pmon_pmu_add_file(struct pmon_pmu *pmu, const char *name,
		      const char *text);

/**
 * pmon_pmu_link() - add a link "device" to a PMU in sysfs
 * @pmu: PMU with one box, registered or not
 * @device: device of the box; stays on the bus until the box is removed or the
 *	PMU destroyed, which removes the link
 *
 * Return: 0, or an error of sysfs.
 */
int pmon_pmu_link(struct pmon_pmu *pmu, struct device *device);

/**
 * pmon_pmu_remove_box() - remove a box, whose device is removed or reassigned
 * @pmu: the PMU
 * @place: place of the box
 * @release: if the box was used, reset it and let it run first. Nothing is
 *	written in D3 or if no control of the box responds
 *
 * The core accesses no register of the box after return. Open events stop: perf
 * prints <not counted>, and after the device returns such events count only
 * when enabled again. New events get -ENODEV. After the last box is removed and
 * the last event closed, the PMU is unregistered and @pmu belongs to the core:
 * to use the name again, call pmon_pmu_create(). pmon_pmu_flush() waits until
 * the events have stopped, and until a PMU without open events is unregistered.
 */
void pmon_pmu_remove_box(struct pmon_pmu *pmu, struct pmon_place_id place,
			 bool release);

/**
 * pmon_pmu_destroy() - give up a PMU
 * @pmu: the PMU; may be NULL
 *
 * Used boxes are reset and left running; unused boxes are not written. Open
 * events stop.
 */
void pmon_pmu_destroy(struct pmon_pmu *pmu);

/**
 * pmon_pmu_flush() - wait for removed PMUs and events
 *
 * Waits until PMUs without open events are unregistered, and until open events
 * of removed boxes have stopped. PMUs with open events are unregistered later,
 * when the last event is closed.
 */
void pmon_pmu_flush(void);

/**
 * pmon_boxless_migrate() - move events of PMUs without boxes to another CPU
 * @ops: operations of the PMUs
 * @from: present CPU of the events; @open does not choose it any more
 * @to: new CPU; online
 *
 * Context: CPU hotplug lock held, at least for reading.
 */
void pmon_boxless_migrate(const struct pmon_boxless_ops *ops, unsigned int from,
			  unsigned int to);

/**
 * pmon_boxless_fail() - stop events of PMUs without boxes
 * @ops: operations of the PMUs
 * @match: returns true for events to stop. Called with interrupts on, under RCU
 *	or with a spinlock held, after the event's @open has returned
 * @data: argument of @match
 *
 * Asynchronous: perf prints <not counted> for the events, and pmon_pmu_flush()
 * waits.
 */
void pmon_boxless_fail(const struct pmon_boxless_ops *ops,
		       bool (*match)(const struct perf_event *event,
				     const void *data),
		       const void *data);

/**
 * pmon_event_report_lost() - report that the last read of an event failed
 * @event: event of a PMU with &pmon_boxless_ops.perf
 *
 * Puts the event and the leader of its group into perf's error state. Other
 * events are left to pmon_boxless_fail().
 *
 * Context: interrupts off, before del() returns or in the following
 * pmu_enable().
 */
void pmon_event_report_lost(struct perf_event *event);

/**
 * pmon_pmu_data() - get &pmon_pmu_info.data of a PMU
 * @pmu: the PMU in a perf callback
 *
 * Context: any.
 * Return: the @data of pmon_pmu_create().
 */
void *pmon_pmu_data(const struct pmu *pmu);

/**
 * pmon_pmu_destroy_all() - destroy all PMUs of a driver in parallel
 * @owner: THIS_MODULE
 *
 * The last call in a driver's exit. It waits, too, for PMUs whose boxes were
 * all removed, because such a PMU uses the driver's tables until perf has
 * unregistered the PMU. Faster than pmon_pmu_destroy() for each PMU.
 */
void pmon_pmu_destroy_all(struct module *owner);

/**
 * pmon_pmu_name() - get the name of a PMU on the event_source bus
 * @pmu: the PMU
 *
 * Return: the name, valid until the driver gives up @pmu.
 */
const char *pmon_pmu_name(const struct pmon_pmu *pmu);

#endif /* PMON_PMU_H */
