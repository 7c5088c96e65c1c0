// SPDX-License-Identifier: GPL-2.0-only
/*
 * Create perf PMUs with intel_uncore's names: one for R2PCIe, one for each QPI
 * port. perf dumps the stack if a name is registered twice. So register a PMU
 * only while intel_uncore has none of the PMU's functions and can get none.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <pmon/owner.h>
#include <pmon/pmu.h>

#include "r2pcie.h"

struct r2 r2 = {
	.lock = __MUTEX_INITIALIZER(r2.lock),
	.boxes = LIST_HEAD_INIT(r2.boxes),
};

static unsigned int r2_pmu_index(const struct r2_function *function)
{
	return function->kind == R2_KIND_QPI ? 1 + function->port : 0;
}

static const char *r2_pmu_name(const struct r2_function *function)
{
	static const char * const names[R2_PMUS] = {
		"uncore_r2pcie", "uncore_qpi_0", "uncore_qpi_1", "uncore_qpi_2",
	};

	return names[r2_pmu_index(function)];
}

static struct r2_pmu *r2_pmu_of(const struct r2_function *function)
{
	return &r2.pmu[r2_pmu_index(function)];
}

static int r2_create_pmu(const struct r2_box *box, struct pmon_pmu **pmu)
{
	const struct r2_function *function = box->function;
	const struct pmon_pmu_info info = {
		.name = r2_pmu_name(function), .owner = THIS_MODULE,
		.type = function->generation->type[function->kind],
	};

	*pmu = pmon_pmu_create(&info);
	while (*pmu == ERR_PTR(-EAGAIN)) {
		pmon_pmu_flush();
		*pmu = pmon_pmu_create(&info);
	}
	return PTR_ERR_OR_ZERO(*pmu);
}

/* Return the MSR whose overflow bit can explain frozen boxes, or NULL. */
static struct pmon_global *r2_status(struct r2_box *box)
{
	const struct r2_function *function = box->function;

	if (function->kind != R2_KIND_R2PCIE || !function->generation->status)
		return NULL;
	box->status = (struct pmon_global){
		.bytes = 8, .freeze = R2_STATUS_OVERFLOW,
		.status = true,
	};
	pmon_regs_msr(&box->status.regs, function->generation->status);
	pmon_global_init(&box->status);
	return &box->status;
}

static int r2_add_box_to_pmu(struct pmon_pmu *pmu, struct r2_box *box)
{
	struct pmon_box_info info = {
		.place = pmon_in_package(box->package), .power = box->pdev,
		.global = r2_status(box),
	};
	struct pmon_counter counter[R2_COUNTERS];

	r2_layout(box->function, counter, &info.layout);
	pmon_regs_pci(&info.regs, box->pdev, 0);
	return pmon_pmu_add_box(pmu, &info);
}

/* List a PMU's boxes in its file "functions"; return false if it has none. */
static bool r2_list_functions(const struct r2_pmu *pmu)
{
	const struct r2_box *box;
	char text[512];
	size_t len = 0;

	list_for_each_entry(box, &r2.boxes, node)
		if (box->added && r2_pmu_of(box->function) == pmu)
			len += scnprintf(text + len, sizeof(text) - len,
					 "%s%s %d", len ? "\n" : "",
					 pci_name(box->pdev), box->package);
	if (len)
		pmon_pmu_add_file(pmu->pmu, "functions", text);
	return len;
}

static bool r2_same_generation(const struct r2_box *box)
{
	const struct r2_box *other;

	list_for_each_entry(other, &r2.boxes, node)
		if (other->added &&
		    other->function->generation != box->function->generation)
			return false;
	return true;
}

static int r2_add_box(struct r2_box *box)
{
	struct r2_pmu *pmu = r2_pmu_of(box->function);
	int ret;

	if (!r2_same_generation(box))
		return -EINVAL;
	if (!pmu->pmu) {
		struct pmon_pmu *new;

		ret = r2_create_pmu(box, &new);
		if (ret)
			return ret;
		*pmu = (struct r2_pmu){ .pmu = new };
	}
	ret = r2_add_box_to_pmu(pmu->pmu, box);
	if (ret)
		return ret;
	box->added = true;
	r2_list_functions(pmu);
	return 0;
}

