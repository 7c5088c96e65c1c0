/* SPDX-License-Identifier: GPL-2.0-only */
/* Define 64-bit MSR accesses named *q on kernels that name them *l. */
#ifndef COMPAT_MSR_H
#define COMPAT_MSR_H

#include <asm/msr.h>

#if !COMPAT_HAS_RDMSRQ
#define rdmsrq_safe		rdmsrl_safe
#define wrmsrq_safe		wrmsrl_safe
#define rdmsrq_safe_on_cpu	rdmsrl_safe_on_cpu
#endif

#endif /* COMPAT_MSR_H */
