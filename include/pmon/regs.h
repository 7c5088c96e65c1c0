/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access registers of a box. A register number is an offset from the base of
 * the box: in MSRs, or in bytes of mapped memory or PCI config space.
 */
#ifndef PMON_REGS_H
#define PMON_REGS_H

#include <linux/limits.h>
#include <linux/types.h>

struct pci_dev;
struct pmon_regs;

/**
 * struct pmon_regs_ops - access method of registers
 * @read: read @bytes (4 or 8) at @reg; returns @bytes of ones on failure
 * @write: write @bytes (4 or 8) at @reg; returns 0, or an error when nothing
 *	was written
 * @split: 8 bytes are accessed in two halves. A read begins with the low half,
 *	so a carry between the two reads makes the value too large by 2^32
 * @nmi_safe: @read takes no lock, so an NMI may call @read
 * @write_ctl: write the control @val at @reg, which holds @old, where a write
 *	may change only some bits; returns what @reg holds now. NULL: @write
 * @release: undo all writes since the last @release and let the box run; NULL
 *	if a reset of the box clears all registers except one filter register
 *
 * Events that cannot start, or whose last read fails, end in perf's error
 * state, and so do all events of a box that cannot be reset or let run. If a
 * freeze fails, a snapshot reads the running counters, and with
 * &pmon_protocol.no_reset the core zeroes the controls one by one. A control
 * that cannot be zeroed is written again at the next start, or when the box is
 * removed.
 */
struct pmon_regs_ops {
	u64 (*read)(const struct pmon_regs *regs, u32 reg, u8 bytes);
	int (*write)(const struct pmon_regs *regs, u32 reg, u64 val, u8 bytes);
	u64 (*write_ctl)(const struct pmon_regs *regs, u32 reg, u64 old,
			 u64 val);
	bool split;
	bool nmi_safe;
	void (*release)(const struct pmon_regs *regs);
};

/**
 * struct pmon_regs - the registers of one box
 * @ops: access method
 * @base: MSR or config space offset of register number 0
 * @size: bytes that may be accessed from offset 0 on; 0: no limit
 * @mmio: mapping, for MMIO
 * @pci: function, for PCI config space; the driver holds the reference
 * @priv: for a driver's own access method
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

/* Return true if @value is @bytes of ones, so the register did not respond. */
static inline bool pmon_is_all_ones(u64 value, u8 bytes)
{
	return value == U64_MAX >> (64 - 8 * bytes);
}

/**
 * pmon_is_any_set() - check for a set bit in a register that responds
 * @value: what a read returned
 * @bits: the bits
 * @bytes: width of the register
 *
 * Return: true if one of @bits is set and the value is not all ones.
 */
static inline bool pmon_is_any_set(u64 value, u64 bits, u8 bytes)
{
	return value & bits && !pmon_is_all_ones(value, bytes);
}

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
 * pmon_regs_msr() - access a box through MSRs
 * @regs: filled in
 * @base: MSR at offset 0; offsets count MSRs
 *
 * Accesses MSRs of the calling CPU.
 */
void pmon_regs_msr(struct pmon_regs *regs, u32 base);

/**
 * pmon_regs_mmio() - access a box through memory
 * @regs: filled in
 * @base: the mapping, which belongs to the caller
 * @size: bytes that may be accessed; 0: no limit
 */
void pmon_regs_mmio(struct pmon_regs *regs, void __iomem *base, u32 size);

/**
 * pmon_regs_pci() - access a box through PCI configuration space
 * @regs: filled in
 * @pdev: the function; the caller holds the reference
 * @base: config space offset of register number 0, in bytes
 */
void pmon_regs_pci(struct pmon_regs *regs, struct pci_dev *pdev, u16 base);

/**
 * enum pmon_pci_access - may the registers of a function be accessed?
 * @PMON_PCI_ACCESSIBLE: yes
 * @PMON_PCI_NO_RESPONSE: no: configuration space reads as all-ones, memory
 *	decoding is off, or the kernel blocks configuration access
 * @PMON_PCI_D3: no: the function is in D3
 */
enum pmon_pci_access {
	PMON_PCI_ACCESSIBLE,
	PMON_PCI_NO_RESPONSE,
	PMON_PCI_D3,
};

enum pmon_pci_access pmon_pci_access(struct pci_dev *pdev, bool in_bar);

/* Return true if configuration space may be accessed. */
static inline bool pmon_pci_is_accessible(struct pci_dev *pdev)
{
	return pmon_pci_access(pdev, false) == PMON_PCI_ACCESSIBLE;
}

#endif /* PMON_REGS_H */
