// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the PCI functions with discovery tables, the package of a function, and
 * the far end of a unit: its root bus, or the other port of its UPI link.
 */
#include <linux/bitfield.h>
#include <linux/cleanup.h>
#include <linux/cpu.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/processor.h>

#include <pmon/pmu.h>
#include <pmon/tpmi.h>

#include "uncore.h"

/* The driver's state, defined in the lowest layer that uses it. */
struct uncore uncore = {
	.lock = __MUTEX_INITIALIZER(uncore.lock),
	.tables = LIST_HEAD_INIT(uncore.tables),
	.max_units = 256,
};

/*
 * PCI Express Base Specification, "Designated Vendor-Specific Extended
 * Capability (DVSEC)". The registers behind the headers are in struct
 * intel_vsec_header in include/linux/intel_vsec.h of Linux.
 */
#define DVSEC_TABLE			0x0c
#define   DVSEC_TABLE_BIR		GENMASK(2, 0)
#define   DVSEC_TABLE_OFFSET		GENMASK(31, 3)
#define DVSEC_ID_PMON_DISCOVERY		1

/* IDs of a DVSEC or VSEC: enum intel_vsec_id in include/linux/intel_vsec.h */
#define VSEC_ID_TELEMETRY		2
#define VSEC_ID_WATCHER			3
#define VSEC_ID_CRASHLOG		4
#define VSEC_ID_SDSI			65
#define VSEC_ID_TPMI			66

/* IDs for udev and modprobe, not for a pci_driver: other drivers may bind. */
static const struct pci_device_id discovery_ids[] = {
	{ PCI_VDEVICE(INTEL, 0x09a7) },
	{ PCI_VDEVICE(INTEL, 0x09a1) },
	{}
};
MODULE_DEVICE_TABLE(pci, discovery_ids);

/* Return a capability's ID, or 0 on error or for another vendor's DVSEC. */
static u16 uncore_capability_id(struct pci_dev *pdev, int cap, u16 kind)
{
	u32 header;
	u16 id;

	if (pci_read_config_dword(pdev, cap + PCI_DVSEC_HEADER1, &header))
		return 0;
	if (kind == PCI_EXT_CAP_ID_VNDR)
		return PCI_VNDR_HEADER_ID(header);
	if (PCI_DVSEC_HEADER1_VID(header) != PCI_VENDOR_ID_INTEL ||
	    pci_read_config_word(pdev, cap + PCI_DVSEC_HEADER2, &id))
		return 0;
	return id;
}

/* Return the offset of the next capability with a discovery table, or 0. */
int uncore_next_table(struct pci_dev *pdev, int cap)
{
	do {
		cap = pci_find_next_ext_capability(pdev, cap,
						   PCI_EXT_CAP_ID_DVSEC);
	} while (cap && uncore_capability_id(pdev, cap, PCI_EXT_CAP_ID_DVSEC) !=
			DVSEC_ID_PMON_DISCOVERY);
	return cap;
}

/*
 * Accept functions on root buses only, because Ponte Vecchio cards (behind a
 * port) have a function with a listed ID and another kind of table.
 */
bool uncore_is_discovery(struct pci_dev *pdev)
{
	if (!pci_is_root_bus(pdev->bus))
		return false;
	if (pci_match_id(discovery_ids, pdev))
		return true;
	return uncore.platform->any_function &&
	       pdev->vendor == PCI_VENDOR_ID_INTEL &&
	       !uncore_is_in_vm(pdev) && uncore_next_table(pdev, 0);
}

/* Read where the table of a capability is: a BAR, and an offset in the BAR. */
bool uncore_capability_bar(struct pci_dev *pdev, int cap, u8 *bar, u32 *offset)
{
	u32 table;

	if (pci_read_config_dword(pdev, cap + DVSEC_TABLE, &table))
		return false;
	*bar = FIELD_GET(DVSEC_TABLE_BIR, table);
	*offset = table & DVSEC_TABLE_OFFSET;
	return true;
}

static bool uncore_is_other_capability(struct pci_dev *pdev, int cap, u16 kind)
{
	u16 id = uncore_capability_id(pdev, cap, kind);

	return (id >= VSEC_ID_TELEMETRY && id <= VSEC_ID_CRASHLOG) ||
	       id == VSEC_ID_SDSI || id == VSEC_ID_TPMI;
}

