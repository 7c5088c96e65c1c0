/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * get_ownership callbacks: the object became const in 6.2 (kobj_type) and 6.4
 * (class).
 */
#ifndef COMPAT_OWNERSHIP_H
#define COMPAT_OWNERSHIP_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define COMPAT_KOBJ_CONST
#else
#define COMPAT_KOBJ_CONST	const
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define COMPAT_CLASS_DEV_CONST
#else
#define COMPAT_CLASS_DEV_CONST	const
#endif

#endif /* COMPAT_OWNERSHIP_H */
