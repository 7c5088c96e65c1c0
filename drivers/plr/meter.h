/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_METER_H
#define PMON_PLR_METER_H

#include <linux/atomic.h>
#include <linux/types.h>

#include <pmon/plr_reasons.h>

/* What an event counts: a reason, by its bit, or all time that was observed. */
#define PLR_METER_OBSERVED	PLR_REASON_BITS
#define PLR_METERS		(PLR_REASON_BITS + 1)

struct plr_saved;

/**
 * struct plr_meter - for how long each reason has limited one module
 * @saved: of its domain
 * @since_ns: up to when time is counted, 0 while nothing is known of the module
 * @wished_ns: when an event began to wait for a look, 0 for none
 * @asked_ns: when an event that waits asked last
 * @ended_ns: when an event that counted ended
 * @counting: events that count
 * @ns: nanoseconds, by what is counted; they only grow
 *
 * One writer, any number of readers, which need no lock, not even in an NMI.
 */
struct plr_meter {
	struct plr_saved *saved;
	u64 since_ns;
	u64 wished_ns;
	u64 asked_ns;
	u64 ended_ns;
	atomic_t counting;
	u64 ns[PLR_METERS];
};

void plr_meter_add(struct plr_meter *meter, u64 reasons, u64 ns);
u64 plr_meter_read(const struct plr_meter *meter, unsigned int what);
size_t plr_meter_name(unsigned int what, char *buf, size_t size);

#endif /* PMON_PLR_METER_H */