/*
 * List the ranges of other drivers in the BARs of the function. A range begins
 * at the table of a capability and ends with the BAR.
 */
void uncore_find_others(struct uncore_table *table)
{
	static const u16 kinds[] = {
		PCI_EXT_CAP_ID_VNDR, PCI_EXT_CAP_ID_DVSEC
	};
	struct pci_dev *pdev = table->pdev;
	struct resource *other;
	u32 offset;
	size_t i;
	int cap;
	u8 bar;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		cap = 0;
		while (table->nr_others < UNCORE_OTHER_RANGES &&
		       (cap = pci_find_next_ext_capability(pdev, cap,
							   kinds[i]))) {
			if (!uncore_is_other_capability(pdev, cap, kinds[i]) ||
			    !uncore_capability_bar(pdev, cap, &bar, &offset) ||
			    bar > PCI_STD_RESOURCE_END ||
			    !pci_resource_len(pdev, bar))
				continue;
			other = &table->others[table->nr_others++];
			other->start = pci_resource_start(pdev, bar) + offset;
			other->end = pci_resource_end(pdev, bar);
		}
	}
}

/* Return true if @range overlaps our table or other drivers' registers. */
bool uncore_overlaps_others(struct uncore_table *table, struct resource *range)
{
	size_t i;

	for (i = 0; i < table->nr_others; i++)
		if (resource_overlaps(&table->others[i], range))
			return true;
	return resource_overlaps(&table->res, range);
}

/*
 * Return true if a driver for virtual machines is bound. uncore_pci_event()
 * handles drivers that bind later.
 */
bool uncore_is_in_vm(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	return driver && (!strcmp(driver->name, "vfio-pci") ||
			  !strcmp(driver->name, "pci-stub"));
}

/* PCI Code and ID Assignment Specification: Non-Essential Instrumentation */
#define BASE_CLASS_INSTRUMENTATION	0x13

/*
 * Return false for storage, network, display, USB and the like. Sapphire Rapids
 * has counters in functions of the classes "system peripheral" and "performance
 * counters". The classes of later processors are not published, so only base
 * classes are checked. CXL memory (0502) and QuickAssist (0b40) pass.
 */
bool uncore_may_have_counters(struct pci_dev *pdev)
{
	static const u8 classes[] = {
		PCI_CLASS_NOT_DEFINED >> 8, PCI_BASE_CLASS_MEMORY,
		PCI_BASE_CLASS_BRIDGE, PCI_BASE_CLASS_SYSTEM,
		PCI_BASE_CLASS_PROCESSOR, PCI_BASE_CLASS_SIGNAL_PROCESSING,
		BASE_CLASS_INSTRUMENTATION, PCI_CLASS_OTHERS
	};

	return memchr(classes, pdev->class >> 16, sizeof(classes));
}

/* Return -1 for a CPU that was never online and so has no cpu_data. */
static int uncore_package_of_cpu(int cpu)
{
	return cpu_data(cpu).x86 ? topology_physical_package_id(cpu) : -1;
}

static unsigned int uncore_known_packages(int *known)
{
	int cpu, package, next, last = -1;
	unsigned int n = 0;

	for (; n < UNCORE_ROOTS; n++) {
		next = INT_MAX;
		for_each_possible_cpu(cpu) {
			package = uncore_package_of_cpu(cpu);
			if (package > last && package < next)
				next = package;
		}
		if (next == INT_MAX)
			break;
		last = next;
		known[n] = next;
	}
	return n;
}

static struct uncore_root uncore_root_of(struct pci_dev *pdev)
{
	struct pci_bus *bus = pdev->bus;

	while (!pci_is_root_bus(bus))
		bus = bus->parent;
	return (struct uncore_root){ pci_domain_nr(bus), bus->number };
}

/*
 * Root buses with a table, also those whose function is gone, because the order
 * of buses is that of packages. Protected by uncore.lock.
 */
static struct uncore_roots roots;

static int uncore_tpmi_package(struct pci_dev *pdev)
{
	struct pmon_tpmi *tpmi __free(kfree) = kmalloc(sizeof(*tpmi),
						       GFP_KERNEL);
	struct pmon_tpmi_fault fault;

	if (!tpmi || uncore_is_in_vm(pdev) ||
	    pmon_tpmi_read(pdev, tpmi, &fault))
		return -1;
	return tpmi->package;
}

