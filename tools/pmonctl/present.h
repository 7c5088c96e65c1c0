/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PRESENT_H
#define PMONCTL_PRESENT_H

#include "pmonctl.h"

/* Explains on stderr why /sys/class/pmon holds no device. */
enum status nothing_found(void);

#endif
