/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_QUALIFY_PLR_H
#define PMONCTL_QUALIFY_PLR_H

#include "discovery.h"
#include "pmonctl.h"
#include "verdicts.h"

/* Reads all reasons and clears none: how long that takes, and what rules hold. */
void plr_judge(const struct machine *m, const struct options *opt,
	       struct verdicts *v);

#endif
