/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PRESENT_H
#define PMONCTL_PRESENT_H

#include "pmonctl.h"

struct machine;

/* Explains on stderr why /sys/class/pmon holds no device. */
enum status nothing_found(void);

/* Says why there is no performance-limit domain. */
enum status plr_absent(const struct machine *m);

#endif
