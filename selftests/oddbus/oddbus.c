// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver on the CXL bus that is not laid out as those of any kernel that is
 * known: its name is elsewhere. Stands for a kernel that has changed struct
 * cxl_driver. Binds to nothing.
 */
#include <linux/device.h>
#include <linux/module.h>

/* Constant since 6.8 */
extern typeof(*((struct device *)NULL)->bus) cxl_bus_type;

static struct {
	unsigned long head[8];
	struct device_driver drv;
	int id;
} odd = {
	.drv = { .name = "oddbus", .owner = THIS_MODULE },
	.id = 99,
};

static int __init oddbus_init(void)
{
	int ret;

	odd.drv.bus = symbol_get(cxl_bus_type);
	if (!odd.drv.bus)
		return -ENODEV;
	odd.head[0] = (unsigned long)odd.drv.name;
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
