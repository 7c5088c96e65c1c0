/* SPDX-License-Identifier: GPL-2.0-only */
/* Sum for how long each reason of a module lasted (see residency.c). */
#ifndef PMON_PLR_RESIDENCY_H
#define PMON_PLR_RESIDENCY_H

#include <linux/types.h>

#include "account.h"

/* Number of codes: reasons by bit, then PLR_OBSERVED, valid evidence. */
#define PLR_CODES		(PLR_OBSERVED + 1)

/*
 * Times of a module, in ns. @ns has the sums up to @since_ns; from then on
 * @reasons last, and, if @valid, the evidence is valid.
 */
struct plr_residency {
	u64 reasons;
	bool valid;
	u64 since_ns;
	u64 ns[PLR_CODES];
};

bool plr_residency_has(const struct plr_residency *residency,
		       unsigned int code);
u64 plr_residency_at(const struct plr_residency *residency, unsigned int code,
		     u64 now_ns);
void plr_residency_change(struct plr_residency *residency, u64 reasons,
			  bool valid, u64 now_ns);

#endif /* PMON_PLR_RESIDENCY_H */
