// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../boxes.c"
#include "../sockets.c"
/* The judges of layouts, terms and constraints. */
#include "../../core/counters.c"
#include "../../core/state.c"
#include "../../core/encode.c"
