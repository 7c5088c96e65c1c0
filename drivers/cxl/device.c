// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decide whether the registers of a PCI function may be read, find its CPMUs,
 * map them, and make a perf PMU of each, near the NUMA node of its device.
 * Nothing is enabled, powered, claimed or written.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <compat/cleanup.h>
#include <compat/override.h>
#include <pmon/owner.h>
#include <pmon/regs.h>
#include <pmon/pmu.h>

#include "cxl.h"

#define DVSEC_LOCATOR		8
#define LOCATOR_ENTRIES		0x0c

#define OWNER_OF_MEMORY		"cxl_pci"
#define OWNER_OF_PORTS		"pcieport"

/* Of 64 bytes in 2^20 */
#define LINE_SCALE		"6.103515625e-5"

struct cxl cxl = {
	.lock = __MUTEX_INITIALIZER(cxl.lock),
	.cpmus = LIST_HEAD_INIT(cxl.cpmus),
};

/* ---- functions ---------------------------------------------------------- */

static int cxl_match_memdev(struct device *dev, void *data)
{
	return sscanf(dev_name(dev), "mem%u", (unsigned int *)data) == 1;
}

/**
 * cxl_memdev() - is there a memory device of a function, which cxl_pci makes?
 * @pdev: the function, which need not be locked
 * @number: gets the number of mem<X>
 *
 * The class of the function does not matter: new_id and driver_override give
 * cxl_pci functions of another class.
 */
bool cxl_memdev(struct pci_dev *pdev, unsigned int *number)
{
	return device_for_each_child(&pdev->dev, number, cxl_match_memdev);
}

/**
 * cxl_is_others() - has a function without a memory device a driver with which
 * it is not served?
 * @pdev: a function, which need not be locked: it is so at this moment
 */
bool cxl_is_others(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && (!pci_is_bridge(pdev) ||
			  strcmp(driver->name, OWNER_OF_PORTS));
}

/*
 * Is a function without a driver in D0 and decoding memory? Read from itself,
 * since the kernel need not have noted it. It is not woken.
 */
static bool cxl_is_awake(struct pci_dev *pdev)
{
	u16 command;

	if (pmon_pci_is_in_d3(pdev) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command))
		return false;
	return command != (u16)~0 && command & PCI_COMMAND_MEMORY;
}

/*
 * Is the function still on its bus? Without a driver nothing keeps it from
 * being removed now; if it is still there BUS_NOTIFY_REMOVED_DEVICE will
 * announce its removal.
 */
static bool cxl_is_on_bus(struct pci_dev *pdev)
{
	struct pci_dev *found =
		pci_get_domain_bus_and_slot(pci_domain_nr(pdev->bus),
					    pdev->bus->number, pdev->devfn);

	pci_dev_put(found);
	return found == pdev;
}

/**
 * cxl_may_read() - may the registers of a function be read?
 * @pdev: a function, locked; and cxl.lock is held until it is known
 *
 * Those of a memory device that cxl_pci has bound and enabled: the bus
 * announces when it gives it up. With unbound=1 those of ports, and of
 * functions without a driver. What is meant for a virtual machine (vfio-pci,
 * pci-stub, a driver_override that names another driver) is left alone.
 */
bool cxl_may_read(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;
	unsigned int number;

	if (compat_is_meant_for_other(pdev))
		return false;
	if (driver && !strcmp(driver->name, OWNER_OF_MEMORY))
		return pdev->current_state == PCI_D0 &&
		       cxl_memdev(pdev, &number);
	return cxl.unbound && pci_is_pcie(pdev) && !cxl_is_others(pdev) &&
	       cxl_is_on_bus(pdev) && cxl_is_awake(pdev);
}

/* ---- CPMUs -------------------------------------------------------------- */

/* A device may have a hundred bad registers, and be bound again and again. */
static void cxl_report(const struct cxl_cpmu *cpmu, const char *what,
		       u64 value, const char *fault)
{
	static DEFINE_RATELIMIT_STATE(lines, 5 * HZ, 32);

	if (fault && __ratelimit(&lines))
		pci_warn(cpmu->pdev, "pmon_cxl: CPMU %u: %s 0x%llx %s\n",
			 cpmu->index, what, value, fault);
}

