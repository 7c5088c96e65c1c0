// SPDX-License-Identifier: GPL-2.0-only
/* What the driver knows: the platform, the tables, and what was asked for. */
#include "uncore.h"

struct uncore uncore = {
	.lock = __MUTEX_INITIALIZER(uncore.lock),
	.tables = LIST_HEAD_INIT(uncore.tables),
	.max_units = 256,
};
