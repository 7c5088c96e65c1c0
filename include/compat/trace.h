/* SPDX-License-Identifier: GPL-2.0-only */
/* Call __assign_str(), which in newer kernels takes no source argument. */
#ifndef COMPAT_TRACE_H
#define COMPAT_TRACE_H

#if COMPAT_HAS_ASSIGN_STR_1
#define compat_assign_str(dst, src)	__assign_str(dst)
#else
#define compat_assign_str(dst, src)	__assign_str(dst, src)
#endif

#endif /* COMPAT_TRACE_H */