static unsigned int cxl_read_entries(struct pci_dev *pdev, u64 *entry)
{
	int at = pci_find_dvsec_capability(pdev, CXL_VENDOR, DVSEC_LOCATOR);
	unsigned int i, count;
	u32 header, low, high;

	if (!at || pci_read_config_dword(pdev, at + PCI_DVSEC_HEADER1, &header))
		return 0;
	if (PCI_DVSEC_HEADER1_LEN(header) <= LOCATOR_ENTRIES)
		return 0;
	count = min((PCI_DVSEC_HEADER1_LEN(header) - LOCATOR_ENTRIES) / 8,
		    (u32)CXL_ENTRIES_MAX);
	for (i = 0; i < count; i++) {
		at += i ? 8 : LOCATOR_ENTRIES;
		if (pci_read_config_dword(pdev, at, &low) ||
		    pci_read_config_dword(pdev, at + 4, &high))
			return i;
		entry[i] = (u64)high << 32 | low;
	}
	return count;
}

/* 0 when it is none in memory. */
static u64 cxl_bar_size(struct pci_dev *pdev, unsigned int bir)
{
	unsigned long flags = pci_resource_flags(pdev, bir);

	if (bir >= PCI_STD_NUM_BARS || flags & IORESOURCE_UNSET ||
	    !(flags & IORESOURCE_MEM))
		return 0;
	return pci_resource_len(pdev, bir);
}

/*
 * Map the registers of a CPMU and read its capabilities. A counter or an event
 * group with a value that the specification does not allow is left out and
 * logged; the others are used. A CPMU that cannot be used stays in the list, so
 * that this is logged once.
 */
static int cxl_examine(struct cxl_cpmu *cpmu, u64 entry)
{
	unsigned int i, bir = FIELD_GET(CXL_ENTRY_BIR, entry);
	struct cpmu_caps *caps = &cpmu->caps;
	struct cxl_regs *regs = &cpmu->regs;
	const char *fault;
	u64 cap, value;

	regs->mmio = ioremap(pci_resource_start(cpmu->pdev, bir) +
			     (entry & CXL_ENTRY_OFFSET), CPMU_BYTES);
	if (!regs->mmio)
		return -ENOMEM;
	cap = readq(regs->mmio + CPMU_CAP);
	fault = cpmu_parse_cap(cap, caps);
	for (i = 0; i < caps->groups; i++) {
		value = readq(regs->mmio + CPMU_EVENTS(i));
		cxl_report(cpmu, "event capability", value,
			   cpmu_parse_group(i, value, caps));
	}
	for (i = 0; i < caps->counters; i++) {
		value = cxl_read_config(regs, i);
		cxl_report(cpmu, "counter", value,
			   cpmu_parse_counter(i, value, caps));
	}
	cxl_report(cpmu, "capability", cap, fault ?: cpmu_parse_end(caps));
	return 0;
}

void cxl_cpmu_free(struct cxl_cpmu *cpmu)
{
	if (cpmu->regs.mmio)
		iounmap(cpmu->regs.mmio);
	pci_dev_put(cpmu->pdev);
	kfree(cpmu);
}

/* Name a CPMU by its memory device, or by the PCI address of its function. */
static void cxl_name(struct cxl_cpmu *cpmu)
{
	struct pci_dev *pdev = cpmu->pdev;
	unsigned int mem;

	if (cxl_memdev(pdev, &mem))
		snprintf(cpmu->name, sizeof(cpmu->name), "cxl_pmu_mem%u.%u",
			 mem, cpmu->index);
	else
		snprintf(cpmu->name, sizeof(cpmu->name),
			 "cxl_pmu_%s_%04x_%02x_%02x_%x.%u",
			 pci_is_bridge(pdev) ? "port" : "pci",
			 pci_domain_nr(pdev->bus), pdev->bus->number,
			 PCI_SLOT(pdev->devfn), PCI_FUNC(pdev->devfn),
			 cpmu->index);
}

static struct cxl_cpmu *cxl_cpmu_new(struct pci_dev *pdev, unsigned int index)
{
	struct cxl_cpmu *cpmu = kzalloc(sizeof(*cpmu), GFP_KERNEL);

	if (!cpmu)
		return NULL;
	cpmu->pdev = pci_dev_get(pdev);
	cpmu->regs.caps = &cpmu->caps;
	cpmu->index = index;
	cxl_name(cpmu);
	list_add_tail(&cpmu->node, &cxl.cpmus);
	return cpmu;
}