/*
 * List the root buses with tables. The package of a root bus is in TPMI_INFO of
 * a function on the bus. Called with uncore.lock.
 */
void uncore_packages_find(void)
{
	struct pci_dev *pdev = NULL;

	lockdep_assert_held(&uncore.lock);
	for_each_pci_dev(pdev)
		if (uncore_is_discovery(pdev) && uncore_next_table(pdev, 0))
			uncore_roots_add(&roots, uncore_root_of(pdev), -1);
	for_each_pci_dev(pdev)
		if (uncore_is_discovery(pdev) &&
		    uncore_roots_has(&roots, uncore_root_of(pdev)))
			uncore_roots_add(&roots, uncore_root_of(pdev),
					 uncore_tpmi_package(pdev));
}

/* Return the package of the CPUs in a root bus' NUMA node, or -1. */
static int uncore_package_by_node(struct uncore_root root)
{
	struct pci_bus *bus = pci_find_bus(root.segment, root.bus);
	int node = bus ? pcibus_to_node(bus) : NUMA_NO_NODE, cpu, package;

	if (node == NUMA_NO_NODE)
		return -1;
	for_each_possible_cpu(cpu) {
		package = cpu_to_node(cpu) == node ?
				  uncore_package_of_cpu(cpu) :
				  -1;
		if (package >= 0)
			return package;
	}
	return -1;
}

static int uncore_package_by_bus(struct uncore_root root, bool has_table,
				 const int *known, unsigned int n)
{
	unsigned int per_package = uncore.platform->roots, i;
	int packages[UNCORE_ROOTS], package = -1;

	for (i = 0; i < roots.count; i++)
		packages[i] = uncore_package_by_node(roots.at[i].root);
	if (uncore_roots_nodes_fit(&roots, packages, per_package, known, n))
		package = uncore_package_by_node(root);
	if (package < 0 && n && has_table)
		package = uncore_roots_package_by_order(&roots, root,
							per_package, known, n);
	return package;
}

/*
 * Return a function's package; -1 if unknown or no CPU in it was ever online.
 *
 * Each package has a root bus with its table, and TPMI_INFO of a function on
 * that bus has the package. Without TPMI use the NUMA nodes of all root buses
 * with tables, if they fit the packages. Otherwise use the order of buses,
 * because firmware may report no node or one node for all buses, and all nodes
 * are equal with numa=off or without SRAT. Called with uncore.lock; takes the
 * CPU hotplug lock.
 */
int uncore_package(struct pci_dev *pdev)
{
	struct uncore_root root = uncore_root_of(pdev);
	int known[UNCORE_ROOTS], package = -1;
	const struct uncore_root *home;
	unsigned int i, n;

	lockdep_assert_held(&uncore.lock);
	cpus_read_lock();
	n = uncore_known_packages(known);
	home = uncore_roots_home(&roots, root, n);
	if (home) {
		root = *home;
		package = uncore_roots_tpmi_package(&roots, root);
	}
	if (package < 0)
		package = uncore_package_by_bus(root, home, known, n);
	cpus_read_unlock();
	for (i = 0; i < n; i++)
		if (known[i] == package)
			return package;
	return -1;
}

/*
 * Return the first usable function with a device id in a package, or NULL. The
 * caller gets a reference.
 */
struct pci_dev *uncore_package_device(u16 device, int devfn, int package)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, device, pdev)))
		if ((devfn == UNCORE_ANY_DEVFN || pdev->devfn == devfn) &&
		    uncore_package(pdev) == package &&
		    pmon_pci_is_accessible(pdev) && !uncore_is_in_vm(pdev))
			return pdev;
	return NULL;
}

/* discover_upi_topology() in arch/x86/events/intel/uncore_snbep.c of Linux */
#define KTILP0			0x94
#define KTIPCSTS		0x120

/*
 * Bus numbers of a package, one byte each: SPR_MSM_REG_CPUBUSNO0 and following
 * in src/pcm-iio.cpp of Intel PCM.
 */
