// SPDX-License-Identifier: GPL-2.0-only
/*
 * Time limited. Hardware says whether a reason came up between two looks, not
 * for how long, so a reason counts for the whole of its interval: an upper
 * bound of the time that it was in force, out of the time observed.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "meter.h"

static void plr_meter_advance(u64 *counter, u64 ns)
{
	WRITE_ONCE(*counter, *counter + ns);
}

/**
 * plr_meter_add() - an interval has passed
 * @meter: of the module
 * @reasons: what it had in this interval
 * @ns: length of the interval
 */
void plr_meter_add(struct plr_meter *meter, u64 reasons, u64 ns)
{
	plr_meter_advance(&meter->ns[PLR_METER_OBSERVED], ns);
	while (reasons) {
		plr_meter_advance(&meter->ns[__ffs64(reasons)], ns);
		reasons &= reasons - 1;
	}
}

/**
 * plr_meter_read() - nanoseconds up to the last look
 * @meter: of the module
 * @what: below PLR_METERS
 *
 * Return: the time.
 */
u64 plr_meter_read(const struct plr_meter *meter, unsigned int what)
{
	return READ_ONCE(meter->ns[what]);
}

static char plr_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/**
 * plr_meter_name() - what perf calls it
 * @what: below PLR_METERS
 * @buf: gets the name of the reason in lower case, terminated
 * @size: size of @buf
 *
 * Return: the length, 0 for a bit without a meaning, which has no name here,
 * and for a name that does not fit.
 */
size_t plr_meter_name(unsigned int what, char *buf, size_t size)
{
	const char *name = "observed";
	size_t len, i;

	if (what < PLR_REASON_BITS)
		name = plr_reason_coarse(what) < 0 ? "" : plr_reason_name(what);
	len = strlen(name);
	if (len >= size)
		return 0;
	for (i = 0; i <= len; i++)
		buf[i] = plr_lower(name[i]);

	return len;
}
