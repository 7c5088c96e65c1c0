// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions with CPMUs. They belong to cxl_pci: nothing is enabled, powered or
 * claimed here, and nothing is written.
 */
#include <linux/device.h>
#include <linux/io.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <compat/cleanup.h>

#include "cxl.h"

#define CXL_VENDOR		0x1e98
#define DVSEC_LOCATOR		8
#define DVSEC_LENGTH(header)	((header) >> 20)
#define LOCATOR_ENTRIES		0x0c

#define CXL_OWNER		"cxl_pci"

/**
 * cxl_is_ours() - may the registers of a function be read?
 * @pdev: a function, locked
 *
 * cxl_pci has enabled it then, and the bus tells when it gives it up. What
 * another driver has (vfio-pci, pci-stub) or none is left alone.
 */
bool cxl_is_ours(struct pci_dev *pdev)
{
	const struct device_driver *driver = pdev->dev.driver;

	return driver && !strcmp(driver->name, CXL_OWNER) &&
	       pdev->current_state == PCI_D0;
}

static void cxl_say_of(struct pci_dev *pdev, unsigned int index,
		       const struct cpmu_fault *fault)
{
	pci_warn(pdev, "pmon_cxl: CPMU %u: %s 0x%llx %s\n", index, fault->field,
		 fault->value, fault->reason);
}

/**
 * cxl_say() - a line of what is wrong with a CPMU
 * @cpmu: the CPMU
 * @fault: that
 */
void cxl_say(struct cxl_cpmu *cpmu, const struct cpmu_fault *fault)
{
	cxl_say_of(cpmu->pdev, cpmu->index, fault);
}

/* The number of its memory device, which cxl_pci has made. */
static int cxl_match_memdev(struct device *dev, void *data)
{
	return sscanf(dev_name(dev), "mem%u", (unsigned int *)data) == 1;
}

static bool cxl_memdev(struct pci_dev *pdev, unsigned int *number)
{
	return device_for_each_child(&pdev->dev, number, cxl_match_memdev);
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
		bar[i].size = pci_resource_len(pdev, i);
		bar[i].memory = pci_resource_flags(pdev, i) & IORESOURCE_MEM;
	}
}

/* What is wrong with a counter or a group costs that one only, and is said. */
static bool cxl_read_caps(struct cxl_cpmu *cpmu)
{
	struct cpmu_fault fault;
	struct pmon_regs regs;
	unsigned int i;
	u64 cap;

	cxl_regs(&regs, cpmu->mmio);
	cap = pmon_read(&regs, CPMU_CAP, 8);
	if (!cpmu_parse_cap(cap, &cpmu->caps, &fault)) {
		cxl_say(cpmu, &fault);
		return false;
	}
	for (i = 0; i < cpmu_groups(cap); i++)
		if (!cpmu_parse_group(pmon_read(&regs, CPMU_EVENTS(i), 8),
				      &cpmu->caps, &fault))
			cxl_say(cpmu, &fault);
	for (i = 0; i < cpmu_counters(cap); i++) {
		u64 value = pmon_read(&regs, CPMU_CFG(i), 8);

		if (!cpmu_parse_counter(i, value, &cpmu->caps, &fault))
			cxl_say(cpmu, &fault);
		else if (cpmu_is_off(value))
			cpmu->off |= BIT_ULL(i);
	}
	if (cpmu_parse_end(&cpmu->caps, &fault))
		return true;
	cxl_say(cpmu, &fault);
	return false;
}

void cxl_cpmu_free(struct cxl_cpmu *cpmu)
{
	if (cpmu->mmio)
		iounmap(cpmu->mmio);
	pci_dev_put(cpmu->pdev);
	kfree(cpmu);
}

static void cxl_add_cpmu(struct pci_dev *pdev, const struct cxl_place *place,
			 unsigned int mem, unsigned int index)
{
	struct cxl_cpmu *cpmu = kzalloc(sizeof(*cpmu), GFP_KERNEL);

	if (!cpmu)
		return;
	cpmu->pdev = pci_dev_get(pdev);
	cpmu->index = index;
	snprintf(cpmu->name, sizeof(cpmu->name), "cxl_pmu_mem%u.%u", mem, index);
	cpmu->mmio = ioremap(pci_resource_start(pdev, place->bir) +
			     place->offset, CPMU_BYTES);
	if (!cpmu->mmio || !cxl_read_caps(cpmu)) {
		cxl_cpmu_free(cpmu);
		return;
	}
	list_add_tail(&cpmu->node, &cxl.cpmus);
}

/**
 * cxl_discover() - find the CPMUs of a function
 * @pdev: the function, locked, see cxl_is_ours()
 *
 * They are numbered by their order in the register locator, those that cannot
 * be used included, as the kernel does.
 */
void cxl_discover(struct pci_dev *pdev)
{
	u64 *entry __free(kfree) = kcalloc(CXL_ENTRIES_MAX, sizeof(*entry),
					   GFP_KERNEL);
	struct cxl_bar bar[CXL_BARS];
	unsigned int i, count, mem, index = 0;

	if (!entry || !cxl_memdev(pdev, &mem))
		return;
	count = cxl_read_entries(pdev, entry);
	cxl_read_bars(pdev, bar);
	for (i = 0; i < count; i++) {
		struct cxl_place place = cxl_place_of(entry[i]);
		struct cpmu_fault fault;

		if (!cxl_is_cpmu(&place))
			continue;
		if (cxl_check_place(entry, count, i, bar, &fault))
			cxl_add_cpmu(pdev, &place, mem, index);
		else
			cxl_say_of(pdev, index, &fault);
		index++;
	}
}
