// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register a PCI driver with any name, for tests. The driver binds to functions
 * whose driver_override names it, and does not access them. It stands for
 * drivers that guests cannot have, such as vfio-pci without an IOMMU.
 *
 *   insmod claim.ko name=vfio-pci
 *   echo 0000:fe:01.1 >/sys/module/claim/parameters/kept
 *
 * An unbind of the function in "kept" waits until "kept" changes, as for a
 * function that a virtual machine uses. With memory=ADDRESS,BYTES the module
 * also requests this range of registers.
 */
#include <linux/delay.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *name = "claim";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "the driver's name");

static char kept[16];
module_param_string(kept, kept, sizeof(kept), 0644);
MODULE_PARM_DESC(kept, "the address of a function that is not let go of");

/* Match any function; driver_override selects the ones to bind. */
static const struct pci_device_id claim_ids[] = {
	{ PCI_DEVICE_DRIVER_OVERRIDE(PCI_ANY_ID, PCI_ANY_ID, PCI_ID_F_VFIO_DRIVER_OVERRIDE) },
	{}
};

static bool fails;
module_param(fails, bool, 0644);
MODULE_PARM_DESC(fails, "it cannot have a function that it is to have");

static ulong memory[2];
module_param_array(memory, ulong, NULL, 0444);
MODULE_PARM_DESC(memory, "address and size of registers that it has");

static int claim_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	return fails ? -EBUSY : 0;
}

/* Wait in short steps, as vfio does, so that no stall is reported. */
static void claim_remove(struct pci_dev *pdev)
{
	size_t len = strlen(pci_name(pdev));

	while (!strncmp(kept, pci_name(pdev), len))
		msleep(100);
}

static struct pci_driver claim_driver = {
	.id_table = claim_ids,
	.probe = claim_probe,
	.remove = claim_remove,
};

static int __init claim_init(void)
{
	int ret;

	claim_driver.name = name;
	if (memory[1] && !request_mem_region(memory[0], memory[1], name))
		return -EBUSY;
	ret = pci_register_driver(&claim_driver);
	if (ret && memory[1])
		release_mem_region(memory[0], memory[1]);
	return ret;
}
module_init(claim_init);

static void __exit claim_exit(void)
{
	pci_unregister_driver(&claim_driver);
	if (memory[1])
		release_mem_region(memory[0], memory[1]);
}
module_exit(claim_exit);

MODULE_DESCRIPTION("A PCI driver by any name, for tests");
MODULE_LICENSE("GPL");
