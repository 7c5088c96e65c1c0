// SPDX-License-Identifier: GPL-2.0-only
/* Hold the machine; find devices and units by number. */
#include "qemu/osdep.h"
#include "pmon.h"

struct pmon_machine *pmon_machine;

struct pmon_dev *pmon_find_dev(unsigned int pkg, unsigned int index)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->devs->len; i++) {
		struct pmon_dev *d = g_ptr_array_index(pmon_machine->devs, i);

		if (d->pkg == pkg && d->index == index)
			return d;
	}
	return NULL;
}

struct pmon_unit *pmon_find_unit(unsigned int pkg, unsigned int type, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (!u->global && u->pkg == pkg && u->type == type && u->id == id)
			return u;
	}
	return NULL;
}

/* Return the address of the unit BAR or, while unmapped, the last address. */
uint64_t pmon_unit_bar_base(struct pmon_dev *d)
{
	pcibus_t base = d->units_in ? pci_get_bar_addr(d->units_in, d->unit_bar) :
				      PCI_BAR_UNMAPPED;

	if (base != PCI_BAR_UNMAPPED)
		d->units_base = base;
	return d->units_base;
}

/* Return the unit's address in the format of the discovery table. */
uint64_t pmon_unit_address(const struct pmon_unit *u)
{
	uint64_t bar = 0;

	if (u->kind == PMON_KIND_PCI)
		return 1ull << 31 | u->segment << 28 | u->bus << 20 | u->devfn << 12 |
		       u->address;
	if (u->kind == PMON_KIND_MMIO && !u->gap)
		bar = pmon_unit_bar_base(u->dev);
	return bar + u->address;
}
