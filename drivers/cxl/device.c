// SPDX-License-Identifier: GPL-2.0-only
/* Find and map the CPMUs of a PCI function, and create a perf PMU for each. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/cleanup.h>
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

#include <compat/override.h>
#include <pmon/owner.h>
#include <pmon/regs.h>
#include <pmon/pmu.h>

#include "cxl.h"

#define DVSEC_LOCATOR		8

#define MEMORY_DRIVER		"cxl_pci"
#define PORT_DRIVER		"pcieport"

/* 64 bytes in MiB: 64 / 2^20 */
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

/*
 * Get the number of the memory device mem<X> that cxl_pci created for a
 * function; returns false if there is none. The PCI class is no criterion:
 * new_id and driver_override bind cxl_pci to functions of any class.
 */
bool cxl_find_memdev(struct pci_dev *pdev, unsigned int *number)
{
	return device_for_each_child(&pdev->dev, number, cxl_match_memdev);
}

/* Ignore pcieport. Without the device lock, the result is a snapshot. */
bool cxl_has_other_driver(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && (!pci_is_bridge(pdev) ||
			  strcmp(driver->name, PORT_DRIVER));
}

/* Read the power state: without a driver pdev->current_state may be stale. */
static bool cxl_is_accessible(struct pci_dev *pdev)
{
	return pmon_pci_access(pdev, true) == PMON_PCI_ACCESSIBLE;
}

/* Return true if BUS_NOTIFY_REMOVED_DEVICE is still to come. */
static bool cxl_is_on_bus(struct pci_dev *pdev)
{
	struct pci_dev *found =
		pci_get_domain_bus_and_slot(pci_domain_nr(pdev->bus),
					    pdev->bus->number, pdev->devfn);

	pci_dev_put(found);
	return found == pdev;
}

/*
 * Return true for a memory device in D0 that is bound to cxl_pci; with
 * unbound=1 also for ports, and for functions without a driver; never for
 * functions of virtual machines (vfio-pci, pci-stub, driver_override). The
 * caller holds the device lock, and cxl.lock until the CPMUs are in the list.
 */
bool cxl_may_read(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;
	unsigned int number;

	if (compat_is_meant_for_other(pdev))
		return false;
	if (driver && !strcmp(driver->name, MEMORY_DRIVER))
		return pdev->current_state == PCI_D0 &&
		       cxl_find_memdev(pdev, &number);
	return cxl.unbound && pci_is_pcie(pdev) &&
	       !cxl_has_other_driver(pdev) && cxl_is_on_bus(pdev) &&
	       cxl_is_accessible(pdev);
}

/* ---- CPMUs -------------------------------------------------------------- */

/* Log a fault, rate-limited: a device may have a hundred invalid registers. */
static void cxl_report(const struct cxl_cpmu *cpmu, const char *name,
		       u64 value, const char *fault)
{
	static DEFINE_RATELIMIT_STATE(lines, 5 * HZ, 32);

	if (fault && __ratelimit(&lines))
		pci_warn(cpmu->pdev, "pmon_cxl: CPMU %u: %s 0x%llx %s\n",
			 cpmu->index, name, value, fault);
}

/* Note the first fault, and log each, for which a CPMU is rejected. */
static void cxl_reject(struct cxl_cpmu *cpmu, const char *name, u64 value,
		       const char *fault)
{
	cxl_report(cpmu, name, value, fault);
	if (!fault || cpmu->fault.reason)
		return;
	cpmu->fault.name = name;
	cpmu->fault.value = value;
	cpmu->fault.reason = fault;
}

static unsigned int cxl_read_entries(struct pci_dev *pdev, u64 *entry)
{
	int at = pci_find_dvsec_capability(pdev, CXL_VENDOR, DVSEC_LOCATOR);
	unsigned int i, count;
	u32 header, low, high;

	if (!at || pci_read_config_dword(pdev, at + PCI_DVSEC_HEADER1, &header))
		return 0;
	count = cxl_count_entries(PCI_DVSEC_HEADER1_LEN(header));
	for (i = 0; i < count; i++) {
		at += i ? CXL_ENTRY_BYTES : CXL_ENTRIES_BEGIN;
		if (pci_read_config_dword(pdev, at, &low) ||
		    pci_read_config_dword(pdev, at + 4, &high))
			return i;
		entry[i] = (u64)high << 32 | low;
	}
	return count;
}

