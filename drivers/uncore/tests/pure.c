// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../platform.c"
#include "../platform_dmr.c"
#include "../platform_client.c"
#include "../models.c"
#include "../names.c"
#include "../roots.c"
#include "../record.c"
#include "../registers.c"
#include "../check.c"
#include "../table.c"
#include "../resolve.c"
#include "../freerunning.c"
#include "../types.c"
#include "../types_dmr.c"
#include "../types_client.c"
/* The judge of layouts. */
#include "../../core/layout.c"
