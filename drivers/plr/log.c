// SPDX-License-Identifier: GPL-2.0-only
/* The software log behind every directory of reasons. */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/minmax.h>

#include "log.h"

/**
 * plr_log_shown() - what a reader is shown
 * @log: the log
 * @hardware: what hardware has now
 *
 * Return: all reasons since they were last cleared.
 */
u64 plr_log_shown(const struct plr_log *log, u64 hardware)
{
	return log->kept | hardware;
}

/*
 * Reasons were found that were set since hardware had none last, at a time that
 * nothing tells. When they were seen last in an interval stays, if they were.
 */
static void plr_log_note_latched(struct plr_log *log, u64 reasons, u64 boot_ns)
{
	struct plr_history *history = log->history;

	for (; history && reasons; reasons &= reasons - 1) {
		unsigned int bit = __ffs64(reasons);

		if (!history->first[bit])
			history->last[bit] = boot_ns;
		history->after[bit] = max(history->after[bit], log->looked_ns);
	}
}

/**
 * plr_log_keep() - take over what is about to be cleared in hardware
 * @log: the log
 * @hardware: what was read
 * @boot_ns: boot time
 *
 * It gets a line in the history at once: when hardware is looked at the next
 * time it may not have it any more.
 */
void plr_log_keep(struct plr_log *log, u64 hardware, u64 boot_ns)
{
	plr_log_note_latched(log, hardware, boot_ns);
	log->kept |= hardware;
	log->taken |= hardware;
}

/**
 * plr_log_tick() - an interval has passed, and hardware was read and cleared
 * @log: the log
 * @hardware: what was read
 *
 * The reasons of this interval are these, and those that a user has cleared
 * since the last tick.
 *
 * Return: reasons that the interval before did not have.
 */
u64 plr_log_tick(struct plr_log *log, u64 hardware)
{
	u64 now = hardware | log->taken;
	u64 fresh = now & ~log->active;

	log->kept |= hardware;
	log->taken = 0;
	log->active = now;

	return fresh;
}

/**
 * plr_log_clear() - forget reasons by a person's wish
 * @log: the log
 * @mask: which
 * @boot_ns: boot time at which hardware did not have them
 */
void plr_log_clear(struct plr_log *log, u64 mask, u64 boot_ns)
{
	struct plr_history *history = log->history;

	log->kept &= ~mask;
	for (; history && mask; mask &= mask - 1) {
		unsigned int bit = __ffs64(mask);

		history->first[bit] = 0;
		history->last[bit] = 0;
		history->after[bit] = boot_ns;
		history->limited[bit] = 0;
	}
}

/**
 * plr_log_rest() - no interval is under way
 * @log: the log
 */
void plr_log_rest(struct plr_log *log)
{
	log->taken = 0;
	log->active = 0;
}

/**
 * plr_log_note_look() - hardware has nothing that is not in the history
 * @log: the log
 * @boot_ns: boot time
 */
void plr_log_note_look(struct plr_log *log, u64 boot_ns)
{
	WRITE_ONCE(log->looked_ns, boot_ns);
}

/**
 * plr_log_note_interval() - an interval is over, whose reasons are @active
 * @log: the log, after plr_log_tick()
 * @boot_ns: boot time of its end
 * @ns: its length
 *
 * A reason that a user has cleared in this interval, and that has not come
 * again since, is not kept: it gets no line.
 */
void plr_log_note_interval(struct plr_log *log, u64 boot_ns, u64 ns)
{
	struct plr_history *history = log->history;
	u64 rest = log->active & log->kept;

	for (; history && rest; rest &= rest - 1) {
		unsigned int bit = __ffs64(rest);

		if (!history->first[bit])
			history->first[bit] = boot_ns;
		history->last[bit] = boot_ns;
		history->after[bit] = 0;
		history->limited[bit] += ns;
	}
	plr_log_note_look(log, boot_ns);
}
