// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speed Select (TPMI id 5): the number behind a reason of frequency. Only
 * reads; a driver of the kernel may have the same registers, and may write
 * them. What they mean is known from isst_tpmi_core of Linux.
 *
 * An instance is a power domain. All is found by offsets in units of eight
 * bytes: the header has that of the performance profiles (SST-PP), those have
 * that of each level, and that of its frequencies inside a level.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include "sst.h"

/*
 * Intel, Speed Select TPMI interface (SST_TPMI_public_disclosure_FINAL_rev5 in
 * github.com/intel/tpmi_power_management): SST_HEADER, SST_PP_HEADER and what
 * these point to. Linux:
 * drivers/platform/x86/intel/speed_select_if/isst_tpmi_core.c, struct
 * sst_header and struct pp_header.
 */
#define HEADER_MAJOR		GENMASK_ULL(7, 5)
#define HEADER_PP		GENMASK_ULL(31, 24)

enum { PP_HEADER, PP_INSIDE_LEVEL, PP_LEVELS, PP_CONTROL, PP_STATUS, PP_SIZE };

#define PP_FEATURE		GENMASK_ULL(3, 0)
#define PP_ENABLED		GENMASK_ULL(19, 12)
#define PP_RATIO_UNIT		GENMASK_ULL(33, 32)
#define PP_FREQUENCIES		GENMASK_ULL(7, 0)

#define FEATURE_PP		1
#define RATIO_UNIT_100_MHZ	0

#define STATUS_LEVEL		GENMASK_ULL(2, 0)
#define STATUS_LOCKED		BIT_ULL(3)
#define STATUS_BF		BIT_ULL(8)
#define STATUS_TF		BIT_ULL(9)

/* Offsets of so many levels fit. */
#define SST_LEVELS		5

enum { LEVEL_BASE, LEVEL_TURBO = 4, LEVEL_MODULES = LEVEL_TURBO + SST_ROWS };

#define BASE_RATIO		GENMASK_ULL(7, 0)

/**
 * struct sst_block - the registers of a domain
 * @regs: of all domains
 * @start: first byte of this one
 * @words: how many there are
 */
struct sst_block {
	const struct pmon_regs *regs;
	u32 start;
	u32 words;
};

/*
 * Read a register. All ones means that it cannot be read: all have reserved
 * bits, or are tables of ratios.
 */
static int plr_sst_get(const struct sst_block *block, u32 word, u64 *value)
{
	if (word >= block->words)
		return -ENODEV;
	*value = pmon_read(block->regs, block->start + word * sizeof(u64),
			   sizeof(u64));

	return *value == U64_MAX ? -EIO : 0;
}

static u8 plr_sst_byte(u64 value, unsigned int n)
{
	return value >> n * BITS_PER_BYTE;
}

/*
 * Find the performance profiles. A die without Speed Select has all ones
 * instead of the header.
 */
static int plr_sst_find_profiles(const struct sst_block *block, u32 *pp)
{
	u64 value;
	int ret = plr_sst_get(block, 0, &value);

	if (ret || FIELD_GET(HEADER_MAJOR, value))
		return -ENODEV;
	*pp = FIELD_GET(HEADER_PP, value);

	return *pp ? 0 : -ENODEV;
}

static int plr_sst_check_profiles(const struct sst_block *block, u32 pp,
				  u8 *enabled)
{
	u64 value;
	int ret = plr_sst_get(block, pp + PP_HEADER, &value);

	if (ret)
		return ret;
	if (FIELD_GET(PP_FEATURE, value) != FEATURE_PP ||
	    FIELD_GET(PP_RATIO_UNIT, value) != RATIO_UNIT_100_MHZ)
		return -ENODEV;
	*enabled = FIELD_GET(PP_ENABLED, value);

	return 0;
}

static int plr_sst_read_status(const struct sst_block *block, u32 pp,
			       struct sst_domain *domain)
{
	u64 value;
	int ret = plr_sst_get(block, pp + PP_STATUS, &value);

	if (ret)
		return ret;
	*domain = (struct sst_domain) {
		.level = FIELD_GET(STATUS_LEVEL, value),
		.locked = value & STATUS_LOCKED,
		.bf = value & STATUS_BF,
		.tf = value & STATUS_TF,
	};

	return 0;
}

/* Where the frequencies of a level are. */
static int plr_sst_find_level(const struct sst_block *block, u32 pp, u8 level,
			      u32 *at)
{
	u64 inside, levels;
	int ret;

	if (level >= SST_LEVELS)
		return -ENODEV;
	ret = plr_sst_get(block, pp + PP_INSIDE_LEVEL, &inside);
	if (!ret)
		ret = plr_sst_get(block, pp + PP_LEVELS, &levels);
	if (ret)
		return ret;
	if (plr_sst_byte(levels, level) < PP_SIZE)
		return -ENODEV;
	*at = pp + plr_sst_byte(levels, level) +
	      FIELD_GET(PP_FREQUENCIES, inside);

	return 0;
}

static u16 plr_sst_mhz(u8 ratio)
{
	return ratio * 100;
}

static int plr_sst_read_turbo(const struct sst_block *block, u32 at,
			      struct sst_domain *domain)
{
	unsigned int row, n;
	u64 value;
	/*
	 * NUM_CORE in the specification, but where a module is four cores the
	 * register counts modules: Clearwater Forest has 24 in a die of 96.
	 */
	int ret = plr_sst_get(block, at + LEVEL_MODULES, &value);

	if (ret)
		return ret;
	for (n = 0; n < SST_BUCKETS && plr_sst_byte(value, n); n++)
		domain->modules[n] = plr_sst_byte(value, n);
	domain->buckets = n;
	/* An IO die has the levels, but no cores. */
	if (!n)
		return -ENODEV;
	for (row = 0; row < SST_ROWS; row++) {
		ret = plr_sst_get(block, at + LEVEL_TURBO + row, &value);
		if (ret)
			return ret;
		for (n = 0; n < domain->buckets; n++)
			domain->mhz[row][n] =
				plr_sst_mhz(plr_sst_byte(value, n));
	}

	return 0;
}

static int plr_sst_read_level(const struct sst_block *block, u32 at,
			      struct sst_domain *domain)
{
	u64 value;
	int ret = plr_sst_get(block, at + LEVEL_BASE, &value);

	if (ret)
		return ret;
	domain->base_mhz = plr_sst_mhz(FIELD_GET(BASE_RATIO, value));

	return plr_sst_read_turbo(block, at, domain);
}

/**
 * sst_read_domain() - what frequencies a die may have
 * @regs: registers of all dies
 * @start: first byte of this one's
 * @size: bytes of them; no other is read, wherever offsets point
 * @domain: the result, when all of it could be read
 *
 * Return: 0, -ENODEV when there is no such die, one without cores, or one that
 * is not known, or -EIO for all ones.
 */
int sst_read_domain(const struct pmon_regs *regs, u32 start, u32 size,
		    struct sst_domain *domain)
{
	struct sst_block block = { .regs = regs,
				 .start = start,
				 .words = size / sizeof(u64) };
	u8 enabled;
	u32 pp, at;
	int ret = plr_sst_find_profiles(&block, &pp);

	if (!ret)
		ret = plr_sst_check_profiles(&block, pp, &enabled);
	if (!ret)
		ret = plr_sst_read_status(&block, pp, domain);
	if (!ret && !(enabled >> domain->level & 1))
		ret = -ENODEV;
	if (!ret)
		ret = plr_sst_find_level(&block, pp, domain->level, &at);

	return ret ?: plr_sst_read_level(&block, at, domain);
}
