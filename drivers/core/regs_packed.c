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

/* The part that keeps the register of @reg. */
static u32 pmon_packed_first(const struct pmon_packed *packed, u32 reg)
{
	u32 first = 0;

	while (packed->part[first].reg != packed->part[reg].reg)
		first++;
	return first;
}

static int pmon_packed_put(struct pmon_packed *packed, u32 first, u64 value)
{
	int ret = pmon_write(&packed->regs, packed->part[first].reg, value, 8);

	packed->holds = false;
	if (ret)
		return ret;

	packed->shadow[first] = value;
	packed->known |= BIT_ULL(first);
	return 0;
}

/* What was only noted is written now. */
static void pmon_packed_flush(struct pmon_packed *packed)
{
	int first = packed->pending, ret;

	if (first < 0)
		return;

	packed->pending = -1;
	ret = pmon_packed_put(packed, first, packed->pending_value);
	if (ret)
		packed->error = ret;
}

/* A register; what belongs together sees it once. */
static u64 pmon_packed_get(struct pmon_packed *packed, u32 reg)
{
	u64 value;

	if (packed->holds && packed->held == reg)
		return packed->held_value;

	value = pmon_read(&packed->regs, reg, 8);
	packed->holds = packed->together && pmon_reading_valid(value);
	packed->held = reg;
	packed->held_value = value;
	return value;
}

static u64 pmon_packed_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	struct pmon_packed *packed = regs->priv;
	const struct pmon_part *part = &packed->part[reg];
	u64 value;

	pmon_packed_flush(packed);
	value = pmon_packed_get(packed, part->reg);
	if (!pmon_reading_valid(value))
		return value;
	return (value & pmon_part_mask(part)) >> part->shift;
}

/* What a register holds, or is about to. */
static u64 pmon_packed_current(struct pmon_packed *packed, u32 first)
{
	if (packed->pending == (int)first)
		return packed->pending_value;

	pmon_packed_flush(packed);
	if (packed->known & BIT_ULL(first))
		return packed->shadow[first];
	return pmon_read(&packed->regs, packed->part[first].reg, 8);
}

static int pmon_packed_write(const struct pmon_regs *regs, u32 reg, u64 val,
			     u8 bytes)
{
	struct pmon_packed *packed = regs->priv;
	const struct pmon_part *part = &packed->part[reg];
	u32 first = pmon_packed_first(packed, reg);
	u64 value = pmon_packed_current(packed, first);
	u64 mask = pmon_part_mask(part);

	if (!pmon_reading_valid(value) && !(packed->known & BIT_ULL(first)))
		return -EAGAIN;

	value = (value & ~mask) | (val << part->shift & mask);
	if (!packed->together)
		return pmon_packed_put(packed, first, value);

	packed->pending = first;
	packed->pending_value = value;
	return 0;
}

static void pmon_packed_begin(const struct pmon_regs *regs)
{
	struct pmon_packed *packed = regs->priv;

	packed->together = true;
	packed->error = 0;
}

static int pmon_packed_end(const struct pmon_regs *regs)
{
	struct pmon_packed *packed = regs->priv;

	pmon_packed_flush(packed);
	packed->together = false;
	packed->holds = false;
	return packed->error;
}

static const struct pmon_regs_ops pmon_packed_ops = {
	.read = pmon_packed_read,
	.write = pmon_packed_write,
	.begin = pmon_packed_begin,
	.end = pmon_packed_end,
};

void pmon_regs_packed(struct pmon_regs *regs, struct pmon_packed *packed)
{
	packed->known = 0;
	packed->together = false;
	packed->holds = false;
	packed->pending = -1;
	*regs = (struct pmon_regs) {
		.ops = &pmon_packed_ops, .priv = packed,
		.size = packed->parts,
	};
}
EXPORT_SYMBOL_GPL(pmon_regs_packed);
