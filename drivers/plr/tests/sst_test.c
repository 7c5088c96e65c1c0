// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speed Select against a script: which registers are read, and what they mean.
 * The expected numbers are worked out by hand from the layout of the TPMI SST
 * interface, as drivers/platform/x86/intel/speed_select_if of Linux has it.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../sst.h"
#include "fake.h"
#include "suites.h"

/* The second instance of 1016 bytes: 127 words. */
#define START	1016
#define SIZE	1016
#define WORD(n)	(START + (n) * 8)

/* Version 0.1, SST-CP and SST-PP, their places: 1 and 16. */
#define HEADER		0x10010301ULL
#define PP		16
/* SST-PP, revision 1, level mask, 16 words. */
#define PP_HEADER(mask)	(0x1011ULL | ((mask) & ~1ULL) << 12 | 0x1000000000ULL)
/* Frequencies, SST-BF, SST-TF inside a level. */
#define INSIDE		0x120e00ULL
/* Levels 0, 3 and 4. */
#define LEVELS		0x5030000008ULL
#define LEVEL(n)	(PP + (n))

static int read_domain(struct kunit *test, const struct fake_access *script, size_t length,
		       u32 size, struct sst_domain *domain)
{
	struct fake_plr *fake = fake_plr_new(test);
	int ret;

	memset(domain, 0x55, sizeof(*domain));
	fake_plr_script(fake, script, length);
	ret = sst_read_domain(&fake->regs, START, size, domain);
	fake_plr_done(fake);

	return ret;
}

static const struct fake_access whole[] = {
	FAKE_READ(WORD(0), HEADER), FAKE_READ(WORD(PP), PP_HEADER(0x1)),
	/* Level 0, locked, SST-TF; error types are of no interest. */
	FAKE_READ(WORD(PP + 4), 0x7ffff00000278ULL),
	FAKE_READ(WORD(PP + 1), INSIDE), FAKE_READ(WORD(PP + 2), LEVELS),
	/* Ratios 20, 18, 16, 14 for the kinds of instructions. */
	FAKE_READ(WORD(LEVEL(8)), 0x0e101214ULL),
	FAKE_READ(WORD(LEVEL(18)), 0x2b281008ULL),
	FAKE_READ(WORD(LEVEL(12)), 0x20222427ULL), FAKE_READ(WORD(LEVEL(13)), 0x1f212326ULL),
	FAKE_READ(WORD(LEVEL(14)), 0xffeeddcc191b1d20ULL), FAKE_READ(WORD(LEVEL(15)), 0),
	FAKE_READ(WORD(LEVEL(16)), 0), FAKE_READ(WORD(LEVEL(17)), 0xffULL),
};

static void frequencies_of_a_die(struct kunit *test)
{
	struct sst_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, whole, ARRAY_SIZE(whole), SIZE, &d), 0);
	KUNIT_EXPECT_EQ(test, d.level, 0);
	KUNIT_EXPECT_TRUE(test, d.locked);
	KUNIT_EXPECT_FALSE(test, d.bf);
	KUNIT_EXPECT_TRUE(test, d.tf);
	KUNIT_EXPECT_EQ(test, d.base_mhz, 2000);
	KUNIT_ASSERT_EQ(test, d.buckets, 4);
	KUNIT_EXPECT_EQ(test, d.modules[0], 8);
	KUNIT_EXPECT_EQ(test, d.modules[3], 43);
	KUNIT_EXPECT_EQ(test, d.mhz[0][0], 3900);
	KUNIT_EXPECT_EQ(test, d.mhz[0][3], 3200);
	KUNIT_EXPECT_EQ(test, d.mhz[1][1], 3500);
	KUNIT_EXPECT_EQ(test, d.mhz[2][3], 2500);
	/* Ratios of buckets that there are not are none. */
	KUNIT_EXPECT_EQ(test, d.mhz[2][4], 0);
	KUNIT_EXPECT_EQ(test, d.mhz[3][0], 0);
	KUNIT_EXPECT_EQ(test, d.mhz[5][0], 25500);
}

