/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a poll of a domain does, and how it becomes time in each reason.
 */
#ifndef PMON_PLR_MONITOR_H
#define PMON_PLR_MONITOR_H

#include <linux/types.h>

#include <pmon/plr_reasons.h>

#include "mailbox.h"

/* MSR 0x54 and the mailbox have eight bits for a module. */
#define PLR_MODULES		256
#define PLR_COARSE_BITS		32

/* FREQUENCY is the normal state of a loaded host. */
#define PLR_GATE_DEFAULT	(PLR_COARSE_MASK & ~1ULL)
/* But FREQUENCY_PCS_TRL: a BMC has lowered the turbo limit. */
#define PLR_PCS_TRL		(32 + 7)

enum plr_due { PLR_NOT_DUE, PLR_DUE_GATE, PLR_DUE_ROUND };

/*
 * Record of the die, the mesh or a module. Changed by plr_monitor_*() calls,
 * which the caller serialises. @log, @known, @active and the times may be read
 * at any time: a 64-bit access is one, and nothing needs two of them to be of
 * one moment.
 */
struct plr_record {
	u8 domain;		/* of the mailbox, as is @id */
	u8 id;
	u8 due;			/* enum plr_due */
	bool failed;		/* the mailbox gave an error in this poll */
	bool known;		/* @active is valid */
	u64 log;		/* seen since a person cleared them */
	u64 active;		/* of the last interval */
	u64 carry;		/* cleared by a person, not yet accounted */
	u64 previous;		/* of the last reading, and in force since */
	u64 kept;		/* of the last reading, and not cleared */
	u32 stale;		/* the die has counted it, still set here */
	u64 read_ns;		/* when that was; 0: no time counts from it */
	u64 upto_ns;		/* its state is known until then, or 0 */
	u64 skipped_ns;		/* since @upto_ns, and not observed */
	u64 shown_ns[PLR_COARSE_BITS];	/* those of the monitor at @read_ns */
	u64 observed_ns;	/* its state was known for that long */
	u64 observed_since_ns;	/* boot time since when, without a gap, or 0 */
	u64 observed_last_ns;	/* boot time until when, 0 for never */
	u64 observed_count;	/* in that many intervals */
	u64 time_ns[PLR_REASON_BITS];	/* in each reason */
	u64 count[PLR_REASON_BITS];	/* intervals in which it came up anew */
	u64 last_ns[PLR_REASON_BITS];	/* boot time when it was seen last */
	u64 since_ns[PLR_REASON_BITS];	/* boot time since when it holds */
};

struct plr_monitor {
	struct plr_mailbox *mailbox;
	struct plr_record *die;
	struct plr_record *records[PLR_MODULES + 1];	/* modules, mesh */
	unsigned int count;
	u64 gate;		/* coarse reasons that somebody has asked for */
	unsigned int ids;	/* modules may have numbers below that */
	/* From here on nothing outlives the end of monitoring. */
	u64 poll_ns;		/* when the last poll was, or 0 */
	u64 round_ns;		/* when all modules became due last */
	u64 until_round_ns;	/* how long after that they are again */
	u64 carry;		/* the die had when it was cleared in between */
	u64 kept;		/* the die may show what is counted already */
	unsigned int last[2];	/* whose turn was; of those with a reason */
	bool hot;		/* the next turn is one of these */
	u64 alone_ns[PLR_COARSE_BITS];	/* since when only the die has each */
	unsigned int next_id;	/* numbers of no part were tried up to that */
	unsigned int others;	/* and up to that they are modules */
	bool again;		/* the next poll reads all parts, too */
	bool late;		/* a command was still under way at the end */
	bool behind;		/* the last poll has not read all parts due */
	bool primed;		/* all have been read; used without the lock */
	u64 open;		/* coarse reasons at which modules are read */
	u64 ready;		/* since when all were; used without the lock */
	u64 in_force;		/* reasons of all parts in the last poll */
	u64 shown_ns[PLR_COARSE_BITS];	/* for how long the die had each */
	u64 seen;		/* reasons of parts in this poll */
	u64 alone;		/* those that only the die has, for long */
	u32 fresh;		/* of the die, that have come up anew */
	bool cleared;		/* a part was cleared in this poll */
	u64 now_ns;		/* of this poll */
	u64 boot_ns;
	u64 interval_ns;	/* since the poll before, 0 in the first */
};

int plr_die_bit(unsigned int bit);
void plr_monitor_add(struct plr_monitor *monitor, struct plr_record *record);
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns);
void plr_monitor_stop(struct plr_monitor *monitor);
void plr_monitor_note_clear(struct plr_monitor *monitor,
			    struct plr_record *record, u64 value);
size_t plr_record_format(const struct plr_record *record, unsigned int bits,
			 char *buf, size_t size);

#endif /* PMON_PLR_MONITOR_H */
