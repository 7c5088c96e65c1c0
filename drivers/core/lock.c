// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count the locks of boxes that each CPU holds or waits for; lock.h says why.
 */
#include "lock.h"

DEFINE_PER_CPU(unsigned int, pmon_box_locks);
