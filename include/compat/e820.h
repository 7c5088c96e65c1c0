/* SPDX-License-Identifier: GPL-2.0-only */
/* Search the firmware's memory map, if possible unchanged by mem=, memmap=. */
#ifndef COMPAT_E820_H
#define COMPAT_E820_H

#include <asm/e820/api.h>

static inline bool compat_e820_mapped(u64 start, u64 end, enum e820_type type)
{
#if COMPAT_HAS_E820_RAW
	return e820__mapped_raw_any(start, end, type);
#else
	return e820__mapped_any(start, end, type);
#endif
}

#endif /* COMPAT_E820_H */
