// SPDX-License-Identifier: GPL-2.0-only
/*
 * Change the state of a PCI function, for tests, by a write to
 * /sys/module/power/parameters/set:
 *
 *   0000:00:03.1 D3	suspend the function as its driver would
 *   0000:00:03.1 D0	resume it
 *   0000:00:03.1 20ms	permit runtime PM for 20 ms, as its driver would
 *   0000:00:03.1 50200	change its class
 *
 * Functions without power management are only marked as D3cold, as the kernel
 * marks them when it suspends the bridge above.
 */
#include <linux/delay.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/string.h>

/*
 * Let runtime PM suspend a function for @ms, unless others use the function. To this end
 * drop the references of the PCI core and of power/control, which keep it active. The
 * caller holds the device lock, so the driver stays.
 */
static int power_nap(struct pci_dev *pdev, unsigned int ms)
{
	struct device *dev = &pdev->dev;

	if (!dev->driver)
		return -ENODEV;
	pm_runtime_put_noidle(dev);
	pm_runtime_allow(dev);
	pm_runtime_suspend(dev);
	msleep(ms);
	pm_runtime_forbid(dev);
	pm_runtime_get_noresume(dev);

	return 0;
}

static int power_change(struct pci_dev *pdev, const char *text)
{
	bool asleep = !strcmp(text, "D3");
	unsigned int ms;
	char unit;

	if (sscanf(text, "%um%c", &ms, &unit) == 2 && unit == 's')
		return power_nap(pdev, ms);
	if (!asleep && strcmp(text, "D0"))
		return kstrtouint(text, 16, &pdev->class);
	if (pdev->pm_cap)
		return pci_set_power_state(pdev, asleep ? PCI_D3hot : PCI_D0);
	pdev->current_state = asleep ? PCI_D3cold : PCI_D0;

	return 0;
}

static int power_set(const char *text, const struct kernel_param *param)
{
	unsigned int domain, bus, slot, function;
	struct pci_dev *pdev;
	char state[8];
	int ret;

	if (sscanf(text, "%x:%x:%x.%x %7s", &domain, &bus, &slot, &function, state) != 5)
		return -EINVAL;
	pdev = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, function));
	if (!pdev)
		return -ENODEV;
	device_lock(&pdev->dev);
	ret = power_change(pdev, state);
	device_unlock(&pdev->dev);
	pci_dev_put(pdev);

	return ret;
}

static const struct kernel_param_ops power_ops = { .set = power_set };

module_param_cb(set, &power_ops, NULL, 0200);
MODULE_PARM_DESC(set, "a function and its power state, or class");

MODULE_DESCRIPTION("The power state of a PCI function, for tests");
MODULE_LICENSE("GPL");
