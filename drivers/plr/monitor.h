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

/* All modules are read that often, whatever the die level shows. */
#define PLR_ROUND_NS		10000000000ULL

/* FREQUENCY is the normal state of a loaded host. */
#define PLR_GATE_DEFAULT	(PLR_COARSE_MASK & ~1ULL)

enum plr_due { PLR_NOT_DUE, PLR_DUE_GATE, PLR_DUE_ROUND };

/**
 * struct plr_part - record of the die, the mesh or a module
 * @domain: DOMAIN of the mailbox
 * @id: ID of the mailbox
 * @due: whether it is to be read, and if all its reasons are to be cleared
 * @known: @active is valid
 * @log: reasons that were seen since a person cleared them
 * @active: reasons of the last interval
 * @fresh: reasons of @active that the interval before did not have
 * @ended: reasons that only the interval before had
 * @was_known: @known before this poll
 * @previous: reasons of the last reading
 * @read_ns: when that was, 0 while time cannot be counted from it
 * @due_ns: since when it is due
 * @upto_ns: until when its state is known, 0 while it is not
 * @skipped_ns: time since @upto_ns that is not observed
 * @shown_ns: &plr_monitor.shown_ns at @read_ns
 * @raw_ns: &plr_monitor.raw_ns at @read_ns
 * @observed_ns: time in which its state was known
 * @observed_since_ns: CLOCK_BOOTTIME from which it is known without a gap, or 0
 * @observed_last_ns: CLOCK_BOOTTIME until which it is known, 0 for never
 * @time_ns: time in each reason
 * @last_ns: CLOCK_BOOTTIME at which the reason was seen last, 0 for never
 * @since_ns: CLOCK_BOOTTIME since when the reason is in force, 0 when it is not
 *
 * Changed by plr_monitor_*() and plr_part_*() calls, which the caller
 * serialises. @log, @known, @active and the times may be read at any time: a
 * 64-bit access is one, and nothing needs two of them to be of one moment.
 */
struct plr_part {
	u8 domain;
	u8 id;
	u8 due;
	bool known;
	bool was_known;
	u64 log;
	u64 active;
	u64 fresh;
	u64 ended;
	u64 previous;
	u64 read_ns;
	u64 due_ns;
	u64 upto_ns;
	u64 skipped_ns;
	u64 shown_ns[PLR_COARSE_BITS];
	u64 raw_ns[PLR_COARSE_BITS];
	u64 observed_ns;
	u64 observed_since_ns;
	u64 observed_last_ns;
	u64 time_ns[PLR_REASON_BITS];
	u64 last_ns[PLR_REASON_BITS];
	u64 since_ns[PLR_REASON_BITS];
};

/**
 * struct plr_monitor - the monitor of a domain
 * @mailbox: its registers
 * @die: record of the die
 * @part: records of modules, and of the mesh where it is monitored
 * @count: records in @part
 * @gate: coarse reasons of the die level at which modules are read
 * @polls: polls since monitoring began, up to 2
 * @poll_ns: when the last one was, 0 for none
 * @round_ns: when all modules became due last
 * @until_round_ns: how long after that they are again
 * @carry: reasons that the die level had when it was cleared between two polls
 * @unsure: reasons of the die level that modules may have put there again,
 *	because not all of them were read
 * @unconfirmed: reasons of @unsure that the die level has, and no module yet
 * @elsewhere: reasons of the die level that no module has had in some turns
 * @unmatched: turns in a row in which the die level had such a reason
 * @turn_seen: reasons that parts had in this turn
 * @turn_visits: parts read in this turn
 * @next: index of the part whose turn it is; of those that had a reason
 * @late: a command was still under way at the end of the last poll
 * @behind: the last poll has not read all parts that were due
 * @primed: all parts have been read since monitoring began
 * @shown_ns: time in which the die level showed each coarse reason, and modules
 *	had not put it there again
 * @raw_ns: time in which the die level showed it, for whatever cause
 * @seen: reasons that parts had in this poll
 * @cleared: a part was cleared in this poll
 * @now_ns: monotonic time of this poll
 * @boot_ns: CLOCK_BOOTTIME of this poll
 * @interval_ns: time since the poll before, 0 in the first
 */
struct plr_monitor {
	struct plr_mailbox *mailbox;
	struct plr_part *die;
	struct plr_part *part[PLR_MODULES + 1];
	unsigned int count;
	u64 gate;
	unsigned int polls;
	u64 poll_ns;
	u64 round_ns;
	u64 until_round_ns;
	u64 carry;
	u64 unsure;
	u64 unconfirmed;
	u64 elsewhere;
	unsigned int unmatched;
	u64 turn_seen;
	unsigned int turn_visits;
	unsigned int next[2];
	bool late;
	bool behind;
	bool primed;
	u64 shown_ns[PLR_COARSE_BITS];
	u64 raw_ns[PLR_COARSE_BITS];
	u64 seen;
	bool cleared;
	u64 now_ns;
	u64 boot_ns;
	u64 interval_ns;
};

void plr_monitor_add(struct plr_monitor *monitor, struct plr_part *part);
int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns, bool blocked);
void plr_monitor_stop(struct plr_monitor *monitor);
void plr_monitor_note(struct plr_monitor *monitor, struct plr_part *part,
		      u64 value);

#endif /* PMON_PLR_MONITOR_H */
