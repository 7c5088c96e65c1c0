/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PLR_PRINT_H
#define PMONCTL_PLR_PRINT_H

#include "parts.h"

/*
 * What limits now, what has limited, what the reasons in force mean, and the rest
 * in a few words. moves: the look has moved the hardware's record.
 */
void plr_print(const struct parts *all, bool moves);
void plr_print_cleared(const struct parts *all);
void plr_print_json(const struct machine *m, struct parts *all);

#endif
