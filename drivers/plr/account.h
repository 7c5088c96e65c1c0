/* SPDX-License-Identifier: GPL-2.0-only */
/* Account the time in each reason, by evidence (see account.c). */
#ifndef PMON_PLR_ACCOUNT_H
#define PMON_PLR_ACCOUNT_H

#include <linux/bitops.h>
#include <linux/types.h>

#include <pmon/plr_reasons.h>

#define PLR_COARSE_BITS		32

/* Begin of a poll, on both clocks, in ns. */
struct plr_clock {
	u64 now_ns;	/* monotonic */
	u64 boot_ns;	/* CLOCK_BOOTTIME */
};

/* Index of the observed time in the arrays below, after all reasons. */
#define PLR_OBSERVED	PLR_REASON_BITS

/*
 * Account of the die, the mesh or a module. Changes need domain->lock. Readers
 * of @active, @active_valid and times take no lock, and depend on no order of
 * writes except that of own_ns and time_ns.
 */
struct plr_account {
	bool active_valid;	/* @active is valid */
	u64 active;		/* reasons in force at their last evidence */
	u64 lasting;		/* reasons in force at their last two */
	u64 unread;		/* shown by the die since the last read */
	u64 uncleared;		/* reasons that the last read left set */
	u64 erased;		/* seen and cleared since the last look */
	/* By reason, and for PLR_OBSERVED */
	u64 from_ns[PLR_OBSERVED + 1];	/* last evidence; 0: none */
	u64 own_ns[PLR_OBSERVED + 1];	/* observed time of the reason */
	u64 time_ns[PLR_OBSERVED + 1];	/* time in the reason */
	u64 count[PLR_OBSERVED + 1];	/* onsets; observed intervals */
	u64 last_ns[PLR_OBSERVED + 1];	/* boot time of the last sighting */
	u64 since_ns[PLR_OBSERVED + 1];	/* boot time of the onset; 0: ended */
};

/* Run a statement for each bit in @mask. */
#define plr_for_each_bit(bit, mask) \
	for (u64 left_ = (mask); left_ && ((bit) = __ffs64(left_), true); \
	     left_ &= left_ - 1)

u64 plr_account_add(struct plr_account *account, const struct plr_clock *clock,
		    u64 bits, u64 mask);
u64 plr_account_read(struct plr_account *account,
		     const struct plr_clock *clock, u64 value, bool cleared);
void plr_account_unread(struct plr_account *account,
			const struct plr_clock *clock, u64 shown);
void plr_account_check(struct plr_account *account,
		       const struct plr_clock *clock, u64 missing,
		       u64 limit_ns);
void plr_account_drop(struct plr_account *account, u64 bits);
void plr_account_stop(struct plr_account *account, u64 bits);
size_t plr_account_format(const struct plr_account *account, unsigned int bits,
			  char *buf, size_t size);

#endif /* PMON_PLR_ACCOUNT_H */
