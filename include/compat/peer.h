/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel's own driver for uncore units knows. */
#ifndef COMPAT_PEER_H
#define COMPAT_PEER_H

#include <asm/intel-family.h>

/*
 * It has names of its own for unit types since the kernel knows the cores of
 * Sierra Forest.
 */
#if defined(INTEL_ATOM_CRESTMONT_X) || defined(INTEL_FAM6_ATOM_CRESTMONT_X)
#define COMPAT_PEER_HAS_NAMES	true
#else
#define COMPAT_PEER_HAS_NAMES	false
#endif

#endif /* COMPAT_PEER_H */
