/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SYSFS_H
#define PMONCTL_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

/* A sorted list of names: 2 comes before 10. */
struct names {
	char **name;
	size_t count;
};

/* Every path is looked up as root.h says. */

/* An open file, for reading, or -1 and errno. */
int sysfs_open(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The whole file with trailing white space removed, or NULL and errno. It is
 * opened and read once: each read of a PLR file is a mailbox round trip.
 */
char *sysfs_read(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The first bytes of a binary attribute, at most @most of them, or NULL and
 * errno. The caller frees them.
 */
unsigned char *sysfs_read_bytes(size_t most, size_t *size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* One number up to INT_MAX, or -1 and errno (EINVAL: not such a number). */
long sysfs_read_long(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* Writes a text in one go. Returns 0 or an errno value. */
int sysfs_write(const char *text, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Where a symbolic link leads, or NULL and errno. The caller frees it. */
char *sysfs_link(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The last part of where it leads, such as a driver's name, or NULL. */
char *sysfs_link_name(const char *fmt, ...)
	__attribute__((format(printf, 1, 2)));

/* All entries of a directory but hidden ones. */
struct names sysfs_entries(const char *dir);

/* Entries of a directory that start with prefix followed by a digit. */
struct names sysfs_children(const char *dir, const char *prefix);
bool sysfs_has_children(const char *dir, const char *prefix);
void names_free(struct names *n);

bool sysfs_exists(const char *path);
bool sysfs_can_list(const char *dir);	/* or errno says why not */
bool sysfs_is_directory(const char *path);	/* and no link to one */

#endif
