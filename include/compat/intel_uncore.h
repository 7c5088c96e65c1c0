/* SPDX-License-Identifier: GPL-2.0-only */
/* Describe the intel_uncore driver of the kernel. */
#ifndef COMPAT_INTEL_UNCORE_H
#define COMPAT_INTEL_UNCORE_H

#include <asm/intel-family.h>

/*
 * In kernels that define the CPU model of Sierra Forest, intel_uncore has names
 * for the unit types of discovery tables.
 */
#if defined(INTEL_ATOM_CRESTMONT_X) || defined(INTEL_FAM6_ATOM_CRESTMONT_X)
#define COMPAT_INTEL_UNCORE_HAS_NAMES	true
#else
#define COMPAT_INTEL_UNCORE_HAS_NAMES	false
#endif

#endif /* COMPAT_INTEL_UNCORE_H */
