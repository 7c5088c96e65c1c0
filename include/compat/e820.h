/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory map that firmware gave, as it was before mem= and memmap= changed
 * it. Since 7.3 modules have the changed one only.
 */
#ifndef COMPAT_E820_H
#define COMPAT_E820_H

#include <linux/version.h>

#include <asm/e820/api.h>

static inline bool compat_e820_mapped(u64 start, u64 end, enum e820_type type)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
	return e820__mapped_raw_any(start, end, type);
#else
	return e820__mapped_any(start, end, type);
#endif
}

#endif /* COMPAT_E820_H */
