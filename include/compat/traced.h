/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether accesses of MSRs are traced at the moment. Other architectures have
 * no MSRs, and no header of that name.
 */
#ifndef COMPAT_TRACED_H
#define COMPAT_TRACED_H

#include <linux/types.h>

#if __has_include("asm/msr.h")
#include <asm/msr.h>

/* Costs an instruction for each of the two while nothing is attached. */
static __always_inline bool compat_msr_is_traced(void)
{
	return tracepoint_enabled(read_msr) || tracepoint_enabled(write_msr);
}
#else
static __always_inline bool compat_msr_is_traced(void)
{
	return false;
}
#endif

#endif /* COMPAT_TRACED_H */
