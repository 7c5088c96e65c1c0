/* SPDX-License-Identifier: GPL-2.0-only */
/* Choose the modules that a poll reads. */
#ifndef PMON_PLR_SAMPLER_H
#define PMON_PLR_SAMPLER_H

#include <linux/types.h>

#include "account.h"
#include "mailbox.h"

/* MSR 0x54 and INTERFACE have eight bits for a module. */
#define PLR_MODULES		256

/* Period of reads for plr_sampler.slow; each reads one module. */
#define PLR_SLOW_EACH_NS	50000000ULL

/*
 * Record of the die, the mesh or a module. Changes need domain->lock; @log and
 * @read_ns may be read without a lock.
 */
struct plr_record {
	u8 domain;		/* DOMAIN of mailbox commands */
	u8 id;			/* ID of mailbox commands */
	bool due;		/* this poll reads the module, if it can */
	u64 again;		/* reasons of the die from the last read on */
	u64 tried_ns;		/* time of the last try to read; 0: none */
	u64 read_ns;		/* time of the last read; 0: none */
	u64 log;		/* reasons seen since a user cleared them */
	bool is_read;		/* this poll read the module: @value is valid */
	bool is_cleared;	/* no reason was left in hardware */
	u64 value;		/* reasons read from hardware */
	struct plr_account account;
};

/* The caller holds domain->lock. */
struct plr_sampler {
	struct plr_mailbox *mailbox;
	struct plr_record *records[PLR_MODULES + 1];	/* modules, mesh */
	unsigned int count;	/* of @records */
	/* Input of a poll. */
	u64 gate;		/* reasons at which modules are read */
	u64 slow;		/* reasons with one read per PLR_SLOW_EACH_NS */
	u64 clear;		/* reasons to clear in hardware */
	/* plr_sampler_stop() zeroes all fields from here on. */
	u64 now_ns;		/* begin of this poll */
	u64 scan_ns;		/* begin of the last scan; 0: none */
	unsigned int scans;	/* number of scans begun */
	u64 slow_ns;		/* reads for @slow are counted up to here */
	unsigned int some;	/* number of reads for @slow that are due */
	u64 round_ns;		/* lowest tried_ns of all records */
	bool late;		/* the last command did not end in time */
	bool behind;		/* due records are left; lockless */
	bool cleared;		/* this poll cleared a module */
	u64 seen;		/* reasons of all modules read in this poll */
};

void plr_record_log(struct plr_record *record, u64 value);

void plr_sampler_add(struct plr_sampler *sampler, struct plr_record *record);
bool plr_sampler_mark(struct plr_sampler *sampler, u64 now_ns, u64 shown,
		      bool scan);
void plr_sampler_read(struct plr_sampler *sampler);
void plr_sampler_end(struct plr_sampler *sampler, u64 shown);
void plr_sampler_stop(struct plr_sampler *sampler);

#endif /* PMON_PLR_SAMPLER_H */
