// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../boxes.c"
#include "../sockets.c"
/* Checks of layouts, terms and constraints are in drivers/core. */
#include "../../core/counters.c"
#include "../../core/state.c"
#include "../../core/encode.c"
