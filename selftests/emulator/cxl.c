// SPDX-License-Identifier: GPL-2.0-only
/*
 * CXL memory devices: what QEMU's type 3 device lacks, which is a BAR with CPMUs,
 * where software finds them, and where firmware has put the memory; and the root
 * ports above them.
 */
#include "qemu/osdep.h"
#include "qemu/host-utils.h"
#include "hw/cxl/cxl.h"
#include "hw/i386/pc.h"
#include "hook.h"
#include "cpmu.h"

#define BAR		5

struct pmon_cxl *pmon_cxl_find(unsigned int index)
{
	GPtrArray *all = pmon_machine ? pmon_machine->cxl : NULL;

	return all && index < all->len ? g_ptr_array_index(all, index) : NULL;
}

struct pmon_cxl *pmon_cxl_port_of(unsigned int index)
{
	struct pmon_cxl *d;
	unsigned int i;

	for (i = 0; (d = pmon_cxl_find(i)); i++) {
		if (d->port == (int)index)
			break;
	}
	return d;
}

/* "cxl0" is the first one of the plan, "cxlport0" the port above it. */
struct pmon_cxl *pmon_cxl_of(PCIDevice *pci)
{
	const char *id = DEVICE(pci)->id;
	unsigned int index;

	if (id && sscanf(id, "cxlport%u", &index) == 1)
		return pmon_cxl_port_of(index);
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

/* BAR 0 has QEMU's component registers; the CPMUs follow these. */
MemoryRegion *pmon_cxl_port_bar(PCIDevice *pci, MemoryRegion *component)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	uint64_t bytes;

	if (!d)
		return component;
	d->pci = pci;
	bytes = d->cpmus->len * CPMU_STRIDE;
	memory_region_init_io(&d->regs, OBJECT(pci), &bar_ops, d, "pmon-cpmus", bytes);
	memory_region_init(&d->bar, OBJECT(pci), "pmon-port",
			   pow2ceil(CPMU_STRIDE + bytes));
	memory_region_add_subregion(&d->bar, 0, component);
	memory_region_add_subregion(&d->bar, CPMU_STRIDE, &d->regs);
	return &d->bar;
}

void pmon_cxl_reset(PCIDevice *pci)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	unsigned int i;

	for (i = 0; d && i < d->cpmus->len; i++)
		pmon_cpmu_power_on(g_ptr_array_index(d->cpmus, i));
}

/* The window that is the device's, of the machine's windows. */
bool pmon_cxl_decoder(PCIDevice *pci, uint64_t *base, uint64_t *size)
{
	struct pmon_cxl *d = pmon_cxl_of(pci);
	PCMachineState *pc = PC_MACHINE(qdev_get_machine());
	CXLFixedWindow *window = d ?
		g_list_nth_data(pc->cxl_devices_state.fixed_windows, d->index) : NULL;

	if (!window || d->unmapped)
		return false;
	*base = window->base;
	*size = window->size;
	d->base = window->base;
	return true;
}
