/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine's objects. A PMU is one name on the event_source bus and holds
 * at most one box per package, or one box near a NUMA node. A leaf finds boxes
 * and describes them; the engine drives them.
 *
 *	pmu = pmon_pmu_create(&info);
 *	pmon_pmu_add_box(pmu, &box);		once per place
 *	pmon_pmu_register(pmu);			perf sees it
 *	...
 *	pmon_pmu_remove_box(pmu, place, true);	its device goes
 *	...
 *	pmon_pmu_destroy(pmu);			the leaf gives it up
 *	pmon_pmu_flush();			what was given up has left perf
 *	...
 *	pmon_pmu_destroy_all(THIS_MODULE);	the leaf unloads
 *
 * All of these sleep, and a leaf makes calls for one PMU one at a time. None
 * writes a register, except that pmon_pmu_remove_box() with @hand_back and
 * pmon_pmu_destroy() hand boxes that were used back cleared and running.
 *
 * pmon_pmu_register(), pmon_pmu_flush() and pmon_pmu_destroy_all() wait for
 * perf, so the caller has no lock that a CPU hotplug callback, a file in sysfs
 * or a callback of perf may want.
 *
 * A PMU without boxes counts in software: its info has @soft, and its @type
 * says that its counters run by themselves.
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
 * struct pmon_soft_ops - events whose count is a number that the leaf keeps
 * @cpus: adds the CPUs that events can be opened on to a mask, which is empty
 * @open: describe an event for a CPU, and store that in the event; does not
 *	sleep, and touches no hardware: perf may yet refuse the event. Returns 0
 *	or an error.
 * @close: undo @open
 * @begin: the event is to count; with interrupts off. Returns 0, or -EAGAIN
 *	when it cannot yet: perf asks again after some milliseconds, and what
 *	it shows as the event's running time is without the time until then
 * @end: or NULL: it does not count any more, after a @begin that returned 0;
 *	with interrupts off
 * @now: the number; in any context, NMIs included
 * @perf: or NULL: callbacks of the driver's own, in place of @begin, @end and
 *	@now: pmu_enable, add, which lets the event count, del, read, start_txn,
 *	commit_txn and cancel_txn
 *
 * Without @perf, opening such an event needs CAP_PERFMON (or CAP_SYS_ADMIN)
 * whatever perf_event_paranoid says, because counting it makes the leaf work.
 */
struct pmon_soft_ops {
	void (*cpus)(struct cpumask *cpus);
	int (*open)(struct perf_event *event);
	void (*close)(struct perf_event *event);
	int (*begin)(struct perf_event *event);
	void (*end)(struct perf_event *event);
	u64 (*now)(const struct perf_event *event);
	const struct pmu *perf;
};

/**
 * struct pmon_pmu_info - a PMU to be
 * @name: on the event_source bus; copied
 * @type: what kind of boxes it holds, and which files there are; stays the
 *	leaf's
 * @soft: of a PMU without boxes: how its events count; stays the leaf's
 * @data: for the driver, see pmon_pmu_data()
 * @owner: the leaf, THIS_MODULE; cannot be unloaded while an event is open
 */
struct pmon_pmu_info {
	const char *name;
	const struct pmon_type *type;
	const struct pmon_soft_ops *soft;
	void *data;
	struct module *owner;
};

/**
 * struct pmon_global - the register that stops all boxes of a device at once
 * @regs: offset 0 is the register; reached from the CPUs that reach the boxes.
 *	Writing 0 lets these run
 * @bytes: its width, 4 or 8
 * @freeze: the bits of it that stop them
 * @keep: leave it as it is: no event is opened while a bit of @freeze is set
 * @status: beside @keep: it only says that the boxes may be frozen, so it is
 *	read once, when the first event starts, and no event is refused
 * @lock: protects what follows; innermost, taken with a box's lock held
 * @active: how many boxes under it have events
 * @disturbances: how often it was found set while some had
 * @round: of the wrap timer in which it was last read
 * @checked: it was written or read since it was found, and since the last sleep
 * @kept: it was found set, and @keep
 * @value: what it was when a bit of @freeze was last found set
 * @frozen: how often these bits were found, and it was written
 * @logged: how many of these times the log has; under the core's mutex
 * @logged_kept: the log has that it stays set; under the core's mutex
 *
 * The leaf fills what is before @lock and calls pmon_global_init().
 */
