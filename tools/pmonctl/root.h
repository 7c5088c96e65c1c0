/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_ROOT_H
#define PMONCTL_ROOT_H

#include <stdbool.h>

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

#endif
