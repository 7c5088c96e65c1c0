/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_MODULES_H
#define PMONCTL_MODULES_H

#include <stdbool.h>

enum module_state {
	MODULE_ABSENT,		/* not loaded */
	MODULE_LOADED,
	MODULE_BUILT_IN,	/* cannot be unloaded */
};

#define OWN_MODULES 6

enum module_state module_state(const char *name);

extern const char *const own_modules[OWN_MODULES];

/* Version of a loaded module, "unknown" before 0.9; NULL if not loaded. */
char *module_version(const char *name);

/* Versions of all loaded modules of ours, "0.9.0" or "0.9.0, 0.10.0"; NULL: none is loaded. */
char *own_versions(void);

/* Version of a module's file, or NULL */
char *module_file_version(const char *name);

/* Users of a module, such as open perf events; 0 when not loaded. */
long module_users(const char *name);

/* Kernel release, or NULL */
char *module_kernel(void);

/* File that modprobe would load, or NULL */
char *module_file(const char *name);
bool module_is_installed(const char *name);

/* Not there, and openpmon is: a host that has the modules of limits only. */
bool module_is_left_out(const char *name);

/* Does the module match a device's modalias? False if not installed. */
bool module_is_for(const char *name, const char *device);

/* True if an uncompressed file has no signature at its end; the signer is not checked. */
bool module_is_unsigned(const char *file);

/* Strikes of openpmon.service: a file "KERNEL VERSION" each, with the number and last time. */
#define STRIKES "/var/lib/openpmon/strikes"

/* When a kernel and version are tried again, in seconds; 0: they are not out. */
long long strikes_until(const char *key);

/* The version that is out on the running kernel, or NULL. */
char *version_out(void);

/* modprobe, rmmod, and insmod with a parameter and no dependencies. True for success. */
#define module_load(name)	module_run("modprobe", name, NULL)
#define module_remove(name)	module_run("rmmod", name, NULL)
bool module_insert(const char *name, const char *parameter);
bool module_run(const char *program, const char *module, const char *parameter);

#endif
