// SPDX-License-Identifier: GPL-2.0-only
/* Include the code under test unchanged. */
#include "../platform.c"
#include "../table.c"
#include "../resolve.c"
#include "../ranges.c"
/* For pmon_layout_valid(). */
#include "../../core/encode.c"

#include "suites.h"

/* Return family << 8 | model of a row of cpu_models, or 0 behind the last. */
unsigned int cpu_model_at(unsigned int row)
{
	return row < ARRAY_SIZE(cpu_models) ?
	       cpu_models[row].family << 8 | cpu_models[row].model : 0;
}
