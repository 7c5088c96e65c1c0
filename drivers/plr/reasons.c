// SPDX-License-Identifier: GPL-2.0-only
/*
 * Performance limit reasons: one table from bit to name.
 *
 * Bits and grouping are those of the PLR TPMI interface, tables "Coarse
 * Grained" and "Fine Grained PLR Bit Definition". The names are the ones that
 * users of the kernel's own driver know; bits without a meaning keep a name
 * of their own, so that a new reason on a new part is visible before this
 * table knows it.
 *
 * A later part may mean something else by a bit. What is known to differ is a
 * list of changes for that part; on a part of which nothing is known a name
 * could be wrong, so bits have numbers there.
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

struct plr_reason {
	const char *name;
	u8 coarse;
};

static const struct plr_reason plr_reasons[PLR_REASON_BITS] = {
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

/*
 * Diamond Rapids: DFC has become ICCMAX, and the MMIO way of a limit is the
 * BIOS's.
 */
#define ICCMAX	DFC

static const struct plr_change {
	u8 bit;
	struct plr_reason reason;
} plr_dmr_changes[] = {
	{ ICCMAX,	{ "ICCMAX", ICCMAX } },
	{ FINE(11),	{ "POWER_PKG_PL1_CSR", POWER } },
	{ FINE(14),	{ "POWER_PKG_PL2_CSR", POWER } },
	{ FINE(17),	{ "POWER_PLATFORM_PL1_CSR", POWER } },
	{ FINE(20),	{ "POWER_PLATFORM_PL2_CSR", POWER } },
	{ FINE(22),	{ "CURRENT_RACL", CURRENT } },
	{ FINE(24),	{ "ICCMAX_MODULE_LEVEL", ICCMAX } },
	{ FINE(29),	{ "RSVD_FINE29", NONE } },
	{ FINE(30),	{ "RAS_MODULE_LEVEL", RAS } },
};

static const char * const plr_numbers[PLR_REASON_BITS] = {
	"COARSE0", "COARSE1", "COARSE2", "COARSE3",
	"COARSE4", "COARSE5", "COARSE6", "COARSE7",
	"COARSE8", "COARSE9", "COARSE10", "COARSE11",
	"COARSE12", "COARSE13", "COARSE14", "COARSE15",
	"COARSE16", "COARSE17", "COARSE18", "COARSE19",
	"COARSE20", "COARSE21", "COARSE22", "COARSE23",
	"COARSE24", "COARSE25", "COARSE26", "COARSE27",
	"COARSE28", "COARSE29", "COARSE30", "COARSE31",
	"FINE0", "FINE1", "FINE2", "FINE3",
	"FINE4", "FINE5", "FINE6", "FINE7",
	"FINE8", "FINE9", "FINE10", "FINE11",
	"FINE12", "FINE13", "FINE14", "FINE15",
	"FINE16", "FINE17", "FINE18", "FINE19",
	"FINE20", "FINE21", "FINE22", "FINE23",
	"FINE24", "FINE25", "FINE26", "FINE27",
	"FINE28", "FINE29", "FINE30", "FINE31",
};

/**
 * struct plr_naming - what the bits of a part mean
 * @numbered: nothing is known, they have numbers
 * @changes: what differs from the table above
 * @count: how many
 */
struct plr_naming {
	bool numbered;
	const struct plr_change *changes;
	size_t count;
};

static const struct plr_naming plr_gnr;
static const struct plr_naming plr_unknown = { .numbered = true };
static const struct plr_naming plr_dmr = {
	.changes = plr_dmr_changes,
	.count = ARRAY_SIZE(plr_dmr_changes),
};

/* Models that are known to have reasons, and to number modules in MSR 0x54. */
static const struct {
	u8 family;
	u8 model;
	const struct plr_naming *part;
} plr_models[] = {
	{ 6, 0xad, &plr_gnr },	/* Granite Rapids-SP */
	{ 6, 0xae, &plr_gnr },	/* Granite Rapids-D */
	{ 6, 0xaf, &plr_gnr },	/* Sierra Forest */
	{ 6, 0xb6, &plr_gnr },	/* Grand Ridge */
	{ 6, 0xdd, &plr_gnr },	/* Clearwater Forest */
	{ 19, 0x01, &plr_dmr },	/* Diamond Rapids */
};

/* Changes only before names are used. */
static const struct plr_naming *plr_naming = &plr_gnr;

/*
 * Choose what bits mean. To be called before anything else here is. Without it
 * the names are those of the specification. Returns whether the model is known
 * to have reasons; on any other one the bits have numbers.
 */
bool plr_reasons_use_cpu(unsigned int family, unsigned int model)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plr_models); i++) {
		if (plr_models[i].family == family &&
		    plr_models[i].model == model) {
			plr_naming = plr_models[i].part;
			return true;
		}
	}
	plr_naming = &plr_unknown;

	return false;
}

static struct plr_reason plr_reason_of(unsigned int bit)
{
	size_t i;

	if (plr_naming->numbered)
		return (struct plr_reason){ plr_numbers[bit], NONE };
	for (i = 0; i < plr_naming->count; i++)
		if (plr_naming->changes[i].bit == bit)
			return plr_naming->changes[i].reason;

	return plr_reasons[bit];
}

/* Name of one reason. Returns the name, or NULL for a bit above 63. */
const char *plr_reason_name(unsigned int bit)
{
	return bit < PLR_REASON_BITS ? plr_reason_of(bit).name : NULL;
}

/* Find a reason by its name. Returns the bit, or -EINVAL. */
int plr_reason_bit(const char *name, size_t len)
{
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		const char *known = plr_reason_of(bit).name;

		if (strlen(known) == len && !memcmp(known, name, len))
			return bit;
	}

	return -EINVAL;
}

/*
 * Coarse reason that a bit belongs to. Returns bit of the coarse reason (itself
 * for a coarse one), or -EINVAL for a reserved bit, and one whose meaning is
 * not known.
 */
int plr_reason_coarse(unsigned int bit)
{
	u8 coarse = bit < PLR_REASON_BITS ? plr_reason_of(bit).coarse : NONE;

	return coarse == NONE ? -EINVAL : coarse;
}

static bool plr_is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/*
 * Read a list of names. Returns 0, or -EINVAL when a name is not known or
 * nothing is named.
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

/*
 * Write the names of all bits that are set. Coarse names come first, then fine
 * ones, separated by one space; "none" when no bit is set. A name that does not
 * fit is left out as a whole, together with all that follow. Returns length of
 * the text in @buf.
 */
size_t plr_reasons_format(u64 value, char *buf, size_t size)
{
	size_t len = 0;

	if (!size)
		return 0;

	while (value || !len) {
		unsigned int bit = value ? __ffs64(value) : 0;
		const char *name = value ? plr_reason_of(bit).name : "none";
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
