/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_LOG_H
#define PMON_PLR_LOG_H

#include <linux/types.h>

#include <pmon/plr_reasons.h>

/**
 * struct plr_history - what was seen of each reason since its clear
 * @first: boot time of the look that found it first in an interval, 0 for never
 * @last: boot time of the last look that found it in an interval; while there
 *	is none, of the last that found it; 0 for never
 * @after: of a reason that was found since then, set at a time that nothing
 *	tells: boot time before which it was not; 0 for the boot, and for others
 * @limited: nanoseconds of the intervals that had it
 */
struct plr_history {
	u64 first[PLR_REASON_BITS];
	u64 last[PLR_REASON_BITS];
	u64 after[PLR_REASON_BITS];
	u64 limited[PLR_REASON_BITS];
};

/**
 * struct plr_log - the software log of one die, mesh or module
 * @kept: reasons that were taken out of hardware and not cleared by a person
 * @taken: reasons that were taken out of hardware since the last tick
 * @active: reasons seen in the last interval
 * @cleared_ns: boot time of the last clear by a person, 0 for never
 * @looked_ns: boot time at which hardware had nothing last that is not in the
 *	history: it was read, and cleared if need be; 0 for never
 * @history: when and for how long, NULL without memory
 *
 * Hardware has one log of its own, which can only be cleared as a whole. What
 * is cleared there is kept here, so that a reason stays on record until
 * a user clears it by name. All zero is an empty log.
 */
struct plr_log {
	u64 kept;
	u64 taken;
	u64 active;
	u64 cleared_ns;
	u64 looked_ns;
	struct plr_history *history;
};

u64 plr_log_shown(const struct plr_log *log, u64 hardware);
void plr_log_keep(struct plr_log *log, u64 hardware, u64 boot_ns);
u64 plr_log_tick(struct plr_log *log, u64 hardware);
void plr_log_clear(struct plr_log *log, u64 mask, u64 boot_ns);
void plr_log_note_look(struct plr_log *log, u64 boot_ns);
void plr_log_rest(struct plr_log *log);
void plr_log_note_interval(struct plr_log *log, u64 boot_ns, u64 ns);

#endif /* PMON_PLR_LOG_H */