struct pmon_global {
	struct pmon_regs regs;
	u8 bytes;
	u64 freeze;
	bool keep;
	bool status;
	raw_spinlock_t lock;	/* see above */
	unsigned int active;
	unsigned int disturbances;
	unsigned int round;
	bool checked;
	bool kept;
	u64 value;
	unsigned int frozen;
	unsigned int logged;
	bool logged_kept;
};

/**
 * pmon_global_init() - prepare a control that stops several boxes
 * @global: what is before its @lock is filled in
 *
 * Before the first box that has it. Accesses no register.
 */
void pmon_global_init(struct pmon_global *global);

/**
 * pmon_global_state() - what is known of such a register
 * @global: was initialised
 *
 * Return: "unknown", "running" when it was written so, or found so and stays, or
 * "frozen" when it was found so and stays. Accesses no register.
 */
const char *pmon_global_state(const struct pmon_global *global);

/**
 * struct pmon_box_info - a box to be
 * @place: which CPUs reach it
 * @layout: where the registers are; copied, with its table of counters
 * @regs: how to reach them; copied. What it points to (mapping, PCI function)
 *	must stay until the box was removed or the PMU destroyed.
 * @power: the PCI function that the registers belong to, if it may enter D3, or
 *	NULL; it stays as what @regs points to
 * @in_bar: the registers lie in a BAR of @power, so they do not answer either
 *	while that does not decode memory
 * @global: what can stop it together with others, or NULL; stays likewise
 * @off: counters, by their place in the table, whose control was read and
 *	selects nothing, so it need not be cleared first; where a reset keeps
 *	controls
 *
 * While @power is in D3 the registers are not accessed, no event can be opened
 * (-ENXIO), and those that count fail. The core never changes the power state.
 * It checks what the kernel has noted before a box becomes active, when an
 * event is opened or starts and at each wrap tick, and reads the state from the
 * function when a counter has read as all-ones. One that was reset counts as in
 * D3 until the kernel has restored it.
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
 * pmon_pmu_create() - get a PMU object
 * @info: describes it
 *
 * A PMU of that name whose devices went away while events were open is taken
 * up again.
 *
 * Return: the PMU, or an ERR_PTR: -ENOMEM, -EEXIST when the leaf has a live
 * PMU of that name, -EAGAIN when one of that name is about to leave perf: call
 * pmon_pmu_flush() then and try again.
 */
struct pmon_pmu *pmon_pmu_create(const struct pmon_pmu_info *info);

/**
 * pmon_pmu_add_box() - give a PMU its box in one place
 * @pmu: registered or not
 * @info: describes the box
 *
 * Return: 0, -EINVAL when pmon_layout_valid() says no or the PMU's type is for
 * another kind of counters, -EEXIST when the PMU
 * has a live box in that place, -EBUSY when an event is still open on a dead
 * one with other counters, or when the PMU has a box elsewhere and either is
 * near a node, -ENOSPC with more places than the engine can hold, -ENOMEM.
 */
int pmon_pmu_add_box(struct pmon_pmu *pmu, const struct pmon_box_info *info);

/**
 * pmon_pmu_register() - show a PMU to perf
 * @pmu: with at least one box, or of software counts
 *
 * Events can be opened when this returns, and not before.
 *
 * Return: 0 (also when it was registered already), -ENODEV when its last box
 * has gone meanwhile, and @pmu is the engine's, -EEXIST when another driver has
 * a PMU of that name, or what perf says.
 */
int pmon_pmu_register(struct pmon_pmu *pmu);

/**
 * pmon_pmu_add_file() - put a line of text beside a PMU's own files in sysfs
 * @pmu: registered or not
 * @name: of the file; copied
 * @text: what it says; copied. A file of that name gets this text.
 *
 * The file goes with the PMU.
 *
 * Return: 0, -ENOMEM, or what sysfs says.
 */
