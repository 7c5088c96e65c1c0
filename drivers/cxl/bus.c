// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CXL bus. Since 6.5 cxl_pci makes a device pmu_mem<X>.<Y> there for each
 * CPMU, whether the kernel's driver for it is built or not; that a CPMU is this
 * driver's or another's is then settled by which one its device is bound to.
 *
 * A driver of that bus is a struct cxl_driver, which no header package has, and
 * which has one word more in 7.x than in 6.12. So there is a private copy for
 * either, and none is used before the drivers that the running kernel has there
 * have shown which one is right, and the bus itself that it finds the id.
 * Otherwise CPMUs are served beside cxl_pci only, as on kernels without such
 * devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/module.h>
#include <linux/string.h>

#include <compat/cleanup.h>

#include <pmon/pmu.h>

#include "cxl.h"
#include "head.h"

#define CXL_DEVICE_PMU		9
#define DEVICE_PREFIX		"pmu_mem"

/*
 * The words before @drv end with the last of @head: what the bus takes for the
 * first field of its structure is in the first or in the second word of it.
 */
struct cxl_bus_driver {
	unsigned long head[CXL_HEAD_MAX];
	struct device_driver drv;
	int id;
};

/* A device that the driver is bound to; cxl.lock protects the list. */
struct cxl_claim {
	struct list_head node;
	struct device *dev;
};

static LIST_HEAD(claims);

static enum { UNDECIDED, JOINED, REFUSED } state;

/*
 * Is the device bound to this driver? A device is bound with its lock held,
 * then cxl.lock.
 */
static bool cxl_has_claim(const struct device *dev)
{
	const struct cxl_claim *claim;

	list_for_each_entry(claim, &claims, node)
		if (claim->dev == dev)
			return true;
	return false;
}

static void cxl_device_name(const struct cxl_cpmu *cpmu, char *name,
			    size_t size)
{
	snprintf(name, size, DEVICE_PREFIX "%u.%u", cpmu->mem, cpmu->index);
}

/* NULL while cxl_pci has not bound its function. */
static struct cxl_cpmu *cpmu_of(const struct device *dev)
{
	struct cxl_cpmu *cpmu;
	char name[CXL_NAME_SIZE];

	list_for_each_entry(cpmu, &cxl.cpmus, node) {
		cxl_device_name(cpmu, name, sizeof(name));
		if (cpmu->kind == CXL_MEMORY &&
		    dev->parent == &cpmu->pdev->dev &&
		    !strcmp(dev_name(dev), name))
			return cpmu;
	}
	return NULL;
}

/*
 * The device was unbound from this driver through sysfs: hand its counters
 * back. Its function is still bound to cxl_pci, or cxl_forget() would have
 * dropped its CPMUs.
 */
static void cxl_lose(void *data)
{
	struct cxl_claim *claim = data;
	struct cxl_cpmu *cpmu;

	scoped_guard(mutex, &cxl.lock) {
		list_del(&claim->node);
		cpmu = cpmu_of(claim->dev);
		if (cpmu && cpmu->pmu)
			cxl_pmu_give_up(cpmu);
		/* Another driver may program the controls from now on. */
		if (cpmu)
			cpmu->regs.known = 0;
	}
	pmon_pmu_flush();
}

static int cxl_is_cpmu_device(struct device *dev, const void *data)
{
	return !strncmp(dev_name(dev), DEVICE_PREFIX, strlen(DEVICE_PREFIX)) &&
	       dev->parent && dev_is_pci(dev->parent);
}

/*
 * The CPMU is served by cxl.rescan: at once, or, if cxl_pci is still in its
 * probe function, which may fail, when the bus announces that it has bound.
 */
static int cxl_bus_probe(struct device *dev)
{
	struct cxl_claim *claim;
	int ret;

	if (!cxl_is_cpmu_device(dev, NULL))
		return -ENODEV;
	claim = devm_kzalloc(dev, sizeof(*claim), GFP_KERNEL);
	if (!claim)
		return -ENOMEM;
	claim->dev = dev;
	INIT_LIST_HEAD(&claim->node);
	ret = devm_add_action(dev, cxl_lose, claim);
	if (ret)
		return ret;
	guard(mutex)(&cxl.lock);
	if (cxl.leaving)
		return -ENODEV;
	list_add(&claim->node, &claims);
	if (cpmu_of(dev))
		schedule_delayed_work(&cxl.rescan, 0);
	return 0;
}