static u64 cxl_bar_size(struct pci_dev *pdev, unsigned int bir)
{
	unsigned long flags = pci_resource_flags(pdev, bir);

	if (bir >= PCI_STD_NUM_BARS || flags & IORESOURCE_UNSET ||
	    !(flags & IORESOURCE_MEM))
		return 0;
	return pci_resource_len(pdev, bir);
}

/* Skip and log invalid registers. Called once: a rejected CPMU stays listed. */
static int cxl_read_caps(struct cxl_cpmu *cpmu, u64 entry)
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
		value = readq(regs->mmio + CPMU_CFG(i));
		cxl_report(cpmu, "counter", value,
			   cpmu_parse_counter(i, value, caps));
	}
	cxl_reject(cpmu, "capability", cap, fault ?: cpmu_select_counters(caps));
	return 0;
}

void cxl_cpmu_free(struct cxl_cpmu *cpmu)
{
	if (cpmu->regs.mmio)
		iounmap(cpmu->regs.mmio);
	pci_dev_put(cpmu->pdev);
	kfree(cpmu);
}

static void cxl_set_name(struct cxl_cpmu *cpmu)
{
	struct pci_dev *pdev = cpmu->pdev;
	unsigned int mem;

	if (cxl_find_memdev(pdev, &mem))
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
	cxl_set_name(cpmu);
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

/*
 * Find the CPMUs of a function, unless found before. The caller has checked
 * cxl_may_read(). Number CPMUs like cxl_decode_regblock() of Linux: in the
 * order of the register locator, counting rejected CPMUs, but not entries
 * beyond the end of a BAR. Returns 0 or -ENOMEM.
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
		cxl_reject(cpmu, "entry", entry[i], fault);
		if (!fault)
			cpmu->error = cxl_read_caps(cpmu, entry[i]);
		ret = cpmu->error ?: ret;
	}
	return ret;
}

/* ---- PMUs of CPMUs ------------------------------------------------------ */

/* A PMU type, shared by all CPMUs with equal capabilities. */
struct cxl_type {
	struct list_head node;
	struct pmon_type type;
	struct cpmu_caps caps;
	struct pmon_field field[CPMU_FIELDS + 1];
	struct pmon_alias alias[CPMU_EVENTS_MAX + 1];
	/* contents of the files in events/ */
	char text[CPMU_EVENTS_MAX][sizeof("config=0x0123456789abcdef")];
};

/* Types stay until the unload: a PMU with open events needs its type. */
static LIST_HEAD(types);

void cxl_types_free(void)
{
	struct cxl_type *type, *next;

	list_for_each_entry_safe(type, next, &types, node)
		kfree(type);
}

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
		/* as in drivers/perf/cxl_pmu.c of Linux */
		.refusal = -EOPNOTSUPP,
		.snapshot_word = 1,
		.no_freeze = !caps->can_freeze,
		.free_running = !caps->freezable,
	};
	list_add(&type->node, &types);
	return type;
}

/* Read controls that are disabled; the core clears all others. */
static void cxl_read_disabled(struct cxl_cpmu *cpmu,
			      const struct pmon_layout *layout, u64 *ctl)
{
	unsigned int i;

	for (i = 0; i < layout->counters; i++) {
		ctl[i] = readq(cpmu->regs.mmio + layout->counter[i].ctl);
		if (ctl[i] & CPMU_CFG_ENABLE)
			ctl[i] = ~0ULL;
	}
}

