// SPDX-License-Identifier: GPL-2.0-only
/*
 * After the machine slept (S3, S4, suspend to idle) firmware may have reset any
 * box. The kernel says when it is over, so that boxes in use are looked at then
 * and not at the next wrap tick, and nothing is believed of those that were
 * used.
 */
#include <linux/cpu.h>
#include <linux/notifier.h>
#include <linux/suspend.h>

#include "core.h"

static void pmon_resume_pmu(struct pmon_pmu *pmu, void *data)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++)
		if (pmu->box[i])
			pmon_box_resume(pmu->box[i]);
}

static int pmon_resume(struct notifier_block *nb, unsigned long action,
		       void *data)
{
	switch (action) {
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		cpus_read_lock();
		pmon_registry_each(pmon_resume_pmu, NULL);
		cpus_read_unlock();
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block pmon_resume_nb = { .notifier_call = pmon_resume };

int pmon_resume_init(void)
{
	return register_pm_notifier(&pmon_resume_nb);
}

void pmon_resume_exit(void)
{
	unregister_pm_notifier(&pmon_resume_nb);
}
