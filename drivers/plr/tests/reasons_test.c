// SPDX-License-Identifier: GPL-2.0-only
/* contract: names */
/*
 * Check names of reasons. Expected names are written out here a second time, in
 * the order of the specification's two tables, to find a slip in the driver's
 * table.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/plr_reasons.h>

#include "suites.h"

struct reason_case {
	const char *name;
	unsigned int bit;
	int coarse;
};

/* The coarse reason of a coarse bit is the bit itself. */
#define ITSELF				64

#define COARSE(_bit, _name)		{ _name, _bit, ITSELF }
#define RESERVED(_bit)			{ "RSVD_COARSE" #_bit, _bit, -EINVAL }
#define FINE(_bit, _name, _coarse)	{ _name, 32 + (_bit), _coarse }
#define FINE_RESERVED(_bit)		{ "RSVD_FINE" #_bit, 32 + (_bit), -EINVAL }

static const struct reason_case reason_cases[] = {
	COARSE(0, "FREQUENCY"), COARSE(1, "CURRENT"), COARSE(2, "POWER"),
	COARSE(3, "THERMAL"), COARSE(4, "PLATFORM"), COARSE(5, "MCP"),
	COARSE(6, "RAS"), COARSE(7, "MISC"), COARSE(8, "QOS"), COARSE(9, "DFC"),
	RESERVED(10), RESERVED(11), RESERVED(12), RESERVED(13), RESERVED(14),
	RESERVED(15), RESERVED(16), RESERVED(17), RESERVED(18), RESERVED(19),
	RESERVED(20), RESERVED(21), RESERVED(22), RESERVED(23), RESERVED(24),
	RESERVED(25), RESERVED(26), RESERVED(27), RESERVED(28), RESERVED(29),
	RESERVED(30), RESERVED(31),
	FINE(0, "FREQUENCY_CDYN0", 0), FINE(1, "FREQUENCY_CDYN1", 0),
	FINE(2, "FREQUENCY_CDYN2", 0), FINE(3, "FREQUENCY_CDYN3", 0),
	FINE(4, "FREQUENCY_CDYN4", 0), FINE(5, "FREQUENCY_CDYN5", 0),
	FINE(6, "FREQUENCY_FCT", 0), FINE(7, "FREQUENCY_PCS_TRL", 0),
	FINE(8, "CURRENT_MTPMAX", 1), FINE(9, "POWER_FAST_RAPL", 2),
	FINE(10, "POWER_PKG_PL1_MSR_TPMI", 2), FINE(11, "POWER_PKG_PL1_MMIO", 2),
	FINE(12, "POWER_PKG_PL1_PCS", 2), FINE(13, "POWER_PKG_PL2_MSR_TPMI", 2),
	FINE(14, "POWER_PKG_PL2_MMIO", 2), FINE(15, "POWER_PKG_PL2_PCS", 2),
	FINE(16, "POWER_PLATFORM_PL1_MSR_TPMI", 2), FINE(17, "POWER_PLATFORM_PL1_MMIO", 2),
	FINE(18, "POWER_PLATFORM_PL1_PCS", 2), FINE(19, "POWER_PLATFORM_PL2_MSR_TPMI", 2),
	FINE(20, "POWER_PLATFORM_PL2_MMIO", 2), FINE(21, "POWER_PLATFORM_PL2_PCS", 2),
	FINE_RESERVED(22), FINE(23, "THERMAL_PER_CORE", 3), FINE(24, "DFC_UFS", 9),
	FINE(25, "PLATFORM_PROCHOT", 4), FINE(26, "PLATFORM_HOT_VR", 4),
	FINE_RESERVED(27), FINE_RESERVED(28), FINE(29, "MISC_PCS_PSTATE", 7),
	FINE_RESERVED(30), FINE_RESERVED(31),
};

