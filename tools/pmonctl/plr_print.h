/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PLR_PRINT_H
#define PMONCTL_PLR_PRINT_H

#include "numbers.h"
#include "parts.h"

/*
 * What limits now, what has limited, the numbers behind it, and the rest in a
 * few words. On a terminal no more than a screen of it.
 */
void plr_print(const struct parts *all, const struct numbers *numbers);
void plr_print_cleared(const struct parts *all);
void plr_print_json(const struct machine *m, struct parts *all,
		    const struct numbers *numbers);

#endif
