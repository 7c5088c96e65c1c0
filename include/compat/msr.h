/* SPDX-License-Identifier: GPL-2.0-only */
/* 64-bit MSR accesses under the names ending in q. */
#ifndef COMPAT_MSR_H
#define COMPAT_MSR_H

#include <asm/msr.h>

#if !COMPAT_HAS_RDMSRQ
#define rdmsrq_safe		rdmsrl_safe
#define wrmsrq_safe		wrmsrl_safe
#define rdmsrq_safe_on_cpu	rdmsrl_safe_on_cpu
#endif

#endif /* COMPAT_MSR_H */
