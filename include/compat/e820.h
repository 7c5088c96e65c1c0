/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memory map that firmware gave, as it was before mem= and memmap= changed
 * it. That one may be for KVM alone since 6.18.
 */
#ifndef COMPAT_E820_H
#define COMPAT_E820_H

#include <linux/version.h>

#include <asm/e820/api.h>

static inline bool compat_e820_mapped(u64 start, u64 end, enum e820_type type)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	return e820__mapped_raw_any(start, end, type);
#else
	return e820__mapped_any(start, end, type);
#endif
}

#endif /* COMPAT_E820_H */
