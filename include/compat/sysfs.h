/* SPDX-License-Identifier: GPL-2.0-only */
/* Define COMPAT_BIN_CONST as const where sysfs takes const bin_attributes. */
#ifndef COMPAT_SYSFS_H
#define COMPAT_SYSFS_H

#include <linux/sysfs.h>

#if COMPAT_HAS_BIN_CONST
#define COMPAT_BIN_CONST	const
#else
#define COMPAT_BIN_CONST
#endif

#endif /* COMPAT_SYSFS_H */
