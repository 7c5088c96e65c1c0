// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI functions that fall asleep while they have boxes (D3hot, D3cold), or are
 * reset. Their registers then answer with all-ones and must not be touched.
 * There is no notification: what the kernel does shows in
 * pci_dev.current_state, what others do (setpci, firmware) only in the
 * function's own Power Management Control/Status Register (PCI Bus Power
 * Management Interface Specification, Power Management Registers), which can be
 * read in every state but D3cold, and a reset in its Command Register.
 */
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/pci.h>
#include <linux/printk.h>
#include <compat/workqueue.h>

#include <compat/cleanup.h>

#include "core.h"

/*
 * A function whose counters read as all-ones is asked for its power state this
 * often at most, and a sleeping one whether it is awake, as long as its boxes
 * have events.
 */
#define PMON_POWER_PERIOD	(HZ / 4)

/* So many functions get a line in the log when several fall asleep at once. */
#define PMON_POWER_LINES	16

/*
 * Do the function's BARs not answer? After a reset it is in D0, and decodes no
 * memory before the kernel has restored its configuration.
 */
static bool pmon_power_bars_off(struct pci_dev *pdev)
{
	u16 command;

	return pci_read_config_word(pdev, PCI_COMMAND, &command) ||
	       command == (u16)~0 || !(command & PCI_COMMAND_MEMORY);
}

/*
 * Does the function's own Power Management Control/Status Register say D3hot?
 * If the register cannot be read, the function does not answer, as in D3cold.
 * The caller holds pmon_mutex, and the box was not lost.
 */
bool pmon_power_asks_off(const struct pmon_box *box)
{
	struct pci_dev *pdev = box->power;
	u16 control;

	if (!pdev)
		return false;
	if (pmon_box_is_off(box))
		return true;
	if (box->in_bar && pmon_power_bars_off(pdev))
		return true;
	if (!pdev->pm_cap)
		return false;
	if (pci_read_config_word(pdev, pdev->pm_cap + PCI_PM_CTRL, &control))
		return true;
	return (control & PCI_PM_CTRL_STATE_MASK) == (__force u16)PCI_D3hot;
}

/**
 * struct pmon_power_look - one look at all boxes
 * @again: boxes with events that sleep, and those that are to be asked again
 * @told: functions that the log has named
 * @nr_told: how many
 */
struct pmon_power_look {
	unsigned int again;
	const struct pci_dev *told[PMON_POWER_LINES];
	unsigned int nr_told;
};

/*
 * All boxes of a function share one line in the log: is this the first of them?
 */
static bool pmon_power_is_news(struct pmon_power_look *look,
			       const struct pmon_box *box)
{
	unsigned int i;

	for (i = 0; i < look->nr_told; i++)
		if (look->told[i] == box->power)
			return false;
	if (look->nr_told == PMON_POWER_LINES)
		return false;

	look->told[look->nr_told++] = box->power;
	return true;
}

/*
 * No event of @box is open, so nothing waits for its function to wake: what
 * opens an event and what starts one ask it again.
 */
static void pmon_power_pass_by(struct pmon_box *box, bool was_off)
{
	bool known = READ_ONCE(box->bank.used) || READ_ONCE(box->bank.written);

	box->told_asleep = false;
	if (was_off)
		pmon_box_wake(box);
	else if (known && pmon_power_asks_off(box))
		pmon_box_doubt(box);
}

static void pmon_power_look_at(struct pmon_box *box,
			       struct pmon_power_look *look)
{
	bool was_off = READ_ONCE(box->asleep);

	/* The device of the box may have gone meanwhile: say nothing then. */
	if (READ_ONCE(box->bank.gone) && !was_off)
		return;

	if (!pmon_box_has_events(box)) {
		pmon_power_pass_by(box, was_off);
	} else if (pmon_power_asks_off(box)) {
		look->again++;
		pmon_box_sleep(box);
		if (!box->told_asleep && pmon_power_is_news(look, box))
			pr_info("PCI function %s sleeps: its boxes do not count until it wakes\n",
				pci_name(box->power));
		box->told_asleep = true;
	} else if (was_off) {
		if (pmon_power_is_news(look, box))
			pr_info("PCI function %s is awake: its boxes count again\n",
				pci_name(box->power));
		box->told_asleep = false;
		pmon_box_wake(box);
	}
}

static void pmon_power_look_at_pmu(struct pmon_pmu *pmu, void *data)
{
	struct pmon_box *box;
	unsigned int i;

	for (i = 0; i < PMON_PLACES_MAX; i++) {
		box = pmu->box[i];
		if (box && box->power)
			pmon_power_look_at(box, data);
	}
}

static void pmon_power_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(pmon_power_work, pmon_power_work_fn);

static void pmon_power_work_fn(struct work_struct *work)
{
	struct pmon_power_look look = { };

	cpus_read_lock();
	pmon_registry_each(pmon_power_look_at_pmu, &look);
	cpus_read_unlock();
	if (look.again)
		queue_delayed_work(system_percpu_wq, &pmon_power_work,
				   PMON_POWER_PERIOD);
}

/* In jiffies: when functions that do not answer were last asked. */
static unsigned long pmon_power_asked;

/*
 * Called with interrupts off, when a register read as all-ones or a function
 * was found asleep: look at all boxes soon.
 */
static void pmon_power_ask(void)
{
	unsigned long next = pmon_power_asked + PMON_POWER_PERIOD;
	unsigned long now = jiffies;

	if (time_in_range(now, pmon_power_asked, next)) {
		queue_delayed_work(system_percpu_wq, &pmon_power_work,
				   next - now);
		return;
	}
	pmon_power_asked = now;
	mod_delayed_work(system_percpu_wq, &pmon_power_work, 0);
}

int pmon_power_init(void)
{
	pmon_later_begin(PMON_LATER_POWER, pmon_power_ask);
	return 0;
}

void pmon_power_exit(void)
{
	pmon_later_end(PMON_LATER_POWER);
	cancel_delayed_work_sync(&pmon_power_work);
}
