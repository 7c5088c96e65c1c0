/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CTYPE_H
#define HOST_LINUX_CTYPE_H

#include <ctype.h>

#endif
