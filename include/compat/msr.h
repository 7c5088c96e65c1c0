/* SPDX-License-Identifier: GPL-2.0-only */
/* 64-bit MSR accesses are called rdmsrq() and wrmsrq() since 6.16. */
#ifndef COMPAT_MSR_H
#define COMPAT_MSR_H

#include <linux/version.h>

#include <asm/msr.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define rdmsrq_safe		rdmsrl_safe
#define wrmsrq_safe		wrmsrl_safe
#define rdmsrq_safe_on_cpu	rdmsrl_safe_on_cpu
#endif

#endif /* COMPAT_MSR_H */
