/* SPDX-License-Identifier: GPL-2.0-only */
/* Named events. Pure. */
#ifndef PMON_R2PCIE_NAMES_H
#define PMON_R2PCIE_NAMES_H

#include <pmon/box.h>

extern const struct pmon_alias r2_names_v1[];
extern const struct pmon_alias r2_names_v2[];
extern const struct pmon_alias r2_names_v3[];
extern const struct pmon_alias r2_qpi_names[];

#endif
