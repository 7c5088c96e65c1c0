// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../cpmu.c"
#include "../regs.c"
/* The check of layouts in drivers/core. */
#include "../../core/encode.c"
