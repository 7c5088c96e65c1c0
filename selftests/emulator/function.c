// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model PCI functions without BARs: functions with registers of PMON units in
 * configuration space, functions with addresses of other registers, and
 * functions that exist only because each PCI device needs a function 0.
 */
#include "qemu/osdep.h"
#include "hw/qdev-properties.h"
#include "hw/pci/pci_device.h"
#include "hw/pci/pcie.h"
#include "migration/vmstate.h"
#include "pmon.h"

#define TYPE_PMON_FUNCTION "pmon-function"
OBJECT_DECLARE_SIMPLE_TYPE(PmonFunction, PMON_FUNCTION)

struct PmonFunction {
	PCIDevice parent;
	uint32_t vendor, device, class;
	bool express;
};

#define CAP_EXPRESS	0x40

static struct pmon_unit *unit_at(PCIDevice *p, uint32_t off)
{
	unsigned int segment = pmon_segment_of(p), i;
	int bus = pci_dev_bus_num(p);

	for (i = 0; pmon_machine && i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->kind == PMON_KIND_PCI && u->segment == segment &&
		    u->bus == bus && u->devfn == p->devfn && off >= u->address &&
		    off - u->address < u->extent)
			return u;
	}
	return NULL;
}

/* True if a dead box of ring.c makes the whole function read all-ones. */
static bool is_gone(PCIDevice *p)
{
	int bus = pci_dev_bus_num(p);
	unsigned int i;

	for (i = 0; pmon_machine && i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->ring && u->dead && u->bus == bus && u->devfn == p->devfn)
			return true;
	}
	return false;
}

static const struct pmon_config *config_at(PCIDevice *p, uint32_t off)
{
	unsigned int segment = pmon_segment_of(p), i;
	int bus = pci_dev_bus_num(p);

	for (i = 0; pmon_machine && i < pmon_machine->configs->len; i++) {
		struct pmon_config *c = &g_array_index(pmon_machine->configs,
						       struct pmon_config, i);

		if (c->segment == segment && c->bus == bus &&
		    c->devfn == p->devfn && c->at == (off & ~3u))
			return c;
	}
	return NULL;
}

/* With @moves the dword has a part of an address in the unit BAR. */
static uint32_t config_value(const struct pmon_config *c)
{
	if (!c->moves)
		return c->value;
	return ((pmon_unit_bar_base(c->moves) + c->value) >> c->shift) & c->mask;
}

static uint32_t config_read(PCIDevice *p, uint32_t off, int bytes)
{
	const struct pmon_config *c = config_at(p, off);
	struct pmon_unit *u = unit_at(p, off);
	struct pmon_access a = {
		.class = PMON_CONFIG, .bytes = bytes, .where = "function",
		.address = pmon_config_address(p, off),
	};

	if (u)
		return pmon_unit_read(u, a.address, off - u->address, bytes);
	if (is_gone(p))
		a.value = pmon_ones(bytes);
	else if (c)
		a.value = pmon_part(config_value(c), off % 4, bytes);
	else
		a.value = pci_default_read_config(p, off, bytes);
	if (pmon_machine)
		pmon_account(&a);
	return a.value;
}

static void config_write(PCIDevice *p, uint32_t off, uint32_t val, int bytes)
{
	struct pmon_unit *u = unit_at(p, off);
	struct pmon_access a = {
		.class = PMON_CONFIG, .write = true, .bytes = bytes,
		.where = "function", .address = pmon_config_address(p, off), .value = val,
	};

	if (u) {
		pmon_unit_write(u, a.address, off - u->address, val, bytes);
		return;
	}
	pci_default_write_config(p, off, val, bytes);
	if (pmon_machine)
		pmon_account(&a);
}

static void function_realize(PCIDevice *p, Error **errp)
{
	PmonFunction *s = PMON_FUNCTION(p);

	pci_config_set_vendor_id(p->config, s->vendor);
	pci_config_set_device_id(p->config, s->device);
	pci_config_set_class(p->config, s->class);
	/* The function has no BAR, so memory decoding cannot be enabled. */
	pci_word_test_and_clear_mask(p->wmask + PCI_COMMAND, PCI_COMMAND_MEMORY);
	if (s->express)
		pcie_endpoint_cap_init(p, CAP_EXPRESS);
}

static const Property function_properties[] = {
	DEFINE_PROP_UINT32("vendor", PmonFunction, vendor, 0x8086),
	DEFINE_PROP_UINT32("device", PmonFunction, device, 0x09a6),
	DEFINE_PROP_UINT32("class", PmonFunction, class, PCI_CLASS_SYSTEM_OTHER),
	DEFINE_PROP_BOOL("express", PmonFunction, express, true),
};

/* PMON registers are not saved: a guest is saved before a driver loads and changes them. */
static const VMStateDescription function_state = {
	.name = "pmon-function",
	.fields = (const VMStateField[]) {
		VMSTATE_PCI_DEVICE(parent, PmonFunction),
		VMSTATE_END_OF_LIST()
	}
};

static void function_class_init(ObjectClass *klass, void *data)
{
	PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

	k->realize = function_realize;
	k->config_read = config_read;
	k->config_write = config_write;
	k->vendor_id = 0x8086;
	k->device_id = 0x09a6;
	k->class_id = PCI_CLASS_SYSTEM_OTHER;
	DEVICE_CLASS(klass)->vmsd = &function_state;
	device_class_set_props(DEVICE_CLASS(klass), function_properties);
}

static const TypeInfo function_info = {
	.name = TYPE_PMON_FUNCTION,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(PmonFunction),
	.class_init = function_class_init,
	.interfaces = (InterfaceInfo[]) { { INTERFACE_PCIE_DEVICE }, { } },
};

static void function_register(void)
{
	type_register_static(&function_info);
}

type_init(function_register)
