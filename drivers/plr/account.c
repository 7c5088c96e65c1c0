// SPDX-License-Identifier: GPL-2.0-only
/*
 * Account the time in each reason. Bits are sticky, so a look at hardware is
 * evidence of whether a reason came up since its last evidence. If so, the
 * reason gets the whole time in between. Even if not, the reason was observed
 * for this time, so no reason has more time than was observed.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include "account.h"

/* Size of a line of time_in_reason of a reserved bit, with 12-digit numbers. */
#define RESERVED_SIZE	(sizeof("RSVD_COARSE31\n") + 5 * 13)

/* Add the time since the last evidence of @index to its observed time. */
static u64 plr_account_own(struct plr_account *account, unsigned int index,
			   const struct plr_clock *clock)
{
	u64 from_ns = account->from_ns[index];
	u64 ns = from_ns ? clock->now_ns - from_ns : 0;

	account->from_ns[index] = clock->now_ns;
	WRITE_ONCE(account->own_ns[index], account->own_ns[index] + ns);
	/* Readers never see time_ns exceed own_ns. */
	smp_wmb();
	return ns;
}

static void plr_account_add_time(struct plr_account *account,
				 unsigned int index,
				 const struct plr_clock *clock, u64 ns,
				 bool counts)
{
	WRITE_ONCE(account->count[index], account->count[index] + counts);
	WRITE_ONCE(account->time_ns[index], account->time_ns[index] + ns);
	WRITE_ONCE(account->last_ns[index], clock->boot_ns);
	if (!account->since_ns[index])
		WRITE_ONCE(account->since_ns[index], clock->boot_ns - ns);
}

/*
 * Add evidence of the reasons in @mask: those in @bits came up since the last
 * evidence of each, the others did not. A reason without earlier evidence gets
 * no time, as the age of its bit is unknown. Return the reasons that got time.
 */
u64 plr_account_add(struct plr_account *account, const struct plr_clock *clock,
		    u64 bits, u64 mask)
{
	u64 active = account->active, accounted = 0, ns;
	unsigned int bit;

	plr_for_each_bit(bit, mask) {
		ns = plr_account_own(account, bit, clock);
		if (!ns || !(bits & BIT_ULL(bit))) {
			WRITE_ONCE(account->since_ns[bit], 0);
			continue;
		}
		plr_account_add_time(account, bit, clock, ns,
				     !(active & BIT_ULL(bit)));
		accounted |= BIT_ULL(bit);
	}
	account->lasting = (account->lasting & ~mask) | (active & accounted);
	WRITE_ONCE(account->active, (active & ~mask) | accounted);
	return accounted;
}

/*
 * Account a read of a module, evidence of all reasons but those that the last
 * read left set. Return those that came up, but the die level did not show.
 */
u64 plr_account_read(struct plr_account *account,
		     const struct plr_clock *clock, u64 value, bool cleared)
{
	u64 old = account->uncleared, accounted;
	unsigned int bit;

	accounted = plr_account_add(account, clock, value | account->erased,
				    ~old) & ~account->unread;
	plr_for_each_bit(bit, old)
		account->from_ns[bit] = clock->now_ns;
	account->erased = 0;
	account->unread = 0;
	account->uncleared = cleared ? 0 : value;
	return accounted;
}

/*
 * Account a poll with @shown by the die level in which the module was not read:
 * what the die level can show and has not since the last read did not come up.
 */
void plr_account_unread(struct plr_account *account,
			const struct plr_clock *clock, u64 shown)
{
	account->unread |= shown;
	plr_account_add(account, clock, 0,
			plr_gate_reasons(PLR_COARSE_MASK & ~account->unread) &
			~account->uncleared);
}

/* Make the states of @bits unknown: they have no evidence any more. */
void plr_account_drop(struct plr_account *account, u64 bits)
{
	unsigned int bit;

	account->lasting &= ~bits;
	WRITE_ONCE(account->active, account->active & ~bits);
	plr_for_each_bit(bit, bits) {
		account->from_ns[bit] = 0;
		WRITE_ONCE(account->since_ns[bit], 0);
	}
}

/* Make the account and the states of @bits unknown; times stay. */
void plr_account_stop(struct plr_account *account, u64 bits)
{
	plr_account_drop(account, bits);
	WRITE_ONCE(account->active_valid, false);
	WRITE_ONCE(account->since_ns[PLR_OBSERVED], 0);
	account->from_ns[PLR_OBSERVED] = 0;
}

/*
 * End a poll for a part. Unless evidence of reasons is @missing, the time since
 * the last such poll was observed. After @limit_ns without, the states of the
 * reasons become unknown.
 */
void plr_account_check(struct plr_account *account,
		       const struct plr_clock *clock, u64 missing,
		       u64 limit_ns)
{
	u64 from_ns = account->from_ns[PLR_OBSERVED], ns;

	if (!missing) {
		ns = plr_account_own(account, PLR_OBSERVED, clock);
		plr_account_add_time(account, PLR_OBSERVED, clock, ns, ns);
		if (ns)
			WRITE_ONCE(account->active_valid, true);
	} else if (from_ns && clock->now_ns - from_ns > limit_ns) {
		plr_account_stop(account, missing);
	}
}

static size_t plr_format_line(const struct plr_account *account,
			      unsigned int index, char *buf, size_t size)
{
	u64 ns[3] = { READ_ONCE(account->time_ns[index]),
		      READ_ONCE(account->last_ns[index]),
		      READ_ONCE(account->since_ns[index]) };
	size_t len = scnprintf(buf, size, "%s %llu",
			       plr_reason_name(index) ?: "observed",
			       ns[0] / 1000000);
	unsigned int i;

	for (i = 1; i < 3; i++)
		len += ns[i] ? scnprintf(buf + len, size - len, " %llu",
					 ns[i] / 1000000) :
			       scnprintf(buf + len, size - len, " -");
	/* Pairs with the order in plr_account_own(). */
	smp_rmb();
	return len + scnprintf(buf + len, size - len, " %llu %llu\n",
			       READ_ONCE(account->count[index]),
			       READ_ONCE(account->own_ns[index]) / 1000000);
}

/*
 * Print the file time_in_reason with the first @bits reasons: named ones, then
 * reserved ones that were seen, as many as fit into @size.
 */
size_t plr_account_format(const struct plr_account *account, unsigned int bits,
			  char *buf, size_t size)
{
	size_t at = plr_format_line(account, PLR_OBSERVED, buf, size);
	unsigned int bit;

	for (bit = 0; bit < bits; bit++)
		if (plr_reason_coarse(bit) >= 0)
			at += plr_format_line(account, bit, buf + at,
					      size - at);
	for (bit = 0; bit < bits; bit++)
		if (plr_reason_coarse(bit) < 0 &&
		    READ_ONCE(account->last_ns[bit]) &&
		    size - at > RESERVED_SIZE)
			at += plr_format_line(account, bit, buf + at,
					      size - at);
	return at;
}
