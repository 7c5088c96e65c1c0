// SPDX-License-Identifier: GPL-2.0-only
/* Define objects that all files of drivers/core share. */
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "core.h"

/* Protects the lists of PMUs, and the boxes of each PMU. */
DEFINE_MUTEX(pmon_mutex);
LIST_HEAD(pmon_pmus);
LIST_HEAD(pmon_idle_pmus);
/* Runs unregister_work and events_work of PMUs. */
struct workqueue_struct *pmon_workqueue;

DEFINE_PER_CPU(unsigned int, pmon_box_locks);
