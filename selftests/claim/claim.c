// SPDX-License-Identifier: GPL-2.0-only
/*
 * A PCI driver by any name, for tests: binds to the functions whose
 * driver_override names it, and leaves them alone. Stands for drivers that
 * guests cannot have, vfio-pci without an IOMMU for one.
 *
 *   insmod claim.ko name=vfio-pci
 */
#include <linux/module.h>
#include <linux/pci.h>

static char *name = "claim";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "the driver's name");

/* Any function, as far as driver_override permits, which is none without it. */
static const struct pci_device_id claim_ids[] = {
	{ PCI_DEVICE_DRIVER_OVERRIDE(PCI_ANY_ID, PCI_ANY_ID, PCI_ID_F_VFIO_DRIVER_OVERRIDE) },
	{}
};

static int claim_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	return 0;
}

static struct pci_driver claim_driver = {
	.id_table = claim_ids,
	.probe = claim_probe,
};

static int __init claim_init(void)
{
	claim_driver.name = name;
	return pci_register_driver(&claim_driver);
}
module_init(claim_init);

static void __exit claim_exit(void)
{
	pci_unregister_driver(&claim_driver);
}
module_exit(claim_exit);

MODULE_DESCRIPTION("A PCI driver by any name, for tests");
MODULE_LICENSE("GPL");
