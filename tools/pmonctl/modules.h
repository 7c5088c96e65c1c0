/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_MODULES_H
#define PMONCTL_MODULES_H

#include <stdbool.h>

enum module_state {
	MODULE_ABSENT,		/* not loaded */
	MODULE_LOADED,
	MODULE_BUILT_IN,	/* cannot be unloaded */
};

enum module_state module_state(const char *name);

/* How many users hold it, such as open perf events; 0 when not loaded. */
long module_users(const char *name);

/* The release of the kernel, NULL where /proc does not say; the caller frees it. */
char *module_kernel(void);

/* Where that kernel would load it from; the caller frees it, or NULL. */
char *module_file(const char *name);

/*
 * Whether it would be loaded for a device, by that one's alias as the kernel gives it in
 * modalias; false where it is not installed.
 */
bool module_is_for(const char *name, const char *device);

/*
 * Whether a file does not end as signed modules do. Who has signed it is not looked at,
 * and a compressed file is not looked into: false then.
 */
bool module_is_unsigned(const char *file);

/*
 * With everything that modprobe's configuration says, without the module's
 * wish to have others loaded first, and away. True when it worked.
 */
bool module_load(const char *name);
bool module_insert(const char *name, const char *parameter);
bool module_remove(const char *name);

#endif
