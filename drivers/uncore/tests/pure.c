// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../platform.c"
#include "../table.c"
#include "../resolve.c"
#include "../ranges.c"
/* For pmon_layout_valid(). */
#include "../../core/encode.c"

#include "suites.h"

const unsigned int cpu_model_count = ARRAY_SIZE(cpu_models);
