// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the processor's PCI Express port whose BAR has a device's units.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pci/pci_device.h"
#include "pmon.h"

#define TYPE_PMON_PORT	"pmon-port"
#define PORT_DEVICE	0x352a	/* a port of Sapphire Rapids */

static DeviceRealize port_parent_realize;

/* The port "unitport0.1" has the units of package 0, device 1. */
static struct pmon_dev *device_of(DeviceState *dev)
{
	unsigned int pkg, index;

	if (!pmon_machine || !dev->id ||
	    sscanf(dev->id, "unitport%u.%u", &pkg, &index) != 2)
		return NULL;
	return pmon_find_dev(pkg, index);
}

static void port_realize(DeviceState *dev, Error **errp)
{
	struct pmon_dev *d = device_of(dev);
	ERRP_GUARD();

	port_parent_realize(dev, errp);
	if (*errp)
		return;
	if (!d) {
		error_setg(errp, "the plan has no device for port %s", dev->id);
		return;
	}
	/* QEMU's ports have no power management capability. */
	pmon_sleep_add(PCI_DEVICE(dev), 0, false);
	pmon_unit_bar_create(d, PCI_DEVICE(dev));
}

static void port_class_init(ObjectClass *klass, void *data)
{
	PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

	k->vendor_id = PCI_VENDOR_ID_INTEL;
	k->device_id = PORT_DEVICE;
	device_class_set_parent_realize(DEVICE_CLASS(klass), port_realize,
					&port_parent_realize);
}

static const TypeInfo port_info = {
	.name = TYPE_PMON_PORT,
	.parent = "pcie-root-port",
	.class_init = port_class_init,
};

static void port_register(void)
{
	type_register_static(&port_info);
}

type_init(port_register)
