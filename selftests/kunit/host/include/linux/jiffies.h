/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: what the suite's pure files use, and no more. */
#ifndef HOST_LINUX_JIFFIES_H
#define HOST_LINUX_JIFFIES_H

#define HZ 250

#endif
