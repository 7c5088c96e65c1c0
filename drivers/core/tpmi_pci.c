// SPDX-License-Identifier: GPL-2.0-only
/* Read the TPMI tables of a PCI function. Never enable, reset or wake it. */
#include <linux/export.h>
#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/pci.h>

#include <pmon/regs.h>
#include <pmon/tpmi.h>

static bool pmon_bar_is_lost(struct pci_dev *pdev, unsigned int bir)
{
	unsigned long flags = pci_resource_flags(pdev, bir);
	int pos = PCI_BASE_ADDRESS_0 + bir * sizeof(u32);
	u32 low, high = 0;

	if (!(flags & IORESOURCE_MEM) || flags & IORESOURCE_PCI_EA_BEI ||
	    !pci_resource_start(pdev, bir))
		return false;
	if (pci_read_config_dword(pdev, pos, &low) ||
	    (flags & IORESOURCE_MEM_64 &&
	     pci_read_config_dword(pdev, pos + sizeof(u32), &high)))
		return true;

	return pmon_tpmi_bar_is_lost(low, high);
}

/**
 * pmon_tpmi_is_ready() - check whether the registers of a function can be read
 * @pdev: the function
 *
 * Reads config space only. After a PCI error intel_vsec enables memory decoding
 * before the BARs are restored, so the BARs are checked, too.
 *
 * Return: true if the function is present, not in D3, and decodes memory at the
 * addresses of its BARs.
 */
bool pmon_tpmi_is_ready(struct pci_dev *pdev)
{
	unsigned int bir;

	if (pci_channel_offline(pdev) ||
	    pmon_pci_access(pdev, true) != PMON_PCI_ACCESSIBLE)
		return false;
	for (bir = 0; bir < PCI_STD_NUM_BARS; bir++)
		if (pmon_bar_is_lost(pdev, bir))
			return false;

	return true;
}
EXPORT_SYMBOL_GPL(pmon_tpmi_is_ready);

static u64 pmon_tpmi_pci_bar_size(void *data, u8 bir)
{
	struct pci_dev *pdev = data;

	if (!(pci_resource_flags(pdev, bir) & IORESOURCE_MEM) ||
	    !pci_resource_start(pdev, bir))
		return 0;

	return pci_resource_len(pdev, bir);
}

/* Read each qword in halves, like all public drivers of these tables. */
static int pmon_tpmi_pci_read(void *data, u8 bir, u64 offset, u64 *value,
			      unsigned int count)
{
	void __iomem *base;
	unsigned int i;

	base = ioremap(pci_resource_start((struct pci_dev *)data, bir) + offset,
		       count * sizeof(u64));
	if (!base)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		value[i] = lo_hi_readq(base + i * sizeof(u64));
	iounmap(base);

	return 0;
}

/**
 * pmon_tpmi_read() - read the tables of a TPMI device
 * @pdev: the function
 * @tpmi: set on success
 * @fault: set on -EINVAL, otherwise @fault->field is NULL
 *
 * Context: may sleep.
 * Return: as pmon_tpmi_walk(); also -ENODEV if the function is not ready or has
 * no readable TPMI capability.
 */
int pmon_tpmi_read(struct pci_dev *pdev, struct pmon_tpmi *tpmi,
		   struct pmon_tpmi_fault *fault)
{
	const struct pmon_tpmi_io io = {
		.bar_size = pmon_tpmi_pci_bar_size,
		.qwords = pmon_tpmi_pci_read,
		.data = pdev,
	};
	u32 vsec[PMON_TPMI_VSEC_DWORDS];
	unsigned int i;
	u16 cap;

	*fault = (struct pmon_tpmi_fault){};
	if (!pmon_tpmi_is_ready(pdev))
		return -ENODEV;
	cap = pci_find_vsec_capability(pdev, PCI_VENDOR_ID_INTEL,
				       PMON_TPMI_VSEC_ID);
	if (!cap)
		return -ENODEV;
	for (i = 0; i < PMON_TPMI_VSEC_DWORDS; i++)
		if (pci_read_config_dword(pdev, cap + i * sizeof(u32),
					  &vsec[i]) ||
		    PCI_POSSIBLE_ERROR(vsec[i]))
			return -ENODEV;
	return pmon_tpmi_walk(&io, vsec, tpmi, fault);
}
EXPORT_SYMBOL_GPL(pmon_tpmi_read);
