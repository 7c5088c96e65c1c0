/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine's objects. A PMU is one name on the event_source bus and holds
 * at most one box per package. A leaf finds boxes and describes them; the
 * engine drives them.
 *
 *	pmu = pmon_pmu_create(&info);
 *	pmon_pmu_add_box(pmu, &box);		once per package
 *	pmon_pmu_register(pmu);			perf sees it
 *	...
 *	pmon_pmu_remove_box(pmu, package);	its device is gone
 *	...
 *	pmon_pmu_destroy(pmu);			the leaf unloads
 *
 * All of these sleep, and a leaf makes calls for one PMU one at a time. None
 * writes a register, except that pmon_pmu_destroy() hands boxes that were used
 * back cleared and running.
 */
#ifndef PMON_PMU_H
#define PMON_PMU_H

#include <pmon/box.h>
#include <pmon/regs.h>

struct module;
struct pmon_pmu;

/**
 * struct pmon_pmu_info - a PMU to be
 * @name: on the event_source bus; copied
 * @alias: contents of the PMU's alias file, or NULL; copied
 * @type: what kind of boxes it holds; stays the leaf's
 * @owner: the leaf, THIS_MODULE; cannot be unloaded while an event is open
 */
struct pmon_pmu_info {
	const char *name;
	const char *alias;
	const struct pmon_type *type;
	struct module *owner;
};

/**
 * struct pmon_box_info - a box to be
 * @package: topology_physical_package_id() of the CPUs that reach it
 * @layout: where the registers are; copied
 * @regs: how to reach them; copied. What it points to (mapping, PCI function)
 *	must stay until the box was removed or the PMU destroyed.
 */
struct pmon_box_info {
	int package;
	struct pmon_layout layout;
	struct pmon_regs regs;
};

/**
 * pmon_pmu_create() - get a PMU object
 * @info: describes it
 *
 * A PMU of that name whose devices went away while events were open is taken
 * up again.
 *
 * Return: the PMU, or an ERR_PTR: -ENOMEM, -EEXIST when the leaf has a live
 * PMU of that name.
 */
struct pmon_pmu *pmon_pmu_create(const struct pmon_pmu_info *info);

/**
 * pmon_pmu_add_box() - give a PMU its box in one package
 * @pmu: registered or not
 * @info: describes the box
 *
 * Return: 0, -EINVAL when pmon_layout_valid() says no or the PMU's type is for
 * another kind of counters, -EEXIST when the PMU
 * has a live box in that package, -EBUSY when an event is still open on a dead
 * one with other counters, -ENOSPC with more packages than the engine can
 * hold, -ENOMEM.
 */
int pmon_pmu_add_box(struct pmon_pmu *pmu, const struct pmon_box_info *info);

/**
 * pmon_pmu_register() - show a PMU to perf
 * @pmu: with at least one box
 *
 * Return: 0 (also when it was registered already), -EEXIST when another
 * driver has a PMU of that name, or what perf says.
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
 * pmon_pmu_remove_box() - the device of a box is gone
 * @pmu: the PMU
 * @package: of the box
 *
 * The hardware is not touched any more, before this returns. Events that are
 * open keep their counts; new ones get -ENODEV. The PMU leaves perf once its
 * last box is gone and its last event closed, and @pmu is the engine's then:
 * to use that name again, call pmon_pmu_create() again.
 */
void pmon_pmu_remove_box(struct pmon_pmu *pmu, int package);

/**
 * pmon_pmu_destroy() - the leaf goes, or gives up a PMU
 * @pmu: the PMU; may be NULL
 *
 * Boxes that were used get reset and run; the others are not touched.
 */
void pmon_pmu_destroy(struct pmon_pmu *pmu);

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
 * pmon_package_cpu() - the CPU that works for a package
 * @package: topology_physical_package_id()
 *
 * An isolated CPU only where the package has no other.
 *
 * Return: an online CPU, which may go offline at once, or -1.
 */
int pmon_package_cpu(int package);

/* The name on the event_source bus. */
const char *pmon_pmu_name(const struct pmon_pmu *pmu);

#endif /* PMON_PMU_H */
