/* SPDX-License-Identifier: GPL-2.0-only */
/* Poll a domain and account the time in each reason. */
#ifndef PMON_PLR_MONITOR_H
#define PMON_PLR_MONITOR_H

#include <linux/types.h>

#include <pmon/plr_reasons.h>

#include "mailbox.h"

/* MSR 0x54 and INTERFACE have eight bits for a module. */
#define PLR_MODULES		256
#define PLR_COARSE_BITS		32

/* All coarse reasons but FREQUENCY, the normal state of a loaded host. */
#define PLR_GATE_DEFAULT	(PLR_COARSE_MASK & ~1ULL)
/* FREQUENCY_PCS_TRL: a BMC has lowered the turbo limit. Opens the gate. */
#define PLR_PCS_TRL		(32 + 7)

enum plr_due { PLR_NOT_DUE, PLR_DUE_GATE, PLR_DUE_SCAN };

/*
 * Record of the die, the mesh or a module. Changes need domain->lock. @log,
 * @active_valid, @active and the times may be read without a lock: no reader
 * needs two fields of the same moment.
 */
struct plr_record {
	u8 domain;		/* DOMAIN of mailbox commands */
	u8 id;			/* ID of mailbox commands */
	u8 due;			/* enum plr_due */
	bool failed;		/* a mailbox command failed in this poll */
	bool active_valid;	/* @active is valid */
	u64 log;		/* reasons seen since a user cleared them */
	u64 active;		/* reasons of the last interval */
	u64 carry;		/* cleared by a user, not yet accounted */
	u64 previous;		/* last read, less reasons ended since */
	u64 uncleared;		/* last read, if not cleared afterwards */
	u32 stale;		/* coarse, not cleared; counted for the die */
	u64 read_ns;		/* time of the last read; 0: none */
	u64 upto_ns;		/* end of the observed time; 0: unknown */
	u64 skipped_ns;		/* unobserved time after @upto_ns */
	u64 shown_ns[PLR_COARSE_BITS];	/* monitor->shown_ns at @read_ns */
	u64 observed_ns;	/* total observed time */
	u64 observed_since_ns;	/* boot time: no gap since; 0: gap now */
	u64 observed_last_ns;	/* boot time of the last observation; 0: none */
	u64 observed_count;	/* number of observed intervals */
	u64 time_ns[PLR_REASON_BITS];	/* total time in each reason */
	u64 count[PLR_REASON_BITS];	/* intervals with a new onset */
	u64 last_ns[PLR_REASON_BITS];	/* boot time of the last sighting */
	u64 since_ns[PLR_REASON_BITS];	/* boot time of the onset; 0: ended */
};

struct plr_monitor {
	struct plr_mailbox *mailbox;
	struct plr_record *die;
	struct plr_record *records[PLR_MODULES + 1];	/* modules, mesh */
	unsigned int count;	/* of @records */
	u64 gate;		/* coarse reasons requested by users */
	unsigned int ids;	/* module IDs to try, 0: all have a record */
	/* plr_monitor_stop() zeroes all fields from here on. */
	u64 poll_ns;		/* begin of the last poll, 0: none; lockless */
	u64 scan_ns;		/* time of the last scan of all records */
	u64 until_scan_ns;	/* from @scan_ns to the next scan */
	u64 carry;		/* die reasons cleared since the last poll */
	u64 counted;		/* die reasons that may be counted already */
	unsigned int last[2];	/* last index read: [0] idle, [1] limited */
	bool next_limited;	/* index of @last for the next read */
	u64 die_only_ns[PLR_COARSE_BITS];	/* since; 0: a record has it */
	unsigned int next_id;	/* module IDs below were tried */
	unsigned int others;	/* IDs below may be modules without a record */
	bool read_again;	/* the next poll reads all records, too */
	bool late;		/* the last command did not end in time */
	bool behind;		/* the last poll did not read all due records */
	bool primed;		/* all records were read once; lockless */
	u64 open;		/* coarse reasons that open the gate */
	u64 ready;		/* @open, once all were read; lockless */
	u64 active;		/* reasons active in any record */
	u64 shown_ns[PLR_COARSE_BITS];	/* total time in the die level */
	u64 seen;		/* reasons of all records in this poll */
	u64 die_only;		/* of the die level only, for DIE_ONLY_NS */
	u32 onset;		/* new in the die level in this poll */
	bool cleared;		/* this poll cleared a module */
	u64 now_ns;		/* begin of this poll, monotonic */
	u64 boot_ns;		/* begin of this poll, boot time */
	u64 interval_ns;	/* since the poll before; 0 in the first */
};

int plr_die_bit(unsigned int bit);
void plr_monitor_add(struct plr_monitor *monitor, struct plr_record *record);
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns);
void plr_monitor_stop(struct plr_monitor *monitor);
void plr_monitor_account_clear(struct plr_monitor *monitor,
			       struct plr_record *record, u64 value);
size_t plr_record_format(const struct plr_record *record, unsigned int bits,
			 char *buf, size_t size);

#endif /* PMON_PLR_MONITOR_H */
