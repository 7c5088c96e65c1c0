// SPDX-License-Identifier: GPL-2.0-only
/*
 * Driver on the CXL bus. Since Linux 6.5 cxl_pci creates a device
 * pmu_mem<X>.<Y> on the CXL bus for each CPMU; the driver bound to this device
 * owns the CPMU.
 *
 * Header packages lack struct cxl_driver: its layout is detected from drivers
 * on the bus and verified by a match. With an unknown layout no driver is
 * registered, and CPMUs are used beside cxl_pci, as before Linux 6.5.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/string.h>

#include <pmon/pmu.h>

#include "cxl.h"
#include "head.h"

#define CXL_DEVICE_PMU		9
#define DEVICE_PREFIX		"pmu_mem"
/* The PMU of pmu_mem0.0 is cxl_pmu_mem0.0. */
#define PMU_PREFIX		"cxl_"

/* struct cxl_driver begins at head[0] (7.x) or head[1] (6.12). */
struct cxl_bus_driver {
	unsigned long head[CXL_HEAD_MAX];
	struct device_driver drv;
	int id;
};

static enum { UNDECIDED, REGISTERED, UNSUPPORTED } state;

static const char *cxl_device_name(const struct cxl_cpmu *cpmu)
{
	return cpmu->name + strlen(PMU_PREFIX);
}

static struct cxl_cpmu *cxl_find_cpmu(const struct device *dev)
{
	struct cxl_cpmu *cpmu;

	list_for_each_entry(cpmu, &cxl.cpmus, node)
		if (dev->parent == &cpmu->pdev->dev &&
		    !strcmp(dev_name(dev), cxl_device_name(cpmu)))
			return cpmu;
	return NULL;
}

/*
 * Unbound through sysfs: another driver may program the counters from now on.
 * Without cxl_pci, cxl_remove_function() has removed the CPMU from the list.
 */
static void cxl_unclaim(struct device *dev, void *res)
{
	struct cxl_cpmu *cpmu;

	scoped_guard(mutex, &cxl.lock) {
		cpmu = cxl_find_cpmu(dev);
		if (cpmu) {
			cxl_pmu_destroy(cpmu);
			cpmu->regs.cached = 0;
		}
	}
	pmon_pmu_flush();
}

static int cxl_match_cpmu(struct device *dev, const void *data)
{
	return !strncmp(dev_name(dev), DEVICE_PREFIX, strlen(DEVICE_PREFIX)) &&
	       dev->parent && dev_is_pci(dev->parent);
}

/* cxl.rescan creates the PMU, now or at BUS_NOTIFY_BOUND_DRIVER. */
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
	if (!cxl.observe && cxl_find_cpmu(dev))
		schedule_delayed_work(&cxl.rescan, 0);
	return 0;
}

/* No remove callback: devres calls cxl_unclaim(). */
static struct cxl_bus_driver driver = {
	.drv = {
		.name = KBUILD_MODNAME,
		.owner = THIS_MODULE,
		.mod_name = KBUILD_MODNAME,
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
	.id = CXL_DEVICE_PMU,
};

static int cxl_check_driver(struct device_driver *drv, void *data)
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

/* Verify the position of @id: @dev must match CXL_DEVICE_PMU, but not 0. */
static bool cxl_test_match(struct device *dev)
{
	bool matches_zero, matches_id;

	driver.id = 0;
	matches_zero = dev->bus->match(dev, &driver.drv);
	driver.id = CXL_DEVICE_PMU;
	matches_id = dev->bus->match(dev, &driver.drv);
	return matches_id && !matches_zero;
}

static bool cxl_detect_layout(struct device *dev)
{
	unsigned int known = 0;
	unsigned long *first;

	if (!dev->bus->match || !dev->bus->probe ||
	    bus_for_each_drv(dev->bus, NULL, &known, cxl_check_driver) ||
	    !known)
		return false;
	first = driver.head + CXL_HEAD_MAX - known;
	first[0] = (unsigned long)driver.drv.name;
	first[1] = (unsigned long)cxl_bus_probe;
	return cxl_test_match(dev);
}

static bool cxl_register_driver(struct device *dev)
{
	if (!cxl_detect_layout(dev)) {
		pr_info("struct cxl_driver is not known: no driver on the CXL bus\n");
		return false;
	}
	driver.drv.bus = dev->bus;
	return !driver_register(&driver.drv);
}

/* Called by cxl.rescan only, without locks. symbol_get() holds the CXL core. */
void cxl_bus_register(void)
{
	typeof(((struct device *)NULL)->bus) bus;
	struct device *dev;

	/* Bind devices that cxl_pmu has released. */
	if (state == REGISTERED && xchg(&cxl.cxl_pmu_unloaded, false))
		WARN_ON_ONCE(driver_attach(&driver.drv));
	if (state != UNDECIDED || cxl.observe)
		return;
	bus = symbol_get(cxl_bus_type);
	if (!bus)
		return;
	dev = bus_find_device(bus, NULL, NULL, cxl_match_cpmu);
	if (dev)
		state = cxl_register_driver(dev) ? REGISTERED : UNSUPPORTED;
	put_device(dev);
	if (state != REGISTERED)
		symbol_put(cxl_bus_type);
}

void cxl_bus_unregister(void)
{
	if (state != REGISTERED)
		return;
	driver_unregister(&driver.drv);
	symbol_put(cxl_bus_type);
}

/*
 * Return true if the CPMU's device on the CXL bus is not bound to pmon_cxl. The
 * caller holds the device lock of the function and cxl.lock.
 */
bool cxl_bus_is_unclaimed(const struct cxl_cpmu *cpmu)
{
	struct device *dev;
	bool ours;

	lockdep_assert_held(&cxl.lock);
	if (state != REGISTERED)
		return false;
	dev = device_find_child_by_name(&cpmu->pdev->dev,
					cxl_device_name(cpmu));
	if (!dev)
		return false;
	/* dev->driver may be stale; devres ends before another bind. */
	ours = devres_find(dev, cxl_unclaim, NULL, NULL);
	put_device(dev);
	return !ours;
}
