/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FILES_H
#define PMONCTL_FILES_H

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

#endif
