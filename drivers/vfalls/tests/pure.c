// SPDX-License-Identifier: GPL-2.0-only
/* The code under test, as the driver compiles it. */
#include "../regmap.c"
#include "../call.c"
#include "../probe.c"
#include "../hold.c"
#include "../units.c"
/* The engine that drives the units. */
#include "../../core/format.c"
#include "../../core/layout.c"
#include "../../core/assign.c"
#include "../../core/count.c"
#include "../../core/slot.c"
#include "../../core/encode.c"
#include "../../core/filter.c"
#include "../../core/change.c"
#include "../../core/bank.c"
#include "../../core/free_running.c"
#include "../../core/regs_packed.c"
