// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../cpmu.c"
#include "../head.c"
/* The judge of layouts. */
#include "../../core/encode.c"
