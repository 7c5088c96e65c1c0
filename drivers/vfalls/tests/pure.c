// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../units.c"
#include "../pair.c"
#include "../hold.c"