/* The text that the formatter prints is the name, and the parser accepts it. */
static void check_reason(struct kunit *test, const struct reason_case *c)
{
	const int coarse = c->coarse == ITSELF ? (int)c->bit : c->coarse;
	const size_t len = strlen(c->name);
	u64 mask = 0;
	char text[64];
	bool right;

	right = !strcmp(plr_reason_name(c->bit), c->name) &&
		plr_reason_coarse(c->bit) == coarse &&
		plr_reason_bit(c->name, len) == (int)c->bit &&
		plr_reasons_format(1ULL << c->bit, text, sizeof(text)) == len &&
		!strcmp(text, c->name) && !plr_reasons_parse(text, len, &mask) &&
		mask == 1ULL << c->bit;
	KUNIT_EXPECT_TRUE_MSG(test, right, "bit %u is %s of %d, expected %s of %d", c->bit,
			      plr_reason_name(c->bit), plr_reason_coarse(c->bit), c->name, coarse);
}

static void reason_cases_are_complete(struct kunit *test)
{
	u64 seen = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reason_cases); i++)
		seen |= 1ULL << reason_cases[i].bit;
	KUNIT_EXPECT_EQ(test, seen, U64_MAX);
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(reason_cases), 64);
}

/* Names that differ on Diamond Rapids, written out here a second time. */
static const struct reason_case dmr_cases[] = {
	COARSE(9, "ICCMAX"), FINE(11, "POWER_PKG_PL1_CSR", 2),
	FINE(14, "POWER_PKG_PL2_CSR", 2), FINE(17, "POWER_PLATFORM_PL1_CSR", 2),
	FINE(20, "POWER_PLATFORM_PL2_CSR", 2), FINE(22, "CURRENT_RACL", 1),
	FINE(24, "ICCMAX_MODULE_LEVEL", 9), FINE_RESERVED(29),
	FINE(30, "RAS_MODULE_LEVEL", 6),
};

static const struct reason_case *dmr_case(unsigned int bit)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(dmr_cases); i++)
		if (dmr_cases[i].bit == bit)
			return &dmr_cases[i];

	return NULL;
}

/* Changed bits have the new names; the old names are invalid. */
static void reason_is_named_by_part(struct kunit *test)
{
	const struct reason_case *other;
	size_t i;

	KUNIT_EXPECT_TRUE(test, plr_reasons_use_cpu(19, 1));
	for (i = 0; i < ARRAY_SIZE(reason_cases); i++) {
		other = dmr_case(reason_cases[i].bit);
		check_reason(test, other ?: &reason_cases[i]);
		if (other)
			KUNIT_EXPECT_EQ(test, plr_reason_bit(reason_cases[i].name,
							     strlen(reason_cases[i].name)),
					-EINVAL);
	}
}

static void reason_is_a_number_on_an_unknown_part(struct kunit *test)
{
	static char text[PLR_REASONS_SIZE];
	char want[16];
	unsigned int bit;

	KUNIT_EXPECT_FALSE(test, plr_reasons_use_cpu(6, 0x6a));
	for (bit = 0; bit < PLR_REASON_BITS; bit++) {
		snprintf(want, sizeof(want), "%s%u", bit < 32 ? "COARSE" : "FINE", bit % 32);
		KUNIT_EXPECT_STREQ(test, plr_reason_name(bit), want);
		KUNIT_EXPECT_EQ(test, plr_reason_bit(want, strlen(want)), (int)bit);
		KUNIT_EXPECT_EQ(test, plr_reason_coarse(bit), -EINVAL);
	}
	KUNIT_EXPECT_EQ(test, plr_reason_bit("POWER", 5), -EINVAL);
	plr_reasons_format(0x0000040000000004, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "COARSE2 FINE10");
	/* An equal model number in another family is another processor. */
	KUNIT_EXPECT_FALSE(test, plr_reasons_use_cpu(6, 1));
	KUNIT_EXPECT_FALSE(test, plr_reasons_use_cpu(19, 0xad));
}

static const u8 gnr_models[] = { 0xad, 0xae, 0xaf, 0xb6, 0xdd };

