// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as it is in the module. */
#include "../reasons.c"
#include "../logical_id.c"
#include "../pfs.c"
#include "../mailbox.c"
#include "../control.c"
#include "../pass.c"
#include "../log.c"
#include "../tick.c"
#include "../meter.c"
#include "../rapl.c"
#include "../sst.c"
