/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that several counters share: two counters in one register, or the
 * events of two counters in one select register. Each part gets an offset of
 * its own, so that a layout is like any other.
 */
#ifndef PMON_PACKED_H
#define PMON_PACKED_H

#include <linux/types.h>

#include <pmon/regs.h>

#define PMON_PARTS_MAX	64

/**
 * struct pmon_part - some bits of a register
 * @reg: the register, of 8 bytes
 * @shift: its lowest bit that belongs to the part
 * @bits: how many do
 */
struct pmon_part {
	u32 reg;
	u8 shift;
	u8 bits;
};

/**
 * struct pmon_packed - such registers, and what was written to them
 * @regs: how the whole registers are reached
 * @part: the parts; offset n stands for the part n
 * @parts: how many, up to PMON_PARTS_MAX
 * @shadow: of the first part of a register: what the register holds
 * @known: parts whose @shadow is valid
 * @together: accesses belong together, see &pmon_regs_ops.begin
 * @holds: @held was read since then
 * @pending: the first part of a register that is to be written, or -1
 * @pending_value: what is to be written there
 * @held: the register that was read last
 * @held_value: what it was
 * @error: of a write since then
 *
 * The leaf fills what is before @shadow. A register is read when a part of it
 * is written for the first time, and not again: what others write to the other
 * parts later is overwritten. A register that reads as all-ones did not answer,
 * and neither did its parts; a part that is all-ones is a value.
 */
struct pmon_packed {
	struct pmon_regs regs;
	const struct pmon_part *part;
	unsigned int parts;
	u64 shadow[PMON_PARTS_MAX];
	u64 known;
	bool together;
	bool holds;
	int pending;
	u64 pending_value;
	u32 held;
	u64 held_value;
	int error;
};

/* The offset counts parts, which are accessed with 8 bytes. */
void pmon_regs_packed(struct pmon_regs *regs, struct pmon_packed *packed);

#endif /* PMON_PACKED_H */
