// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keep the state of a box, and fail or detach the events when the state
 * changes. Only pmon_bank_set_state() writes the state. A later row replaces an
 * earlier row, and READY replaces every row.
 *
 * ============ ===================== ===================== ============ ======
 * State        Accesses              Events                Hand-back    Polled
 * ============ ===================== ===================== ============ ======
 * READY        all                   count                 on removal   yes
 * UNRESPONSIVE one read at a tick or fail at a tick and    on removal,  yes
 *              before add()          in add()              if it then
 *                                                          responds
 * D3           none                  fail; opening: ENXIO  once in D0   no
 * NO_CPU       none                  end with their CPU;   done, except no
 *                                    opening: ENXIO        in D3
 * REMOVED      none                  fail; opening: ENODEV done         no
 * ============ ===================== ===================== ============ ======
 *
 * In D3 the function's configuration space may be read. report.c logs when a
 * box becomes UNRESPONSIVE or enters D3, and when the box is READY again.
 * pmon_bank_set_up() sets up a box with events; pmon_bank_hand_back() hands a
 * box back.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>

#include "bank.h"

/* ---- the events of a box ------------------------------------------------- */

/* Fail the events of @slots: no gain until perf disables the event. */
void pmon_bank_fail(struct pmon_bank *bank, u64 slots, enum pmon_failure why)
{
	bool ends = why == PMON_END_FAILED;
	struct pmon_event *event;

	for (; slots; slots &= slots - 1) {
		event = bank->assigned[__ffs64(slots)];
		if (event && !ends)
			WRITE_ONCE(event->failed, true);
		for (event = bank->slot[__ffs64(slots)].counted; event;
		     event = event->next) {
			bool counted = event->counted_on >= 0;

			if (why != PMON_ALL_FAIL && counted != ends)
				continue;
			if (ends)
				bank->ops->lost(event);
			if (event->failed)
				continue;
			WRITE_ONCE(event->failed, true);
			bank->lost += ends;
		}
	}
	bank->refused += why == PMON_START_FAILED;
	bank->ops->report(bank);
}

/*
 * Detach the events of @slots: the hardware no longer counts these events.
 * Events of a free-running counter stay if assigned again. Report deleted
 * events that failed, because perf is about to read these events; events in
 * @unread were reported already.
 */
void pmon_bank_detach(struct pmon_bank *bank, u64 slots, u64 unread)
{
	for (; slots; slots &= slots - 1) {
		struct pmon_event **link = &bank->slot[__ffs64(slots)].counted;
		struct pmon_event *event;

		while ((event = *link)) {
			event->counted_on = -1;
			if (event->free_running && event->assigned_to >= 0) {
				link = &event->next;
				continue;
			}
			*link = event->next;
			event->next = NULL;
			if (unlikely(event->failed) && event->assigned_to < 0 &&
			    !(unread & slots & -slots))
				bank->ops->lost(event);
		}
	}
}

/* ---- states -------------------------------------------------------------- */

/*
 * Mark the contents of all registers as unknown, so a control that was cleared
 * meanwhile does not count as another program's change.
 */
void pmon_bank_set_unknown(struct pmon_bank *bank)
{
	u64 slots;

	bank->dirty |= bank->taken;
	bank->filters_known = 0;
	bank->hi_unknown = ~0ULL;
	bank->programmed = 0;
	for (slots = bank->controlled; slots; slots &= slots - 1) {
		bank->slot[__ffs64(slots)].ctl = 0;
		bank->slot[__ffs64(slots)].value = 0;
	}
}

void pmon_bank_set_state(struct pmon_bank *bank, enum pmon_box_state state)
{
	if (state == bank->state || (state && state < bank->state))
		return;

	WRITE_ONCE(bank->state, state);
	switch (state) {
	case PMON_BOX_READY:
		pmon_bank_set_unknown(bank);
		break;
	case PMON_BOX_UNRESPONSIVE:
		bank->probed = bank->ops->clock();
		break;
	case PMON_BOX_REMOVED:
		bank->used = false;
		bank->filtered = false;
		fallthrough;
	case PMON_BOX_D3:
	case PMON_BOX_NO_CPU:
		bank->halted = false;
		if (state == PMON_BOX_D3)
			pmon_bank_fail(bank, bank->active | bank->taken,
				       PMON_ALL_FAIL);
		pmon_bank_detach(bank, bank->active, 0);
		WRITE_ONCE(bank->active, 0);
	}
	bank->ops->report(bank);
}
