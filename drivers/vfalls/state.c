// SPDX-License-Identifier: GPL-2.0-only
/* What the driver knows of the machine. */
#include "vfalls.h"

struct vfalls vfalls;
