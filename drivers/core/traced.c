// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs are in the middle of an access that is traced. */
#include "traced.h"

DEFINE_PER_CPU(bool, pmon_traced);
