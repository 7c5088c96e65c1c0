// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose the modules that a poll reads, and read them. A module becomes due at
 * each scan and a second after a failed read. It also becomes due when the die
 * level shows a reason of the gate, and stays due until it is read in a poll
 * whose die level shows no such reason. While the rate limit permits, the due
 * module tried longest ago is next, even if that try failed. Times in reasons
 * are in account.c.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "sampler.h"

/* Period of scans of all modules, independent of the die level. */
#define SCAN_NS		10000000000ULL
/* Time from the first scan to the second. */
#define SECOND_SCAN_NS	500000000ULL
/* Time from a failed try to the next. */
#define RETRY_NS		1000000000ULL

void plr_record_log(struct plr_record *record, u64 value)
{
	WRITE_ONCE(record->log, record->log | value);
}

void plr_sampler_add(struct plr_sampler *sampler, struct plr_record *record)
{
	sampler->records[sampler->count++] = record;
}

/* While @slow is not 0, count the reads due: one in each PLR_SLOW_EACH_NS. */
static void plr_sampler_mark_slow(struct plr_sampler *sampler)
{
	u64 ns = sampler->slow && sampler->slow_ns ?
		 sampler->now_ns - sampler->slow_ns : 0;

	sampler->some = min_t(u64, ns / PLR_SLOW_EACH_NS, sampler->count);
	sampler->slow_ns = sampler->now_ns - ns % PLR_SLOW_EACH_NS;
}

/*
 * Begin a poll, in which the die level shows @shown. @scan: read all modules.
 * Return true if the caller must clear the die level before it reads modules.
 */
bool plr_sampler_mark(struct plr_sampler *sampler, u64 now_ns, u64 shown,
		      bool scan)
{
	u64 until_ns = sampler->scans > 1 ? SCAN_NS : SECOND_SCAN_NS;
	struct plr_record *record;
	unsigned int i;
	bool any;

	sampler->now_ns = now_ns;
	sampler->cleared = false;
	sampler->seen = 0;
	any = scan || !sampler->scans || now_ns - sampler->scan_ns >= until_ns;
	if (any) {
		sampler->scans++;
		sampler->scan_ns = now_ns;
	}
	for (i = 0; i < sampler->count; i++) {
		record = sampler->records[i];
		record->is_read = false;
		record->due = record->tried_ns < sampler->scan_ns ||
			      (record->again | shown) & sampler->gate ||
			      (record->read_ns < record->tried_ns &&
			       now_ns - record->tried_ns >= RETRY_NS);
		any |= record->due;
	}
	plr_sampler_mark_slow(sampler);
	return any || sampler->some;
}

static void plr_sampler_read_one(struct plr_sampler *sampler,
				 struct plr_record *record)
{
	struct plr_mailbox *mailbox = sampler->mailbox;
	u64 clear = record->read_ns < sampler->scan_ns ? ~0ULL : sampler->clear;

	record->tried_ns = sampler->now_ns;
	if (plr_mailbox_read(mailbox, record->domain, record->id,
			     &record->value))
		return;
	record->is_read = true;
	record->is_cleared = !record->value;
	sampler->seen |= record->value;
	plr_record_log(record, record->value);
	WRITE_ONCE(record->read_ns, sampler->now_ns);
	record->again = 0;
	if (!(record->value & clear))
		return;
	sampler->cleared = true;
	record->is_cleared = !plr_mailbox_clear(mailbox, record->domain,
						record->id);
}

/* Return the due record (@all: any record) tried longest ago, or NULL. */
static struct plr_record *plr_sampler_next(const struct plr_sampler *sampler,
					   bool all)
{
	struct plr_record *record, *next = NULL;
	unsigned int i;

	for (i = 0; i < sampler->count; i++) {
		record = sampler->records[i];
		if ((all || record->due) &&
		    record->tried_ns < (next ? next->tried_ns :
					       sampler->now_ns))
			next = record;
	}
	return next;
}

/*
 * Read due records while the rate limit permits. Stop after a late command,
 * because the mailbox is busy.
 */
void plr_sampler_read(struct plr_sampler *sampler)
{
	struct plr_record *record;
	bool behind = false;

	if (sampler->late && plr_mailbox_is_busy(sampler->mailbox))
		return;
	sampler->late = false;
	while (!sampler->late) {
		record = plr_sampler_next(sampler, sampler->some);
		behind = record && !plr_mailbox_has_budget(sampler->mailbox);
		if (!record || behind)
			break;
		if (sampler->some)
			sampler->some--;
		plr_sampler_read_one(sampler, record);
		sampler->late = sampler->mailbox->late;
	}
	WRITE_ONCE(sampler->behind, behind);
}

/* End a poll. @shown: reasons of all looks at the die level in this poll. */
void plr_sampler_end(struct plr_sampler *sampler, u64 shown)
{
	struct plr_record *record;
	unsigned int i;

	sampler->round_ns = sampler->now_ns;
	for (i = 0; i < sampler->count; i++) {
		record = sampler->records[i];
		record->again |= shown;
		sampler->round_ns = min(sampler->round_ns, record->tried_ns);
	}
}

void plr_sampler_stop(struct plr_sampler *sampler)
{
	unsigned int i;

	for (i = 0; i < sampler->count; i++) {
		sampler->records[i]->again = 0;
		WRITE_ONCE(sampler->records[i]->read_ns, 0);
	}
	memset_startat(sampler, 0, now_ns);
}
