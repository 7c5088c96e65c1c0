// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading files, and writing them in directories that others write to.
 */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

/* The largest is modules.dep, with 1 MB on hosts with many modules. */
#define FILE_MAX ((size_t)4 << 20)

static int refuse(int fd, int error)
{
	close(fd);
	errno = error;
	return -1;
}

int file_ordinary(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return refuse(fd, errno);
	if (S_ISDIR(st.st_mode))
		return refuse(fd, EISDIR);
	return S_ISREG(st.st_mode) ? fd : refuse(fd, EINVAL);
}

static char *give_up(char *text, int error)
{
	free(text);
	errno = error;
	return NULL;
}

/* Binary attributes may be larger than a page and come in several reads. */
char *file_read(int fd)
{
	size_t size = 0, room = 4096;
	char *text = xrealloc(NULL, room + 1);
	ssize_t n;

	while ((n = read(fd, text + size, room - size)) > 0) {
		size += (size_t)n;
		if (size > FILE_MAX)
			return give_up(text, EFBIG);
		if (size == room) {
			room *= 2;
			text = xrealloc(text, room + 1);
		}
	}
	if (n < 0)
		return give_up(text, errno);
	if (memchr(text, '\0', size))
		return give_up(text, EINVAL);
	text[size] = '\0';
	return text;
}

/* 0, or an errno value: ENOENT, or EINVAL for what is not ordinary. */
static int check_at(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno;
	return S_ISREG(st.st_mode) ? 0 : EINVAL;
}

char *file_read_at(int dir, const char *name)
{
	int error = check_at(dir, name), fd;
	char *text;

	if (error) {
		errno = error;
		return NULL;
	}
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			       O_CLOEXEC);
	if (fd >= 0)
		fd = file_ordinary(fd);
	if (fd < 0)
		return NULL;
	text = file_read(fd);
	error = errno;
	close(fd);
	errno = error;
	return text;
}

/* A name that cannot be foreseen; modprobe reads *.conf only. */
static int create_scratch(int dir, const char *name, struct text *scratch)
{
	int fd = -1;

	for (int tries = 0; tries < 16; tries++) {
		uint64_t number;

		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return -1;
		text_free(scratch);
		text_add(scratch, ".%s.%016" PRIx64, name, number);
		fd = openat(dir, scratch->s, O_WRONLY | O_CREAT | O_EXCL |
					     O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

static int failed(bool failure)
{
	return failure ? errno : 0;
}

static int write_all(int fd, const char *content)
{
	while (*content) {
		ssize_t n = write(fd, content, strlen(content));

		if (n < 0 && errno != EINTR)
			return errno;
		content += n < 0 ? 0 : n;
	}
	return 0;
}

/* The mode does not depend on the caller's umask. */
static int fill(int fd, const char *content)
{
	int error = write_all(fd, content), closed;

	if (!error)
		error = failed(fchmod(fd, 0644) || fsync(fd));
	closed = failed(close(fd));
	return error ? error : closed;
}

/* Some filesystems cannot do it, and say so by EINVAL. */
static int sync_dir(int dir)
{
	return failed(fsync(dir) && errno != EINVAL);
}

/* Nothing but an ordinary file is replaced. */
static int put_in_place(int dir, const char *scratch, const char *name)
{
	int error = check_at(dir, name);

	if (error && error != ENOENT)
		return error;
	error = failed(renameat(dir, scratch, dir, name));
	if (error)
		return error;
	error = sync_dir(dir);
	if (error)
		unlinkat(dir, name, 0);
	return error;
}

int file_write_at(int dir, const char *name, const char *content)
{
	struct text scratch = { NULL, 0 };
	int fd = create_scratch(dir, name, &scratch);
	int error = fd < 0 ? errno : fill(fd, content);

	if (!error)
		error = put_in_place(dir, scratch.s, name);
	if (error && fd >= 0)
		unlinkat(dir, scratch.s, 0);
	text_free(&scratch);
	return error;
}

int file_remove_at(int dir, const char *name)
{
	int error = check_at(dir, name);

	if (!error)
		error = failed(unlinkat(dir, name, 0));
	return error ? error : sync_dir(dir);
}
