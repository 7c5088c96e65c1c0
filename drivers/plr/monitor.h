/* SPDX-License-Identifier: GPL-2.0-only */
/* Poll a domain. */
#ifndef PMON_PLR_MONITOR_H
#define PMON_PLR_MONITOR_H

#include <linux/types.h>

#include "sampler.h"

/* All coarse reasons but FREQUENCY, which is normal on a loaded host. */
#define PLR_GATE_DEFAULT	(PLR_COARSE_MASK & ~1ULL)

/* The die level in a poll. */
struct plr_level {
	u64 shown;		/* at its begin, or seen after the last begin */
	u64 again;		/* there after modules were cleared */
};

/*
 * The caller holds domain->lock. Reasons are gate bits (plr_gate_bit()) in
 * @gate, @requested and @ready.
 */
struct plr_monitor {
	struct plr_sampler sampler;
	struct plr_record *die;
	u64 gate;		/* reasons of the gate, with @requested */
	u64 requested;		/* reasons that an open event requests */
	/* plr_monitor_stop() zeroes all fields from here on. */
	u64 poll_ns;		/* begin of the last poll, 0: none; lockless */
	u64 interval_ns;	/* time since the last poll; 0 in the first */
	u64 opened_ns;		/* last time that modules had to be read anew */
	u64 ready;		/* open once all modules were read; lockless */
	bool primed;		/* the account of the die has begun; lockless */
	struct plr_level level;	/* of the last poll */
	u64 alone_ns[PLR_REASON_BITS];	/* the die's alone since; 0: not */
};

int plr_monitor_poll(struct plr_monitor *monitor, u64 period_ns);
void plr_monitor_stop(struct plr_monitor *monitor);
void plr_monitor_account_clear(struct plr_monitor *monitor,
			       struct plr_record *record, u64 value);

#endif /* PMON_PLR_MONITOR_H */
