/* SPDX-License-Identifier: GPL-2.0-only */
/* Tell which faults limit a domain, from the states that polls find. */
#ifndef PMON_PLR_LOG_H
#define PMON_PLR_LOG_H

#include <linux/types.h>

#include "monitor.h"

/* The caller holds domain->lock. Times are of CLOCK_BOOTTIME, in ns. */
struct plr_log {
	u64 logged;		/* until a minute after their end */
	u64 line_ns;		/* time of the last line; 0: none */
	u64 since_ns[PLR_REASON_BITS];	/* onset, until it is logged; 0: none */
	u64 seen_ns[PLR_REASON_BITS];	/* last poll with a fault in force */
};

size_t plr_log_line(struct plr_log *log, const struct plr_monitor *monitor,
		    char *buf, size_t size);
unsigned int plr_next_ms(const struct plr_log *log,
			 const struct plr_monitor *monitor, unsigned int ms);

#endif /* PMON_PLR_LOG_H */
