// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance limit reasons: one table from bit to name.
 *
 * Bits and grouping are those of the PLR TPMI interface, tables "Coarse
 * Grained" and "Fine Grained PLR Bit Definition". The names are the ones that
 * users of the kernel's own driver know; bits without a meaning keep a name
 * of their own, so that a new reason on a new part is visible before this
 * table knows it.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/plr_reasons.h>

enum {
	FREQUENCY, CURRENT, POWER, THERMAL, PLATFORM, MCP, RAS, MISC, QOS, DFC,
	NONE = 0xff,
};

#define FINE(bit)	(32 + (bit))

static const struct plr_reason {
	const char *name;
	u8 coarse;
} plr_reasons[PLR_REASON_BITS] = {
	[FREQUENCY]	= { "FREQUENCY", FREQUENCY },
	[CURRENT]	= { "CURRENT", CURRENT },
	[POWER]		= { "POWER", POWER },
	[THERMAL]	= { "THERMAL", THERMAL },
	[PLATFORM]	= { "PLATFORM", PLATFORM },
	[MCP]		= { "MCP", MCP },
	[RAS]		= { "RAS", RAS },
	[MISC]		= { "MISC", MISC },
	[QOS]		= { "QOS", QOS },
	[DFC]		= { "DFC", DFC },
	[10]		= { "RSVD_COARSE10", NONE },
	[11]		= { "RSVD_COARSE11", NONE },
	[12]		= { "RSVD_COARSE12", NONE },
	[13]		= { "RSVD_COARSE13", NONE },
	[14]		= { "RSVD_COARSE14", NONE },
	[15]		= { "RSVD_COARSE15", NONE },
	[16]		= { "RSVD_COARSE16", NONE },
	[17]		= { "RSVD_COARSE17", NONE },
	[18]		= { "RSVD_COARSE18", NONE },
	[19]		= { "RSVD_COARSE19", NONE },
	[20]		= { "RSVD_COARSE20", NONE },
	[21]		= { "RSVD_COARSE21", NONE },
	[22]		= { "RSVD_COARSE22", NONE },
	[23]		= { "RSVD_COARSE23", NONE },
	[24]		= { "RSVD_COARSE24", NONE },
	[25]		= { "RSVD_COARSE25", NONE },
	[26]		= { "RSVD_COARSE26", NONE },
	[27]		= { "RSVD_COARSE27", NONE },
	[28]		= { "RSVD_COARSE28", NONE },
	[29]		= { "RSVD_COARSE29", NONE },
	[30]		= { "RSVD_COARSE30", NONE },
	[31]		= { "RSVD_COARSE31", NONE },
	[FINE(0)]	= { "FREQUENCY_CDYN0", FREQUENCY },
	[FINE(1)]	= { "FREQUENCY_CDYN1", FREQUENCY },
	[FINE(2)]	= { "FREQUENCY_CDYN2", FREQUENCY },
	[FINE(3)]	= { "FREQUENCY_CDYN3", FREQUENCY },
	[FINE(4)]	= { "FREQUENCY_CDYN4", FREQUENCY },
	[FINE(5)]	= { "FREQUENCY_CDYN5", FREQUENCY },
	[FINE(6)]	= { "FREQUENCY_FCT", FREQUENCY },
	[FINE(7)]	= { "FREQUENCY_PCS_TRL", FREQUENCY },
	[FINE(8)]	= { "CURRENT_MTPMAX", CURRENT },
	[FINE(9)]	= { "POWER_FAST_RAPL", POWER },
	[FINE(10)]	= { "POWER_PKG_PL1_MSR_TPMI", POWER },
	[FINE(11)]	= { "POWER_PKG_PL1_MMIO", POWER },
	[FINE(12)]	= { "POWER_PKG_PL1_PCS", POWER },
	[FINE(13)]	= { "POWER_PKG_PL2_MSR_TPMI", POWER },
	[FINE(14)]	= { "POWER_PKG_PL2_MMIO", POWER },
	[FINE(15)]	= { "POWER_PKG_PL2_PCS", POWER },
	[FINE(16)]	= { "POWER_PLATFORM_PL1_MSR_TPMI", POWER },
	[FINE(17)]	= { "POWER_PLATFORM_PL1_MMIO", POWER },
	[FINE(18)]	= { "POWER_PLATFORM_PL1_PCS", POWER },
	[FINE(19)]	= { "POWER_PLATFORM_PL2_MSR_TPMI", POWER },
	[FINE(20)]	= { "POWER_PLATFORM_PL2_MMIO", POWER },
	[FINE(21)]	= { "POWER_PLATFORM_PL2_PCS", POWER },
	[FINE(22)]	= { "RSVD_FINE22", NONE },
	[FINE(23)]	= { "THERMAL_PER_CORE", THERMAL },
	[FINE(24)]	= { "DFC_UFS", DFC },
	[FINE(25)]	= { "PLATFORM_PROCHOT", PLATFORM },
	[FINE(26)]	= { "PLATFORM_HOT_VR", PLATFORM },
	[FINE(27)]	= { "RSVD_FINE27", NONE },
	[FINE(28)]	= { "RSVD_FINE28", NONE },
	[FINE(29)]	= { "MISC_PCS_PSTATE", MISC },
	[FINE(30)]	= { "RSVD_FINE30", NONE },
	[FINE(31)]	= { "RSVD_FINE31", NONE },
};

