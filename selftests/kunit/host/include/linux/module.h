/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MODULE_H
#define HOST_LINUX_MODULE_H

#include <linux/export.h>

#define MODULE_LICENSE(x)
#define MODULE_DESCRIPTION(x)

#endif
