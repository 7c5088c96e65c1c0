// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power limits against a script: which registers are read, and what they mean.
 * The expected numbers are worked out by hand from the layout of the TPMI RAPL
 * interface.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../rapl.h"
#include "fake.h"
#include "suites.h"

#define REG(domain, n)	((domain) * 128 + (n) * 8)

/* Version 0.1, one unit of 128 bytes; flags: which registers there are. */
#define HEADER(type, flags)	(0x10001ULL | (type) << 8 | (flags) << 32)
#define PACKAGE		0x2ULL
#define MEMORY		0x4ULL
#define PLATFORM	0x1ULL
/* unit, PL1, PL2, PL4, energy, info */
#define ALL		0x2aeULL
/* 1/8 W, 1/16384 J */
#define UNIT		0xa383ULL
#define IN_FORCE	0x4000000000000000ULL
#define LOCKED		0x8000000000000000ULL

static int read_domain(struct kunit *test, const struct fake_access *script, size_t length,
		       unsigned int index, struct rapl_domain *domain)
{
	struct fake_plr *fake = fake_plr_new(test);
	int ret;

	memset(domain, 0x55, sizeof(*domain));
	fake_plr_script(fake, script, length);
	ret = rapl_read_domain(&fake->regs, index, domain);
	fake_plr_done(fake);

	return ret;
}

static void limits_of_a_package(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(REG(0, 0), HEADER(PACKAGE, ALL)), FAKE_READ(REG(0, 1), UNIT),
		/* 350.125 W = 2801 / 8, over a window; 18 bits; a locked one that is off */
		FAKE_READ(REG(0, 2), IN_FORCE | 0x6eULL << 18 | 2801),
		FAKE_READ(REG(0, 3), LOCKED | IN_FORCE | 0x3ffff),
		FAKE_READ(REG(0, 5), LOCKED),
		FAKE_READ(REG(0, 9), 4001ULL | 1841ULL << 18 | 6001ULL << 36 | 0x6eULL << 54),
	};
	struct rapl_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), 0, &d), 0);
	KUNIT_EXPECT_STREQ(test, d.name, "package");
	KUNIT_EXPECT_EQ(test, d.limit[RAPL_PL1].uw, 350125000);
	KUNIT_EXPECT_TRUE(test, d.limit[RAPL_PL1].enabled);
	KUNIT_EXPECT_FALSE(test, d.limit[RAPL_PL1].locked);
	KUNIT_EXPECT_EQ(test, d.limit[RAPL_PL2].uw, 32767875000);
	KUNIT_EXPECT_TRUE(test, d.limit[RAPL_PL2].locked);
	KUNIT_EXPECT_EQ(test, d.limit[RAPL_PL4].uw, 0);
	KUNIT_EXPECT_FALSE(test, d.limit[RAPL_PL4].enabled);
	KUNIT_EXPECT_TRUE(test, d.limit[RAPL_PL4].locked);
	KUNIT_EXPECT_TRUE(test, d.has_info);
	KUNIT_EXPECT_EQ(test, d.tdp_uw, 500125000);
	KUNIT_EXPECT_EQ(test, d.min_uw, 230125000);
	KUNIT_EXPECT_EQ(test, d.max_uw, 750125000);
}

/* What the header does not have is not read. */
static void registers_that_are_not_there(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(REG(1, 0), HEADER(MEMORY, 0x6ULL)), FAKE_READ(REG(1, 1), 0x3800ULL | 1),
		FAKE_READ(REG(1, 2), 7),
	};
	struct rapl_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), 1, &d), 0);
	KUNIT_EXPECT_STREQ(test, d.name, "memory");
	KUNIT_EXPECT_TRUE(test, d.limit[RAPL_PL1].present);
	KUNIT_EXPECT_EQ(test, d.limit[RAPL_PL1].uw, 3500000);
	KUNIT_EXPECT_FALSE(test, d.limit[RAPL_PL1].enabled);
	KUNIT_EXPECT_FALSE(test, d.limit[RAPL_PL2].present);
	KUNIT_EXPECT_FALSE(test, d.limit[RAPL_PL4].present);
	KUNIT_EXPECT_FALSE(test, d.has_info);
}

static void the_platform_is_one_packages(struct kunit *test)
{
	static const struct fake_access root[] = {
		FAKE_READ(REG(2, 0), HEADER(PLATFORM, 0x402ULL)), FAKE_READ(REG(2, 10), 1),
		FAKE_READ(REG(2, 1), UNIT),
	};
	static const struct fake_access other[] = {
		FAKE_READ(REG(2, 0), HEADER(PLATFORM, 0x402ULL)), FAKE_READ(REG(2, 10), 2),
	};
	static const struct fake_access untold[] = {
		FAKE_READ(REG(2, 0), HEADER(PLATFORM, 0x2ULL)),
	};
	struct rapl_domain d;

	KUNIT_EXPECT_EQ(test, read_domain(test, root, ARRAY_SIZE(root), 2, &d), 0);
	KUNIT_EXPECT_STREQ(test, d.name, "platform");
	KUNIT_EXPECT_EQ(test, read_domain(test, other, ARRAY_SIZE(other), 2, &d), -ENODEV);
	KUNIT_EXPECT_EQ(test, read_domain(test, untold, ARRAY_SIZE(untold), 2, &d), -ENODEV);
}

