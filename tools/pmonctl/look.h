/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LOOK_H
#define PMONCTL_LOOK_H

#include "numbers.h"
#include "parts.h"

/*
 * Two looks, a second apart. Hardware keeps a reason until it is cleared, so
 * what limits now shows only where the driver watches, which it is made to for
 * that second; what it clears stays in its record. Without the right to that,
 * what is new in the second look is known to be in force, and no more.
 *
 * Fills in reasons, now, known and history of all parts.
 */
void look_twice(const struct machine *m, struct parts *all,
		struct numbers *numbers);

/*
 * One look: changes nothing. What is in force is known where others watch.
 * Numbers take registers of their own: NULL for none.
 */
void look_once(struct parts *all, struct numbers *numbers);

#endif
