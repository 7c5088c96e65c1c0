/* SPDX-License-Identifier: GPL-2.0-only */
/* The workqueues of the system have names that say what they are since 6.17. */
#ifndef COMPAT_WORKQUEUE_H
#define COMPAT_WORKQUEUE_H

#include <linux/version.h>
#include <linux/workqueue.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define system_percpu_wq	system_wq
#define system_dfl_wq		system_unbound_wq
#endif

#endif /* COMPAT_WORKQUEUE_H */
