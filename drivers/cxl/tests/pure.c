// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../cpmu.c"
#include "../regs.c"
/* Include the check of layouts from drivers/core. */
#include "../../core/encode.c"
