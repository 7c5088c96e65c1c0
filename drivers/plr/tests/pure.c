// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../reasons.c"
#include "../mailbox.c"
#include "../account.c"
#include "../residency.c"
#include "../sampler.c"
#include "../monitor.c"
#include "../log.c"
