// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../units.c"
#include "../pair.c"
#include "../hold.c"
