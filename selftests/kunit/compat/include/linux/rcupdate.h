/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: nothing of it is used. */
#ifndef HOST_LINUX_RCUPDATE_H
#define HOST_LINUX_RCUPDATE_H

#include <linux/compiler.h>

#endif
