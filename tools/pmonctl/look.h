/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_LOOK_H
#define PMONCTL_LOOK_H

#include "keeper.h"
#include "parts.h"

/*
 * Waits until the driver watches what there is, a second at most. False where it
 * does not.
 */
bool look_begin(struct keeper *k, struct parts *all);
/*
 * Fills in what was in force since then, from the driver's record: no access of the
 * hardware.
 */
void look_since(struct parts *all, long long begin);
/*
 * Hardware keeps a reason until it is cleared, so what limits now shows only where
 * the driver watches, which it is made to for a second; what it clears stays in its
 * record. Fills in reasons, now, known and history of all parts.
 */
void look_for_a_second(struct parts *all);
/* One look: changes nothing. What is in force is known where others watch. */
void look_once(struct parts *all);

#endif