static const struct {
	u64 header;
	int ret;
} strange[] = {
	/*
	 * A domain that is not there, as a partition of a server without compute
	 * dies has three (test data of Intel's pepc, test_tpmi_nohost).
	 */
	{ U64_MAX, -ENODEV },
	{ 0, -ENODEV },
	{ HEADER(PACKAGE, ALL) | 0x20, -ENODEV },	/* another major version */
	{ HEADER(PACKAGE, ALL) ^ 0x30000, -ENODEV },	/* another size */
	{ HEADER(0ULL, ALL), -ENODEV },
	{ HEADER(3ULL, ALL), -ENODEV },			/* types that are not known */
	{ HEADER(5ULL, ALL), -ENODEV },
	{ HEADER(0xffULL, ALL), -ENODEV },
	{ HEADER(PACKAGE, ALL & ~2ULL), -ENODEV },	/* no unit: numbers mean nothing */
};

static void headers_that_are_not_used(struct kunit *test)
{
	struct rapl_domain d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strange); i++) {
		struct fake_access script = FAKE_READ(REG(3, 0), strange[i].header);

		KUNIT_EXPECT_EQ(test, read_domain(test, &script, 1, 3, &d), strange[i].ret);
	}
}

static void a_later_minor_version_is_used(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(REG(0, 0), HEADER(PACKAGE, 0x2ULL) | 0x1f), FAKE_READ(REG(0, 1), UNIT),
	};
	struct rapl_domain d;

	KUNIT_EXPECT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), 0, &d), 0);
}

/* The device goes, or firmware blocks reads, between two registers. */
static void all_ones_anywhere_is_an_error(struct kunit *test)
{
	static const u32 order[] = { 0, 1, 2, 3, 5, 9 };
	struct fake_access script[ARRAY_SIZE(order)];
	struct rapl_domain d;
	size_t bad, i;

	for (bad = 1; bad < ARRAY_SIZE(order); bad++) {
		for (i = 0; i < ARRAY_SIZE(order); i++)
			script[i] = (struct fake_access) {
				.reg = REG(0, order[i]),
				.value = !i ? HEADER(PACKAGE, ALL) : UNIT,
			};
		script[bad].value = U64_MAX;
		KUNIT_EXPECT_EQ(test, read_domain(test, script, bad + 1, 0, &d), -EIO);
	}
}

static void energy_of_a_package(struct kunit *test)
{
	/* The upper half is a time; 2^32 - 1 of 1/16384 J */
	static const struct fake_access script[] = {
		FAKE_READ(REG(0, 0), HEADER(PACKAGE, ALL)), FAKE_READ(REG(0, 1), UNIT),
		FAKE_READ(REG(0, 7), 0x12345678ffffffffULL),
	};
	static const struct fake_access none[] = {
		FAKE_READ(REG(0, 0), HEADER(PACKAGE, 0x6ULL)), FAKE_READ(REG(0, 1), UNIT),
	};
	struct fake_plr *fake = fake_plr_new(test);
	struct rapl_energy e;

	fake_plr_script(fake, script, ARRAY_SIZE(script));
	KUNIT_ASSERT_EQ(test, rapl_read_energy(&fake->regs, 0, &e), 0);
	fake_plr_done(fake);
	KUNIT_EXPECT_STREQ(test, e.name, "package");
	KUNIT_EXPECT_EQ(test, e.uj, 262143999938);
	KUNIT_EXPECT_EQ(test, e.range_uj, 262144000000);

	fake = fake_plr_new(test);
	fake_plr_script(fake, none, ARRAY_SIZE(none));
	KUNIT_EXPECT_EQ(test, rapl_read_energy(&fake->regs, 0, &e), -ENODEV);
	fake_plr_done(fake);
}

/* What the ABI says they are called. */
static void limits_have_names(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, rapl_limit_name(RAPL_PL1), "pl1");
	KUNIT_EXPECT_STREQ(test, rapl_limit_name(RAPL_PL2), "pl2");
	KUNIT_EXPECT_STREQ(test, rapl_limit_name(RAPL_PL4), "pl4");
}

static struct kunit_case plr_rapl_cases[] = {
	KUNIT_CASE(limits_of_a_package),
	KUNIT_CASE(registers_that_are_not_there),
	KUNIT_CASE(the_platform_is_one_packages),
	KUNIT_CASE(headers_that_are_not_used),
	KUNIT_CASE(a_later_minor_version_is_used),
	KUNIT_CASE(all_ones_anywhere_is_an_error),
	KUNIT_CASE(energy_of_a_package),
	KUNIT_CASE(limits_have_names),
	{}
};

struct kunit_suite plr_rapl_suite = {
	.name = "plr_rapl",
	.test_cases = plr_rapl_cases,
};
