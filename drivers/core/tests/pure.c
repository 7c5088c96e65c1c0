// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../assign.c"
#include "../read.c"
#include "../verdict.c"
#include "../changes.c"
#include "../program.c"
#include "../life.c"
#include "../encode.c"
#include "../state.c"
#include "../mode.c"
#include "../tpmi.c"
