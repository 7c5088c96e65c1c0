/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_CXL_H
#define PMONCTL_DOCTOR_CXL_H

#include "findings.h"

/* What keeps their counters from being seen. */
void doctor_cxl(struct findings *f);

#endif
