/* SPDX-License-Identifier: GPL-2.0-only */
/* __assign_str() knows its source since 6.10. */
#ifndef COMPAT_TRACE_H
#define COMPAT_TRACE_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define compat_assign_str(dst, src)	__assign_str(dst, src)
#else
#define compat_assign_str(dst, src)	__assign_str(dst)
#endif

#endif /* COMPAT_TRACE_H */