static void reason_is_the_specifications_on_other_parts(struct kunit *test)
{
	size_t m, i;

	for (m = 0; m < ARRAY_SIZE(gnr_models); m++) {
		plr_reasons_use_cpu(19, 1);
		KUNIT_EXPECT_TRUE(test, plr_reasons_use_cpu(6, gnr_models[m]));
		for (i = 0; i < ARRAY_SIZE(reason_cases); i++)
			check_reason(test, &reason_cases[i]);
	}
}

/* Each model in reasons.c must have a test of its names. */
static void each_model_is_tested(struct kunit *test)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 32 << 8; cpu++)
		if (cpu != (19 << 8 | 1) && (cpu >> 8 != 6 || !memchr(gnr_models, cpu & 0xff,
								      sizeof(gnr_models))))
			KUNIT_EXPECT_TRUE_MSG(test, !plr_reasons_use_cpu(cpu >> 8, cpu & 0xff),
					      "family %u model 0x%x: add it to gnr_models",
					      cpu >> 8, cpu & 0xff);
}

static void other_bits_and_texts_are_no_reason(struct kunit *test)
{
	KUNIT_EXPECT_PTR_EQ(test, plr_reason_name(64), NULL);
	KUNIT_EXPECT_EQ(test, plr_reason_coarse(64), -EINVAL);
	KUNIT_EXPECT_EQ(test, plr_reason_bit("power", 5), -EINVAL);
	KUNIT_EXPECT_EQ(test, plr_reason_bit("POWE", 4), -EINVAL);
	KUNIT_EXPECT_EQ(test, plr_reason_bit("POWER ", 6), -EINVAL);
	KUNIT_EXPECT_EQ(test, plr_reason_bit("", 0), -EINVAL);
	/* Not terminated: only the first five characters are the name. */
	KUNIT_EXPECT_EQ(test, plr_reason_bit("POWER_FAST_RAPL", 5), 2);
}

struct parse_case {
	const char *text;
	int ret;
	u64 mask;
};

static const struct parse_case parse_cases[] = {
	{ "all", 0, U64_MAX },
	{ "POWER\n", 0, 0x4 },
	{ " POWER\tPOWER_PKG_PL1_MSR_TPMI  ", 0, 0x0000040000000004 },
	{ "RSVD_FINE31 RSVD_COARSE31", 0, 0x8000000080000000 },
	{ "POWER all", 0, U64_MAX },
	{ "POWER POWER", 0, 0x4 },
	{ "", -EINVAL },
	{ "\t ", -EINVAL },
	{ "none", -EINVAL },
	{ "ALL", -EINVAL },
	{ "POWER,THERMAL", -EINVAL },
	{ "POWER THERMAL_", -EINVAL },
	{ "0x4", -EINVAL },
};

static void parse_case_desc(const struct parse_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "case %d", (int)(c - parse_cases));
}

KUNIT_ARRAY_PARAM(parse, parse_cases, parse_case_desc);

static void reasons_are_parsed_or_refused(struct kunit *test)
{
	const struct parse_case *c = test->param_value;
	u64 mask = 0x55;

	KUNIT_EXPECT_EQ(test, plr_reasons_parse(c->text, strlen(c->text), &mask), c->ret);
	KUNIT_EXPECT_EQ(test, mask, c->ret ? 0x55 : c->mask);
}

/* Coarse reasons are the defined ones, or all 32 on an unknown processor. */
static void coarse_of_this_part(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, plr_reasons_coarse(), 0x3ff);
	plr_reasons_use_cpu(6, 0x6a);
	KUNIT_EXPECT_EQ(test, plr_reasons_coarse(), 0xffffffff);
}

