// SPDX-License-Identifier: GPL-2.0-only
/* Events on free-running counters: each is the difference of two readings. */
#include <linux/bits.h>
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "counters.h"
#include "count.h"

/*
 * Can counter @i have gained @delta since it held @before, or was it reset,
 * with its device (@may_reset)? It has no control that would show it. The clock
 * is read after the counter, and @since was taken before the last reading.
 */
static bool pmon_free_running_believes(const struct pmon_bank *bank,
				       unsigned int i, u64 before, u64 delta)
{
	const struct pmon_protocol *protocol = bank->layout.protocol;
	const struct pmon_slot *slot = &bank->slot[i];
	u64 ns;

	if (delta < PMON_DELTA_SMALL)
		return true;
	ns = bank->ops->clock() - slot->since;
	if (!pmon_delta_possible(delta, ns))
		return false;
	return !protocol || !protocol->may_reset ||
	       !pmon_slot_went_back(slot, before, before + delta) ||
	       pmon_wrap_possible(delta, ns,
				  bank->layout.counter[i].rate_log2 ?:
				  protocol->rate_log2);
}

/*
 * Read a counter, and add to its total what it has gained since it was last
 * read for any event. If no counter can gain that much it was reset, with its
 * device: what it counted since then is lost for all its events. Returns false
 * when the hardware did not answer.
 */
static bool pmon_free_running_reading(struct pmon_bank *bank, unsigned int i,
				      bool counts)
{
	struct pmon_slot *slot = &bank->slot[i];
	u64 value = pmon_bank_read_slot(bank, slot);
	u64 before = slot->value;
	u64 delta;

	if (!pmon_reading_valid(value))
		return false;

	delta = pmon_delta(before, value, slot->mask);
	slot->value = value;
	if (likely(pmon_free_running_believes(bank, i, before, delta)))
		slot->total += delta;
	else if (counts)
		pmon_bank_disturbed(bank);
	return true;
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

/*
 * The first reading of an event. Until the counter answers, the event gains
 * nothing and is @late: its gain would be everything that the counter holds.
 */
static bool pmon_free_running_first(struct pmon_bank *bank,
				    struct pmon_event *event)
{
	struct pmon_slot *slot = &bank->slot[event->counted_on];
	u64 when = bank->ops->clock();

	event->late = !pmon_free_running_reading(bank, event->counted_on,
						 false);
	if (event->late)
		return false;

	slot->since = when;
	event->before = slot->total;
	return true;
}

bool pmon_free_running_read(struct pmon_bank *bank, struct pmon_event *event)
{
	u64 total, gain;

	if (unlikely(event->late))
		return pmon_free_running_first(bank, event);
	if (!pmon_free_running_reading(bank, event->counted_on, true)) {
		pmon_bank_set_unresponsive(bank);
		return false;
	}

	total = bank->slot[event->counted_on].total;
	gain = total - event->before;
	event->before = total;
	if (gain)
		bank->ops->gain(event, gain);
	return true;
}

static void pmon_free_running_begin(struct pmon_bank *bank,
				    struct pmon_event *event)
{
	event->counted_on = event->assigned_to;
	event->late = bank->unresponsive;
	if (!event->late && unlikely(!pmon_free_running_first(bank, event)))
		pmon_bank_set_unresponsive(bank);
}

static void pmon_free_running_end(struct pmon_bank *bank,
				  struct pmon_event *event)
{
	if (bank->unresponsive || !pmon_free_running_read(bank, event))
		pmon_bank_lost_event(bank, event);
	event->counted_on = -1;
}

void pmon_free_running_end_all(struct pmon_bank *bank)
{
	unsigned int lost = bank->lost;
	struct pmon_event *event;

	for (event = bank->free_running; event; event = event->next)
		if (event->counted_on >= 0)
			pmon_free_running_end(bank, event);
	pmon_bank_count_lost(bank, lost);
}

static bool pmon_free_running_shall_count(const struct pmon_event *event)
{
	return event->assigned_to >= 0 && !event->stopped;
}

void pmon_free_running_apply(struct pmon_bank *bank)
{
	struct pmon_event *event, *next;
	unsigned int lost = bank->lost;

	bank->free_running_counts = false;
	for (event = bank->free_running; event; event = next) {
		bool counts = pmon_free_running_shall_count(event);

		next = event->next;
		if (counts && event->counted_on < 0)
			pmon_free_running_begin(bank, event);
		else if (!counts && event->counted_on >= 0)
			pmon_free_running_end(bank, event);
		bank->free_running_counts |= event->counted_on >= 0;
		if (!pmon_free_running_listed(event))
			pmon_free_running_unlist(bank, event);
	}
	bank->running |= bank->free_running_counts;
	pmon_bank_count_lost(bank, lost);
}

/* All events that count, or are about to, fail. */
void pmon_free_running_fail(struct pmon_bank *bank)
{
	struct pmon_event *event;

	for (event = bank->free_running; event; event = event->next)
		if (event->counted_on >= 0 ||
		    pmon_free_running_shall_count(event))
			WRITE_ONCE(event->failed, true);
}

void pmon_free_running_sync(struct pmon_bank *bank, u64 when)
{
	struct pmon_event *event;

	for (event = bank->free_running; event && !bank->unresponsive;
	     event = event->next)
		if (event->counted_on >= 0 &&
		    pmon_free_running_read(bank, event))
			bank->slot[event->counted_on].since = when;
}

/*
 * What a counter gained before it was reset is not known. After a wrap it holds
 * less, too, and so soon after sleep that is taken for a reset: an event that
 * lacks some is better than one with the range of a counter too much.
 */
void pmon_free_running_resume(struct pmon_bank *bank)
{
	struct pmon_event *event;
	struct pmon_slot *slot;
	u64 value;

	for (event = bank->free_running; event; event = event->next) {
		if (event->counted_on < 0)
			continue;
		slot = &bank->slot[event->counted_on];
		value = pmon_read_settled(&bank->regs, slot->ctr_reg);
		if (pmon_reading_valid(value) &&
		    pmon_slot_went_back(slot, slot->value, value))
			slot->value = value;
	}
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
