// SPDX-License-Identifier: GPL-2.0-only
/* What the driver knows: the functions that it has. */
#include "r2pcie.h"

struct r2 r2 = {
	.lock = __MUTEX_INITIALIZER(r2.lock),
	.boxes = LIST_HEAD_INIT(r2.boxes),
};
