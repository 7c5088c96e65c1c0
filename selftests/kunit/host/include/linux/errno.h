/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ERRNO_H
#define HOST_LINUX_ERRNO_H

/* Do not include <errno.h>, because it includes this file. */
#include <asm-generic/errno.h>

#endif