static unsigned int cxl_count_chmus(const u64 *entry, unsigned int count)
{
	unsigned int i, chmus = 0;

	for (i = 0; i < count; i++)
		chmus += FIELD_GET(CXL_ENTRY_BLOCK, entry[i]) == CXL_BLOCK_CHMU;
	return chmus;
}

/**
 * cxl_discover() - find the CPMUs of a function, unless they were found
 * @pdev: the function, locked, which cxl_may_read()
 *
 * They are numbered as the kernel numbers its devices of them: by their order
 * in the register locator, those that cannot be used included, but for entries
 * that lead behind the end of their BAR, or of any resource that a BIR may name
 * (cxl_decode_regblock() in the kernel's drivers/cxl/core/regs.c).
 *
 * Return: -ENOMEM when there was no memory for one of them.
 */
int cxl_discover(struct pci_dev *pdev)
{
	u64 *entry __free(kfree) = kcalloc(CXL_ENTRIES_MAX, sizeof(*entry),
					   GFP_KERNEL);
	unsigned int i, count, index = 0;
	struct cxl_cpmu *cpmu;
	int ret = 0;

	if (!entry)
		return -ENOMEM;
	list_for_each_entry(cpmu, &cxl.cpmus, node)
		if (cpmu->pdev == pdev)
			return 0;
	count = cxl_read_entries(pdev, entry);
	for (i = 0; i < count; i++) {
		unsigned int bir = FIELD_GET(CXL_ENTRY_BIR, entry[i]);
		const char *fault;

		if (FIELD_GET(CXL_ENTRY_BLOCK, entry[i]) != CXL_BLOCK_CPMU)
			continue;
		fault = cxl_check_entry(entry, count, i,
					cxl_bar_size(pdev, bir));
		if ((entry[i] & CXL_ENTRY_OFFSET) >
		    pci_resource_len(pdev, bir)) {
			dev_warn_ratelimited(&pdev->dev,
					     "pmon_cxl: register locator %u: entry 0x%llx %s\n",
					     i, entry[i], fault);
			continue;
		}
		cpmu = cxl_cpmu_new(pdev, index++);
		if (!cpmu)
			return -ENOMEM;
		cpmu->chmus = cxl_count_chmus(entry, count);
		cxl_report(cpmu, "entry", entry[i], fault);
		if (!fault)
			ret = cxl_examine(cpmu, entry[i]) ?: ret;
	}
	return ret;
}

/* ---- their PMUs --------------------------------------------------------- */

/**
 * struct cxl_type - CPMUs with the same capabilities are of one type
 * @node: in the list of all; they stay until the driver goes, because a PMU
 *	with open events needs its type
 * @type: for the core
 * @caps: the capabilities
 * @field: the terms that it has
 * @alias: the named events that it has
 * @text: the file of each
 */
struct cxl_type {
	struct list_head node;
	struct pmon_type type;
	struct cpmu_caps caps;
	struct pmon_field field[CPMU_FIELDS + 1];
	struct pmon_alias alias[CPMU_EVENTS_MAX + 1];
	char text[CPMU_EVENTS_MAX][sizeof("config=0x0123456789abcdef")];
};

static LIST_HEAD(types);

void cxl_types_free(void)
{
	struct cxl_type *type, *next;

	list_for_each_entry_safe(type, next, &types, node)
		kfree(type);
}

/* Named events of the PMU: only those that this CPMU can count. */
static void cxl_type_add_events(struct cxl_type *type)
{
	struct pmon_alias *alias = type->alias;
	unsigned int i;

	for (i = 0; i < CPMU_EVENTS_MAX; i++) {
		u64 config = cpmu_event_of(&type->caps, &cpmu_events[i]);

		if (!config)
			continue;
		snprintf(type->text[i], sizeof(type->text[i]),
			 "config=0x%llx", config);
		alias->event = type->text[i];
		if (cpmu_events[i].lines) {
			alias->scale = LINE_SCALE;
			alias->unit = "MiB";
		}
		alias++->name = cpmu_events[i].name;
	}
}

static struct cxl_type *cxl_type_get(const struct cpmu_caps *caps)
{
	struct cxl_type *type;

