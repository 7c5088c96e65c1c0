// SPDX-License-Identifier: GPL-2.0-only
/*
 * Add to QEMU's CXL type 3 devices and to the ports above them: a BAR with CPMUs,
 * entries of the register locator for the CPMUs, and the memory window that firmware
 * would program.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "hw/cxl/cxl.h"
#include "hw/i386/pc.h"
#include "hw/pci/pci_bridge.h"
#include "hw/pci/pci_bus.h"
#include "exec/address-spaces.h"
#include "hook.h"
#include "cpmu.h"

#define BAR		5

struct pmon_cxl *pmon_cxl_find(unsigned int index)
{
	GPtrArray *all = pmon_machine ? pmon_machine->cxl : NULL;

	return all && index < all->len ? g_ptr_array_index(all, index) : NULL;
}

struct pmon_cxl *pmon_cxl_port_of(unsigned int index, enum cxl_level level)
{
	struct pmon_cxl *d;
	unsigned int i;

	for (i = 0; (d = pmon_cxl_find(i)); i++) {
		if (d->port == (int)index && d->level == level)
			break;
	}
	return d;
}

/*
 * "cxl0" is the first device of the plan, "cxlport0" its root port.  A switch between
 * these two has the upstream port "cxlup0" and the downstream port "cxldown0".
 */
struct pmon_cxl *pmon_cxl_of(PCIDevice *pci)
{
	static const char *const names[CXL_LEVELS] = {
		"cxlport%u", "cxlup%u", "cxldown%u"
	};
	const char *id = DEVICE(pci)->id;
	unsigned int index, level;

	for (level = 0; id && level < CXL_LEVELS; level++) {
		if (sscanf(id, names[level], &index) == 1)
			return pmon_cxl_port_of(index, level);
	}
	if (!id || sscanf(id, "cxl%u", &index) != 1)
		return NULL;
	return pmon_cxl_find(index);
}

static uint64_t bar_read(void *opaque, hwaddr off, unsigned int bytes)
{
	struct pmon_cxl *d = opaque;
	unsigned int index = off / CPMU_STRIDE, at = off % CPMU_STRIDE;
	struct pmon_access a = {
		.class = PMON_OTHER, .bytes = bytes, .address = off,
		.value = pmon_ones(bytes), .where = "cxl",
	};

	if (!d->gone && index < d->cpmus->len && at < CPMU_BYTES)
		return pmon_cpmu_read(g_ptr_array_index(d->cpmus, index), at, bytes);
	pmon_account(&a);
	if (!d->gone)
		pmon_illegal(&a, "outside any CPMU");
	return a.value;
}

static void bar_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	struct pmon_cxl *d = opaque;
	unsigned int index = off / CPMU_STRIDE, at = off % CPMU_STRIDE;
	struct pmon_access a = {
		.class = PMON_OTHER, .write = true, .bytes = bytes, .address = off,
		.value = val, .where = "cxl",
	};

	if (!d->gone && index < d->cpmus->len && at < CPMU_BYTES) {
		pmon_cpmu_write(g_ptr_array_index(d->cpmus, index), at, val, bytes);
		return;
	}
	pmon_account(&a);
	if (!d->gone)
		pmon_illegal(&a, "outside any CPMU");
}

static const MemoryRegionOps bar_ops = {
	.read = bar_read,
	.write = bar_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

unsigned int pmon_cxl_locator(PCIDevice *pci, uint64_t *entry, unsigned int room)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	unsigned int i;

	for (i = 0; d && i < d->locator->len && i < room; i++)
		entry[i] = g_array_index(d->locator, uint64_t, i);
	return i;
}

void pmon_cxl_realize(PCIDevice *pci)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);

	if (!d)
		return;
	d->pci = pci;
	if (!d->cpmus->len)
		return;
	memory_region_init_io(&d->regs, OBJECT(pci), &bar_ops, d, "pmon-cpmus",
			      pow2ceil(d->cpmus->len * CPMU_STRIDE));
	pci_register_bar(pci, BAR, 0, &d->regs);
}

/* Return BAR 0 of a port: QEMU's component registers, then the CPMUs. */
MemoryRegion *pmon_cxl_port_bar(PCIDevice *pci, MemoryRegion *component)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	uint64_t bytes;

	if (!d)
		return component;
	d->pci = pci;
	if (!d->cpmus->len)
		return component;
	bytes = d->cpmus->len * CPMU_STRIDE;
	memory_region_init_io(&d->regs, OBJECT(pci), &bar_ops, d, "pmon-cpmus", bytes);
	memory_region_init(&d->bar, OBJECT(pci), "pmon-port",
			   pow2ceil(CPMU_STRIDE + bytes));
	memory_region_add_subregion(&d->bar, 0, component);
	memory_region_add_subregion(&d->bar, CPMU_STRIDE, &d->regs);
	return &d->bar;
}

/* The first reset (guest time 0) fills registers as firmware leaves them. */
void pmon_cxl_reset(PCIDevice *pci)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	unsigned int i;

	for (i = 0; d && i < d->cpmus->len; i++) {
		if (pmon_now())
			pmon_cpmu_reset(g_ptr_array_index(d->cpmus, i));
		else
			pmon_cpmu_power_on(g_ptr_array_index(d->cpmus, i));
	}
}

/* Find the CXL fixed window of a device, or of the device below a port. */
bool pmon_cxl_decoder(PCIDevice *pci, uint64_t *base, uint64_t *size)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	PCMachineState *pc = PC_MACHINE(qdev_get_machine());
	CXLFixedWindow *window;

	if (d && d->port >= 0)
		d = pmon_cxl_find(d->port);
	window = d ?
		g_list_nth_data(pc->cxl_devices_state.fixed_windows, d->index) : NULL;

	if (!window || d->unmapped)
		return false;
	*base = window->base;
	*size = window->size;
	d->base = window->base;
	return true;
}

/* True if the slot has a modelled device, which QEMU must keep at power-off. */
bool pmon_cxl_keeps(PCIDevice *port)
{
	PCIDevice *pci = pci_bridge_get_sec_bus(PCI_BRIDGE(port))->devices[0];

	return pci && pmon_cxl_of(pci);
}

static uint64_t absent_read(void *opaque, hwaddr off, unsigned int bytes)
{
	return pmon_ones(bytes);
}

static void absent_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
}

static const MemoryRegionOps absent_ops = {
	.read = absent_read,
	.write = absent_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

/* Let reads below an empty slot return all-ones as on hardware; QEMU returns 0. */
static void leave_hole(struct pmon_cxl *d, bool absent)
{
	hwaddr at = pci_get_bar_addr(d->pci, BAR);

	if (absent && !d->out && d->cpmus->len && at != PCI_BAR_UNMAPPED) {
		memory_region_init_io(&d->absent, NULL, &absent_ops, d, "pmon-absent",
				      memory_region_size(&d->regs));
		memory_region_add_subregion(get_system_memory(), at, &d->absent);
		d->out = true;
	} else if (!absent && d->out) {
		memory_region_del_subregion(get_system_memory(), &d->absent);
		object_unparent(OBJECT(&d->absent));
		d->out = false;
	}
}

/* Pull the device out of the slot, or put it back; the port above reports the change. */
bool pmon_cxl_present(struct pmon_cxl *d, bool present)
{
	PCIDevice *port = pci_bridge_get_device(pci_get_bus(d->pci));

	if (!port)
		return false;
	leave_hole(d, !present);
	pmon_slot_presence(port, present);
	return true;
}
