// SPDX-License-Identifier: GPL-2.0-only
/* Events on free-running counters: each is the difference of two readings. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "count.h"
#include "free_running.h"

/* Returns false when the hardware did not answer. */
static bool pmon_free_running_reading(const struct pmon_bank *bank,
				      unsigned int i, u64 *value)
{
	*value = pmon_read_settled(&bank->regs, bank->slot[i].ctr_reg);
	return pmon_reading_valid(*value);
}

/*
 * Is the event in the bank's list? It is from add, until the apply after del.
 */
static bool pmon_free_running_listed(const struct pmon_event *event)
{
	return event->assigned_to >= 0 || event->counted_on >= 0;
}

void pmon_free_running_add(struct pmon_bank *bank, struct pmon_event *event)
{
	if (!pmon_free_running_listed(event)) {
		event->next = bank->free_running;
		bank->free_running = event;
	}
	event->assigned_to = __ffs64(event->allowed);
	bank->dirty = true;
}

static void pmon_free_running_unlist(struct pmon_bank *bank,
				     struct pmon_event *event)
{
	struct pmon_event **link = &bank->free_running;

	while (*link != event)
		link = &(*link)->next;
	*link = event->next;
	event->next = NULL;
}

void pmon_free_running_del(struct pmon_bank *bank, struct pmon_event *event)
{
	event->assigned_to = -1;
	if (!pmon_free_running_listed(event))
		pmon_free_running_unlist(bank, event);
	bank->dirty = true;
}

void pmon_free_running_read(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 value, delta;

	if (!pmon_free_running_reading(bank, event->counted_on, &value)) {
		pmon_bank_is_silent(bank);
		return;
	}

	delta = pmon_delta(event->before, value,
			   bank->slot[event->counted_on].mask);
	event->before = value;
	if (delta)
		bank->ops->gain(event, delta);
}

/*
 * If the counter does not answer the event does not start: its first gain would
 * be everything that the counter holds.
 */
static void pmon_free_running_begin(struct pmon_bank *bank,
				    struct pmon_event *event)
{
	if (pmon_free_running_reading(bank, event->assigned_to, &event->before))
		event->counted_on = event->assigned_to;
}

static void pmon_free_running_end(struct pmon_bank *bank,
				  struct pmon_event *event)
{
	pmon_free_running_read(bank, event);
	event->counted_on = -1;
}

void pmon_free_running_apply(struct pmon_bank *bank)
{
	struct pmon_event *event, *next;

	bank->free_running_counts = false;
	for (event = bank->free_running; event; event = next) {
		bool counts = event->assigned_to >= 0 && !event->stopped;

		next = event->next;
		if (counts && event->counted_on < 0)
			pmon_free_running_begin(bank, event);
		else if (!counts && event->counted_on >= 0)
			pmon_free_running_end(bank, event);
		bank->free_running_counts |= counts;
		if (!pmon_free_running_listed(event))
			pmon_free_running_unlist(bank, event);
	}
	bank->running |= bank->free_running_counts;
}

void pmon_free_running_sync(struct pmon_bank *bank)
{
	struct pmon_event *event;

	for (event = bank->free_running; event && !bank->silent;
	     event = event->next)
		if (event->counted_on >= 0)
			pmon_free_running_read(bank, event);
}

void pmon_free_running_lose(struct pmon_bank *bank)
{
	struct pmon_event *event, *next;

	bank->free_running_counts = false;
	for (event = bank->free_running; event; event = next) {
		next = event->next;
		event->counted_on = -1;
		if (!pmon_free_running_listed(event))
			pmon_free_running_unlist(bank, event);
	}
}
