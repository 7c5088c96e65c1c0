// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, compiled as it is. */
#include "../format.c"
#include "../layout.c"
#include "../count.c"
#include "../counters.c"
#include "../encode.c"
#include "../change.c"
#include "../bank.c"
#include "../free_running.c"
#include "../mode.c"
#include "../tpmi.c"