/**
 * plr_reason_name() - name of one reason
 * @bit: bit of a PLR value, coarse reasons first
 *
 * Return: the name, or NULL for a bit above 63.
 */
const char *plr_reason_name(unsigned int bit)
{
	return bit < PLR_REASON_BITS ? plr_reasons[bit].name : NULL;
}

/**
 * plr_reason_bit() - find a reason by its name
 * @name: exact name, need not be terminated
 * @len: its length
 *
 * Return: the bit, or -EINVAL.
 */
int plr_reason_bit(const char *name, size_t len)
{
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		const char *known = plr_reasons[bit].name;

		if (strlen(known) == len && !memcmp(known, name, len))
			return bit;
	}

	return -EINVAL;
}

/**
 * plr_reason_coarse() - coarse reason that a bit belongs to
 * @bit: bit of a PLR value
 *
 * Return: bit of the coarse reason (itself for a coarse one), or -EINVAL for
 * a reserved bit.
 */
int plr_reason_coarse(unsigned int bit)
{
	if (bit >= PLR_REASON_BITS || plr_reasons[bit].coarse == NONE)
		return -EINVAL;

	return plr_reasons[bit].coarse;
}

static bool plr_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/**
 * plr_reasons_parse() - read a list of names
 * @text: names separated by white space, or "all"; need not be terminated
 * @len: its length
 * @mask: the bits named
 *
 * Return: 0, or -EINVAL when a name is not known or nothing is named.
 */
int plr_reasons_parse(const char *text, size_t len, u64 *mask)
{
	size_t at = 0, end;
	u64 bits = 0;
	int bit;

	for (;;) {
		while (at < len && plr_is_space(text[at]))
			at++;
		if (at == len)
			break;
		for (end = at; end < len && !plr_is_space(text[end]); end++)
			;
		if (end - at == 3 && !memcmp(text + at, "all", 3)) {
			bits = ~0ULL;
		} else {
			bit = plr_reason_bit(text + at, end - at);
			if (bit < 0)
				return bit;
			bits |= 1ULL << bit;
		}
		at = end;
	}
	if (!bits)
		return -EINVAL;
	*mask = bits;

	return 0;
}

/**
 * plr_reasons_format() - write the names of all bits that are set
 * @value: PLR value
 * @buf: where to write; always terminated when @size is not zero
 * @size: size of @buf, PLR_REASONS_SIZE is enough for every value
 *
 * Coarse names come first, then fine ones, separated by one space; "none"
 * when no bit is set. A name that does not fit is left out as a whole,
 * together with all that follow.
 *
 * Return: length of the text in @buf.
 */
size_t plr_reasons_format(u64 value, char *buf, size_t size)
{
	size_t len = 0;

	if (!size)
		return 0;

	while (value || !len) {
		unsigned int bit = value ? __ffs64(value) : 0;
		const char *name = value ? plr_reasons[bit].name : "none";
		size_t room = strlen(name) + !!len;

		if (room >= size - len)
			break;
		if (len)
			buf[len++] = ' ';
		memcpy(buf + len, name, strlen(name));
		len += strlen(name);
		if (!value)
			break;
		value &= value - 1;
	}
	buf[len] = '\0';

	return len;
}