/* Nothing is done on removal that devres does not do. */
static struct cxl_bus_driver driver = {
	.drv = {
		.name = KBUILD_MODNAME,
		.owner = THIS_MODULE,
		.mod_name = KBUILD_MODNAME,
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
	.id = CXL_DEVICE_PMU,
};

static int cxl_look_at_driver(struct device_driver *drv, void *data)
{
	const unsigned long *words = (const unsigned long *)drv;
	unsigned int *known = data;
	unsigned int head = cxl_driver_head(words, (unsigned long)drv->name);
	char symbol[64];

	if (!head || (*known && *known != head))
		return -EINVAL;
	snprintf(symbol, sizeof(symbol), "%ps",
		 (void *)cxl_driver_probe(words, head));
	if (!cxl_is_probe(symbol))
		return -EINVAL;
	*known = head;
	return 0;
}

/*
 * Is the id where the bus looks for it? The bus must match the device with it,
 * and not without.
 */
static bool cxl_finds_id(struct device *dev)
{
	bool without, with;

	driver.id = 0;
	without = dev->bus->match(dev, &driver.drv);
	driver.id = CXL_DEVICE_PMU;
	with = dev->bus->match(dev, &driver.drv);
	return with && !without;
}

/*
 * Which layout is right is seen from the drivers on the bus: the CXL core has
 * its own, of ports.
 */
static bool cxl_fits(struct device *dev)
{
	unsigned int known = 0;
	unsigned long *first;

	if (!dev->bus->match || !dev->bus->probe ||
	    bus_for_each_drv(dev->bus, NULL, &known, cxl_look_at_driver) ||
	    !known)
		return false;
	first = driver.head + CXL_HEAD_MAX - known;
	first[0] = (unsigned long)driver.drv.name;
	first[1] = (unsigned long)cxl_bus_probe;
	return cxl_finds_id(dev);
}

static bool cxl_join(struct device *dev)
{
	if (!cxl_fits(dev)) {
		pr_info("struct cxl_driver is not known: no driver on the CXL bus\n");
		return false;
	}
	driver.drv.bus = dev->bus;
	return !driver_register(&driver.drv);
}

/*
 * The kernel's driver was unloaded: bind the devices that it had. The bus logs
 * what fails.
 */
static void cxl_take_what_is_free(void)
{
	int ret = driver_attach(&driver.drv);

	WARN_ON_ONCE(ret);
}

/**
 * cxl_bus_join() - be the driver of the devices there, as soon as there is one
 *
 * Called without a lock, and by one at a time. The core's module stays while
 * the driver is on its bus; a kernel without it need not have its symbol.
 */
void cxl_bus_join(void)
{
	typeof(((struct device *)NULL)->bus) bus;
	struct device *dev;

	if (state == JOINED && xchg(&cxl.peer_gone, false))
		cxl_take_what_is_free();
	if (state != UNDECIDED || cxl.observe)
		return;
	bus = symbol_get(cxl_bus_type);
	if (!bus)
		return;
	dev = bus_find_device(bus, NULL, NULL, cxl_is_cpmu_device);
	if (dev)
		state = cxl_join(dev) ? JOINED : REFUSED;
	put_device(dev);
	if (state != JOINED)
		symbol_put(cxl_bus_type);
}

void cxl_bus_leave(void)
{
	if (state != JOINED)
		return;
	driver_unregister(&driver.drv);
	symbol_put(cxl_bus_type);
}

/**
 * cxl_bus_bars() - is the device of a CPMU bound to another driver, or to none?
 * @cpmu: the CPMU, its function locked
 */
bool cxl_bus_bars(const struct cxl_cpmu *cpmu)
{
	char name[CXL_NAME_SIZE];
	struct device *dev;
	bool ours;

	lockdep_assert_held(&cxl.lock);
	if (state != JOINED || cpmu->kind != CXL_MEMORY)
		return false;
	cxl_device_name(cpmu, name, sizeof(name));
	dev = device_find_child_by_name(&cpmu->pdev->dev, name);
	if (!dev)
		return false;
	ours = cxl_has_claim(dev);
	put_device(dev);
	return !ours;
}
