// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the CPMUs of a function and maps their registers. Nothing is enabled,
 * powered, claimed or written.
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

/**
 * cxl_say() - a line of what is wrong with a CPMU
 * @cpmu: the CPMU
 * @fault: that
 */
void cxl_say(const struct cxl_cpmu *cpmu, const struct cpmu_fault *fault)
{
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
	cpmu->mmio = ioremap(pci_resource_start(cpmu->pdev, place.bir) +
			     place.offset, CPMU_BYTES);
	if (!cpmu->mmio)
		return -ENOMEM;
	if (!cxl_read_caps(cpmu)) {
		iounmap(cpmu->mmio);
		cpmu->mmio = NULL;
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
		ret = cxl_examine(cpmu, entry, count, i, bar) ?: ret;
		list_add_tail(&cpmu->node, &cxl.cpmus);
	}
	return ret;
}
