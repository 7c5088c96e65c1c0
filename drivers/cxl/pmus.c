// SPDX-License-Identifier: GPL-2.0-only
/* Makes a perf PMU of each CPMU, near the NUMA node of its device. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <compat/cleanup.h>

#include <pmon/owner.h>
#include <pmon/pmu.h>

#include "cxl.h"
#include "events.h"

/**
 * struct cxl_type - CPMUs with the same capabilities are of one type
 * @node: in the list of all; they stay until the driver goes, because a PMU
 *	with open events needs its type
 * @type: for the engine
 * @caps: the capabilities
 * @field: the terms that it has
 * @alias: the named events that it has
 */
struct cxl_type {
	struct list_head node;
	struct pmon_type type;
	struct cpmu_caps caps;
	struct pmon_field field[CPMU_FIELDS + 1];
	struct pmon_alias alias[];
};

static LIST_HEAD(types);

/* Of 64 bytes in 2^20 */
#define LINE_SCALE	"6.103515625e-5"

static void cxl_type_free(struct cxl_type *type)
{
	struct pmon_alias *alias;

	for (alias = type->alias; alias->name; alias++)
		kfree(alias->event);
	kfree(type);
}

void cxl_types_free(void)
{
	struct cxl_type *type, *next;

	list_for_each_entry_safe(type, next, &types, node) {
		list_del(&type->node);
		cxl_type_free(type);
	}
}

/* Named events of the PMU: only those that this CPMU can count. */
static bool cxl_type_add_events(struct cxl_type *type)
{
	struct pmon_alias *alias = type->alias;
	unsigned int i;

	for (i = 0; i < cpmu_event_count; i++) {
		u64 config = cpmu_event_of(&type->caps, &cpmu_events[i]);

		if (!config)
			continue;
		alias->event = kasprintf(GFP_KERNEL, "config=0x%llx", config);
		if (!alias->event)
			return false;
		if (cpmu_events[i].lines) {
			alias->scale = LINE_SCALE;
			alias->unit = "MiB";
		}
		alias++->name = cpmu_events[i].name;
	}
	return true;
}

static struct cxl_type *cxl_type_create(const struct cpmu_caps *caps)
{
	struct cxl_type *type;

	type = kzalloc(struct_size(type, alias, cpmu_event_count + 1),
		       GFP_KERNEL);
	if (!type)
		return NULL;
	type->caps = *caps;
	cpmu_fields(caps, type->field);
	type->alias[cpmu_event_count].name = NULL;
	type->type = (struct pmon_type){
		.name = "cxl",
		.fields = type->field,
		.aliases = type->alias,
		.ctl_mask = CPMU_CFG_CHECKED,
		.encode = cpmu_encode,
		/* As the kernel's driver, drivers/perf/cxl_pmu.c. */
		.refusal = -EOPNOTSUPP,
		.snapshot_config1 = true,
		.free_running = cpmu_only_free_running(caps),
	};
	if (cxl_type_add_events(type)) {
		list_add(&type->node, &types);
		return type;
	}
	cxl_type_free(type);
	return NULL;
}

static struct cxl_type *cxl_type_get(const struct cpmu_caps *caps)
{
	struct cxl_type *type;

	list_for_each_entry(type, &types, node)
		if (!memcmp(&type->caps, caps, sizeof(*caps)))
			return type;
	return cxl_type_create(caps);
}

/* Those whose control, as it was last read, is not enabled. */
static u64 cxl_off_slots(const struct cxl_cpmu *cpmu,
			 const struct pmon_layout *layout)
{
	unsigned int i;
	u64 slots = 0;

	for (i = 0; i < layout->counters; i++) {
		unsigned int n = layout->counter[i].bit;

		if (cpmu->regs.known & BIT_ULL(n) &&
		    !(cpmu->regs.config[n] & CPMU_CFG_ENABLE))
			slots |= BIT_ULL(i);
	}
	return slots;
}

