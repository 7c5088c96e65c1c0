/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_HOST_H
#define PMONCTL_DOCTOR_HOST_H

#include "discovery.h"
#include "findings.h"

/* Whether there are functions of R2PCIe or QPI. */
bool doctor_has_ring(void);

/*
 * The modules: whether they are there, may be loaded, and whether what was
 * adopted is served.
 */
void doctor_host(struct findings *f, const struct machine *m);

/* Who may count, and what could not be read now. */
void doctor_rights(struct findings *f, const struct machine *m);

#endif
