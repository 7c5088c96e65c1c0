// SPDX-License-Identifier: GPL-2.0-only
/* contract: names */
/* Compare registers and units with the table of the specification. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "../vfalls.h"
#include "suites.h"
#include "table.h"

/* Compare all columns of the table; hex digits may have either case. */
static void all_registers_of_the_table(struct kunit *test)
{
	char line[64];
	size_t reg;

	KUNIT_ASSERT_EQ(test, ARRAY_SIZE(vfalls_table), (size_t)VFALLS_REGS);
	for (reg = 0; reg < VFALLS_REGS; reg++) {
		int n = vfalls_reg_format(reg, line, sizeof(line));

		KUNIT_EXPECT_EQ(test, (size_t)n, strlen(line));
		KUNIT_EXPECT_EQ_MSG(test, strcasecmp(line, vfalls_table[reg]),
				    0, "%s is %s", vfalls_table[reg], line);
	}
}

/* A text that does not fit is cut; nothing is written after the buffer. */
static void a_short_buffer_is_not_overrun(struct kunit *test)
{
	static const unsigned int regs[] = { 0, 1, 2, 3, 19, 88 };
	char line[64];
	size_t size;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		const char *want = vfalls_table[regs[i]];

		for (size = 1; size <= strlen(want) + 1; size++) {
			int n;

			memset(line, '#', sizeof(line));
			n = vfalls_reg_format(regs[i], line, size);
			KUNIT_EXPECT_EQ(test, (size_t)n, size - 1);
			KUNIT_EXPECT_EQ(test, strncasecmp(line, want, n), 0);
			KUNIT_EXPECT_EQ(test, line[n], '\0');
			KUNIT_EXPECT_EQ(test, line[size], '#');
		}
	}
}

/* Expect the PMU name that follows from a register's name in the table. */
static void expect_name(struct kunit *test, const struct vfalls_unit *unit,
			const char *row)
{
	static const char * const kinds[] = {
		[VFALLS_DRAM] = "MCU", [VFALLS_LPU] = "LPU_",
		[VFALLS_GPD] = "GPD_", [VFALLS_ASU] = "ASU_",
	};
	char name[VFALLS_NAME_SIZE], want[VFALLS_NAME_SIZE];
	const char *at = strstr(row, kinds[unit->kind]);

	KUNIT_ASSERT_NOT_NULL(test, at);
	vfalls_unit_name(unit, name, sizeof(name));
	switch (unit->kind) {
	case VFALLS_DRAM:
		scnprintf(want, sizeof(want), "vfalls_dram_%c_%c", at[-2],
			  at[3]);
		break;
	case VFALLS_LPU:
		scnprintf(want, sizeof(want), "zambezi_lpu_%c_%c", at[-2],
			  at[4] + 'a' - 'A');
		break;
	default:
		scnprintf(want, sizeof(want), "zambezi_%s_%c",
			  unit->kind == VFALLS_GPD ? "gpd" : "asu", at[-2]);
	}
	KUNIT_EXPECT_STREQ(test, name, want);
}

/* No register lies between units; each unit begins with its select register. */
static void units_cover_all_registers(struct kunit *test)
{
	unsigned int n, reg = VFALLS_REG_DRAM;

	KUNIT_EXPECT_EQ(test, VFALLS_UNITS, 32);
	for (n = 0; n < VFALLS_UNITS; n++) {
		const struct vfalls_unit unit = vfalls_unit(n);
		unsigned int regs = unit.layout->reg[1] + 1;

		KUNIT_ASSERT_EQ(test, unit.reg, reg);
		expect_name(test, &unit, vfalls_table[reg]);
		KUNIT_EXPECT_NOT_NULL(test, strstr(vfalls_table[reg], "_PCR "));
		KUNIT_EXPECT_NOT_NULL(test, strstr(vfalls_table[reg + regs - 1],
						   "_PIC"));
		KUNIT_EXPECT_EQ(test, unit.kind != VFALLS_DRAM,
				reg >= VFALLS_REG_ZAMBEZI);
		reg += regs;
	}
	KUNIT_EXPECT_EQ(test, reg, (unsigned int)VFALLS_REGS);
}

static struct kunit_case regmap_tests[] = {
	KUNIT_CASE(all_registers_of_the_table),
	KUNIT_CASE(a_short_buffer_is_not_overrun),
	KUNIT_CASE(units_cover_all_registers),
	{ }
};

struct kunit_suite vfalls_regmap_suite = {
	.name = "vfalls_regmap",
	.test_cases = regmap_tests,
};
