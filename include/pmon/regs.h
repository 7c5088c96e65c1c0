/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register access as data: a counter box, a mailbox or a test knows only two
 * functions and a number. What the number means (an MSR, an offset into an
 * MMIO window or into PCI config space) is the
 * accessor's business, so no code above this line differs between them.
 */
#ifndef PMON_REGS_H
#define PMON_REGS_H

#include <linux/types.h>

struct pci_dev;
struct pmon_regs;

/**
 * struct pmon_regs_ops - one way of reaching registers
 * @read: read @bytes (4 or 8) at @reg; what cannot be read is all-ones, in all
 *	the bits of these @bytes
 * @write: write @bytes (4 or 8) at @reg. Returns 0, or an error when nothing
 *	was written.
 * @split: an access of 8 bytes is two accesses of the hardware. A read begins
 *	with the low half, so the value of a counter that carries in between is
 *	too large by 2^32, or by several of these
 * @nmi_safe: @read takes no lock, so an NMI may call it
 * @hand_back: undo what was written since the last time, and let the box run.
 *	NULL where a reset clears all but one filter register.
 *
 * Either may refuse: an MSR that is not there, a function that does not answer.
 * That costs no count but that of an event that cannot start or ends:
 *
 * - an event whose last reading is refused ends in perf's error state.
 * - an event whose control or filter is not written, or whose counter cannot be
 *   read when it starts and must be, does not start: it ends in perf's error
 *   state, and perf says <not counted>. So do all events of a box that cannot
 *   be reset or run.
 * - a box that cannot be frozen for a reading as of one moment is read one
 *   counter after the other. A change that wanted to freeze it does without.
 * - a control that cannot be cleared counts on, unread; it is written when the
 *   next event starts there, or when the box is handed back.
 */
struct pmon_regs_ops {
	u64 (*read)(const struct pmon_regs *regs, u32 reg, u8 bytes);
	int (*write)(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes);
	bool split;
	bool nmi_safe;
	void (*hand_back)(const struct pmon_regs *regs);
};

/**
 * struct pmon_regs - the registers of one box
 * @ops: how to reach them
 * @base: what offset 0 means: an MSR number, a config space offset
 * @size: bytes that may be reached from offset 0 on, 0 when not bounded
 * @mmio: the mapped window, for MMIO
 * @pci: the function, for PCI config space; the leaf holds its reference
 * @priv: for accessors of a leaf's own
 */
struct pmon_regs {
	const struct pmon_regs_ops *ops;
	u32 base;
	u32 size;
	union {
		void __iomem *mmio;
		struct pci_dev *pci;
		void *priv;
	};
};

static inline u64 pmon_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	return regs->ops->read(regs, reg, bytes);
}

static inline int pmon_write(const struct pmon_regs *regs, u32 reg, u64 val,
			     u8 bytes)
{
	return regs->ops->write(regs, reg, val, bytes);
}

/**
 * pmon_regs_msr() - reach a box through MSRs
 * @regs: is filled in
 * @base: MSR at offset 0; offsets are in MSRs
 *
 * Reading and writing act on the calling CPU.
 */
void pmon_regs_msr(struct pmon_regs *regs, u32 base);

/**
 * pmon_regs_mmio() - reach a box through memory
 * @regs: is filled in
 * @base: the mapping, which stays the caller's
 * @size: bytes that may be reached; 0: no bound
 */
void pmon_regs_mmio(struct pmon_regs *regs, void __iomem *base, u32 size);

/**
 * pmon_regs_pci() - reach a box through PCI configuration space
 * @regs: is filled in
 * @pdev: the function; the caller keeps its reference
 * @base: of offset 0, in bytes
 */
void pmon_regs_pci(struct pmon_regs *regs, struct pci_dev *pdev, u16 base);

bool pmon_pci_is_in_d3(struct pci_dev *pdev);

#endif /* PMON_REGS_H */
