// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI functions that can fall asleep (D3): their power management capability, and
 * what an access to memory of theirs gets then.
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

/* Of a function that has the capability. */
void pmon_sleep_set(PCIDevice *p, bool asleep)
{
	uint16_t rest = pci_get_word(control(p)) & ~PCI_PM_CTRL_STATE_MASK;

	pci_set_word(control(p), rest | (asleep ? D3 : 0));
}

/* Then its memory does not answer. */
bool pmon_sleeps(PCIDevice *p)
{
	uint8_t *at = control(p);

	return at && (pci_get_word(at) & PCI_PM_CTRL_STATE_MASK) == D3;
}

/* Give it the capability, at that place or, for 0, where there is room. */
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
 * A memory access that nothing answers.  A driver must not ask a function in D3; of
 * one that was pulled out it cannot know.
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
