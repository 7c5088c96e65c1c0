/* SPDX-License-Identifier: GPL-2.0-only */
/* What the boxes count, by the version of the processor. Pure. */
#ifndef PMON_R2PCIE_TYPES_H
#define PMON_R2PCIE_TYPES_H

#include <linux/bits.h>

#include <pmon/box.h>

/* In a control: count. */
#define R2_ENABLE		BIT_ULL(22)

extern const struct pmon_type r2_type_v1;
extern const struct pmon_type r2_type_v2;
extern const struct pmon_type r2_type_v3;
extern const struct pmon_type r2_qpi_type;
extern const struct pmon_type r2_qpi_type_v2;

#endif