static int cxl_pmu_give_box(struct cxl_cpmu *cpmu)
{
	struct pmon_box_info info = {
		.place = cpmu->place, .power = cpmu->pdev, .in_bar = true,
	};
	struct pmon_counter *counter;
	int ret;

	counter = kcalloc(cpmu_slots(&cpmu->caps), sizeof(*counter),
			  GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	cpmu_layout(&cpmu->caps, counter, &info.layout);
	info.off = cxl_off_slots(cpmu, &info.layout);
	cxl_regs(&info.regs, &cpmu->regs);
	ret = pmon_pmu_add_box(cpmu->pmu, &info);
	kfree(counter);
	return ret;
}

static int cxl_pmu_describe(struct cxl_cpmu *cpmu)
{
	char text[32];

	/*
	 * perf finds the metrics of the PMU by this file
	 * (tools/perf/pmu-events).
	 */
	pmon_pmu_add_file(cpmu->pmu, "identifier", "cxl_cpmu");
	/* As the kernel prints that of mem<X>. */
	snprintf(text, sizeof(text), "0x%llx", pci_get_dsn(cpmu->pdev));
	pmon_pmu_add_file(cpmu->pmu, "serial", text);
	if (cpmu->chmus) {
		snprintf(text, sizeof(text), "%u", cpmu->chmus);
		pmon_pmu_add_file(cpmu->pmu, "chmus", text);
	}
	return pmon_pmu_link(cpmu->pmu, &cpmu->pdev->dev);
}

static int cxl_pmu_create(struct cxl_cpmu *cpmu)
{
	struct cxl_type *type = cxl_type_get(&cpmu->caps);
	struct pmon_pmu_info info = {
		.name = cpmu->name, .owner = THIS_MODULE,
	};
	struct pmon_pmu *pmu;

	if (!type)
		return -ENOMEM;
	info.type = &type->type;
	pmu = pmon_pmu_create(&info);
	if (IS_ERR(pmu))
		return PTR_ERR(pmu);
	WRITE_ONCE(cpmu->pmu, pmu);
	cpmu->shown = false;
	return cxl_pmu_give_box(cpmu) ?: cxl_pmu_describe(cpmu);
}

/**
 * cxl_pmu_give_up() - the PMU goes, and its counters are handed back
 * @cpmu: its CPMU, which can be reached
 */
void cxl_pmu_give_up(struct cxl_cpmu *cpmu)
{
	pmon_pmu_destroy(cpmu->pmu);
	cpmu->pmu = NULL;
}

/* Give the PMU its box. */
static int cxl_pmu_begin(struct cxl_cpmu *cpmu)
{
	int ret = cxl_pmu_create(cpmu);

	if (ret)
		cxl_pmu_give_up(cpmu);
	return ret;
}

static bool cxl_pmu_is_left(struct cxl_cpmu *cpmu)
{
	bool has = pmon_owner_has(cpmu->name);

	if (!has && !cpmu->barred)
		return false;
	if (has && !cpmu->left)
		pr_info("%s is left to another driver, which has a PMU of that name\n",
			cpmu->name);
	else if (!cpmu->left)
		pr_info("%s is not served: its device on the CXL bus is not bound to pmon_cxl\n",
			cpmu->name);
	cpmu->left = true;
	/*
	 * Another driver may have programmed the controls since they were read.
	 */
	cpmu->regs.known = 0;
	return true;
}

/**
 * cxl_pmu_add() - make a PMU of a CPMU, for cxl_pmus_show()
 * @cpmu: the CPMU; one that the kernel's driver has stays with it
 */
void cxl_pmu_add(struct cxl_cpmu *cpmu)
{
	int ret;

	lockdep_assert_held(&cxl.lock);
	if (!cpmu->regs.mmio || cpmu->pmu || cxl.observe || cxl.leaving ||
	    cxl_pmu_is_left(cpmu))
		return;
	ret = cxl_pmu_begin(cpmu);
	if (ret == -EAGAIN)
		cxl.again = true;
	else if (ret)
		pr_warn("%s cannot be served: error %d\n", cpmu->name, ret);
}

/**
 * cxl_pmu_remove() - the device of a PMU goes: touch it no more
 * @cpmu: its CPMU
 */
void cxl_pmu_remove(struct cxl_cpmu *cpmu)
{
	if (cpmu->pmu)
		pmon_pmu_remove_box(cpmu->pmu, cpmu->place);
	cpmu->pmu = NULL;
}

static struct pmon_pmu *cxl_next_hidden(struct cxl_cpmu **found)
{
	struct cxl_cpmu *cpmu;

	guard(mutex)(&cxl.lock);
	list_for_each_entry(cpmu, &cxl.cpmus, node) {
		if (!cpmu->pmu || cpmu->shown)
			continue;
		cpmu->showing = true;
		*found = cpmu;
		return cpmu->pmu;
	}
	return NULL;
}

/*
 * Note that the PMU is registered, or why not. Its device may have gone while
 * no lock was held.
 */
static void cxl_note_shown(struct cxl_cpmu *cpmu, int ret)
{
	guard(mutex)(&cxl.lock);
	cpmu->showing = false;
	cpmu->shown = true;
	if (ret && ret != -ENODEV) {
		pr_warn("%s cannot be registered: error %d\n", cpmu->name, ret);
		cxl_pmu_give_up(cpmu);
	}
	if (cpmu->gone)
		cxl_cpmu_free(cpmu);
}

/**
 * cxl_pmus_show() - register PMUs with perf that are not yet
 *
 * Called without a lock, and by one at a time.
 */
void cxl_pmus_show(void)
{
	struct cxl_cpmu *cpmu;
	struct pmon_pmu *pmu;

	while ((pmu = cxl_next_hidden(&cpmu)))
		cxl_note_shown(cpmu, pmon_pmu_register(pmu));
}
