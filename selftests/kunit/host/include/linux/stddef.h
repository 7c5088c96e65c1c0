/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_STDDEF_H
#define HOST_LINUX_STDDEF_H

#include <stdbool.h>
#include <stddef.h>

#endif
