// SPDX-License-Identifier: GPL-2.0-only
/* The engine as a module. It drives nothing by itself; leaves do. */
#include <linux/module.h>
#include <linux/reboot.h>

#include "core.h"

/*
 * At reboot, shutdown and kexec: hand all boxes back, so that the next kernel
 * finds them running, not frozen.
 */
static int pmon_reboot(struct notifier_block *nb, unsigned long action,
		       void *data)
{
	pmon_pmu_quiesce();
	return NOTIFY_DONE;
}

static struct notifier_block pmon_reboot_nb = {
	.notifier_call = pmon_reboot,
};

static const struct {
	int (*init)(void);
	void (*exit)(void);
} pmon_parts[] = {
	{ pmon_registry_init, pmon_registry_exit },
	{ pmon_tell_init, pmon_tell_exit },
	{ pmon_power_init, pmon_power_exit },
	{ pmon_owner_init, NULL },
	{ pmon_class_init, pmon_class_exit },
	{ pmon_timer_init, pmon_timer_exit },
	{ pmon_hotplug_init, pmon_hotplug_exit },
	{ pmon_resume_init, pmon_resume_exit },
};

static void pmon_parts_exit(unsigned int n)
{
	while (n--)
		if (pmon_parts[n].exit)
			pmon_parts[n].exit();
}

static int __init pmon_init(void)
{
	unsigned int i;
	int ret;

	pmon_perf_map_init();
	for (i = 0; i < ARRAY_SIZE(pmon_parts); i++) {
		ret = pmon_parts[i].init ? pmon_parts[i].init() : 0;
		if (ret) {
			pmon_parts_exit(i);
			return ret;
		}
	}

	ret = register_reboot_notifier(&pmon_reboot_nb);
	if (ret)
		pmon_parts_exit(i);
	return ret;
}
module_init(pmon_init);

static void __exit pmon_exit(void)
{
	unregister_reboot_notifier(&pmon_reboot_nb);
	pmon_parts_exit(ARRAY_SIZE(pmon_parts));
}
module_exit(pmon_exit);

MODULE_DESCRIPTION("Uncore counter engine");
MODULE_AUTHOR("The openpmon project");
MODULE_LICENSE("GPL");
