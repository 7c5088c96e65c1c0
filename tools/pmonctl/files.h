/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FILES_H
#define PMONCTL_FILES_H

#include "output.h"

/* Where sysfs has CPUs, nodes, PCI functions, openpmon's devices, PMUs, and devices of CXL. */
#define CPU_DIR		"/sys/devices/system/cpu"
#define NODE_DIR	"/sys/devices/system/node"
#define FUNCTIONS	"/sys/bus/pci/devices"
#define CLASS_DIR	"/sys/class/pmon"
#define PMUS		"/sys/bus/event_source/devices"
#define CXL_DEVICES	"/sys/bus/cxl/devices"

/* int fd CLOSED = ...; closes the descriptor, unless -1, at the end of the scope. */
#define CLOSED FREED_BY(close_held)
void close_held(int *fd);

/* Replaces a file atomically, also across a power failure; follows no link. 0 or errno. */
int file_write_at(int dir, const char *name, const char *content);
int file_remove_at(int dir, const char *name);

/* modprobe files that adopt writes and release removes, a separate file for each area. */
enum config_place {
	CONFIG_BOOT,		/* until the next boot */
	CONFIG_PERSISTENT,
	CONFIG_PLACES,
};

char *config_path(enum config_place place, const char *area);

enum config_state {
	CONFIG_NONE,
	CONFIG_INTACT,
	CONFIG_CHANGED,		/* by a person or program; not to be removed */
	CONFIG_ODD,		/* a link, or else not an ordinary file */
};

/* Without @lines never CONFIG_INTACT. */
enum config_state config_state(enum config_place place, const char *area, const char *lines);

/* Removed without lines. False after a message; nothing is left half done. */
bool config_write(enum config_place place, const char *area, const char *lines);
#define config_remove(place, area)	config_write(place, area, NULL)

/* Was the persistent file written after the last boot? */
bool config_is_pending(const char *area);
/* The command that hands an area over. */
char *adopt_command(const char *area);

/* A sorted list of names: 2 comes before 10. */
struct names {
	char **name;
	size_t count, next;
};

/* Iterates over a list. */
#define for_each_name(one, list) \
	for (struct names of_##one FREED = (list), *rest_of_##one = &of_##one; \
	     rest_of_##one; rest_of_##one = NULL) \
		for (const char *one; (one = of_##one.next < of_##one.count ? \
				       of_##one.name[of_##one.next++] : NULL);)

/* Paths are formats. A pipe or device is EINVAL, never blocks. */
/* An open file, for reading, or -1 and errno. */
#define sysfs_open(...)		sysfs_open_path(xasprintf(__VA_ARGS__))
int sysfs_open_path(char *path);

/*
 * The whole file without trailing white space, or NULL and errno: EFBIG above FILE_MAX, EINVAL for
 * binary data. One open and one read: each read of a PLR file is a mailbox round trip.
 */
#define sysfs_read(...)		sysfs_read_path(xasprintf(__VA_ARGS__))
char *sysfs_read_path(char *path);

/* Is @text the whole content? */
#define sysfs_is(text, ...)	sysfs_is_path(text, xasprintf(__VA_ARGS__))
bool sysfs_is_path(const char *text, char *path);

/* A number up to INT_MAX, or -1 and errno (EINVAL: not a number). */
#define sysfs_read_long(...)	sysfs_read_long_path(xasprintf(__VA_ARGS__))
long sysfs_read_long_path(char *path);

/* A single write. Returns 0 or an errno value. */
#define sysfs_write(text, ...)	sysfs_write_path(text, xasprintf(__VA_ARGS__))
int sysfs_write_path(const char *text, char *path);

/* Target of a symbolic link, or NULL and errno. */
#define sysfs_link(...)		sysfs_link_path(xasprintf(__VA_ARGS__))
char *sysfs_link_path(char *path);

/* The last component of the target, such as a driver's name, or NULL. */
#define sysfs_link_name(...)	sysfs_link_name_path(xasprintf(__VA_ARGS__))
char *sysfs_link_name_path(char *path);

/* All entries of a directory but hidden files. */
#define sysfs_entries(...)	sysfs_names_path("", false, xasprintf(__VA_ARGS__))
/* Entries named by a prefix and a digit. */
#define sysfs_children(prefix, ...) sysfs_names_path(prefix, true, xasprintf(__VA_ARGS__))
struct names sysfs_names_path(const char *prefix, bool number, char *dir);

#define sysfs_exists(...)	sysfs_exists_path(xasprintf(__VA_ARGS__))
bool sysfs_exists_path(char *path);
bool sysfs_can_list(const char *dir);	/* or errno */

#endif