#define MSM_DEVICE		0x09a6
#define MSM_DEVFN		PCI_DEVFN(3, 0)
#define MSM_BUSES_VALID		0x1a0
#define MSM_BUSES_LOW		0x190
#define MSM_BUSES_HIGH		0x1c0
#define MSM_BUSES_LOW_COUNT	16

/*
 * A function on each root bus has the index of the bus. Sources: Linux,
 * sad_cfg_iio_topology() in arch/x86/events/intel/uncore_snbep.c; for Grand
 * Ridge, src/pcm-iio-topology.cpp of Intel PCM.
 */
#define MESH2IIO_DEVICE		0x09a2
#define SAD_CONTROL_CFG		0x3f4
#define   SAD_CONTROL_CFG_STACK	GENMASK(6, 4)

/* Kind of die: SPR_PCU_CR3_REG_CAPID4 in src/pcm-iio.cpp of Intel PCM */
#define PCU_DEVICE		0x325b
#define PCU_DEVFN		PCI_DEVFN(30, 3)
#define PCU_CAPID4		0x94
#define   PCU_CAPID4_CHOP	GENMASK(7, 6)

/*
 * Units from 10 on get no file die<N>. perf iostat writes the number of a unit
 * in decimal to find die<N>, but in hexadecimal to open events, so from 10 on
 * it would read die<N> of one PMU and count on another
 * (tools/perf/arch/x86/util/iostat.c of Linux, 6.1 to 7.2).
 */
#define IOSTAT_PMUS		10

#define TEXT_SIZE		32

static bool uncore_upi_text(const struct uncore_box *box, char *text)
{
	unsigned int port, node;
	u32 status, link;

	if (!box->pci ||
	    pci_read_config_dword(box->pci, KTIPCSTS, &status) ||
	    pci_read_config_dword(box->pci, KTILP0, &link) ||
	    !uncore_upi_far_end(status, link, &port, &node))
		return false;
	snprintf(text, TEXT_SIZE, "upi_%u,die_%u", port, node);
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

/* Read the bus number of an index. Return false if the number is invalid. */
static bool uncore_read_bus(struct pci_dev *msm, u8 index, u8 *bus)
{
	int row = index < MSM_BUSES_LOW_COUNT ? MSM_BUSES_LOW :
						MSM_BUSES_HIGH;
	u32 valid, buses;

	return !pci_read_config_dword(msm, MSM_BUSES_VALID, &valid) &&
	       !pci_read_config_dword(msm,
				      row + index % MSM_BUSES_LOW_COUNT / 4 * 4,
				      &buses) &&
	       uncore_bus_of_index(valid, buses, index, bus);
}

static bool uncore_has_bus_index(struct pci_dev *pdev, u8 index)
{
	u32 control;

	return pci_is_root_bus(pdev->bus) && pmon_pci_is_accessible(pdev) &&
	       !uncore_is_in_vm(pdev) &&
	       !pci_read_config_dword(pdev, SAD_CONTROL_CFG, &control) &&
	       control != U32_MAX &&
	       FIELD_GET(SAD_CONTROL_CFG_STACK, control) == index;
}

/* Return false unless exactly one bus of the package has the index. */
static bool uncore_root_from_bus(u8 index, int package,
				 struct uncore_root *root)
{
	struct pci_dev *pdev = NULL;
	unsigned int found = 0;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, MESH2IIO_DEVICE,
				      pdev))) {
		if (!uncore_has_bus_index(pdev, index) ||
		    uncore_package(pdev) != package)
			continue;
		*root = uncore_root_of(pdev);
		found++;
	}
	return found == 1;
}

static bool uncore_root_from_msm(u8 index, int package,
				 struct uncore_root *root)
{
	struct pci_dev *msm __free(pci_dev_put) =
		uncore_package_device(MSM_DEVICE, MSM_DEVFN, package);

	if (!msm || !uncore_read_bus(msm, index, &root->bus))
		return false;
	root->segment = pci_domain_nr(msm->bus);
	return true;
}

static bool uncore_root_of_index(u8 index, int package,
				 struct uncore_root *root)
{
	return uncore.platform->index_on_bus ?
		       uncore_root_from_bus(index, package, root) :
		       uncore_root_from_msm(index, package, root);
}

/* Find rejected units, too, because their hardware may have a root bus. */
static struct uncore_box *uncore_iio_box(int package, u16 id)
{
	const struct uncore_table *table;
	const struct uncore_unit *unit;

