// SPDX-License-Identifier: GPL-2.0-only
/* Create perf PMUs: one for all units of equal type and number. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/io.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <compat/intel_uncore.h>

#include <pmon/pmu.h>

#include "uncore.h"

struct uncore_pmu {
	struct pmon_pmu *pmu;
	unsigned int boxes;
	bool registered;	/* registered with perf */
	unsigned long key;	/* type and number */
};

/* PMUs by type and number; changed under uncore_tables_lock and uncore.lock. */
static DEFINE_XARRAY(pmus);

static unsigned long uncore_pmu_key(const struct uncore_unit *unit)
{
	return (unsigned long)uncore_unit_kind(unit) << 32 | unit->number;
}

static struct pmon_place_id uncore_unit_place(const struct uncore_unit *unit)
{
	return unit->die ? pmon_in_die(unit->die - 1) :
			   pmon_in_package(unit->package);
}

/*
 * Print a PMU's name, as intel_uncore does: with a number, unless each package
 * has a single unit of the type. A type without @name is named by its number.
 */
static void uncore_print_name(const struct uncore_unit *unit, const char *name,
			      char *text, size_t size)
{
	size_t n = name ? scnprintf(text, size, "uncore_%s", name) :
			  scnprintf(text, size, "uncore_type_%u", unit->type);

	if (!unit->row->single || unit->number)
		snprintf(text + n, size - n, "_%u", unit->number);
}

/*
 * Print the name that intel_uncore of this kernel gives the PMU. Return false
 * if the PMU has no alias.
 */
bool uncore_pmu_alias(const struct uncore_unit *unit, char *alias, size_t size)
{
	const char *name = COMPAT_INTEL_UNCORE_HAS_NAMES ?
				   unit->row->intel_name : NULL;

	uncore_print_name(unit, name, alias, size);
	return unit->row->pmu_type->name && uncore_unit_is_listed(unit);
}

void uncore_pmu_name(const struct uncore_unit *unit, char *name, size_t size)
{
	uncore_print_name(unit, unit->row->pmu_type->name, name, size);
}

const char *uncore_box_pmu_name(const struct uncore_box *box)
{
	return box->pmu && box->pmu->registered ? pmon_pmu_name(box->pmu->pmu) :
					     NULL;
}

static struct uncore_pmu *uncore_pmu_create(const struct uncore_unit *unit)
{
	struct uncore_pmu *pmu __free(kfree) = kzalloc(sizeof(*pmu),
						       GFP_KERNEL);
	struct pmon_pmu_info info = {
		.type = unit->row->pmu_type, .owner = THIS_MODULE,
		.unregistered = uncore.pmu_unregistered,
	};
	char name[UNCORE_NAME_SIZE], alias[UNCORE_NAME_SIZE];
	int ret;

	if (!pmu)
		return ERR_PTR(-ENOMEM);
	uncore_pmu_name(unit, name, sizeof(name));
	info.name = name;
	pmu->pmu = pmon_pmu_create(&info);
	if (IS_ERR(pmu->pmu))
		return ERR_CAST(pmu->pmu);
	pmu->key = uncore_pmu_key(unit);
	ret = uncore_pmu_alias(unit, alias, sizeof(alias)) ?
	      pmon_pmu_add_file(pmu->pmu, "alias", alias) : 0;
	ret = ret ?: xa_err(xa_store(&pmus, pmu->key, pmu, GFP_KERNEL));
	if (ret) {
		pmon_pmu_destroy(pmu->pmu);
		return ERR_PTR(ret);
	}
	return_ptr(pmu);
}

static void uncore_pmu_free_unused(struct uncore_pmu *pmu)
{
	if (pmu->boxes)
		return;
	xa_erase(&pmus, pmu->key);
	kfree(pmu);
}

/* Map the registers of a unit; no register is accessed. */
static int uncore_box_map(const struct uncore_unit *unit,
			  struct uncore_box *box, struct pmon_regs *regs)
{
	box->pci = uncore_unit_function(unit);
	if (unit->access == UNCORE_ACCESS_PCI) {
		if (!box->pci)
			return -ENODEV;
		pmon_regs_pci(regs, box->pci,
			      FIELD_GET(UNCORE_PCI_OFFSET, unit->address));
		return 0;
	}
	if (unit->access == UNCORE_ACCESS_MSR) {
		pmon_regs_msr(regs, unit->address);
		return 0;
	}
	box->mmio = ioremap(unit->address, unit->span);
	if (!box->mmio)
		return -ENOMEM;
	pmon_regs_mmio(regs, box->mmio, unit->span);
	return 0;
}

static void uncore_box_unmap(struct uncore_box *box)
{
	if (box->mmio)
		iounmap(box->mmio);
	pci_dev_put(box->pci);
	*box = (struct uncore_box){};
}

static int uncore_box_add_to_pmu(struct uncore_pmu *pmu,
				 const struct uncore_unit *unit,
				 struct pmon_box_info *info)
{
	struct pmon_counter *counter __free(kfree) =
		kcalloc(uncore_unit_nr_counters(unit), sizeof(*counter),
			GFP_KERNEL);

	if (!counter)
		return -ENOMEM;
	uncore_unit_layout(unit, counter, &info->layout);
	return pmon_pmu_add_box(pmu->pmu, info);
}

static int uncore_box_add(struct uncore_table *table,
			  const struct uncore_unit *unit,
			  struct uncore_box *box)
{
	struct pmon_box_info info = {
		.place = uncore_unit_place(unit),
	};
	struct uncore_pmu *pmu;
	int ret;

