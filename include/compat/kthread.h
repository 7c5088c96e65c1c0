/* SPDX-License-Identifier: GPL-2.0-only */
/* Before 6.2 modules have kthread_exit() under its other name only. */
#ifndef COMPAT_KTHREAD_H
#define COMPAT_KTHREAD_H

#include <linux/kthread.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define kthread_exit(code)	kthread_complete_and_exit(NULL, code)
#endif

#endif /* COMPAT_KTHREAD_H */
