// SPDX-License-Identifier: GPL-2.0-only
/*
 * Convert performance limit reasons to names and back. Bits and groups are from
 * the PLR TPMI interface, tables "Coarse Grained" and "Fine Grained PLR Bit
 * Definition", names from intel_plr_tpmi. On an unknown processor these names
 * could be wrong, so bits are named by number.
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
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
	[FINE(23)]	= { "THERMAL_PER_CORE", THERMAL },
	[FINE(24)]	= { "DFC_UFS", DFC },
	[FINE(25)]	= { "PLATFORM_PROCHOT", PLATFORM },
	[FINE(26)]	= { "PLATFORM_HOT_VR", PLATFORM },
	[FINE(29)]	= { "MISC_PCS_PSTATE", MISC },
};

/* On Diamond Rapids ICCMAX replaces DFC, and CSR (the BIOS) replaces MMIO. */
#define ICCMAX	DFC

static const struct {
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
	{ FINE(29),	{ NULL, NONE } },
	{ FINE(30),	{ "RAS_MODULE_LEVEL", RAS } },
};

/* Names of reserved bits, and of all bits of an unknown model */
static char plr_reserved[PLR_REASON_BITS][sizeof("RSVD_COARSE31")];

enum plr_naming { PLR_AS_SPECIFIED, PLR_DIAMOND_RAPIDS, PLR_NUMBERED };

/* CPU models with PLR and with module numbers in MSR 0x54. */
static const struct {
	u8 family;
	u8 model;
	enum plr_naming naming;
} plr_models[] = {
	{ 6, 0xad, PLR_AS_SPECIFIED },	/* Granite Rapids-SP */
	{ 6, 0xae, PLR_AS_SPECIFIED },	/* Granite Rapids-D */
	{ 6, 0xaf, PLR_AS_SPECIFIED },	/* Sierra Forest */
	{ 6, 0xb6, PLR_AS_SPECIFIED },	/* Grand Ridge */
	{ 6, 0xdd, PLR_AS_SPECIFIED },	/* Clearwater Forest */
	{ 19, 0x01, PLR_DIAMOND_RAPIDS },	/* Diamond Rapids */
};

static enum plr_naming plr_naming;

/* Choose the names for a CPU; called before any other function here. */
bool plr_reasons_use_cpu(unsigned int family, unsigned int model)
{
	unsigned int i;

	plr_naming = PLR_NUMBERED;
	for (i = 0; i < ARRAY_SIZE(plr_models); i++)
		if (plr_models[i].family == family &&
		    plr_models[i].model == model)
			plr_naming = plr_models[i].naming;
	for (i = 0; i < PLR_REASON_BITS; i++)
		snprintf(plr_reserved[i], sizeof(plr_reserved[i]), "%s%s%u",
			 plr_naming == PLR_NUMBERED ? "" : "RSVD_",
			 i < 32 ? "COARSE" : "FINE", i % 32);
	return plr_naming != PLR_NUMBERED;
}

static struct plr_reason plr_reason_of(unsigned int bit)
{
	struct plr_reason reason = plr_reasons[bit];
	size_t i;

	for (i = 0; plr_naming == PLR_DIAMOND_RAPIDS &&
	     i < ARRAY_SIZE(plr_dmr_changes); i++)
		if (plr_dmr_changes[i].bit == bit)
			reason = plr_dmr_changes[i].reason;
	if (plr_naming == PLR_NUMBERED || !reason.name)
		reason = (struct plr_reason){ plr_reserved[bit], NONE };
	return reason;
}

const char *plr_reason_name(unsigned int bit)
{
	return bit < PLR_REASON_BITS ? plr_reason_of(bit).name : NULL;
}

int plr_reason_bit(const char *name, size_t len)
{
	const char *known;
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		known = plr_reason_of(bit).name;
		if (strlen(known) == len && !memcmp(known, name, len))
			return bit;
	}
	return -EINVAL;
}

/* Return the coarse reason of a bit, or -EINVAL for a reserved bit. */
int plr_reason_coarse(unsigned int bit)
{
	u8 coarse = bit < PLR_REASON_BITS ? plr_reason_of(bit).coarse : NONE;

	return coarse == NONE ? -EINVAL : coarse;
}

u64 plr_reasons_coarse(void)
{
	u64 mask = 0;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++)
		if (plr_naming == PLR_NUMBERED ||
		    plr_reason_of(bit).coarse != NONE)
			mask |= 1ULL << bit;
	return mask;
}

/* Return the reasons to log: THERMAL, PLATFORM, RAS, and _PCS (by a BMC). */
u64 plr_reasons_unusual(void)
{
	u64 mask = 0;
	unsigned int bit;
	int coarse;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		coarse = plr_reason_coarse(bit);
		if (coarse == THERMAL || coarse == PLATFORM || coarse == RAS ||
		    (coarse >= 0 && strstr(plr_reason_name(bit), "_PCS")))
			mask |= 1ULL << bit;
	}
	return mask;
}

/* Parse names of reasons; -EINVAL for an unknown name, or for no name. */
int plr_reasons_parse(const char *text, size_t len, u64 *mask)
{
	size_t at, end;
	u64 bits = 0;
	int bit;

	for (at = 0; at < len; at = end + 1) {
		for (end = at; end < len && !isspace(text[end]); end++)
			;
		if (end == at)
			continue;
		if (end - at == 3 && !memcmp(text + at, "all", 3)) {
			bits = ~0ULL;
		} else {
			bit = plr_reason_bit(text + at, end - at);
			if (bit < 0)
				return bit;
			bits |= 1ULL << bit;
		}
	}
	if (!bits)
		return -EINVAL;
	*mask = bits;
	return 0;
}

size_t plr_reasons_format(u64 value, char *buf, size_t size)
{
	size_t len = value ? 0 : scnprintf(buf, size, "none");

	for (; value; value &= value - 1)
		len += scnprintf(buf + len, size - len, "%s%s", len ? " " : "",
				 plr_reason_of(__ffs64(value)).name);
	return len;
}