/* SST-BF, and the place of another level. */
static void another_level(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(WORD(0), HEADER), FAKE_READ(WORD(PP), PP_HEADER(0x19)),
		FAKE_READ(WORD(PP + 4), 0x103ULL),
		/* The frequencies are two words behind the beginning of a level. */
		FAKE_READ(WORD(PP + 1), INSIDE | 2), FAKE_READ(WORD(PP + 2), LEVELS),
		FAKE_READ(WORD(LEVEL(0x32)), 0xffffffffffffff01ULL),
		FAKE_READ(WORD(LEVEL(0x3c)), 0x0807060504030201ULL),
		FAKE_READ(WORD(LEVEL(0x36)), 0x0807060504030201ULL),
		FAKE_READ(WORD(LEVEL(0x37)), 0), FAKE_READ(WORD(LEVEL(0x38)), 0),
		FAKE_READ(WORD(LEVEL(0x39)), 0), FAKE_READ(WORD(LEVEL(0x3a)), 0),
		FAKE_READ(WORD(LEVEL(0x3b)), 0),
	};
	struct sst_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), SIZE, &d), 0);
	KUNIT_EXPECT_EQ(test, d.level, 3);
	KUNIT_EXPECT_FALSE(test, d.locked);
	KUNIT_EXPECT_TRUE(test, d.bf);
	KUNIT_EXPECT_FALSE(test, d.tf);
	KUNIT_EXPECT_EQ(test, d.base_mhz, 100);
	KUNIT_EXPECT_EQ(test, d.buckets, 8);
	KUNIT_EXPECT_EQ(test, d.modules[7], 8);
	KUNIT_EXPECT_EQ(test, d.mhz[0][7], 800);
}

static const struct {
	unsigned int reads;		/* the last of them is the strange one ... */
	u64 value;			/* ... and has this */
	int ret;
} strange[] = {
	{ 1, U64_MAX, -ENODEV },		/* a die that is not there */
	{ 1, 0, -ENODEV },
	{ 1, HEADER | 0x20, -ENODEV },		/* another major version */
	{ 1, HEADER & 0xffffff, -ENODEV },	/* no profiles */
	{ 1, HEADER | 0xff000000, -ENODEV },	/* they are outside */
	{ 1, HEADER | 0x7f000000, -ENODEV },	/* the first word that is */
	{ 2, U64_MAX, -EIO },
	{ 2, PP_HEADER(1) ^ 2, -ENODEV },	/* not those of profiles */
	{ 2, PP_HEADER(1) | 1ULL << 32, -ENODEV },	/* units that are not known */
	{ 3, U64_MAX, -EIO },
	{ 3, 1, -ENODEV },			/* a level that is not enabled */
	{ 3, 7, -ENODEV },
	{ 4, U64_MAX, -EIO },
	{ 5, U64_MAX, -EIO },
	{ 5, 0, -ENODEV },			/* the level is where the header is */
	{ 5, 4, -ENODEV },			/* or the status */
	{ 5, 0x6f, -ENODEV },			/* or outside */
};

static void registers_that_make_no_sense(struct kunit *test)
{
	struct fake_access script[ARRAY_SIZE(whole)];
	struct sst_domain d;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strange); i++) {
		memcpy(script, whole, sizeof(script));
		script[strange[i].reads - 1].value = strange[i].value;
		KUNIT_EXPECT_EQ(test, read_domain(test, script, strange[i].reads, SIZE, &d),
				strange[i].ret);
	}
}

static void a_level_without_an_offset(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(WORD(0), HEADER), FAKE_READ(WORD(PP), PP_HEADER(0xff)),
		FAKE_READ(WORD(PP + 4), 5),
	};
	struct sst_domain d;

	KUNIT_EXPECT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), SIZE, &d), -ENODEV);
}

/* Whatever the size, nothing behind it is read; the device goes at any time. */
static void each_end_is_an_error(struct kunit *test)
{
	struct fake_access script[ARRAY_SIZE(whole)];
	struct sst_domain d;
	size_t n, largest;

	for (n = 0; n < ARRAY_SIZE(whole); n++) {
		size_t reads;

		/* One byte less than what the first access needs that must fail. */
		for (reads = 0; reads < n && whole[reads].reg < whole[n].reg; reads++)
			;
		if (reads < n)
			continue;
		KUNIT_EXPECT_EQ(test, read_domain(test, whole, n, whole[n].reg + 7 - START, &d),
				-ENODEV);
	}
	for (largest = 1; largest < ARRAY_SIZE(whole); largest++) {
		memcpy(script, whole, sizeof(script));
		script[largest].value = U64_MAX;
		KUNIT_EXPECT_EQ(test, read_domain(test, script, largest + 1, SIZE, &d), -EIO);
	}
	KUNIT_EXPECT_EQ(test, read_domain(test, NULL, 0, 0, &d), -ENODEV);
}

/*
 * Registers of a shipping server: public in the test data of Intel's pepc, host
 * gnr2. Its cpufreq has 2.6 GHz base and 4.0 GHz at the most.
 */
