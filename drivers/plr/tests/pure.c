// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as it is in the module. */
#include "../reasons.c"
#include "../mailbox.c"
#include "../monitor.c"
