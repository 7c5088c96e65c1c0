// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recover a PCI function from a simulated error, for tests. Emulated functions
 * are part of the root complex, where no port would report their errors.
 * A write to /sys/module/recovery/parameters/step runs one step of the kernel's
 * recovery. The order of steps is that of drivers/pci/pcie/err.c:
 *
 *   0000:00:03.1 frozen	the error: I/O is frozen, the driver is notified
 *   0000:00:03.1 reset		the state after a function level reset: no BARs
 *   0000:00:03.1 slot_reset	I/O is marked normal, the driver restores the function
 *   0000:00:03.1 old_slot_reset	the driver restores the function while I/O is still frozen
 *   0000:00:03.1 resume	I/O is normal again, the driver is notified
 *   0000:00:03.1 lost		in place of slot_reset and resume: permanent failure
 *   0000:00:03.1 nonfatal	in place of frozen and reset: I/O goes on, the driver is notified
 *
 * Linux since 6.18 and 6.12.58 ("PCI/ERR: Update device error_state already
 * after reset") runs slot_reset, older kernels run old_slot_reset; this module
 * can run either on any kernel. A step fails with EIO when the driver's answer
 * does not permit the next step.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/string.h>

static int recovery_told(pci_ers_result_t answer, pci_ers_result_t want)
{
	return answer == want ? 0 : -EIO;
}

static int recovery_frozen(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	if (pdev->error_state != pci_channel_io_normal)
		return -EBUSY;
	WRITE_ONCE(pdev->error_state, pci_channel_io_frozen);

	return recovery_told(handlers->error_detected(pdev, pci_channel_io_frozen),
			     PCI_ERS_RESULT_NEED_RESET);
}

static int recovery_reset(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	unsigned int bar;

	/*
	 * Some drivers save the state only at probe, and a restore consumes the
	 * saved state. So save the state again for this recovery.
	 */
	if (!pdev->state_saved)
		pci_save_state(pdev);
	pci_write_config_word(pdev, PCI_COMMAND, 0);
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		pci_write_config_dword(pdev, PCI_BASE_ADDRESS_0 + bar * sizeof(u32), 0);

	return 0;
}

static int recovery_nonfatal(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	if (pdev->error_state != pci_channel_io_normal)
		return -EBUSY;

	return recovery_told(handlers->error_detected(pdev, pci_channel_io_normal),
			     PCI_ERS_RESULT_NEED_RESET);
}

static int recovery_old_slot_reset(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	return recovery_told(handlers->slot_reset(pdev), PCI_ERS_RESULT_RECOVERED);
}

static int recovery_slot_reset(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	WRITE_ONCE(pdev->error_state, pci_channel_io_normal);

	return recovery_old_slot_reset(pdev, handlers);
}

static int recovery_resume(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	WRITE_ONCE(pdev->error_state, pci_channel_io_normal);
	handlers->resume(pdev);

	return 0;
}

static int recovery_lost(struct pci_dev *pdev, const struct pci_error_handlers *handlers)
{
	WRITE_ONCE(pdev->error_state, pci_channel_io_perm_failure);

	return recovery_told(handlers->error_detected(pdev, pci_channel_io_perm_failure),
			     PCI_ERS_RESULT_DISCONNECT);
}

static const struct {
	const char *name;
	int (*go)(struct pci_dev *pdev, const struct pci_error_handlers *handlers);
} recovery_steps[] = {
	{ "frozen", recovery_frozen },
	{ "reset", recovery_reset },
	{ "slot_reset", recovery_slot_reset },
	{ "old_slot_reset", recovery_old_slot_reset },
	{ "resume", recovery_resume },
	{ "lost", recovery_lost },
	{ "nonfatal", recovery_nonfatal },
};

static int recovery_step(struct pci_dev *pdev, const char *name)
{
	const struct pci_error_handlers *handlers;
	int ret = -EINVAL;
	unsigned int i;

	device_lock(&pdev->dev);
	handlers = pdev->dev.driver ? to_pci_driver(pdev->dev.driver)->err_handler : NULL;
	for (i = 0; handlers && i < ARRAY_SIZE(recovery_steps); i++)
		if (!strcmp(name, recovery_steps[i].name))
			ret = recovery_steps[i].go(pdev, handlers);
	device_unlock(&pdev->dev);

	return ret;
}

static int recovery_set(const char *text, const struct kernel_param *param)
{
	unsigned int domain, bus, slot, function;
	struct pci_dev *pdev;
	char name[16];
	int ret;

	if (sscanf(text, "%x:%x:%x.%x %15s", &domain, &bus, &slot, &function, name) != 5)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, function));
	if (!pdev)
		return -ENODEV;
	ret = recovery_step(pdev, name);
	pci_dev_put(pdev);

	return ret;
}

static const struct kernel_param_ops recovery_ops = { .set = recovery_set };

module_param_cb(step, &recovery_ops, NULL, 0200);
MODULE_PARM_DESC(step, "a function and what happens to it");

MODULE_DESCRIPTION("Recovery of a PCI function from an error, for tests");
MODULE_LICENSE("GPL");
