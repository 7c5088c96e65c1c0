// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../platform.c"
#include "../table.c"
#include "../resolve.c"
/* The judge of layouts. */
#include "../../core/encode.c"
