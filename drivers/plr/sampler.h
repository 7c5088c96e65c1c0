/* SPDX-License-Identifier: GPL-2.0-only */
/* Choose the modules that a poll reads. */
#ifndef PMON_PLR_SAMPLER_H
#define PMON_PLR_SAMPLER_H

#include <linux/types.h>

#include "account.h"
#include "mailbox.h"

/* MSR 0x54 and INTERFACE have eight bits for a module. */
#define PLR_MODULES		256

/* Share of a module in a round of slow reads. */
#define PLR_SLOW_EACH_NS	50000000ULL

/*
 * Record of the die, the mesh or a module. Changes need domain->lock; @log and
 * @read_ns may be read without a lock.
 */
struct plr_record {
	u8 domain;		/* DOMAIN of mailbox commands */
	u8 id;			/* ID of mailbox commands */
	bool due;		/* this poll reads the module, if it can */
	u64 tried_ns;		/* poll of the last try to read; 0: none */
	u64 read_ns;		/* poll of the last read; 0: none */
	u64 value;		/* reasons of the last read */
	u64 log;		/* reasons seen since a user cleared them */
	struct plr_account account;
};

/* The caller holds domain->lock. Reasons are gate bits, but for @seen. */
struct plr_sampler {
	struct plr_mailbox *mailbox;
	struct plr_record *records[PLR_MODULES + 1];	/* modules, mesh */
	unsigned int count;	/* of @records */
	bool collects;		/* the die level lacks old reasons of modules */
	/* plr_sampler_stop() zeroes all fields from here on. */
	struct plr_clock clock;	/* begin of this poll */
	u64 open;		/* reasons that modules are cleared of */
	u64 die_only;		/* of these, not read for: the die's alone */
	u64 required;		/* of @open, those that have to be known */
	u64 wait_ns;		/* least time between two tries of a module */
	u64 scan_ns;		/* begin of the last scan; 0: none */
	u64 next_scan_ns;	/* time of the next one */
	bool behind;		/* due records are left; lockless */
	bool cleared;		/* this poll cleared a module */
	u64 seen;		/* reasons of all modules read in this poll */
};

#define plr_for_each_record(sampler, record, i) \
	for ((i) = 0; (i) < (sampler)->count && \
	     ((record) = (sampler)->records[i], true); (i)++)

void plr_record_log(struct plr_record *record, u64 value);

void plr_sampler_add(struct plr_sampler *sampler, struct plr_record *record);
u64 plr_sampler_slow(const struct plr_sampler *sampler, u64 shown);
bool plr_sampler_mark(struct plr_sampler *sampler, u64 shown, u64 period_ns);
u64 plr_sampler_read(struct plr_sampler *sampler);
u64 plr_sampler_round(const struct plr_sampler *sampler);
void plr_sampler_stop(struct plr_sampler *sampler);

#endif /* PMON_PLR_SAMPLER_H */
