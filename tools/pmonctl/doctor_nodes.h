/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_NODES_H
#define PMONCTL_DOCTOR_NODES_H

#include "discovery.h"
#include "findings.h"

/* What keeps perf from telling the nodes of a package apart. */
void doctor_nodes(struct findings *f, const struct machine *m);

#endif
