/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PRESENT_H
#define PMONCTL_PRESENT_H

#include <stdbool.h>

#include "pmonctl.h"

struct machine;

/*
 * Says why nothing can be shown, with json also to programs on stdout, as
 * {"format": 1, "error": ...}; returns that status.
 */
enum status nothing_shown(bool json, enum status status, const char *why);

/*
 * Explains on stderr why /sys/class/pmon holds no device; with json also on
 * stdout, as {"format": 1, "error": ...}.
 */
enum status nothing_found(bool json);

/* The same of what a module does not show because of its mode. */
enum status mode_shown(bool json, const char *what, const char *mode, const char *module);

/* Whether the kernel has made devices of features of TPMI. */
bool tpmi_has_devices(void);

/* Says why there is no performance-limit domain. */
enum status plr_absent(const struct machine *m, bool json);

#endif
