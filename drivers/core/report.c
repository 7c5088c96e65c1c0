// SPDX-License-Identifier: GPL-2.0-only
/* Reconcile boxes, events and timers with what they should be; log problems. */
#include <linux/jiffies.h>
#include <linux/pci.h>
#include <linux/printk.h>

#include <compat/workqueue.h>

#include "core.h"
#include "perf_private.h"

bool pmon_event_is_of(const struct perf_event *event, const void *box)
{
	return pmon_event_hw(event)->open.box == box;
}

/* When an event that is off or failed is enabled, add() decides about it. */
static bool pmon_event_has_failed(const struct perf_event *event,
				  const void *box)
{
	return pmon_event_is_of(event, box) && pmon_event_is_enabled(event) &&
	       READ_ONCE(pmon_event_hw(event)->event.failed);
}

/* Events that wait for a counter have no mark of a failed read. */
static bool pmon_event_is_on(const struct perf_event *event, const void *box)
{
	return pmon_event_is_of(event, box) && pmon_event_is_enabled(event) &&
	       pmon_event_is_enabled(READ_ONCE(event->group_leader));
}

static void pmon_box_log_state(struct pmon_box *box)
{
	const char *pmu = box->pmu->name, *place = box->place->name;
	bool is_d3 = pmon_box_access(box) == PMON_PCI_D3;

	if (box->is_dropped)
		pr_info("%s %s: responds again\n", pmu, place);
	else if (is_d3)
		pr_info("%s %s: PCI function %s in D3, not counting\n", pmu,
			place, pci_name(box->power));
	else
		pr_warn("%s %s: no response (all ones), not counting\n", pmu,
			place);
	box->is_dropped = !box->is_dropped;
}

/*
 * Fail the events of a box that was dropped, even if the box responds again,
 * and each event that has failed, whatever the state.
 */
static void pmon_box_fail_events(struct pmon_box *box)
{
	unsigned int drops = READ_ONCE(box->hw.drops);
	unsigned int refused = READ_ONCE(box->hw.refused);
	bool dropped = box->failed_drops != drops;

	pmon_pmu_fail_events(box->pmu, dropped ? pmon_event_is_on :
						 pmon_event_has_failed, box);
	box->failed_drops = drops;
	if (dropped && !box->is_dropped)
		pmon_box_log_state(box);
	if (box->is_dropped && READ_ONCE(box->hw.state) == PMON_BOX_READY)
		pmon_box_log_state(box);
	if (box->logged_refused != refused)
		pr_warn_ratelimited("%s: a register of %s could not be written or read: events end\n",
				    box->pmu->name, box->place->name);
	box->logged_refused = refused;
}

/* Mark resets as logged; returns true if any was new. */
static bool pmon_box_mark_restarted(struct pmon_box *box)
{
	unsigned int before = box->logged_restarts;

	box->logged_restarts = READ_ONCE(box->hw.restarts);
	return box->logged_restarts != before;
}

/* Mark other changes as logged; returns true only the first time. */
static bool pmon_box_mark_disturbed(struct pmon_box *box)
{
	bool before = box->logged_disturbed;

	if (READ_ONCE(box->hw.disturbed) != READ_ONCE(box->hw.restarts))
		box->logged_disturbed = true;
	return box->logged_disturbed && !before;
}

/* From @pmu on, count boxes of its type in @place for which @mark() is true. */
static unsigned int pmon_mark_kind(struct pmon_pmu *pmu, unsigned int place,
				   bool (*mark)(struct pmon_box *box))
{
	const struct pmon_type *type = pmu->type;
	unsigned int boxes = mark(pmu->box[place]);

	if (!boxes)
		return 0;
	list_for_each_entry_continue(pmu, &pmon_pmus, list)
		boxes += pmu->type == type && pmu->box[place] &&
			 mark(pmu->box[place]);
	return boxes;
}

/* Log one line per type and place: programs reset hundreds of boxes at once. */
static void pmon_report_others(struct work_struct *work)
{
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i, boxes;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i) {
			boxes = pmon_mark_kind(pmu, i, pmon_box_mark_restarted);
			if (boxes)
				pr_warn("%s: the box of %s was reset or changed by another program or firmware (boxes of its kind: %u)\n",
					pmu->name, box->place->name, boxes);
			boxes = pmon_mark_kind(pmu, i, pmon_box_mark_disturbed);
			if (boxes)
				pr_warn("%s: somebody else changed counters or controls of %s (boxes of its kind: %u)\n",
					pmu->name, box->place->name, boxes);
		}
}

static DECLARE_DELAYED_WORK(pmon_report_others_work, pmon_report_others);

/* Ticks find changed boxes one by one. Wait for more before the first line. */
#define PMON_OTHERS_SOON	(HZ / 10)
#define PMON_OTHERS_AGAIN	(3 * HZ)

static void pmon_report_others_soon(void)
{
	static unsigned long again = INITIAL_JIFFIES;
	unsigned long now = jiffies, when = now + PMON_OTHERS_SOON;

	lockdep_assert_held(&pmon_mutex);
	if (time_before(when, again))
		when = again;
	if (queue_delayed_work(system_dfl_wq, &pmon_report_others_work,
			       when - now))
		again = when + PMON_OTHERS_AGAIN;
}

/* Log problems that were found with interrupts off, maybe in an NMI. */
static void pmon_box_report(struct pmon_box *box)
{
	pmon_global_report(box);
	if (READ_ONCE(box->hw.stalls) && !box->logged_stalls)
		pr_warn("%s %s: the clock stood still for a second: another program or firmware has frozen the box\n",
			box->pmu->name, box->place->name);
	box->logged_stalls = READ_ONCE(box->hw.stalls);
	if (box->logged_restarts != READ_ONCE(box->hw.restarts) ||
	    (READ_ONCE(box->hw.disturbed) && !box->logged_disturbed))
		pmon_report_others_soon();
}

/*
 * Log problems, and bring boxes, events and timers to their level, whatever led
 * here: what a change has missed lasts until the next call. Called by the
 * report, also every 30 s, and when a CPU comes online. The caller holds the
 * CPU hotplug lock.
 */
void pmon_reconcile(void)
{
	struct pmon_place *place;
	struct pmon_pmu *pmu;
	struct pmon_box *box;
	unsigned int i;

	guard(mutex)(&pmon_mutex);
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_for_each_box(box, pmu, i) {
			pmon_box_report(box);
			/* The box may be found in D3, or respond soon. */
			if (pmon_hw_is_probed(&box->hw)) {
				pmon_probe_soon();
				continue;
			}
			pmon_box_fail_events(box);
			pmon_box_reconcile(box);
		}
	list_for_each_entry(pmu, &pmon_pmus, list)
		pmon_pmu_set_failed(pmu);
	pmon_for_each_place(place, i)
		pmon_timer_reconcile(place);
}

void pmon_report_flush(void)
{
	/* Wait until pmon_report_soon() has queued the work. */
	irq_work_sync(&pmon_report_irq_work);
	flush_delayed_work(&pmon_report_work);
	flush_delayed_work(&pmon_report_others_work);
}
