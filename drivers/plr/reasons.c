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
	const char *name;	/* NULL: reserved */
	u8 coarse;
	u8 kind;		/* enum plr_reason_kind */
};

static const struct plr_reason plr_reasons[PLR_REASON_BITS] = {
	[FREQUENCY]	= { "FREQUENCY", FREQUENCY, PLR_NORMAL },
	[CURRENT]	= { "CURRENT", CURRENT, PLR_LIMIT },
	[POWER]		= { "POWER", POWER, PLR_LIMIT },
	[THERMAL]	= { "THERMAL", THERMAL, PLR_FAULT },
	[PLATFORM]	= { "PLATFORM", PLATFORM, PLR_FAULT },
	[MCP]		= { "MCP", MCP, PLR_LIMIT },
	[RAS]		= { "RAS", RAS, PLR_FAULT },
	[MISC]		= { "MISC", MISC, PLR_FAULT },
	[QOS]		= { "QOS", QOS, PLR_LIMIT },
	[DFC]		= { "DFC", DFC, PLR_LIMIT },
	[FINE(0)]	= { "FREQUENCY_CDYN0", FREQUENCY, PLR_NORMAL },
	[FINE(1)]	= { "FREQUENCY_CDYN1", FREQUENCY, PLR_NORMAL },
	[FINE(2)]	= { "FREQUENCY_CDYN2", FREQUENCY, PLR_NORMAL },
	[FINE(3)]	= { "FREQUENCY_CDYN3", FREQUENCY, PLR_NORMAL },
	[FINE(4)]	= { "FREQUENCY_CDYN4", FREQUENCY, PLR_NORMAL },
	[FINE(5)]	= { "FREQUENCY_CDYN5", FREQUENCY, PLR_NORMAL },
	[FINE(6)]	= { "FREQUENCY_FCT", FREQUENCY, PLR_NORMAL },
	[FINE(7)]	= { "FREQUENCY_PCS_TRL", FREQUENCY, PLR_FAULT },
	[FINE(8)]	= { "CURRENT_MTPMAX", CURRENT, PLR_LIMIT },
	[FINE(9)]	= { "POWER_FAST_RAPL", POWER, PLR_LIMIT },
	[FINE(10)]	= { "POWER_PKG_PL1_MSR_TPMI", POWER, PLR_LIMIT },
	[FINE(11)]	= { "POWER_PKG_PL1_MMIO", POWER, PLR_LIMIT },
	[FINE(12)]	= { "POWER_PKG_PL1_PCS", POWER, PLR_FAULT },
	[FINE(13)]	= { "POWER_PKG_PL2_MSR_TPMI", POWER, PLR_LIMIT },
	[FINE(14)]	= { "POWER_PKG_PL2_MMIO", POWER, PLR_LIMIT },
	[FINE(15)]	= { "POWER_PKG_PL2_PCS", POWER, PLR_FAULT },
	[FINE(16)]	= { "POWER_PLATFORM_PL1_MSR_TPMI", POWER, PLR_LIMIT },
	[FINE(17)]	= { "POWER_PLATFORM_PL1_MMIO", POWER, PLR_LIMIT },
	[FINE(18)]	= { "POWER_PLATFORM_PL1_PCS", POWER, PLR_FAULT },
	[FINE(19)]	= { "POWER_PLATFORM_PL2_MSR_TPMI", POWER, PLR_LIMIT },
	[FINE(20)]	= { "POWER_PLATFORM_PL2_MMIO", POWER, PLR_LIMIT },
	[FINE(21)]	= { "POWER_PLATFORM_PL2_PCS", POWER, PLR_FAULT },
	[FINE(23)]	= { "THERMAL_PER_CORE", THERMAL, PLR_FAULT },
	[FINE(24)]	= { "DFC_UFS", DFC, PLR_LIMIT },
	[FINE(25)]	= { "PLATFORM_PROCHOT", PLATFORM, PLR_FAULT },
	[FINE(26)]	= { "PLATFORM_HOT_VR", PLATFORM, PLR_FAULT },
	[FINE(29)]	= { "MISC_PCS_PSTATE", MISC, PLR_FAULT },
};

/* On Diamond Rapids ICCMAX replaces DFC, and CSR (the BIOS) replaces MMIO. */
#define ICCMAX	DFC

