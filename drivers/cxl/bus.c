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
/* The PMU of pmu_mem0.0 is cxl_pmu_mem0.0. */
#define PMU_PREFIX		"cxl_"

/*
 * The words before @drv end with the last of @head: what the bus takes for the
 * first field of its structure is in the first or in the second word of it.
 */
struct cxl_bus_driver {
	unsigned long head[CXL_HEAD_MAX];
	struct device_driver drv;
	int id;
};

static enum { UNDECIDED, JOINED, REFUSED } state;

static const char *cxl_device_name(const struct cxl_cpmu *cpmu)
{
	return cpmu->name + strlen(PMU_PREFIX);
}

/* NULL while cxl_pci has not bound its function. */
static struct cxl_cpmu *cpmu_of(const struct device *dev)
{
	struct cxl_cpmu *cpmu;

	list_for_each_entry(cpmu, &cxl.cpmus, node)
		if (dev->parent == &cpmu->pdev->dev &&
		    !strcmp(dev_name(dev), cxl_device_name(cpmu)))
			return cpmu;
	return NULL;
}

/*
 * The device was unbound from this driver through sysfs: hand its counters
 * back, which another driver may program from now on. Its function is still
 * bound to cxl_pci, or cxl_forget() would have dropped its CPMUs.
 */
static void cxl_unclaim(struct device *dev, void *res)
{
	struct cxl_cpmu *cpmu;

	scoped_guard(mutex, &cxl.lock) {
		cpmu = cpmu_of(dev);
		if (cpmu) {
			cxl_pmu_give_up(cpmu);
			cpmu->regs.known = 0;
		}
	}
	pmon_pmu_flush();
}

static int cxl_match_cpmu(struct device *dev, const void *data)
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
	void *claim;

	if (!cxl_match_cpmu(dev, NULL))
		return -ENODEV;
	claim = devres_alloc(cxl_unclaim, 0, GFP_KERNEL);
	if (!claim)
		return -ENOMEM;
	devres_add(dev, claim);
	guard(mutex)(&cxl.lock);
	if (!cxl.observe && cpmu_of(dev))
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
static bool cxl_test_match(struct device *dev)
{
	bool matches_zero, matches_id;

	driver.id = 0;
	matches_zero = dev->bus->match(dev, &driver.drv);
	driver.id = CXL_DEVICE_PMU;
	matches_id = dev->bus->match(dev, &driver.drv);
	return matches_id && !matches_zero;
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
	return cxl_test_match(dev);
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

	/* Bind the devices that it had. */
	if (state == JOINED && xchg(&cxl.peer_gone, false))
		WARN_ON_ONCE(driver_attach(&driver.drv));
	if (state != UNDECIDED || cxl.observe)
		return;
	bus = symbol_get(cxl_bus_type);
	if (!bus)
		return;
	dev = bus_find_device(bus, NULL, NULL, cxl_match_cpmu);
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
	struct device *dev;
	bool ours;

	lockdep_assert_held(&cxl.lock);
	if (state != JOINED)
		return false;
	dev = device_find_child_by_name(&cpmu->pdev->dev,
					cxl_device_name(cpmu));
	if (!dev)
		return false;
	/* It is gone before another driver is bound, unlike dev->driver. */
	ours = devres_find(dev, cxl_unclaim, NULL, NULL);
	put_device(dev);
	return !ours;
}