	list_for_each_entry(type, &types, node)
		if (!memcmp(&type->caps, caps, sizeof(*caps)))
			return type;
	type = kzalloc(sizeof(*type), GFP_KERNEL);
	if (!type)
		return NULL;
	type->caps = *caps;
	cpmu_fields(caps, type->field);
	cxl_type_add_events(type);
	type->type = (struct pmon_type){
		.name = "cxl",
		.fields = type->field,
		.aliases = type->alias,
		.ctl_event = CPMU_CFG_CHECKED,
		.encode = cpmu_encode,
		/* As the kernel's driver, drivers/perf/cxl_pmu.c. */
		.refusal = -EOPNOTSUPP,
		.snapshot_word = 1,
		.no_freeze = !caps->freezes,
		.free_running = !caps->freezable,
	};
	list_add(&type->node, &types);
	return type;
}

/* Counters whose control, as it was last read, is not enabled. */
static u64 cxl_off_slots(const struct cxl_regs *regs,
			 const struct pmon_layout *layout)
{
	unsigned int i;
	u64 slots = 0;

	for (i = 0; i < layout->counters; i++) {
		unsigned int n = (layout->counter[i].ctl - CPMU_CFG(0)) / 8;

		if (regs->known & BIT_ULL(n) &&
		    !(regs->config[n] & CPMU_CFG_ENABLE))
			slots |= BIT_ULL(i);
	}
	return slots;
}

static int cxl_pmu_give_box(struct cxl_cpmu *cpmu)
{
	struct pmon_box_info info = {
		.place = pmon_near_node(dev_to_node(&cpmu->pdev->dev)),
		.power = cpmu->pdev, .in_bar = true,
	};
	struct pmon_counter *counter __free(kfree) =
		kcalloc(cpmu_slots(&cpmu->caps), sizeof(*counter), GFP_KERNEL);

	if (!counter)
		return -ENOMEM;
	cpmu_layout(&cpmu->caps, counter, &info.layout);
	info.off = cxl_off_slots(&cpmu->regs, &info.layout);
	cxl_regs(&info.regs, &cpmu->regs);
	return pmon_pmu_add_box(cpmu->pmu, &info);
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
	int ret;

	if (!type)
		return -ENOMEM;
	info.type = &type->type;
	pmu = pmon_pmu_create(&info);
	if (IS_ERR(pmu))
		return PTR_ERR(pmu);
	cpmu->pmu = pmu;
	cpmu->registered = false;
	ret = cxl_pmu_give_box(cpmu) ?: cxl_pmu_describe(cpmu);
	if (ret)
		cxl_pmu_give_up(cpmu);
	return ret;
}

/*
 * Another driver may have programmed the controls since they were read, or may
 * do so from now on.
 */
static bool cxl_pmu_check_left(struct cxl_cpmu *cpmu, bool barred)
{
	bool has = pmon_owner_has(cpmu->name);

	if (!has && !barred)
		return false;
	if (has && !cpmu->left)
		pr_info("%s is left to another driver, which has a PMU of that name\n",
			cpmu->name);
	else if (!cpmu->left)
		pr_info("%s is not served: its device on the CXL bus is not bound to pmon_cxl\n",
			cpmu->name);
	cpmu->left = true;
	cpmu->regs.known = 0;
	return true;
}

/**
 * cxl_pmu_add() - make a PMU of a CPMU, to be registered
 * @cpmu: the CPMU; one that the kernel's driver has stays with it
 * @barred: as cxl_bus_bars() returns
 *
 * Return: -EAGAIN when a PMU of its name has yet to leave perf, else 0.
 */
int cxl_pmu_add(struct cxl_cpmu *cpmu, bool barred)
{
	int ret;

	lockdep_assert_held(&cxl.lock);
	if (!cpmu_slots(&cpmu->caps) || cpmu->pmu || cxl.observe ||
	    cxl_pmu_check_left(cpmu, barred))
		return 0;
	ret = cxl_pmu_create(cpmu);
	if (ret == -EAGAIN)
		return ret;
	if (ret)
		pr_warn("%s cannot be served: error %d\n", cpmu->name, ret);
	return 0;
}

/**
 * cxl_pmu_give_up() - the PMU goes, and its counters are handed back
 * @cpmu: its CPMU. The core writes nothing in D3, or where nothing answers.
 */
void cxl_pmu_give_up(struct cxl_cpmu *cpmu)
{
	pmon_pmu_destroy(cpmu->pmu);
	cpmu->pmu = NULL;
}
