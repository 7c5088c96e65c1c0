/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_UNALIGNED_H
#define HOST_LINUX_UNALIGNED_H

#include <asm/unaligned.h>

#endif
