/* SPDX-License-Identifier: GPL-2.0-only */
/* Differences of intel_uncore between kernels. */
#ifndef COMPAT_INTEL_UNCORE_H
#define COMPAT_INTEL_UNCORE_H

#include <asm/intel-family.h>

/*
 * intel_uncore has names for unit types of discovery tables since the kernel
 * has the CPU model of Sierra Forest.
 */
#if defined(INTEL_ATOM_CRESTMONT_X) || defined(INTEL_FAM6_ATOM_CRESTMONT_X)
#define COMPAT_INTEL_UNCORE_HAS_NAMES	true
#else
#define COMPAT_INTEL_UNCORE_HAS_NAMES	false
#endif

#endif /* COMPAT_INTEL_UNCORE_H */
