// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides whether the registers of a PCI function may be read, finds its CPMUs
 * and maps them. Nothing is enabled, powered, claimed or written.
 */
#include <linux/device.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <compat/cleanup.h>
#include <compat/override.h>
#include <pmon/pci.h>

#include "cxl.h"

#define CXL_VENDOR		0x1e98
#define DVSEC_LOCATOR		8
#define DVSEC_LENGTH(header)	((header) >> 20)
#define LOCATOR_ENTRIES		0x0c

#define OWNER_OF_MEMORY		"cxl_pci"
#define OWNER_OF_PORTS		"pcieport"

struct cxl cxl = {
	.lock = __MUTEX_INITIALIZER(cxl.lock),
	.cpmus = LIST_HEAD_INIT(cxl.cpmus),
};

static int cxl_match_memdev(struct device *dev, void *data)
{
	return sscanf(dev_name(dev), "mem%u", (unsigned int *)data) == 1;
}

/**
 * cxl_memdev() - is there a memory device of a function, which cxl_pci makes?
 * @pdev: the function, which need not be locked
 * @number: its number
 */
bool cxl_memdev(struct pci_dev *pdev, unsigned int *number)
{
	return device_for_each_child(&pdev->dev, number, cxl_match_memdev);
}

/**
 * cxl_is_memory() - is a function a CXL memory device?
 * @pdev: the function, which need not be locked
 *
 * Its class says so; or a memory device that was made of it, since cxl_pci can
 * be told to take one of another class.
 */
bool cxl_is_memory(struct pci_dev *pdev)
{
	unsigned int number;

	return pdev->class == CXL_CLASS_MEMORY || cxl_memdev(pdev, &number);
}

/**
 * cxl_may_have_cpmus() - is a function worth to be looked at?
 * @pdev: the function, which need not be locked
 */
bool cxl_may_have_cpmus(struct pci_dev *pdev)
{
	return cxl_is_memory(pdev) ||
	       (cxl.unbound && pci_is_pcie(pdev) &&
		(pci_is_bridge(pdev) || !READ_ONCE(pdev->dev.driver)));
}

/**
 * cxl_is_awake() - is a function not in D3 and decoding memory?
 * @pdev: the function
 *
 * It is asked itself: without a driver the kernel may not know, and it may have
 * been pulled out. It is not woken.
 */
bool cxl_is_awake(struct pci_dev *pdev)
{
	u16 command;

	if (pmon_pci_is_in_d3(pdev) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command))
		return false;
	return command != (u16)~0 && command & PCI_COMMAND_MEMORY;
}

/**
 * cxl_is_others() - has a function a driver with which it is not served?
 * @pdev: a function, not locked: so it says what is so at this moment
 *
 * Return: whether it has.
 */
bool cxl_is_others(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && strcmp(driver->name, OWNER_OF_MEMORY) &&
	       strcmp(driver->name, OWNER_OF_PORTS);
}

static int cxl_is_that(struct device *dev, const void *data)
{
	return dev == data;
}

/*
 * Is the function still on its bus? Without a driver nothing keeps it from
 * being removed now; if it is still there BUS_NOTIFY_REMOVED_DEVICE will
 * announce its removal.
 */
static bool cxl_is_on_bus(struct pci_dev *pdev)
{
	struct device *dev = bus_find_device(&pci_bus_type, NULL, &pdev->dev,
					     cxl_is_that);

	put_device(dev);
	return dev;
}

/*
 * A function that is not bound to cxl_pci: one without a driver, or a port
 * whose driver has enabled it.
 */
static enum cxl_kind cxl_kind_of_other(struct pci_dev *pdev)
{
	if (cxl_is_others(pdev) || !cxl_is_on_bus(pdev) || !cxl_is_awake(pdev))
		return CXL_NONE;
	return pci_is_bridge(pdev) ? CXL_PORT : CXL_UNBOUND;
}

/**
 * cxl_kind_of() - may the registers of a function be read, and why?
 * @pdev: a function, locked; and cxl.lock is held until it is known
 *
 * cxl_pci has enabled it, and the bus tells when it gives it up. What is meant
 * for a virtual machine (vfio-pci, pci-stub, a driver_override that names
 * another driver) is left alone.
 */
