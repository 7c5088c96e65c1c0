/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_JIFFIES_H
#define HOST_LINUX_JIFFIES_H

#define HZ 250

#endif
