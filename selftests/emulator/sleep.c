// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the power management capability of PCI functions, and memory accesses to
 * functions in D3.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pci/pci_device.h"
#include "pmon.h"

#define D3	3

static uint8_t *control(PCIDevice *p)
{
	uint8_t cap = pci_find_capability(p, PCI_CAP_ID_PM);

	return cap ? p->config + cap + PCI_PM_CTRL : NULL;
}

/* @p must have the capability. */
void pmon_sleep_set(PCIDevice *p, bool asleep)
{
	uint16_t rest = pci_get_word(control(p)) & ~PCI_PM_CTRL_STATE_MASK;

	pci_set_word(control(p), rest | (asleep ? D3 : 0));
}

/* True if the function is in D3, so that memory reads return all-ones. */
bool pmon_sleeps(PCIDevice *p)
{
	uint8_t *at = control(p);

	return at && (pci_get_word(at) & PCI_PM_CTRL_STATE_MASK) == D3;
}

/* Add the capability at offset @place; 0: at any free offset. */
void pmon_sleep_add(PCIDevice *p, uint8_t place, bool asleep)
{
	int at = pci_add_capability(p, PCI_CAP_ID_PM, place, PCI_PM_SIZEOF,
				    &error_abort);

	pci_set_word(p->config + at + PCI_PM_PMC, 3);
	pci_set_word(p->config + at + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);
	pci_set_word(p->wmask + at + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK);
	pmon_sleep_set(p, asleep);
}

/*
 * Account a memory access to a function that is in D3 or removed; return all-ones.
 * The access is illegal only in D3, because a driver cannot detect a removal.
 */
uint64_t pmon_no_answer(const struct pmon_dev *d, uint64_t addr, uint64_t val,
			unsigned int bytes, bool write)
{
	struct pmon_access a = {
		.class = PMON_OTHER, .write = write, .bytes = bytes, .address = addr,
		.value = write ? val : pmon_ones(bytes),
		.where = d->gone ? "gone" : "d3",
	};

	pmon_account(&a);
	if (!d->gone)
		pmon_illegal(&a, "memory access to a function in D3");
	return pmon_ones(bytes);
}
