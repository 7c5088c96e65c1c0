/* SPDX-License-Identifier: GPL-2.0-only */
/* struct bin_attribute is const everywhere since 6.17. */
#ifndef COMPAT_SYSFS_H
#define COMPAT_SYSFS_H

#include <linux/sysfs.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define COMPAT_BIN_CONST
#else
#define COMPAT_BIN_CONST	const
#endif

#endif /* COMPAT_SYSFS_H */
