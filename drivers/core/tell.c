// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to the log what boxes were found to have met, and ends the events that
 * hardware refused to start or to read.
 */
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "core.h"

/*
 * End the events that hardware refused to start, or to read a last time. Each
 * time has its line: nothing else says why perf shows <not counted>.
 */
static void pmon_box_tell_refused(struct pmon_box *box)
{
	unsigned int refused = READ_ONCE(box->bank.refused);
	unsigned int lost = READ_ONCE(box->bank.lost);
	bool news = box->told_refused != refused;

	if (!news && box->told_lost == lost)
		return;

	/* Of a box that does not respond there is a line. */
	news |= !READ_ONCE(box->bank.unresponsive) &&
		!box->told_unresponsive;
	box->told_refused = refused;
	box->told_lost = lost;
	pmon_box_fail_refused(box);
	if (!news)
		return;
	pr_warn_ratelimited("%s: a register of %s could not be written or read: events end\n",
			    pmon_pmu_name(box->pmu), box->place->name);
}

/* One line when a box stops to respond, and one when it responds again. */
static void pmon_box_tell_unresponsive(struct pmon_box *box)
{
	bool unresponsive = READ_ONCE(box->bank.unresponsive) &&
			    !pmon_power_asks_off(box);

	if (unresponsive)
		pmon_box_fail_refused(box);
	if (unresponsive == box->told_unresponsive)
		return;

	box->told_unresponsive = unresponsive;
	if (unresponsive)
		pr_warn("%s %s: no response (all ones), not counting\n",
			pmon_pmu_name(box->pmu), box->place->name);
	else
		pr_info("%s %s: responds again\n",
			pmon_pmu_name(box->pmu), box->place->name);
}

/*
 * Called with interrupts on and pmon_mutex held: what a box has met was found
 * with interrupts off, maybe in an NMI, and cannot be printed there. That is
 * rare, so one work looks at all boxes.
 */
void pmon_box_tell(struct pmon_box *box)
{
	unsigned int restarts = READ_ONCE(box->bank.restarts);

	pmon_global_tell(box);
	pmon_box_tell_unresponsive(box);
	pmon_box_tell_refused(box);
	if (box->told_restarts != restarts)
		pr_warn("%s: the box of %s was reset by another program or firmware and is set up again\n",
			pmon_pmu_name(box->pmu), box->place->name);
	box->told_restarts = restarts;
	if (READ_ONCE(box->bank.disturbed) == restarts || box->told)
		return;

	box->told = true;
	pr_warn("%s: somebody else changed counters or controls of %s\n",
		pmon_pmu_name(box->pmu), box->place->name);
}

static void pmon_pmu_tell(struct pmon_pmu *pmu, void *data)
{
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++)
		if (pmu->box[i])
			pmon_box_tell(pmu->box[i]);
}

static void pmon_tell(struct work_struct *work)
{
	pmon_registry_each(pmon_pmu_tell, NULL);
}

static DECLARE_WORK(pmon_tell_work, pmon_tell);

static void pmon_tell_soon(void)
{
	schedule_work(&pmon_tell_work);
}

int pmon_tell_init(void)
{
	pmon_later_begin(PMON_LATER_TELL, pmon_tell_soon);
	return 0;
}

void pmon_tell_exit(void)
{
	pmon_later_end(PMON_LATER_TELL);
	cancel_work_sync(&pmon_tell_work);
}
