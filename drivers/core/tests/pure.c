// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../counters.c"
#include "../encode.c"
#include "../state.c"
#include "../mode.c"
#include "../tpmi.c"
