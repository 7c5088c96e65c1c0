// SPDX-License-Identifier: GPL-2.0-only
/* Parts of registers, each as a register of its own. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>

#include <pmon/packed.h>

#include "count.h"

static u64 pmon_part_mask(const struct pmon_part *part)
{
	return GENMASK_ULL(part->shift + part->bits - 1, part->shift);
}

static u64 pmon_packed_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	const struct pmon_packed *packed = regs->priv;
	const struct pmon_part *part = &packed->part[reg];
	u64 value = pmon_read(&packed->regs, part->reg, 8);

	if (!pmon_reading_valid(value))
		return value;
	return (value & pmon_part_mask(part)) >> part->shift;
}

/* The part that keeps the register of @reg. */
static u32 pmon_packed_first(const struct pmon_packed *packed, u32 reg)
{
	u32 first = 0;

	while (packed->part[first].reg != packed->part[reg].reg)
		first++;
	return first;
}

static int pmon_packed_write(const struct pmon_regs *regs, u32 reg, u64 val,
			     u8 bytes)
{
	struct pmon_packed *packed = regs->priv;
	const struct pmon_part *part = &packed->part[reg];
	u32 first = pmon_packed_first(packed, reg);
	u64 value = packed->shadow[first];
	u64 mask = pmon_part_mask(part);
	int ret;

	if (!(packed->known & BIT_ULL(first))) {
		value = pmon_read(&packed->regs, part->reg, 8);
		if (!pmon_reading_valid(value))
			return -EAGAIN;
	}

	value = (value & ~mask) | (val << part->shift & mask);
	ret = pmon_write(&packed->regs, part->reg, value, 8);
	if (ret)
		return ret;

	packed->shadow[first] = value;
	packed->known |= BIT_ULL(first);
	return 0;
}

static const struct pmon_regs_ops pmon_packed_ops = {
	.read = pmon_packed_read,
	.write = pmon_packed_write,
};

void pmon_regs_packed(struct pmon_regs *regs, struct pmon_packed *packed)
{
	packed->known = 0;
	*regs = (struct pmon_regs) {
		.ops = &pmon_packed_ops, .priv = packed,
		.size = packed->parts,
	};
}
EXPORT_SYMBOL_GPL(pmon_regs_packed);
