/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LACKING_H
#define PMONCTL_LACKING_H

#include "bandwidth.h"
/*
 * Says in b->lacking which numbers are missing because another driver has the
 * boxes, and gives them no such events, and what brings them.
 */
void lacking_find(struct bandwidth *b);

#endif