static int cxl_pmu_add_box(struct cxl_cpmu *cpmu)
{
	struct pmon_box_info info = {
		.place = pmon_near_node(dev_to_node(&cpmu->pdev->dev)),
		.power = cpmu->pdev, .in_bar = true,
	};
	struct pmon_counter *counter __free(kfree) =
		kcalloc(cpmu_count_usable(&cpmu->caps), sizeof(*counter),
			GFP_KERNEL);
	u64 ctl[CPMU_COUNTERS_MAX];

	if (!counter)
		return -ENOMEM;
	cpmu_layout(&cpmu->caps, counter, &info.layout);
	if (cxl_is_accessible(cpmu->pdev)) {
		cxl_read_disabled(cpmu, &info.layout, ctl);
		info.ctl = ctl;
	}
	cxl_regs_init(&info.regs, &cpmu->regs);
	return pmon_pmu_add_box(cpmu->pmu, &info);
}

static int cxl_pmu_add_files(struct cxl_cpmu *cpmu)
{
	char text[32];

	/* perf selects metrics by the identifier (tools/perf/pmu-events). */
	pmon_pmu_add_file(cpmu->pmu, "identifier", "cxl_cpmu");
	/* Use the format of mem<X>/serial. */
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
		.unregistered = cxl.pmu_unregistered,
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
	ret = cxl_pmu_add_box(cpmu) ?: cxl_pmu_add_files(cpmu);
	if (ret)
		cxl_pmu_destroy(cpmu);
	return ret;
}

/*
 * Return the name of the CPMU's device on the CXL bus: pmu_mem0.0 for the PMU
 * cxl_pmu_mem0.0. Since Linux 6.5 cxl_pci creates this device for cxl_pmu.
 */
const char *cxl_device_name(const struct cxl_cpmu *cpmu)
{
	return cpmu->name + strlen("cxl_");
}

/* cxl_bus_event() handles a driver that binds after this check. */
static bool cxl_has_owner(const struct cxl_cpmu *cpmu)
{
	struct device *dev = device_find_child_by_name(&cpmu->pdev->dev,
						       cxl_device_name(cpmu));
	bool bound = dev && READ_ONCE(dev->driver);

	put_device(dev);
	return bound || pmon_owner_has(cpmu->name);
}

/* Leave a CPMU to another driver. */
void cxl_pmu_yield(struct cxl_cpmu *cpmu)
{
	lockdep_assert_held(&cxl.lock);
	if (!cpmu->logged_owner)
		pr_info("%s is left to another driver\n", cpmu->name);
	cpmu->logged_owner = true;
	cpmu->error = 0;
	cpmu->waits = false;
	cxl_pmu_destroy(cpmu);
}

/* Log an error once, as each scan tries again. */
static void cxl_cpmu_set_error(struct cxl_cpmu *cpmu, int error)
{
	if (error == cpmu->error)
		return;
	cpmu->error = error;
	cpmu->waits = error == -EEXIST || error == -EBUSY;
	if (cpmu->waits)
		pr_info("%s waits for events of the device that had its name, close them\n",
			cpmu->name);
	else if (error)
		pr_warn("%s cannot be served: error %d\n", cpmu->name, error);
}

/*
 * Create the PMU of a CPMU, unless another driver has the CPMU. Returns 0, or
 * -EAGAIN while an old PMU of the same name is being unregistered. If a PMU of
 * another device keeps the name, a scan after its end tries again.
 */
int cxl_pmu_add(struct cxl_cpmu *cpmu)
{
	int ret;

	lockdep_assert_held(&cxl.lock);
	if (!cpmu_count_usable(&cpmu->caps) || cpmu->pmu || cxl.observe)
		return 0;
	if (cxl_has_owner(cpmu)) {
		cxl_pmu_yield(cpmu);
		return 0;
	}
	cpmu->logged_owner = false;
	ret = cxl_pmu_create(cpmu);
	if (ret == -EAGAIN)
		return ret;
	cxl_cpmu_set_error(cpmu, ret);
	return 0;
}

/* Destroy the PMU; reset used counters, except in D3 or without a response. */
void cxl_pmu_destroy(struct cxl_cpmu *cpmu)
{
	pmon_pmu_destroy(cpmu->pmu);
	cpmu->pmu = NULL;
}