static void a_real_die(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(WORD(0), 0x0c010301ULL), FAKE_READ(WORD(12), 0x45800808011ULL),
		FAKE_READ(WORD(16), 0xbULL), FAKE_READ(WORD(13), 0xe0c00ULL),
		FAKE_READ(WORD(14), 0x5d47311b05ULL), FAKE_READ(WORD(83), 0x1115181aULL),
		FAKE_READ(WORD(93), 0x1c1c1a181614100eULL),
		FAKE_READ(WORD(87), 0x2525262727272728ULL),
		FAKE_READ(WORD(88), 0x2424252626262627ULL),
		FAKE_READ(WORD(89), 0x2121212324252526ULL),
		FAKE_READ(WORD(90), 0x1e1e1e1f20222526ULL),
		FAKE_READ(WORD(91), 0x1a1a1a1b1c1d1f20ULL), FAKE_READ(WORD(92), 0),
	};
	struct sst_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), SIZE, &d), 0);
	KUNIT_EXPECT_EQ(test, d.level, 3);
	KUNIT_EXPECT_TRUE(test, d.locked);
	KUNIT_EXPECT_EQ(test, d.base_mhz, 2600);
	KUNIT_EXPECT_EQ(test, d.buckets, 8);
	KUNIT_EXPECT_EQ(test, d.modules[0], 14);
	KUNIT_EXPECT_EQ(test, d.modules[7], 28);
	KUNIT_EXPECT_EQ(test, d.mhz[0][0], 4000);
	KUNIT_EXPECT_EQ(test, d.mhz[0][7], 3700);
	KUNIT_EXPECT_EQ(test, d.mhz[4][0], 3200);
	KUNIT_EXPECT_EQ(test, d.mhz[4][7], 2600);
	KUNIT_EXPECT_EQ(test, d.mhz[5][0], 0);
}

/*
 * A die of 24 modules of four cores: the same test data, host cwf0, three such
 * dies in a package of 288 cores.
 */
static void modules_of_four_cores(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(WORD(0), 0x0c010201ULL), FAKE_READ(WORD(12), 0x5800103011ULL),
		FAKE_READ(WORD(16), 0x8ULL), FAKE_READ(WORD(13), 0xe0c00ULL),
		FAKE_READ(WORD(14), 0x5d47311b05ULL), FAKE_READ(WORD(17), 0x16ULL),
		FAKE_READ(WORD(27), 0x1818181818120c06ULL),
		FAKE_READ(WORD(21), 0x1c1c1c1c1c1d1e20ULL),
		FAKE_READ(WORD(22), 0x1c1c1c1c1c1d1e20ULL),
		FAKE_READ(WORD(23), 0x1c1c1c1c1c1d1e20ULL),
		FAKE_READ(WORD(24), 0), FAKE_READ(WORD(25), 0), FAKE_READ(WORD(26), 0),
	};
	struct sst_domain d;

	KUNIT_ASSERT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), SIZE, &d), 0);
	KUNIT_EXPECT_EQ(test, d.level, 0);
	KUNIT_EXPECT_EQ(test, d.base_mhz, 2200);
	KUNIT_EXPECT_EQ(test, d.modules[0], 6);
	KUNIT_EXPECT_EQ(test, d.modules[7], 24);
	KUNIT_EXPECT_EQ(test, d.mhz[0][0], 3200);
	KUNIT_EXPECT_EQ(test, d.mhz[2][7], 2800);
	KUNIT_EXPECT_EQ(test, d.mhz[3][0], 0);
}

/* The IO die of the server before: the levels are there, the cores are not. */
static void a_die_without_cores(struct kunit *test)
{
	static const struct fake_access script[] = {
		FAKE_READ(WORD(0), 0x0c010301ULL), FAKE_READ(WORD(12), 0x45800808011ULL),
		FAKE_READ(WORD(16), 0xbULL), FAKE_READ(WORD(13), 0xe0c00ULL),
		FAKE_READ(WORD(14), 0x5d47311b05ULL), FAKE_READ(WORD(83), 0x1115181aULL),
		FAKE_READ(WORD(93), 0),
	};
	struct sst_domain d;

	KUNIT_EXPECT_EQ(test, read_domain(test, script, ARRAY_SIZE(script), SIZE, &d), -ENODEV);
}

static struct kunit_case plr_sst_cases[] = {
	KUNIT_CASE(frequencies_of_a_die),
	KUNIT_CASE(another_level),
	KUNIT_CASE(registers_that_make_no_sense),
	KUNIT_CASE(a_level_without_an_offset),
	KUNIT_CASE(each_end_is_an_error),
	KUNIT_CASE(a_real_die),
	KUNIT_CASE(modules_of_four_cores),
	KUNIT_CASE(a_die_without_cores),
	{}
};

struct kunit_suite plr_sst_suite = {
	.name = "plr_sst",
	.test_cases = plr_sst_cases,
};
