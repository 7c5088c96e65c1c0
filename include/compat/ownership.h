/* SPDX-License-Identifier: GPL-2.0-only */
/* Define macros as const where get_ownership callbacks take const pointers. */
#ifndef COMPAT_OWNERSHIP_H
#define COMPAT_OWNERSHIP_H

#if COMPAT_HAS_KOBJ_CONST
#define COMPAT_KOBJ_CONST	const
#else
#define COMPAT_KOBJ_CONST
#endif

#if COMPAT_HAS_CLASS_CONST
#define COMPAT_CLASS_DEV_CONST	const
#else
#define COMPAT_CLASS_DEV_CONST
#endif

#endif /* COMPAT_OWNERSHIP_H */
