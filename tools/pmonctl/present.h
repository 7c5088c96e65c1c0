/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PRESENT_H
#define PMONCTL_PRESENT_H

#include "discovery.h"

/*
 * Says why nothing can be shown, with json also to programs on stdout, as
 * {"format": 2, "error": ...}; returns that status.
 */
#define nothing_shown(json, status, ...) \
	nothing_shown_text(json, status, xasprintf(__VA_ARGS__))
enum status nothing_shown_text(bool json, enum status status, char *text);
/* The same where there is something, and it does not work. */
#define broken(json, ...)	nothing_shown(json, STATUS_BROKEN, __VA_ARGS__)

/* The same of what is missing where /sys/class/pmon holds no device. */
enum status nothing_found(bool json);

/* The same of what a module does not show because of its mode. */
enum status mode_shown(bool json, const char *what, const char *mode, const char *module);

/* Whether the kernel has made devices of a feature of TPMI, "plr.", or of any, "". */
bool tpmi_has_devices(const char *feature);

/* Says why there is no performance-limit domain. */
enum status plr_absent(const struct machine *m, bool json);

/*
 * Whether a device of this host is one for pmon_plr: the device of the kernel's
 * TPMI core, which makes none where nothing records limits; where that core
 * does not know limits, pmon_plr is built for the PCI function itself.
 */
bool served_has_limits(void);

/* Whose the boxes are cannot always be read: true then, it is said elsewhere. */
bool served_uncore(const struct machine *m);

/* The mode that a module of ours was loaded with; "on" where it is not loaded. */
const char *served_asked(const char *module);

#endif
