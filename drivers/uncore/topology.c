// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a unit leads to, as text for a file die<N> beside its PMU: the root bus
 * behind an IIO unit, the other end of a UPI link. N counts packages as Linux
 * does, and the text is what the kernel's driver writes for older processors,
 * so that tools which read it work.
 */
#include <linux/bitfield.h>
#include <linux/lockdep.h>
#include <linux/pci.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include <compat/cleanup.h>
#include <pmon/pmu.h>

#include "roots.h"
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

/*
 * perf iostat reads die<N> of uncore_iio_<decimal number> and counts on
 * uncore_iio_<hexadecimal number> (tools/perf/arch/x86/util/iostat.c of Linux,
 * 6.1 to 7.2). With a file of uncore_iio_10 it would look for uncore_iio_a and
 * end, with one of uncore_iio_16 it would count on uncore_iio_10.
 */
#define IOSTAT_PMUS		10

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

/* Does this function say that its root bus has a place? */
static bool uncore_says_place(struct pci_dev *pdev, u8 place)
{
	u32 control;

	return pci_is_root_bus(pdev->bus) && !pmon_pci_is_in_d3(pdev) &&
	       !uncore_given_away(pdev) &&
	       !pci_read_config_dword(pdev, SAD_CONTROL_CFG, &control) &&
	       control != U32_MAX &&
	       FIELD_GET(SAD_CONTROL_CFG_STACK, control) == place;
}

/* Where several buses of the package say the same, none of them is believed. */
static bool uncore_told_root(u8 place, int package, struct uncore_root *root)
{
	struct pci_dev *pdev = NULL;
	unsigned int found = 0;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, MESH2IIO_DEVICE,
				      pdev))) {
		if (!uncore_says_place(pdev, place) ||
		    uncore_package(pdev) != package)
			continue;
		root->segment = pci_domain_nr(pdev->bus);
		root->bus = pdev->bus->number;
		found++;
	}
	return found == 1;
}

static bool uncore_listed_root(u8 place, int package, struct uncore_root *root)
{
	struct pci_dev *msm __free(pci_dev_put) =
		uncore_package_device(MSM_DEVICE, MSM_DEVFN, package);

	if (!msm || !uncore_read_bus(msm, place, &root->bus))
		return false;
	root->segment = pci_domain_nr(msm->bus);
	return true;
}

static bool uncore_root_at(u8 place, int package, struct uncore_root *root)
{
	return uncore.platform->buses_tell ?
		       uncore_told_root(place, package, root) :
		       uncore_listed_root(place, package, root);
}

/*
 * What was made of an IIO unit, NULL if no table lists it. One that is not used
 * may be there all the same, and have a root bus.
 */
static struct uncore_box *uncore_iio_box(int package, u8 id)
{
	struct uncore_table *table;
	struct uncore_unit *unit;
	size_t i;

	lockdep_assert_held(&uncore.lock);
	list_for_each_entry(table, &uncore.tables, node) {
		for (i = 0; i < table->count; i++) {
			unit = &table->units[i];
			if (!unit->empty && unit->id == id &&
			    unit->row->topology == UNCORE_TOPOLOGY_IIO &&
			    table->package == package)
				return &table->boxes[i];
		}
	}
	return NULL;
}

/* What says that a unit's root bus is not its own. */
struct uncore_rival {
	struct uncore_box *box;
	u8 id;
};

/*
 * Another unit for which the same root bus is: two places have one bus, or two
 * units one place (each is there in another configuration of the processor).
 */
static bool uncore_find_rival(const struct uncore_stack *stack,
			      const struct uncore_unit *unit,
			      const struct uncore_root *root,
			      struct uncore_rival *rival)
{
	struct uncore_root other;

	for (; stack->place < UNCORE_STACK_PLACES; stack++) {
		if (stack->unit == unit->id)
			continue;
		rival->id = stack->unit;
		rival->box = uncore_iio_box(unit->package, stack->unit);
		if (rival->box &&
		    uncore_root_at(stack->place, unit->package, &other) &&
		    other.segment == root->segment && other.bus == root->bus)
			return true;
	}
	return false;
}

/* Once for both. */
static void uncore_say_disputed(const struct uncore_unit *unit,
				struct uncore_box *box,
				const struct uncore_rival *rival,
				const struct uncore_root *root)
{
	if (!box->disputed)
		uncore_log_disputed(unit, rival->id, root->segment, root->bus);
	box->disputed = true;
	rival->box->disputed = true;
}

static bool uncore_iio_text(const struct uncore_unit *unit,
			    struct uncore_box *box, char *text)
{
	const struct uncore_stack *stacks, *stack;
	struct uncore_rival rival;
	struct uncore_root root;

	stacks = uncore_platform_stacks(uncore.platform,
					uncore_package_chop(unit->package));
	stack = unit->number < IOSTAT_PMUS ?
			uncore_platform_stack(stacks, unit->id) :
			NULL;
	if (!stack || !uncore_root_at(stack->place, unit->package, &root))
		return false;
	if (uncore_find_rival(stacks, unit, &root, &rival)) {
		uncore_say_disputed(unit, box, &rival, &root);
		return false;
	}
	snprintf(text, TEXT_SIZE, "%04x:%02x", root.segment, root.bus);
	return true;
}

/**
 * uncore_topology_show() - add the file that says what a unit leads to
 * @pmu: its PMU
 * @unit: the unit
 * @box: what was made of it
 *
 * Units of which nothing is known get none. Under @uncore.lock.
 */
void uncore_topology_show(struct pmon_pmu *pmu, const struct uncore_unit *unit,
			  struct uncore_box *box)
{
	int cpu = pmon_place_cpu(pmon_in_package(unit->package));
	char name[16], text[TEXT_SIZE];
	bool known = false;

	if (cpu < 0)
		return;
	if (unit->row->topology == UNCORE_TOPOLOGY_UPI)
		known = uncore_upi_text(box, text);
	else if (unit->row->topology == UNCORE_TOPOLOGY_IIO)
		known = uncore_iio_text(unit, box, text);
	if (!known)
		return;
	snprintf(name, sizeof(name), "die%d", topology_logical_package_id(cpu));
	if (pmon_pmu_add_file(pmu, name, text))
		pr_debug("%s of %s cannot be shown\n", name,
			 pmon_pmu_name(pmu));
}
