// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../cpmu.c"
#include "../regs.c"
/* The core's check of layouts. */
#include "../../core/encode.c"
