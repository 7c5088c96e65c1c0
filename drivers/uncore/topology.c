// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a unit leads to, as text for a file die<N> beside its PMU: the root bus
 * behind an IIO unit, the other end of a UPI link. N counts packages as Linux
 * does, and the text is what the kernel's driver writes for older processors,
 * so that tools which read it work.
 */
#include <linux/bitfield.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include <pmon/pmu.h>

#include "uncore.h"

/*
 * UPI link: as discover_upi_topology() in arch/x86/events/intel/uncore_snbep.c
 * of Linux reads it.
 */
#define KTILP0			0x94
#define   KTILP0_NODE		GENMASK(19, 16)
#define   KTILP0_PORT		GENMASK(12, 8)
#define KTIPCSTS		0x120
#define   KTIPCSTS_TRAINED	BIT(4)

/*
 * The bus numbers of a package, a byte each, in two rows of registers: as Intel
 * PCM reads them (src/pcm-iio.cpp, SPR_MSM_REG_CPUBUSNO0 and following).
 */
#define MSM_DEVICE		0x09a6
#define MSM_DEVFN		PCI_DEVFN(3, 0)
#define MSM_BUSES_VALID		0x1a0
#define MSM_BUSES_LOW		0x190
#define MSM_BUSES_HIGH		0x1c0
#define MSM_BUSES_LOW_COUNT	16

/*
 * The place of a root bus, in a function on it: as sad_cfg_iio_topology() in
 * arch/x86/events/intel/uncore_snbep.c of Linux reads it on older processors,
 * and Intel PCM on Grand Ridge as well (src/pcm-iio-topology.cpp).
 */
#define MESH2IIO_DEVICE		0x09a2
#define SAD_CONTROL_CFG		0x3f4
#define   SAD_CONTROL_CFG_STACK	GENMASK(6, 4)

/*
 * Which die the package has: the physical chop in CAPID4, as Intel PCM reads it
 * (src/pcm-iio.cpp, SPR_PCU_CR3_REG_CAPID4).
 */
#define PCU_DEVICE		0x325b
#define PCU_DEVFN		PCI_DEVFN(30, 3)
#define PCU_CAPID4		0x94
#define   PCU_CAPID4_CHOP	GENMASK(7, 6)

#define TEXT_SIZE		32

static bool uncore_upi_text(const struct uncore_box *box, char *text)
{
	u32 status, link;

	if (!box->pci ||
	    pci_read_config_dword(box->pci, KTIPCSTS, &status) ||
	    status == U32_MAX || !(status & KTIPCSTS_TRAINED) ||
	    pci_read_config_dword(box->pci, KTILP0, &link) ||
	    link == U32_MAX)
		return false;
	snprintf(text, TEXT_SIZE, "upi_%u,die_%u",
		 (u32)FIELD_GET(KTILP0_PORT, link),
		 (u32)FIELD_GET(KTILP0_NODE, link));
	return true;
}

static enum uncore_chop uncore_package_chop(int package)
{
	struct pci_dev *pdev = uncore_package_device(PCU_DEVICE, PCU_DEVFN,
						     package);
	u32 capabilities = 0;

	if (pdev && pci_read_config_dword(pdev, PCU_CAPID4, &capabilities))
		capabilities = 0;
	pci_dev_put(pdev);
	return FIELD_GET(PCU_CAPID4_CHOP, capabilities);
}

/* The bus number at a place, if it is valid. */
static bool uncore_read_bus(struct pci_dev *msm, u8 place, u8 *bus)
{
	int row = place < MSM_BUSES_LOW_COUNT ? MSM_BUSES_LOW :
						MSM_BUSES_HIGH;
	u32 valid, buses;

	if (pci_read_config_dword(msm, MSM_BUSES_VALID, &valid) ||
	    valid == U32_MAX || !(valid & BIT(place)) ||
	    pci_read_config_dword(msm,
				  row + place % MSM_BUSES_LOW_COUNT / 4 * 4,
				  &buses) ||
	    buses == U32_MAX)
		return false;
	*bus = buses >> place % 4 * 8;
	return true;
}

static void uncore_bus_text(struct pci_bus *beside, u8 bus, char *text)
{
	snprintf(text, TEXT_SIZE, "%04x:%02x", pci_domain_nr(beside), bus);
}

/* Does this function say that its root bus has a place? */
static bool uncore_says_place(struct pci_dev *pdev, u8 place)
{
	u32 control;

	return pci_is_root_bus(pdev->bus) && !uncore_asleep(pdev) &&
	       !uncore_given_away(pdev) &&
	       !pci_read_config_dword(pdev, SAD_CONTROL_CFG, &control) &&
	       control != U32_MAX &&
	       FIELD_GET(SAD_CONTROL_CFG_STACK, control) == place;
}

/* Where several buses of the package say the same, none of them is believed. */
static bool uncore_told_text(const struct uncore_stack *stack,
			     const struct uncore_unit *unit, char *text)
{
	struct pci_dev *pdev = NULL;
	unsigned int found = 0;

	while (stack->place < UNCORE_STACK_PLACES && stack->unit != unit->id)
		stack++;
	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, MESH2IIO_DEVICE,
				      pdev))) {
		if (!uncore_says_place(pdev, stack->place) ||
		    uncore_package(pdev) != unit->package)
			continue;
		uncore_bus_text(pdev->bus, pdev->bus->number, text);
		found++;
	}
	return found == 1;
}

static bool uncore_listed_text(const struct uncore_stack *stack,
			       const struct uncore_unit *unit, char *text)
{
	struct pci_dev *msm = uncore_package_device(MSM_DEVICE, MSM_DEVFN,
						    unit->package);
	bool found = false;
	u8 bus;

	for (; msm && stack->place < UNCORE_STACK_PLACES && !found; stack++)
		found = stack->unit == unit->id &&
			uncore_read_bus(msm, stack->place, &bus);
	if (found)
		uncore_bus_text(msm->bus, bus, text);
	pci_dev_put(msm);
	return found;
}

static bool uncore_iio_text(const struct uncore_unit *unit, char *text)
{
	const struct uncore_stack *stack;

	stack = uncore_platform_stacks(uncore.platform,
				       uncore_package_chop(unit->package));
	if (!stack)
		return false;
	return uncore.platform->buses_tell ?
		       uncore_told_text(stack, unit, text) :
		       uncore_listed_text(stack, unit, text);
}

/**
 * uncore_topology_show() - add the file that says what a unit leads to
 * @pmu: its PMU
 * @unit: the unit
 * @box: what was made of it
 *
 * Units of which nothing is known get none.
 */
void uncore_topology_show(struct pmon_pmu *pmu, const struct uncore_unit *unit,
			  const struct uncore_box *box)
{
	int cpu = pmon_place_cpu(pmon_in_package(unit->package));
	char name[16], text[TEXT_SIZE];
	bool known = false;

	if (unit->row->topology == UNCORE_TOPOLOGY_UPI)
		known = uncore_upi_text(box, text);
	else if (unit->row->topology == UNCORE_TOPOLOGY_IIO)
		known = uncore_iio_text(unit, text);
	if (!known || cpu < 0)
		return;
	snprintf(name, sizeof(name), "die%d", topology_logical_package_id(cpu));
	if (pmon_pmu_add_file(pmu, name, text))
		pr_debug("%s of %s cannot be shown\n", name,
			 pmon_pmu_name(pmu));
}