/* Return true also if no driver is bound, because intel_uncore could bind. */
static bool r2_is_intel_uncore(const struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	if (!driver)
		return true;
	return strcmp(driver->name, R2_DRIVER) &&
	       strstr(driver->name, "_uncore");
}

static struct pci_dev *r2_intel_function(const struct r2_function *function)
{
	struct pci_dev *pdev = NULL;

	while ((pdev = pci_get_device(PCI_VENDOR_ID_INTEL, function->device,
				      pdev)))
		if (r2_is_intel_uncore(pdev))
			return pdev;
	return NULL;
}

/* Return true if the name is free and stays free, else log the reason once. */
static bool r2_may_register(struct r2_pmu *pmu,
			    const struct r2_function *function)
{
	struct pci_dev *intel = r2_intel_function(function);
	bool in_use = pmon_owner_has(r2_pmu_name(function));

	if (intel && !pmu->logged)
		pr_info("%s waits: %s is not openpmon's\n",
			r2_pmu_name(function), pci_name(intel));
	else if (in_use && !pmu->logged)
		pr_info("%s waits: another driver has a PMU of that name\n",
			r2_pmu_name(function));
	pmu->logged = intel || in_use;
	pci_dev_put(intel);
	return !pmu->logged;
}

/* Clear the record of a destroyed PMU, and detach its boxes. */
static void r2_clear_pmu(struct r2_pmu *pmu)
{
	struct r2_box *box;

	list_for_each_entry(box, &r2.boxes, node)
		if (r2_pmu_of(box->function) == pmu)
			box->added = false;
	*pmu = (struct r2_pmu){ };
}

static void r2_register_pmu(struct r2_pmu *pmu,
			    const struct r2_function *function)
{
	int ret;

	if (!pmu->pmu || pmu->registered || !r2_may_register(pmu, function))
		return;
	ret = pmon_pmu_register(pmu->pmu);
	pmu->registered = !ret;
	if (!ret)
		return;
	pr_warn("%s cannot be registered: error %d\n", r2_pmu_name(function),
		ret);
	if (ret == -ENODEV)
		r2_clear_pmu(pmu);
}

/* Add new boxes to PMUs, and register PMUs. Called with r2.lock. */
void r2_pmus_update(void)
{
	struct r2_box *box;
	int ret;

	lockdep_assert_held(&r2.lock);
	if (!r2.probed)
		return;
	list_for_each_entry(box, &r2.boxes, node) {
		if (box->added || box->package < 0)
			continue;
		ret = r2_add_box(box);
		if (!ret)
			continue;
		pci_warn(box->pdev, "pmon_r2pcie: not served: error %d\n", ret);
		box->package = -1;
	}
	list_for_each_entry(box, &r2.boxes, node)
		if (box->added)
			r2_register_pmu(r2_pmu_of(box->function),
					box->function);
}

/*
 * Destroy a PMU that loses a function, even one without a box, and reset its
 * boxes. The PMU cannot stay, because intel_uncore may bind the function and
 * register the same name.
 */
static void r2_destroy_pmu(struct r2_pmu *pmu)
{
	pmon_pmu_destroy(pmu->pmu);
	r2_clear_pmu(pmu);
}

/*
 * Stop using a function: no register is accessed after the return. Called with
 * r2.lock.
 */
void r2_pmus_remove(struct r2_box *box)
{
	struct r2_pmu *pmu = r2_pmu_of(box->function);

	lockdep_assert_held(&r2.lock);
	if (pmu->pmu && pci_device_is_present(box->pdev)) {
		r2_destroy_pmu(pmu);
	} else if (box->added) {
		pmon_pmu_remove_box(pmu->pmu, pmon_in_package(box->package),
				    false);
		box->added = false;
		if (!r2_list_functions(pmu))
			*pmu = (struct r2_pmu){ };
	}
	pmon_pmu_flush();
}