/* Turbo limits are normal; heat, the board, errors and a BMC's limits are faults. */
static void reason_has_a_kind(struct kunit *test)
{
	static const struct {
		unsigned int family, model;
		u64 normal, fault;
	} cpus[] = {
		{ 6, 0xad, 0x0000007f00000001, 0x26a49080000000d8 },
		{ 19, 1, 0x0000007f00000001, 0x46a49080000000d8 },
		{ 6, 0x6a, 0, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		plr_reasons_use_cpu(cpus[i].family, cpus[i].model);
		KUNIT_EXPECT_EQ(test, plr_reasons_of_kind(PLR_NORMAL), cpus[i].normal);
		KUNIT_EXPECT_EQ(test, plr_reasons_of_kind(PLR_FAULT), cpus[i].fault);
		KUNIT_EXPECT_EQ(test, plr_reasons_of_kind(PLR_LIMIT),
				~(cpus[i].normal | cpus[i].fault));
	}
}

static void reasons_are_printed_in_order_of_bits(struct kunit *test)
{
	static char text[PLR_REASONS_SIZE];

	plr_reasons_format(0, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "none");
	plr_reasons_format(0x0000040000000004, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text, "POWER POWER_PKG_PL1_MSR_TPMI");
	plr_reasons_format(0x8000000180000001, text, sizeof(text));
	KUNIT_EXPECT_STREQ(test, text,
			   "FREQUENCY RSVD_COARSE31 FREQUENCY_CDYN0 RSVD_FINE31");
}

static const struct {
	u8 family, model;
} parts[] = { { 6, 0x6a }, { 19, 1 }, { 6, 0xad } };

static void format_everything_fits(struct kunit *test)
{
	static char text[PLR_REASONS_SIZE];
	size_t part, len, i, spaces;

	for (part = 0; part < ARRAY_SIZE(parts); part++) {
		plr_reasons_use_cpu(parts[part].family, parts[part].model);
		len = plr_reasons_format(U64_MAX, text, sizeof(text));
		KUNIT_EXPECT_EQ(test, len, strlen(text));
		for (i = 0, spaces = 0; i < len; i++)
			spaces += text[i] == ' ';
		KUNIT_EXPECT_EQ(test, spaces, 63);
	}
}

/* At any size the text is terminated, and nothing is written past the end. */
static void format_never_overflows(struct kunit *test)
{
	static char whole[PLR_REASONS_SIZE], text[PLR_REASONS_SIZE + 1];
	size_t full = plr_reasons_format(U64_MAX, whole, sizeof(whole));
	size_t size, len;

	for (size = 0; size <= full + 1; size++) {
		memset(text, '#', sizeof(text));
		len = plr_reasons_format(U64_MAX, text, size);
		KUNIT_EXPECT_EQ(test, text[size], '#');
		if (!size) {
			KUNIT_EXPECT_EQ(test, len, 0);
			continue;
		}
		KUNIT_ASSERT_LT(test, len, size);
		KUNIT_EXPECT_EQ(test, text[len], '\0');
		KUNIT_EXPECT_EQ(test, memcmp(text, whole, len), 0);
	}
	KUNIT_EXPECT_EQ(test, len, full);
}

/* Each case begins, and ends, with the names of the specification. */
static int plr_reasons_begin(struct kunit *test)
{
	plr_reasons_use_cpu(6, 0xad);

	return 0;
}

static void plr_reasons_end(struct kunit *test)
{
	plr_reasons_use_cpu(6, 0xad);
}

static struct kunit_case plr_reasons_cases[] = {
	KUNIT_CASE(reason_cases_are_complete),
	KUNIT_CASE(reason_is_named_by_part),
	KUNIT_CASE(reason_is_a_number_on_an_unknown_part),
	KUNIT_CASE(reason_is_the_specifications_on_other_parts),
	KUNIT_CASE(each_model_is_tested),
	KUNIT_CASE(other_bits_and_texts_are_no_reason),
	KUNIT_CASE_PARAM(reasons_are_parsed_or_refused, parse_gen_params),
	KUNIT_CASE(coarse_of_this_part),
	KUNIT_CASE(reason_has_a_kind),
	KUNIT_CASE(reasons_are_printed_in_order_of_bits),
	KUNIT_CASE(format_everything_fits),
	KUNIT_CASE(format_never_overflows),
	{}
};

struct kunit_suite plr_reasons_suite = {
	.name = "plr_reasons",
	.init = plr_reasons_begin,
	.exit = plr_reasons_end,
	.test_cases = plr_reasons_cases,
};
