/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PRESENT_H
#define PMONCTL_PRESENT_H

#include "discovery.h"

/* Prints why nothing is shown, with @json also {"format": 2, "error": ...}; returns @status. */
#define nothing_shown(json, status, ...) \
	nothing_shown_text(json, status, xasprintf(__VA_ARGS__))
enum status nothing_shown_text(bool json, enum status status, const char *why);
/* Status 2: there is hardware, but something fails. */
#define broken(json, ...)	nothing_shown(json, STATUS_BROKEN, __VA_ARGS__)

/* Why /sys/class/pmon has no device. */
enum status nothing_found(bool json);

/* Why a module shows nothing in its mode. */
#define mode_shown(json, hidden, mode, module) \
	nothing_shown_text(json, STATUS_BROKEN, mode_text(hidden, mode, module))

/* Does the kernel have devices of a TPMI feature, "plr.", or of any, ""? */
bool tpmi_has_devices(const char *feature);

/* Prints why there is no performance-limit domain. */
enum status plr_absent(const struct machine *m, bool json);

/* Is there a device for pmon_plr, of the TPMI core or on older kernels the PCI function? */
bool served_has_limits(void);

/* The mode parameter of one of our modules; "on" if not loaded. */
const char *served_mode(const char *module);

#endif
