// SPDX-License-Identifier: GPL-2.0-only
/* Which platform a CPU model is. */
#include <linux/kernel.h>

#include "platform.h"

#define DIAMOND_RAPIDS_FAMILY	19
#define DIAMOND_RAPIDS_MODEL	1

/**
 * uncore_platform_find() - the platform of a CPU model
 * @family: CPU family
 * @model: CPU model
 *
 * Return: NULL if the model is not known.
 */
const struct uncore_platform *uncore_platform_find(u8 family, u8 model)
{
	if (family == DIAMOND_RAPIDS_FAMILY && model == DIAMOND_RAPIDS_MODEL)
		return &uncore_platform_dmr;
	return family == 6 ? uncore_platform_find_6(model) : NULL;
}
