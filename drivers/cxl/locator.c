// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the entries of the register locator, and checks that they lead to
 * blocks of their own.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>

#include "locator.h"

#define ENTRY_BIR		GENMASK_ULL(2, 0)
#define ENTRY_BLOCK		GENMASK_ULL(15, 8)
#define ENTRY_OFFSET		GENMASK_ULL(63, 16)

#define BLOCK_EMPTY		0
#define BLOCK_CPMU		4

/**
 * cxl_place_of() - the fields of an entry
 * @entry: its 64 bits
 */
struct cxl_place cxl_place_of(u64 entry)
{
	return (struct cxl_place){
		.offset = entry & ENTRY_OFFSET,
		.bir = FIELD_GET(ENTRY_BIR, entry),
		.block = FIELD_GET(ENTRY_BLOCK, entry),
	};
}

bool cxl_is_cpmu(const struct cxl_place *place)
{
	return place->block == BLOCK_CPMU;
}

/*
 * Does another block lie in the same 64 KiB? Blocks begin at multiples of that,
 * and none of these is larger.
 */
static bool cxl_is_shared(const u64 *entries, unsigned int count,
			  unsigned int which)
{
	struct cxl_place mine = cxl_place_of(entries[which]);
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct cxl_place other = cxl_place_of(entries[i]);

		if (i != which && other.block != BLOCK_EMPTY &&
		    other.bir == mine.bir && other.offset == mine.offset)
			return true;
	}
	return false;
}

/**
 * cxl_check_place() - can a CPMU be where its entry says?
 * @entries: the entries of the locator
 * @count: how many
 * @which: that of the CPMU
 * @bar: the BARs of the function
 * @fault: gets what is wrong, if anything is
 */
bool cxl_check_place(const u64 *entries, unsigned int count, unsigned int which,
		     const struct cxl_bar bar[CXL_BARS],
		     struct cpmu_fault *fault)
{
	struct cxl_place place = cxl_place_of(entries[which]);

	if (place.bir >= CXL_BARS)
		return cpmu_wrong(fault, "BIR", place.bir, "is no BAR");
	if (!bar[place.bir].size)
		return cpmu_wrong(fault, "BIR", place.bir,
				  "is a BAR that is not there");
	if (!bar[place.bir].memory)
		return cpmu_wrong(fault, "BIR", place.bir, "is not memory");
	if (place.offset > bar[place.bir].size ||
	    bar[place.bir].size - place.offset < CPMU_BYTES)
		return cpmu_wrong(fault, "offset", place.offset,
				  "is outside the BAR");
	if (cxl_is_shared(entries, count, which))
		return cpmu_wrong(fault, "offset", place.offset,
				  "is that of another block");
	return true;
}
