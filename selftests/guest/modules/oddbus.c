// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver on the CXL bus that is not laid out as those of any kernel that is
 * known: its name is elsewhere; or, with words=N, it is as many words before its
 * struct device_driver as there, and what follows it is another function than the
 * one that probes. Stands for a kernel that has changed struct cxl_driver. Binds
 * to nothing.
 */
#include <linux/device.h>
#include <linux/module.h>

#define HEAD	8

static unsigned int words = HEAD;
module_param(words, uint, 0);

/* Constant since 6.8 */
extern typeof(*((struct device *)NULL)->bus) cxl_bus_type;

static struct {
	unsigned long head[HEAD];
	struct device_driver drv;
	int id;
} odd = {
	.drv = { .name = "oddbus", .owner = THIS_MODULE },
	.id = 99,
};

static void oddbus_remove(struct device *dev)
{
}

static int __init oddbus_init(void)
{
	int ret;

	if (words < 2 || words > HEAD)
		return -EINVAL;
	odd.drv.bus = symbol_get(cxl_bus_type);
	if (!odd.drv.bus)
		return -ENODEV;
	odd.head[HEAD - words] = (unsigned long)odd.drv.name;
	odd.head[HEAD - words + 1] = (unsigned long)oddbus_remove;
	ret = driver_register(&odd.drv);
	if (ret)
		symbol_put(cxl_bus_type);
	return ret;
}
module_init(oddbus_init);

static void __exit oddbus_exit(void)
{
	driver_unregister(&odd.drv);
	symbol_put(cxl_bus_type);
}
module_exit(oddbus_exit);

MODULE_DESCRIPTION("A driver of an unknown kind on the CXL bus, for tests");
MODULE_LICENSE("GPL");
