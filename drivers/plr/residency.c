// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sum for how long each reason of a module lasted: S(t), which never decreases.
 * A reason lasts while its last two evidences show it. A limit that n intervals
 * in a row have seen lasted n - 1 intervals on average, whatever its phase.
 */
#include <linux/bits.h>

#include "residency.h"

/* Return true if the sum of @code grows now. */
bool plr_residency_has(const struct plr_residency *residency, unsigned int code)
{
	return code == PLR_OBSERVED ? residency->valid :
				      residency->reasons & BIT_ULL(code);
}

/* Return S(@now_ns); @now_ns does not matter unless plr_residency_has(). */
u64 plr_residency_at(const struct plr_residency *residency, unsigned int code,
		     u64 now_ns)
{
	u64 ns = residency->ns[code];

	return plr_residency_has(residency, code) ?
		ns + now_ns - residency->since_ns : ns;
}

/* From @now_ns on @reasons last; there are none without @valid evidence. */
void plr_residency_change(struct plr_residency *residency, u64 reasons,
			  bool valid, u64 now_ns)
{
	u64 ns = now_ns - residency->since_ns;
	unsigned int code;

	plr_for_each_bit(code, residency->reasons)
		residency->ns[code] += ns;
	if (residency->valid)
		residency->ns[PLR_OBSERVED] += ns;
	residency->reasons = reasons;
	residency->valid = valid;
	residency->since_ns = now_ns;
}
