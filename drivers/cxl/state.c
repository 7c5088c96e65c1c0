// SPDX-License-Identifier: GPL-2.0-only
/* What the driver knows: the CPMUs that it has. */
#include "cxl.h"

struct cxl cxl = {
	.lock = __MUTEX_INITIALIZER(cxl.lock),
	.cpmus = LIST_HEAD_INIT(cxl.cpmus),
};
