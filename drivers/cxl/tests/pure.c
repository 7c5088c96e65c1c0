// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../caps.c"
#include "../events.c"
#include "../head.c"
/* The judge of layouts. */
#include "../../core/layout.c"
#include "../../core/count.c"
