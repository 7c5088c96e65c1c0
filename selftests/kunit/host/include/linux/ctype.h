/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: what the suite's pure files use, and no more. */
#ifndef HOST_LINUX_CTYPE_H
#define HOST_LINUX_CTYPE_H

#include <ctype.h>

#endif
