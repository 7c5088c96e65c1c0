/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FILES_H
#define PMONCTL_FILES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The descriptor itself when it is of an ordinary file. Otherwise it is
 * closed, and -1 and errno say so.
 */
int file_ordinary(int fd);

/*
 * All that an open file says, or NULL and errno: EFBIG when it is larger than
 * any file that is read here, EINVAL when it is not text. An ordinary
 * attribute answers completely to the first read.
 */
char *file_read(int fd);

/*
 * Files by their name in an open directory. One that is not ordinary, such as
 * a link, is EINVAL for all of them. The last two return 0 or an errno value.
 */
char *file_read_at(int dir, const char *name);

/*
 * The file is there completely or not at all, also after a power failure; no
 * other one is written to, whatever names exist in the directory.
 */
int file_write_at(int dir, const char *name, const char *content);
int file_remove_at(int dir, const char *name);

/*
 * All files are looked up below one directory: "/", or that of --sysroot. A
 * tree below --sysroot may come from another host, and from a hostile one: no
 * link and no ".." in it leads out of it.
 */

/* False after a message when it is not a directory that can be used. */
bool root_set(const char *dir);

/* False while --sysroot names another directory than "/". */
bool root_is_real(void);

/* Full path for messages. The caller frees it. */
char *root_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* open(2) of an absolute path, close-on-exec; it never creates anything. */
int root_open(const char *path, int flags);

/*
 * The same for ordinary files: a pipe or a device in the place of one is
 * refused with EINVAL, and does not keep the process waiting.
 */
int root_open_file(const char *path, int flags);

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

/* A sorted list of names: 2 comes before 10. */
struct names {
	char **name;
	size_t count;
};

/* Every path is looked up as above. */

/* An open file, for reading, or -1 and errno. */
int sysfs_open(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The whole file with trailing white space removed, or NULL and errno. It is
 * opened and read once: each read of a PLR file is a mailbox round trip.
 */
char *sysfs_read(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

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

#endif
