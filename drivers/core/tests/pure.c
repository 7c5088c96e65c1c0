// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, compiled as it is. */
#include "../assign.c"
#include "../counters.c"
#include "../encode.c"
#include "../layout.c"
#include "../mode.c"
#include "../tpmi.c"
