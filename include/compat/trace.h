/* SPDX-License-Identifier: GPL-2.0-only */
/* __assign_str() with one argument takes the source from __string(). */
#ifndef COMPAT_TRACE_H
#define COMPAT_TRACE_H

#if COMPAT_HAS_ASSIGN_STR_1
#define compat_assign_str(dst, src)	__assign_str(dst)
#else
#define compat_assign_str(dst, src)	__assign_str(dst, src)
#endif

#endif /* COMPAT_TRACE_H */
