// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probe boxes that do not respond, by one delayed work for all boxes, because
 * perf's callbacks cannot wait for an answer. If a box does not answer within
 * PMON_RESPONSE_NS, drop the box, and fail its events.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>

#include <compat/workqueue.h>

#include "core.h"

static void pmon_box_probe_here(void *data)
{
	struct pmon_box *box = data;

	guard(pmon_box)(box);
	if (pmon_hw_is_probed(&box->hw))
		pmon_box_probe(box);
}

static void pmon_box_visit(struct pmon_box *box)
{
	enum pmon_pci_access access = pmon_box_access(box);

	lockdep_assert_held(&pmon_mutex);
	if (access == PMON_PCI_ACCESSIBLE)
		pmon_box_call(box, pmon_box_probe_here);
	guard(pmon_box_irq)(box);
	pmon_hw_no_response(&box->hw, pmon_box_is_blocked(box));
	/* No probe failed in D3, so add() may probe at once. */
	if (access == PMON_PCI_D3 && !pmon_hw_is_probed(&box->hw))
		box->hw.probed = 0;
}

/*
 * The work holds the CPU hotplug lock and pmon_mutex, which others need. After
 * PMON_VISITS_NS release both; visit the remaining boxes PMON_VISITS_MS later.
 */
#define PMON_VISITS_NS		(20 * NSEC_PER_MSEC)
#define PMON_VISITS_MS		10

static void pmon_probe_work_fn(struct work_struct *work)
{
	static unsigned int round = 1;
	bool over = true, any = false;
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;
	u64 begin;

	guard(pmon_cpus_and)(&pmon_mutex);
	if (READ_ONCE(pmon_suspended))
		return;
	begin = ktime_get_mono_fast_ns();
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i) {
			if (!pmon_hw_is_probed(&box->hw))
				continue;
			if (box->visited != round &&
			    ktime_get_mono_fast_ns() - begin < PMON_VISITS_NS) {
				box->visited = round;
				pmon_box_visit(box);
			}
			over &= box->visited == round;
			any |= pmon_hw_is_probed(&box->hw);
		}
	round += over;
	if (any)
		queue_delayed_work(system_dfl_wq, to_delayed_work(work),
				   msecs_to_jiffies(PMON_VISITS_MS));
}

static DECLARE_DELAYED_WORK(pmon_probe_work, pmon_probe_work_fn);

void pmon_probe_soon(void)
{
	queue_delayed_work(system_dfl_wq, &pmon_probe_work, 0);
}

void pmon_probe_exit(void)
{
	cancel_delayed_work_sync(&pmon_probe_work);
}