static const struct {
	u8 bit;
	struct plr_reason reason;
} plr_dmr_changes[] = {
	{ ICCMAX,	{ "ICCMAX", ICCMAX, PLR_LIMIT } },
	{ FINE(11),	{ "POWER_PKG_PL1_CSR", POWER, PLR_LIMIT } },
	{ FINE(14),	{ "POWER_PKG_PL2_CSR", POWER, PLR_LIMIT } },
	{ FINE(17),	{ "POWER_PLATFORM_PL1_CSR", POWER, PLR_LIMIT } },
	{ FINE(20),	{ "POWER_PLATFORM_PL2_CSR", POWER, PLR_LIMIT } },
	{ FINE(22),	{ "CURRENT_RACL", CURRENT, PLR_LIMIT } },
	{ FINE(24),	{ "ICCMAX_MODULE_LEVEL", ICCMAX, PLR_LIMIT } },
	{ FINE(29),	{ NULL } },
	{ FINE(30),	{ "RAS_MODULE_LEVEL", RAS, PLR_FAULT } },
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

/* Reasons of this CPU, and by gate bit the reasons that have it. */
static struct plr_reason plr_here[PLR_REASON_BITS];
static u64 plr_gated[PLR_REASON_BITS];

static struct plr_reason plr_reason_of(enum plr_naming naming,
				       unsigned int bit)
{
	struct plr_reason reason = plr_reasons[bit];
	size_t i;

	for (i = 0; naming == PLR_DIAMOND_RAPIDS &&
	     i < ARRAY_SIZE(plr_dmr_changes); i++)
		if (plr_dmr_changes[i].bit == bit)
			reason = plr_dmr_changes[i].reason;
	if (naming == PLR_NUMBERED || !reason.name) {
		reason.name = plr_reserved[bit];
		reason.coarse = NONE;
		reason.kind = PLR_LIMIT;
		snprintf(plr_reserved[bit], sizeof(plr_reserved[bit]),
			 "%s%s%u", naming == PLR_NUMBERED ? "" : "RSVD_",
			 bit < 32 ? "COARSE" : "FINE", bit % 32);
	}
	return reason;
}

/*
 * Choose the names for a CPU; called before any other function here. Return
 * false for an unknown model.
 */
bool plr_reasons_use_cpu(unsigned int family, unsigned int model)
{
	enum plr_naming naming = PLR_NUMBERED;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(plr_models); i++)
		if (plr_models[i].family == family &&
		    plr_models[i].model == model)
			naming = plr_models[i].naming;
	memset(plr_gated, 0, sizeof(plr_gated));
	for (i = 0; i < PLR_REASON_BITS; i++) {
		plr_here[i] = plr_reason_of(naming, i);
		plr_gated[plr_gate_bit(i)] |= BIT_ULL(i);
	}
	return naming != PLR_NUMBERED;
}

const char *plr_reason_name(unsigned int bit)
{
	return bit < PLR_REASON_BITS ? plr_here[bit].name : NULL;
}

int plr_reason_bit(const char *name, size_t len)
{
	const char *known;
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		known = plr_here[bit].name;
		if (strlen(known) == len && !memcmp(known, name, len))
			return bit;
	}
	return -EINVAL;
}

/* Return the coarse reason of a bit, or -EINVAL for a reserved bit. */
int plr_reason_coarse(unsigned int bit)
{
	u8 coarse = bit < PLR_REASON_BITS ? plr_here[bit].coarse : NONE;

	return coarse == NONE ? -EINVAL : coarse;
}

/* Return the reasons of a kind: what to show, what to warn of. */
u64 plr_reasons_of_kind(enum plr_reason_kind kind)
{
	u64 mask = 0;
	unsigned int bit;

	for (bit = 0; bit < PLR_REASON_BITS; bit++)
		if (plr_here[bit].kind == kind)
			mask |= BIT_ULL(bit);
	return mask;
}

/* Return the coarse reasons of this CPU, or all 32 of an unknown model. */
u64 plr_reasons_coarse(void)
{
	u64 mask = 0;
	unsigned int bit;

	for (bit = 0; bit < 32; bit++)
		if (strncmp(plr_here[bit].name, "RSVD_", 5))
			mask |= BIT_ULL(bit);
	return mask;
}

/* Return the gate bit of a reason: its coarse reason, or @bit if none. */
unsigned int plr_gate_bit(unsigned int bit)
{
	u8 coarse = plr_here[bit].coarse;

	return coarse == NONE ? bit : coarse;
}

/* Return all reasons that have their gate bit in @gate. */
u64 plr_gate_reasons(u64 gate)
{
	u64 reasons = 0;

	for (; gate; gate &= gate - 1)
		reasons |= plr_gated[__ffs64(gate)];
	return reasons;
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
				 plr_here[__ffs64(value)].name);
	return len;
}
