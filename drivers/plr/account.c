// SPDX-License-Identifier: GPL-2.0-only
/*
 * Account the time in each reason. Bits are sticky, so a look at hardware is
 * evidence: each bit that is looked at shows whether its reason came up since
 * the last evidence of this reason. If so, the reason gets the whole time in
 * between. Even if not, this time counts as observed for this reason, so no
 * reason has more time than was observed.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <asm/barrier.h>

#include "account.h"

/* Size of a line of time_in_reason after the name: five 12-digit numbers. */
#define NUMBERS_SIZE	(5 * 13 + 1)

unsigned int plr_take_bit(u64 *mask)
{
	unsigned int bit = __ffs64(*mask);

	*mask &= *mask - 1;
	return bit;
}

static void plr_account_set_active(struct plr_account *account, u64 active)
{
	u64 ended = account->active & ~active;

	while (ended)
		WRITE_ONCE(account->since_ns[plr_take_bit(&ended)], 0);
	WRITE_ONCE(account->active, active);
}

static void plr_account_add_time(struct plr_account *account, unsigned int bit,
				 u64 ns, u64 boot_ns)
{
	if (!(account->active & BIT_ULL(bit)))
		WRITE_ONCE(account->count[bit], account->count[bit] + 1);
	WRITE_ONCE(account->time_ns[bit], account->time_ns[bit] + ns);
	WRITE_ONCE(account->last_ns[bit], boot_ns);
	if (!account->since_ns[bit])
		WRITE_ONCE(account->since_ns[bit], boot_ns - ns);
}

/*
 * Add evidence of the reasons in @mask: those in @bits came up since the last
 * evidence of each, the others did not. A reason without earlier evidence gets
 * no time, as the age of its bit is unknown. Return the reasons that got time.
 */
u64 plr_account_add(struct plr_account *account, const struct plr_clock *clock,
		    u64 bits, u64 mask)
{
	u64 accounted = 0, left = mask, from_ns, ns;
	unsigned int bit;

	while (left) {
		bit = plr_take_bit(&left);
		from_ns = account->from_ns[bit];
		account->from_ns[bit] = clock->now_ns;
		if (!from_ns)
			continue;
		ns = clock->now_ns - from_ns;
		WRITE_ONCE(account->own_ns[bit], account->own_ns[bit] + ns);
		/* Readers never see time_ns exceed own_ns. */
		smp_wmb();
		if (!(bits & BIT_ULL(bit)))
			continue;
		plr_account_add_time(account, bit, ns, clock->boot_ns);
		accounted |= BIT_ULL(bit);
	}
	plr_account_set_active(account, (account->active & ~mask) | accounted);
	return accounted;
}

static void plr_account_set_from(struct plr_account *account, u64 bits,
				 u64 from_ns)
{
	while (bits)
		account->from_ns[plr_take_bit(&bits)] = from_ns;
}

/*
 * Account a read of a module, which is evidence of all reasons except those
 * that the last read left set in hardware. Return the reasons that came up but
 * were not shown by the die level.
 */
u64 plr_account_read(struct plr_account *account,
		     const struct plr_clock *clock, u64 value, bool cleared)
{
	u64 old = account->uncleared, accounted;

	accounted = plr_account_add(account, clock, value | account->carry,
				    ~old);
	plr_account_set_from(account, old, clock->now_ns);
	accounted &= ~account->pending;
	account->carry = 0;
	account->pending = 0;
	account->uncleared = cleared ? 0 : value;
	return accounted;
}

/*
 * Account a poll in which the die level showed @shown and the module was not
 * read. This is evidence that a reason did not come up, if the die level can
 * show the reason (@announced) but has not since the last read of the module.
 */
void plr_account_unread(struct plr_account *account,
			const struct plr_clock *clock, u64 announced, u64 shown)
{
	account->pending |= shown;
	plr_account_add(account, clock, 0,
			announced & ~plr_gate_reasons(account->pending) &
			~account->uncleared);
}

