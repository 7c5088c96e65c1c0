/* SPDX-License-Identifier: GPL-2.0-only */
/* MODULE_IMPORT_NS() takes a string since 6.13, a bare word before. */
#ifndef COMPAT_MODULE_H
#define COMPAT_MODULE_H

#include <linux/module.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define COMPAT_IMPORT_NS(ns)	MODULE_IMPORT_NS(ns)
#else
#define COMPAT_IMPORT_NS(ns)	MODULE_IMPORT_NS(#ns)
#endif

#endif /* COMPAT_MODULE_H */
