// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the BAR with the MMIO units of a device.  The device or a PCI Express port
 * has this BAR.  Units of memory controllers, HBM and CXL are in gap.c.
 */
#include "qemu/osdep.h"
#include "hw/pci/pci_device.h"
#include "pmon.h"

static struct pmon_unit *unit_at(const struct pmon_dev *d, hwaddr off)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->dev == d && u->kind == PMON_KIND_MMIO && !u->gap &&
		    off >= u->address && off - u->address < u->extent)
			return u;
	}
	return NULL;
}

static void stray_access(hwaddr off, uint64_t val, unsigned int bytes, bool write)
{
	struct pmon_access a = {
		.class = PMON_OTHER, .write = write, .bytes = bytes,
		.address = off, .value = val, .where = "units",
	};

	pmon_account(&a);
	pmon_illegal(&a, "outside any unit");
}

static bool silent(const struct pmon_dev *d)
{
	return d->gone || pmon_sleeps(d->units_in);
}

static uint64_t units_read(void *opaque, hwaddr off, unsigned int bytes)
{
	struct pmon_dev *d = opaque;
	struct pmon_unit *u = unit_at(d, off);

	if (silent(d))
		return pmon_no_answer(d, off, 0, bytes, false);
	if (u)
		return pmon_unit_read(u, pmon_unit_bar_base(d) + off,
				      off - u->address, bytes);
	stray_access(off, pmon_ones(bytes), bytes, false);
	return pmon_ones(bytes);
}

static void units_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	struct pmon_dev *d = opaque;
	struct pmon_unit *u = unit_at(d, off);

	if (silent(d))
		pmon_no_answer(d, off, val, bytes, true);
	else if (u)
		pmon_unit_write(u, pmon_unit_bar_base(d) + off, off - u->address,
				val, bytes);
	else
		stray_access(off, val, bytes, true);
}

static const MemoryRegionOps units_ops = {
	.read = units_read,
	.write = units_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

/* Put the units of @d into BAR @d->unit_bar of @p. */
void pmon_unit_bar_create(struct pmon_dev *d, PCIDevice *p)
{
	d->units_in = p;
	memory_region_init_io(&d->units, OBJECT(p), &units_ops, d, "pmon-units",
			      d->unit_bar_bytes);
	pci_register_bar(p, d->unit_bar, d->bar_type, &d->units);
}
