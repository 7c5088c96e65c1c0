/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers are plain memory. */
#ifndef HOST_LINUX_IO_H
#define HOST_LINUX_IO_H

#include <linux/compiler.h>
#include <linux/types.h>

static inline u64 readq(const volatile void __iomem *where)
{
	return *(const volatile u64 *)where;
}

static inline void writeq(u64 value, volatile void __iomem *where)
{
	*(volatile u64 *)where = value;
}

static inline void writel(u32 value, volatile void __iomem *where)
{
	*(volatile u32 *)where = value;
}

#endif