enum cxl_kind cxl_kind_of(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

	if (compat_is_meant_for_other(pdev))
		return CXL_NONE;
	if (driver && !strcmp(driver->name, OWNER_OF_MEMORY))
		return pdev->current_state == PCI_D0 ? CXL_MEMORY : CXL_NONE;
	if (cxl.unbound && pci_is_pcie(pdev))
		return cxl_kind_of_other(pdev);
	return CXL_NONE;
}

/**
 * cxl_say() - a line of what is wrong with a CPMU
 * @cpmu: the CPMU
 * @fault: that
 */
void cxl_say(const struct cxl_cpmu *cpmu, const struct cpmu_fault *fault)
{
	/* A device may have 96 such registers, and be bound again and again. */
	static DEFINE_RATELIMIT_STATE(lines, 5 * HZ, 32);

	if (!__ratelimit(&lines))
		return;
	pci_warn(cpmu->pdev, "pmon_cxl: CPMU %u: %s 0x%llx %s\n", cpmu->index,
		 fault->field, fault->value, fault->reason);
}

static unsigned int cxl_read_entries(struct pci_dev *pdev, u64 *entry)
{
	int at = pci_find_dvsec_capability(pdev, CXL_VENDOR, DVSEC_LOCATOR);
	unsigned int i, count;
	u32 header, low, high;

	if (!at || pci_read_config_dword(pdev, at + PCI_DVSEC_HEADER1, &header))
		return 0;
	if (DVSEC_LENGTH(header) <= LOCATOR_ENTRIES)
		return 0;
	count = min((DVSEC_LENGTH(header) - LOCATOR_ENTRIES) / 8,
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

static void cxl_read_bars(struct pci_dev *pdev, struct cxl_bar bar[CXL_BARS])
{
	unsigned int i;

	for (i = 0; i < CXL_BARS; i++) {
		bar[i].size = pci_resource_flags(pdev, i) & IORESOURCE_UNSET ?
			      0 : pci_resource_len(pdev, i);
		bar[i].memory = pci_resource_flags(pdev, i) & IORESOURCE_MEM;
	}
}

/*
 * Read the capabilities of a CPMU. A counter or a group of events that cannot
 * be is left out and logged; the others are used.
 */
static bool cxl_read_caps(struct cxl_cpmu *cpmu)
{
	struct cxl_regs *regs = &cpmu->regs;
	struct cpmu_fault fault;
	unsigned int i;
	u64 cap;

	cap = readq(regs->mmio + CPMU_CAP);
	if (!cpmu_parse_cap(cap, &cpmu->caps, &fault)) {
		cxl_say(cpmu, &fault);
		return false;
	}
	for (i = 0; i < cpmu_groups(cap); i++)
		if (!cpmu_parse_group(readq(regs->mmio + CPMU_EVENTS(i)),
				      &cpmu->caps, &fault))
			cxl_say(cpmu, &fault);
	for (i = 0; i < cpmu_counters(cap); i++)
		if (!cpmu_parse_counter(i, cxl_read_config(regs, i),
					&cpmu->caps, &fault))
			cxl_say(cpmu, &fault);
	if (!cpmu_parse_end(&cpmu->caps, &fault)) {
		cxl_say(cpmu, &fault);
		return false;
	}
	regs->filters = cpmu->caps.filters;
	regs->freezable = cpmu_freezable(&cpmu->caps);
	return true;
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
	const struct pci_dev *pdev = cpmu->pdev;

	if (cpmu->kind == CXL_MEMORY)
		snprintf(cpmu->name, sizeof(cpmu->name), "cxl_pmu_mem%u.%u",
			 cpmu->mem, cpmu->index);
	else
		snprintf(cpmu->name, sizeof(cpmu->name),
			 "cxl_pmu_%s_%04x_%02x_%02x_%x.%u",
			 cpmu->kind == CXL_PORT ? "port" : "pci",
			 pci_domain_nr(pdev->bus), pdev->bus->number,
			 PCI_SLOT(pdev->devfn), PCI_FUNC(pdev->devfn),
			 cpmu->index);
}

static struct cxl_cpmu *cxl_cpmu_new(struct pci_dev *pdev, enum cxl_kind kind,
				     unsigned int mem, unsigned int index)
{
	struct cxl_cpmu *cpmu = kzalloc(sizeof(*cpmu), GFP_KERNEL);

	if (!cpmu)
		return NULL;
	cpmu->pdev = pci_dev_get(pdev);
	cpmu->place = pmon_near_node(dev_to_node(&pdev->dev));
	cpmu->kind = kind;
	cpmu->mem = mem;
	cpmu->index = index;
	cxl_name(cpmu);
	return cpmu;
}

/* A place where no CPMU can be; where the kernel sees none it has no number. */
static void cxl_say_place(const struct cxl_cpmu *cpmu, unsigned int which,
			  const struct cpmu_fault *fault)
{
	if (cpmu->index != CXL_NO_NUMBER)
		cxl_say(cpmu, fault);
	else
		pci_warn(cpmu->pdev,
			 "pmon_cxl: register locator %u: %s 0x%llx %s\n",
			 which, fault->field, fault->value, fault->reason);
}

/*
 * Map the registers of a CPMU, and see what they say. One that cannot be used
 * stays known, without them, so that this is said once.
 */
static int cxl_examine(struct cxl_cpmu *cpmu, const u64 *entry,
		       unsigned int count, unsigned int which,
		       const struct cxl_bar bar[CXL_BARS])
{
	struct cxl_place place = cxl_place_of(entry[which]);
	struct cpmu_fault fault;

	if (!cxl_check_place(entry, count, which, bar, &fault)) {
		cxl_say_place(cpmu, which, &fault);
		return 0;
	}
	cpmu->regs.mmio = ioremap(pci_resource_start(cpmu->pdev, place.bir) +
			     place.offset, CPMU_BYTES);
	if (!cpmu->regs.mmio)
		return -ENOMEM;
	if (!cxl_read_caps(cpmu)) {
		iounmap(cpmu->regs.mmio);
		cpmu->regs.mmio = NULL;
	}
	return 0;
}

/*
 * Does the kernel see a block there (cxl_decode_regblock() in its
 * drivers/cxl/core/regs.c)? It looks at any resource that a BIR may name.
 */
static bool cxl_kernel_sees(struct pci_dev *pdev, const struct cxl_place *place)
{
	return place->offset <= pci_resource_len(pdev, place->bir);
}

static unsigned int cxl_count_chmus(const u64 *entry, unsigned int count)
{
	unsigned int i, chmus = 0;

	for (i = 0; i < count; i++) {
		struct cxl_place place = cxl_place_of(entry[i]);

		chmus += cxl_is_chmu(&place);
	}
	return chmus;
}

/**
 * cxl_discover() - find the CPMUs of a function
 * @pdev: the function, locked
 * @kind: why it may be read, see cxl_kind_of()
 *
 * They are numbered as the kernel numbers its devices of them: by their order
 * in the register locator, those that cannot be used included, but for entries
 * that lead behind the end of their BAR.
 *
 * Return: -ENOMEM when there was no memory for one of them.
 */
int cxl_discover(struct pci_dev *pdev, enum cxl_kind kind)
{
	u64 *entry __free(kfree) = kcalloc(CXL_ENTRIES_MAX, sizeof(*entry),
					   GFP_KERNEL);
	unsigned int i, count, mem = 0, index = 0;
	struct cxl_bar bar[CXL_BARS];
	int ret = 0;

	if (!entry)
		return -ENOMEM;
	if (kind == CXL_MEMORY && !cxl_memdev(pdev, &mem))
		return 0;
	count = cxl_read_entries(pdev, entry);
	cxl_read_bars(pdev, bar);
	for (i = 0; i < count; i++) {
		struct cxl_place place = cxl_place_of(entry[i]);
		struct cxl_cpmu *cpmu;

		if (!cxl_is_cpmu(&place))
			continue;
		cpmu = cxl_cpmu_new(pdev, kind, mem,
				    cxl_kernel_sees(pdev, &place) ?
				    index++ : CXL_NO_NUMBER);
		if (!cpmu)
			return -ENOMEM;
		cpmu->chmus = cxl_count_chmus(entry, count);
		ret = cxl_examine(cpmu, entry, count, i, bar) ?: ret;
		list_add_tail(&cpmu->node, &cxl.cpmus);
	}
	return ret;
}
