/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_BOXES_H
#define PMONCTL_DOCTOR_BOXES_H

#include "discovery.h"
#include "findings.h"

/* What keeps boxes that are served from counting, or from counting rightly. */
void doctor_boxes(struct findings *f, const struct machine *m);

#endif