/* Count the time since @upto_ns as observed (0: begin now). */
void plr_account_observe(struct plr_account *account,
			 const struct plr_clock *clock)
{
	u64 ns = account->upto_ns ? clock->now_ns - account->upto_ns : 0;

	WRITE_ONCE(account->observed_ns, account->observed_ns + ns);
	WRITE_ONCE(account->observed_count, account->observed_count + !!ns);
	WRITE_ONCE(account->observed_last_ns, clock->boot_ns);
	if (!account->observed_since_ns)
		WRITE_ONCE(account->observed_since_ns, clock->boot_ns);
	if (account->upto_ns)
		WRITE_ONCE(account->active_valid, true);
	account->upto_ns = clock->now_ns;
}

static void plr_account_invalidate(struct plr_account *account, u64 bits)
{
	plr_account_set_from(account, bits, 0);
	plr_account_set_active(account, account->active & ~bits);
	WRITE_ONCE(account->active_valid, false);
	WRITE_ONCE(account->observed_since_ns, 0);
	account->upto_ns = 0;
}

/*
 * End a poll for a module. While reasons are @missing, because they may have
 * come up since their last evidence or were not cleared, the module is not
 * observed. After @limit_ns their states become unknown.
 */
void plr_account_check(struct plr_account *account,
		       const struct plr_clock *clock, u64 missing,
		       u64 limit_ns)
{
	if (!missing)
		plr_account_observe(account, clock);
	else if (account->upto_ns &&
		 clock->now_ns - account->upto_ns > limit_ns)
		plr_account_invalidate(account, missing);
}

/* Make all states unknown; times stay. */
void plr_account_stop(struct plr_account *account)
{
	plr_account_invalidate(account, ~0ULL);
}

/* Print a line. @ns: time in the reason, last sighting, onset, observed time */
static size_t plr_format_line(char *buf, size_t size, const char *name,
			      const u64 ns[4], u64 count)
{
	size_t len = scnprintf(buf, size, "%s %llu", name, ns[0] / 1000000);
	unsigned int i;

	for (i = 1; i < 3; i++)
		len += ns[i] ? scnprintf(buf + len, size - len, " %llu",
					 ns[i] / 1000000) :
			       scnprintf(buf + len, size - len, " -");
	return len + scnprintf(buf + len, size - len, " %llu %llu\n", count,
			       ns[3] / 1000000);
}

/*
 * Print the file time_in_reason with the first @bits reasons. A reserved bit
 * has a line once it was seen, if all named reasons still fit into @size with
 * numbers of 12 digits. Read own_ns last, as polls add to it first.
 */
size_t plr_account_format(const struct plr_account *account, unsigned int bits,
			  char *buf, size_t size)
{
	u64 ns[4] = { READ_ONCE(account->observed_ns),
		      READ_ONCE(account->observed_last_ns),
		      READ_ONCE(account->observed_since_ns) };
	size_t at, length, named = 0;
	unsigned int bit;

	for (bit = 0; bit < bits; bit++)
		if (plr_reason_coarse(bit) >= 0)
			named += strlen(plr_reason_name(bit)) + NUMBERS_SIZE;
	ns[3] = ns[0];
	at = plr_format_line(buf, size, "observed", ns,
			     READ_ONCE(account->observed_count));
	for (bit = 0; bit < bits; bit++) {
		const char *name = plr_reason_name(bit);

		ns[0] = READ_ONCE(account->time_ns[bit]);
		ns[1] = READ_ONCE(account->last_ns[bit]);
		ns[2] = READ_ONCE(account->since_ns[bit]);
		/* Pairs with the order in plr_account_add(). */
		smp_rmb();
		ns[3] = READ_ONCE(account->own_ns[bit]);
		length = strlen(name) + NUMBERS_SIZE;
		if (plr_reason_coarse(bit) >= 0)
			named -= length;
		else if (!ns[1] || at + length + named >= size)
			continue;
		at += plr_format_line(buf + at, size - at, name, ns,
				      READ_ONCE(account->count[bit]));
	}
	return at;
}
