// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../reasons.c"
#include "../mailbox.c"
#include "../monitor.c"
