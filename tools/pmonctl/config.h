/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_CONFIG_H
#define PMONCTL_CONFIG_H

#include <stdbool.h>

/*
 * Files of modprobe's configuration that adopt writes and release removes:
 * one of its own for each area, so that no other's is ever changed.
 */
enum config_place {
	CONFIG_BOOT,		/* until the next boot */
	CONFIG_PERSISTENT,
	CONFIG_PLACES,
};

/* Its path for messages; the caller frees it. */
char *config_path(enum config_place place, const char *area);

enum config_state {
	CONFIG_NONE,
	CONFIG_OURS,
	CONFIG_CHANGED,		/* by a person or program; not to be removed */
	CONFIG_ODD,		/* a link, or else not an ordinary file */
};

enum config_state config_state(enum config_place place, const char *area,
			       const char *lines);

/* The same for callers that have no lines to compare; never CONFIG_OURS. */
enum config_state config_look(enum config_place place, const char *area);

/* False after a message. Both leave nothing half done. */
bool config_write(enum config_place place, const char *area,
		  const char *lines);
bool config_remove(enum config_place place, const char *area);

#endif
