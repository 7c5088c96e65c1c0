// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model further PCI segments, as in servers with eight sockets.  Each has an ECAM, root
 * buses in the ACPI tables, and devices with BARs in a window below 4 GiB.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/acpi/aml-build.h"
#include "hw/i386/e820_memory_layout.h"
#include "system/numa.h"
#include "hw/pci/pci_bus.h"
#include "hw/pci/pcie_host.h"
#include "qapi/error.h"
#include "hook.h"
#include "pmon.h"

#define TYPE_PMON_SEGMENT "pmon-segment"
OBJECT_DECLARE_SIMPLE_TYPE(PmonSegment, PMON_SEGMENT)

struct PmonSegment {
	PCIExpressHost parent;
	MemoryRegion memory, io;
	unsigned int number;
	uint64_t first, last;		/* memory window of the devices */
};

#define SEGMENTS	8
#define ECAM(number)	(0x8000000000ull + (number) * PCIE_MMCFG_SIZE_MAX)
#define SLICE		(4ull << 20)	/* a root bus's part of the window */

static PmonSegment *segments[SEGMENTS];

/* Return the segment of a function. */
unsigned int pmon_segment_of(PCIDevice *p)
{
	PCIBus *bus = pci_get_bus(p);
	Object *host;

	while (bus->parent_dev)
		bus = pci_get_bus(bus->parent_dev);
	host = object_dynamic_cast(OBJECT(BUS(bus)->parent), TYPE_PMON_SEGMENT);
	return host ? PMON_SEGMENT(host)->number : 0;
}

/* Return the address of an access to configuration space, for the log. */
uint64_t pmon_config_address(PCIDevice *p, uint32_t off)
{
	return (uint64_t)pmon_segment_of(p) << 28 | pci_dev_bus_num(p) << 20 |
	       p->devfn << 12 | off;
}

/* Assign addresses to the BARs of a function as firmware does, the last BAR first. */
static void place(PCIBus *bus, PCIDevice *p, void *opaque)
{
	uint64_t *next = opaque;
	int bar;

	for (bar = PCI_ROM_SLOT - 1; bar >= 0; bar--) {
		uint64_t size = p->io_regions[bar].size;

		if (!size)
			continue;
		*next = ROUND_UP(*next, size);
		pci_default_write_config(p, pci_bar(p, bar), *next, 4);
		*next += size;
		pci_default_write_config(p, PCI_COMMAND, PCI_COMMAND_MEMORY, 2);
	}
}

static void is_placed(PCIBus *bus, PCIDevice *p, void *opaque)
{
	int bar;

	for (bar = 0; bar < PCI_ROM_SLOT; bar++)
		*(bool *)opaque |= p->io_regions[bar].size;
}

/* The reset of all devices has cleared the BARs, so assign all of them again. */
static void segment_placed(Object *obj, ResetType type)
{
	PmonSegment *s = PMON_SEGMENT(obj);
	uint64_t slice = s->first;
	PCIBus *bus;

	QLIST_FOREACH(bus, &PCI_HOST_BRIDGE(s)->bus->child, sibling) {
		uint64_t next = slice;

		pci_for_each_device_under_bus(bus, place, &next);
		slice += SLICE;
		g_assert(next <= slice && slice <= s->last + 1);
	}
}

static Aml *root_resources(PCIBus *bus, uint64_t slice)
{
	Aml *crs = aml_resource_template();
	int number = pci_bus_num(bus);
	bool memory = false;

	aml_append(crs, aml_word_bus_number(AML_MIN_FIXED, AML_MAX_FIXED, AML_POS_DECODE,
					    0, number, number, 0, 1));
	pci_for_each_device_under_bus(bus, is_placed, &memory);
	if (memory)
		aml_append(crs, aml_dword_memory(AML_POS_DECODE, AML_MIN_FIXED,
						 AML_MAX_FIXED, AML_NON_CACHEABLE,
						 AML_READ_WRITE, 0, slice,
						 slice + SLICE - 1, 0, SLICE));
	return crs;
}