int pmon_pmu_add_file(struct pmon_pmu *pmu, const char *name,
		      const char *text);

/**
 * pmon_pmu_link() - put a link "device" beside a PMU's own files in sysfs
 * @pmu: of one box, registered or not
 * @device: of that box; it stays on its bus until the box is removed or the PMU
 *	destroyed, and then the link goes
 *
 * Return: 0, or what sysfs says.
 */
int pmon_pmu_link(struct pmon_pmu *pmu, struct device *device);

/**
 * pmon_pmu_remove_box() - the device of a box is gone, or gets another owner
 * @pmu: the PMU
 * @place: of the box
 * @hand_back: reset the box and let it run before, if it was used. That is the
 *	last that is written: nothing where the device sleeps, or where no
 *	control of the box answers.
 *
 * The hardware is not touched any more when this returns. Events that are open
 * end: perf shows <not counted> for them, and if the device returns they count
 * only when they are enabled anew. New ones get -ENODEV. The PMU leaves perf
 * once its last box is gone and its last event closed, and @pmu is the engine's
 * then: to use that name again, call pmon_pmu_create() again.
 * pmon_pmu_flush() waits for events to have ended and for a PMU without events
 * to be gone.
 */
void pmon_pmu_remove_box(struct pmon_pmu *pmu, struct pmon_place_id place,
			 bool hand_back);

/**
 * pmon_pmu_destroy() - the leaf goes, or gives up a PMU
 * @pmu: the PMU; may be NULL
 *
 * Boxes that were used get reset and run; the others are not touched. Events
 * that are open end.
 */
void pmon_pmu_destroy(struct pmon_pmu *pmu);

/**
 * pmon_pmu_flush() - wait until what was given up has left perf
 *
 * That is PMUs without open events, and events whose device is gone: these have
 * ended. PMUs with open events leave later, by themselves.
 */
void pmon_pmu_flush(void);

/**
 * pmon_soft_migrate() - move events of PMUs of software counts
 * @soft: their operations
 * @from: CPU that they are on; @open chooses it no more
 * @to: CPU that they go to; online
 *
 * Called with the CPU hotplug lock held, for reading at least.
 */
void pmon_soft_migrate(const struct pmon_soft_ops *soft, unsigned int from,
		       unsigned int to);

/**
 * pmon_soft_end() - what some events of PMUs of software counts count is gone
 * @soft: their operations
 * @gone: is this one of them? Called with interrupts on, under RCU or with a
 *	spinlock held, after the event's @open has returned
 * @data: handed to @gone
 *
 * perf is told soon, and shows <not counted> for them. pmon_pmu_flush() waits
 * for it.
 */
void pmon_soft_end(const struct pmon_soft_ops *soft,
		   bool (*gone)(const struct perf_event *event,
				const void *data),
		   const void *data);

/**
 * pmon_event_lost() - the last reading of an event failed
 * @event: of a PMU with &pmon_soft_ops.perf; interrupts are off
 *
 * Before del() returns, or in the pmu_enable() that follows: the event and the
 * leader of its group are in perf's error state then, where perf has noted
 * already that they are off. pmon_soft_end() fails the others soon.
 */
void pmon_event_lost(struct perf_event *event);

/**
 * pmon_pmu_data() - &pmon_pmu_info.data of a PMU
 * @pmu: as perf calls it
 *
 * Context: any.
 * Return: what the driver gave when it created the PMU.
 */
void *pmon_pmu_data(const struct pmu *pmu);

/**
 * pmon_pmu_destroy_all() - destroy every PMU of a leaf, side by side
 * @owner: THIS_MODULE
 *
 * The last call of a leaf's exit: PMUs whose boxes were all removed may not
 * have left perf yet, and look at the leaf's tables until then. For many PMUs
 * this is faster than one pmon_pmu_destroy() after the other.
 */
void pmon_pmu_destroy_all(struct module *owner);

/**
 * pmon_pmu_name() - the name of a PMU on the event_source bus
 * @pmu: the PMU
 *
 * Return: stays as long as @pmu is the leaf's.
 */
const char *pmon_pmu_name(const struct pmon_pmu *pmu);

#endif /* PMON_PMU_H */
