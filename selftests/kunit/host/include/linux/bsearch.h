/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BSEARCH_H
#define HOST_LINUX_BSEARCH_H

#include <stdlib.h>

#endif