	ret = uncore_box_map(unit, box, &info.regs);
	if (ret)
		return ret;
	info.power = box->pci;
	info.in_bar = info.power && unit->access == UNCORE_ACCESS_MMIO;
	if (table->has_global && !unit->free_running)
		info.global = &table->global;
	pmu = xa_load(&pmus, uncore_pmu_key(unit)) ?: uncore_pmu_create(unit);
	if (IS_ERR(pmu))
		return PTR_ERR(pmu);
	ret = uncore_box_add_to_pmu(pmu, unit, &info);
	if (!ret) {
		pmu->boxes++;
		box->pmu = pmu;
		box->owner = UNCORE_OWNER_OPENPMON;
		uncore_topology_add_file(pmu->pmu, unit, box);
	} else if (!pmu->boxes) {
		pmon_pmu_destroy(pmu->pmu);
		uncore_pmu_free_unused(pmu);
	}
	return ret;
}

void uncore_boxes_add(struct uncore_table *table)
{
	struct uncore_unit *unit;
	struct uncore_box *box;
	size_t i;
	int ret;

	for (i = 0; i < table->count; i++) {
		unit = &table->units[i];
		box = &table->boxes[i];
		if (!uncore_unit_good(unit) || box->owner)
			continue;
		ret = uncore_box_add(table, unit, box);
		if (ret)
			uncore_box_unmap(box);
		if (ret == -EEXIST || ret == -EBUSY)
			uncore.waits = true;
		if (ret == -EAGAIN)
			uncore.retry = true;
		else if (ret && ret != -ENODEV)
			dev_warn(&table->dev, "unit type %u id %u cannot be served: error %d\n",
				 unit->type, unit->id, ret);
	}
}

static void uncore_box_remove(const struct uncore_unit *unit,
			      struct uncore_box *box, bool reset)
{
	if (box->pmu) {
		pmon_pmu_remove_box(box->pmu->pmu, uncore_unit_place(unit),
				    reset);
		box->pmu->boxes--;
		uncore_pmu_free_unused(box->pmu);
	}
	uncore_box_unmap(box);
}

/* Add a unit's far end (see package.c) to sysfs after its box was added. */
void uncore_box_update_topology(const struct uncore_table *table, size_t unit)
{
	struct uncore_box *box = &table->boxes[unit];

	if (box->pmu)
		uncore_topology_add_file(box->pmu->pmu, &table->units[unit],
					 box);
}

/*
 * Remove the box of a unit that was rejected after the box was added. Write no
 * register, because the registers may belong to another unit.
 */
bool uncore_box_remove_rejected(struct uncore_table *table, size_t unit)
{
	if (uncore_unit_good(&table->units[unit]) || !table->boxes[unit].pmu)
		return false;
	uncore_box_remove(&table->units[unit], &table->boxes[unit], false);
	return true;
}

/*
 * Remove the boxes of a table, or only those in the function @pdev. Used boxes
 * that respond are reset and left running.
 */
void uncore_boxes_remove(struct uncore_table *table, struct pci_dev *pdev)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (!pdev || table->boxes[i].pci == pdev)
			uncore_box_remove(&table->units[i], &table->boxes[i],
					  true);
}

/* Unmap the boxes of a PMU that was not registered, and set their owner. */
static void uncore_pmu_release_boxes(struct uncore_pmu *pmu,
				     enum uncore_owner owner)
{
	struct uncore_table *table;
	size_t i;

	pmu->boxes = 0;
	list_for_each_entry(table, &uncore.tables, node) {
		for (i = 0; i < table->count; i++) {
			if (table->boxes[i].pmu != pmu)
				continue;
			uncore_box_unmap(&table->boxes[i]);
			table->boxes[i].owner = owner;
		}
	}
}

static void uncore_pmu_set_registered(struct uncore_pmu *pmu, int ret)
{
	guard(mutex)(&uncore.lock);
	pmu->registered = !ret;
	if (!ret)
		return;
	/* -ENODEV: drivers/core removed the boxes and owns the PMU */
	if (ret != -ENODEV) {
		pr_warn("%s cannot be registered: error %d\n",
			pmon_pmu_name(pmu->pmu), ret);
		pmon_pmu_destroy(pmu->pmu);
	}
	uncore_pmu_release_boxes(pmu, ret == -EEXIST ? UNCORE_OWNER_INTEL :
						       UNCORE_OWNER_NONE);
	uncore_pmu_free_unused(pmu);
}

/* Register new PMUs. Called with uncore_tables_lock, without uncore.lock. */
void uncore_pmus_register(void)
{
	struct uncore_pmu *pmu;
	unsigned long key;

	xa_for_each(&pmus, key, pmu)
		if (!pmu->registered)
			uncore_pmu_set_registered(pmu,
						  pmon_pmu_register(pmu->pmu));
}

/* Free all boxes. Called after pmon_pmu_destroy_all(). */
void uncore_boxes_destroy(void)
{
	struct uncore_table *table;
	struct uncore_pmu *pmu;
	unsigned long key;
	size_t i;

	xa_for_each(&pmus, key, pmu) {
		xa_erase(&pmus, key);
		kfree(pmu);
	}
	list_for_each_entry(table, &uncore.tables, node)
		for (i = 0; i < table->count; i++)
			uncore_box_unmap(&table->boxes[i]);
}
