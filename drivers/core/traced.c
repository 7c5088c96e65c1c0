// SPDX-License-Identifier: GPL-2.0-only
/* The per-CPU flag that is set during a traced access; traced.h says why. */
#include "traced.h"

DEFINE_PER_CPU(bool, pmon_traced);
