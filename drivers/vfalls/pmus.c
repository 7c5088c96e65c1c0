// SPDX-License-Identifier: GPL-2.0-only
/* From units to perf PMUs: one for each, which any CPU reaches. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/numa.h>

#include "units.h"
#include "vfalls.h"

static int vfalls_give_box(struct vfalls_box *box,
			   const struct vfalls_unit *unit)
{
	const struct vfalls_rights rights = { .denied = &box->denied };
	struct pmon_box_info info = {
		.place = pmon_near_node(NUMA_NO_NODE),
		.layout = *vfalls_layout(unit),
	};

	info.layout.data = &rights;
	vfalls_regs(&info.regs, box, unit);
	return pmon_pmu_add_box(box->pmu, &info);
}

static struct pmon_pmu *vfalls_pmu_create(const struct vfalls_unit *unit,
					  const char *name)
{
	const struct pmon_pmu_info info = {
		.name = name, .type = vfalls_type(unit), .owner = THIS_MODULE,
	};

	return pmon_pmu_create(&info);
}

static int vfalls_pmu_show(struct vfalls_box *box,
			   const struct vfalls_unit *unit, const char *name)
{
	struct pmon_pmu *pmu = vfalls_pmu_create(unit, name);
	int ret;

	if (IS_ERR(pmu))
		return PTR_ERR(pmu);

	box->pmu = pmu;
	ret = vfalls_give_box(box, unit) ?: pmon_pmu_register(pmu);
	if (ret) {
		pmon_pmu_destroy(pmu);
		box->pmu = NULL;
	}
	return ret;
}

/**
 * vfalls_pmus_add() - give perf the units that are there
 *
 * At module init; pmon_pmu_destroy_all() takes them away.
 */
void vfalls_pmus_add(void)
{
	unsigned int n;
	int ret;

	for (n = 0; n < VFALLS_UNITS; n++) {
		const struct vfalls_unit unit = vfalls_unit(n);
		char name[VFALLS_NAME_SIZE];

		if (!(vfalls.found.units & BIT(n)))
			continue;
		vfalls_unit_name(&unit, name, sizeof(name));
		ret = vfalls_pmu_show(&vfalls.box[n], &unit, name);
		if (ret)
			pr_warn("%s cannot be registered: error %d\n", name,
				ret);
	}
}