static void describe(PmonSegment *s, Aml *dsdt)
{
	Aml *scope = aml_scope("\\_SB");
	uint64_t slice = s->first;
	PCIBus *bus;

	QLIST_FOREACH(bus, &PCI_HOST_BRIDGE(s)->bus->child, sibling) {
		int number = pci_bus_num(bus), node = pci_bus_numa_node(bus);
		Aml *dev = aml_device("S%X%.02X", s->number, number);

		aml_append(dev, aml_name_decl("_HID", aml_eisaid("PNP0A08")));
		aml_append(dev, aml_name_decl("_CID", aml_eisaid("PNP0A03")));
		aml_append(dev, aml_name_decl("_UID", aml_int(s->number << 8 | number)));
		aml_append(dev, aml_name_decl("_SEG", aml_int(s->number)));
		aml_append(dev, aml_name_decl("_BBN", aml_int(number)));
		if (node != NUMA_NODE_UNASSIGNED)
			aml_append(dev, aml_name_decl("_PXM", aml_int(node)));
		aml_append(dev, aml_name_decl("_CRS", root_resources(bus, slice)));
		aml_append(scope, dev);
		slice += SLICE;
	}
	aml_append(dsdt, scope);
}

void pmon_segments_describe(Aml *dsdt)
{
	unsigned int i;

	for (i = 0; i < SEGMENTS; i++) {
		if (segments[i])
			describe(segments[i], dsdt);
	}
}

/* Add entries of MCFG: base address, segment, first and last bus. */
void pmon_segments_list(GArray *mcfg)
{
	unsigned int i;

	for (i = 0; i < SEGMENTS; i++) {
		if (!segments[i])
			continue;
		build_append_int_noprefix(mcfg, ECAM(i), 8);
		build_append_int_noprefix(mcfg, i, 2);
		build_append_int_noprefix(mcfg, 0, 1);
		build_append_int_noprefix(mcfg, 255, 1);
		build_append_int_noprefix(mcfg, 0, 4);
	}
}

/* No function of the segment has an interrupt pin. */
static void no_interrupt(void *opaque, int pin, int level)
{
}

static int no_pin(PCIDevice *p, int pin)
{
	return 0;
}

static void segment_realize(DeviceState *dev, Error **errp)
{
	PmonSegment *s = PMON_SEGMENT(dev);
	PCIExpressHost *host = PCIE_HOST_BRIDGE(dev);
	g_autofree char *name = g_strdup_printf("segment%u", s->number);

	memory_region_init(&s->memory, OBJECT(s), "pmon-segment", UINT64_MAX);
	memory_region_init(&s->io, OBJECT(s), "pmon-segment-io", 64 << 10);
	memory_region_add_subregion_overlap(get_system_memory(), 0, &s->memory, -1);
	PCI_HOST_BRIDGE(dev)->bus =
		pci_register_root_bus(dev, name, no_interrupt, no_pin, s, &s->memory,
				      &s->io, 0, 4, TYPE_PCIE_BUS);
	pcie_host_mmcfg_init(host, PCIE_MMCFG_SIZE_MAX);
	memory_region_add_subregion(get_system_memory(), ECAM(s->number), &host->mmio);
	e820_add_entry(ECAM(s->number), PCIE_MMCFG_SIZE_MAX, E820_RESERVED);
	pmon_gap_reserve(s->first, s->last + 1);
	segments[s->number] = s;
}

void pmon_segment_create(unsigned int number, uint64_t first, uint64_t last)
{
	DeviceState *dev = qdev_new(TYPE_PMON_SEGMENT);
	PmonSegment *s = PMON_SEGMENT(dev);

	s->number = number;
	s->first = first;
	s->last = last;
	sysbus_realize_and_unref(SYS_BUS_DEVICE(dev), &error_fatal);
}

static const char *segment_path(PCIHostState *host, PCIBus *bus)
{
	static char path[SEGMENTS][8];
	unsigned int number = PMON_SEGMENT(host)->number;

	snprintf(path[number], sizeof(path[number]), "%04x:00", number);
	return path[number];
}

static void segment_class_init(ObjectClass *klass, void *data)
{
	PCI_HOST_BRIDGE_CLASS(klass)->root_bus_path = segment_path;
	RESETTABLE_CLASS(klass)->phases.exit = segment_placed;
	DEVICE_CLASS(klass)->realize = segment_realize;
	DEVICE_CLASS(klass)->user_creatable = false;
}

static const TypeInfo segment_info = {
	.name = TYPE_PMON_SEGMENT,
	.parent = TYPE_PCIE_HOST_BRIDGE,
	.instance_size = sizeof(PmonSegment),
	.class_init = segment_class_init,
};

static void segment_register(void)
{
	type_register_static(&segment_info);
}

type_init(segment_register)
