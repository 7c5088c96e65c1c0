/* SPDX-License-Identifier: GPL-2.0-only */
/* Define the names that system workqueues have from 6.17 on. */
#ifndef COMPAT_WORKQUEUE_H
#define COMPAT_WORKQUEUE_H

#include <linux/workqueue.h>

#if !COMPAT_HAS_PERCPU_WQ
#define system_percpu_wq	system_wq
#define system_dfl_wq		system_unbound_wq
#endif

#endif /* COMPAT_WORKQUEUE_H */
