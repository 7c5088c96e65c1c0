// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../boxes.c"
#include "../sockets.c"
/* Checks of layouts, terms and constraints are in drivers/core. */
#include "../../core/assign.c"
#include "../../core/read.c"
#include "../../core/verdict.c"
#include "../../core/changes.c"
#include "../../core/program.c"
#include "../../core/life.c"
#include "../../core/state.c"
#include "../../core/encode.c"