	lockdep_assert_held(&uncore.lock);
	list_for_each_entry(table, &uncore.tables, node)
		for (unit = table->units; unit < table->units + table->count;
		     unit++)
			if (!unit->empty && unit->id == id &&
			    unit->row->topology == UNCORE_TOPOLOGY_IIO &&
			    table->package == package)
				return &table->boxes[unit - table->units];
	return NULL;
}

/*
 * Return true if another unit that exists has the same root bus. This happens
 * if two indexes have the same bus, or if an index has two units and the
 * discovery table lists both, although it should list one.
 */
static bool uncore_root_is_shared(const struct uncore_stack *stack,
				  const struct uncore_unit *unit,
				  const struct uncore_root *root)
{
	struct uncore_root other;

	for (; stack->bus_index < UNCORE_BUS_INDEXES; stack++)
		if (stack->unit != unit->id &&
		    uncore_iio_box(unit->package, stack->unit) &&
		    uncore_root_of_index(stack->bus_index, unit->package,
					 &other) &&
		    other.segment == root->segment && other.bus == root->bus)
			return true;
	return false;
}

static bool uncore_iio_root(const struct uncore_unit *unit,
			    struct uncore_root *root)
{
	const struct uncore_stack *stacks, *stack;

	stacks = uncore_platform_stacks(uncore.platform,
					uncore_package_chop(unit->package));
	stack = uncore_platform_stack(stacks, unit->id);
	return stack &&
	       uncore_root_of_index(stack->bus_index, unit->package, root) &&
	       !uncore_root_is_shared(stacks, unit, root);
}

/*
 * Add the file die<N> for logical package N, as intel_uncore does. The file has
 * the root bus of an IIO unit, or the other port of a UPI link. If that is
 * unknown, add no file. Called with uncore.lock.
 */
void uncore_topology_add_file(struct pmon_pmu *pmu,
			      const struct uncore_unit *unit,
			      struct uncore_box *box)
{
	int cpu = pmon_place_cpu(pmon_in_package(unit->package));
	char name[16], text[TEXT_SIZE];
	bool known = false;

	if (cpu < 0)
		return;
	if (unit->row->topology == UNCORE_TOPOLOGY_UPI) {
		known = uncore_upi_text(box, text);
	} else if (unit->row->topology == UNCORE_TOPOLOGY_IIO) {
		box->has_root = uncore_iio_root(unit, &box->root);
		known = box->has_root && unit->number < IOSTAT_PMUS;
		snprintf(text, sizeof(text), "%04x:%02x", box->root.segment,
			 box->root.bus);
	}
	if (!known)
		return;
	snprintf(name, sizeof(name), "die%d", topology_logical_package_id(cpu));
	if (pmon_pmu_add_file(pmu, name, text))
		pr_debug("%s of %s cannot be shown\n", name,
			 pmon_pmu_name(pmu));
}

/* Return the root bus of a unit's stack as last read, or NULL. */
const struct uncore_root *uncore_stack_root(const struct uncore_unit *unit)
{
	const struct uncore_box *box = NULL;

	if (unit->row->topology == UNCORE_TOPOLOGY_IIO ||
	    unit->row->topology == UNCORE_TOPOLOGY_AS_IIO)
		box = uncore_iio_box(unit->package, unit->id);
	return box && box->has_root ? &box->root : NULL;
}

/*
 * Return the NUMA node of the traffic that a unit counts: the only node of the
 * package, else the node of the stack's root bus, else NUMA_NO_NODE. Do not
 * use the unit's function, which may be on another bus.
 */
int uncore_unit_node(const struct uncore_unit *unit)
{
	const struct uncore_root *stack = uncore_stack_root(unit);
	int cpu, node = NUMA_NO_NODE;
	struct pci_bus *bus;

	for_each_possible_cpu(cpu) {
		if (uncore_package_of_cpu(cpu) != unit->package ||
		    cpu_to_node(cpu) == node)
			continue;
		if (node == NUMA_NO_NODE) {
			node = cpu_to_node(cpu);
			continue;
		}
		bus = stack ? pci_find_bus(stack->segment, stack->bus) : NULL;
		return bus ? pcibus_to_node(bus) : NUMA_NO_NODE;
	}
	return node;
}
