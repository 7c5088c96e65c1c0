// SPDX-License-Identifier: GPL-2.0-only
/* Reads files of sysfs, without knowing what they mean. */
#include "sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "output.h"
#include "root.h"

static int vopen(int flags, const char *fmt, va_list ap)
{
	struct text path = { NULL, 0 };
	int fd, saved;

	text_vadd(&path, fmt, ap);
	fd = root_open_file(path.s, flags);
	saved = errno;
	text_free(&path);
	errno = saved;
	return fd;
}

int sysfs_open(const char *fmt, ...)
{
	va_list ap;
	int fd;

	va_start(ap, fmt);
	fd = vopen(O_RDONLY, fmt, ap);
	va_end(ap);
	return fd;
}

static void trim(char *text)
{
	size_t size = strlen(text);

	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	text[size] = '\0';
}

static char *vread(const char *fmt, va_list ap)
{
	int fd = vopen(O_RDONLY, fmt, ap);
	char *text;
	int saved;

	if (fd < 0)
		return NULL;
	text = file_read(fd);
	saved = errno;
	close(fd);
	if (text)
		trim(text);
	errno = saved;
	return text;
}

char *sysfs_read(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = vread(fmt, ap);
	va_end(ap);
	return text;
}

unsigned char *sysfs_read_bytes(size_t most, size_t *size, const char *fmt, ...)
{
	unsigned char *bytes;
	ssize_t n;
	va_list ap;
	int fd, saved;

	va_start(ap, fmt);
	fd = vopen(O_RDONLY, fmt, ap);
	va_end(ap);
	if (fd < 0)
		return NULL;
	bytes = xrealloc(NULL, most + 1);
	*size = 0;
	while ((n = read(fd, bytes + *size, most - *size)) > 0)
		*size += (size_t)n;
	saved = errno;
	close(fd);
	if (n < 0) {
		free(bytes);
		bytes = NULL;
	}
	errno = saved;
	return bytes;
}

long sysfs_read_long(const char *fmt, ...)
{
	char *text, *end;
	long value;
	va_list ap;
	int saved;

	va_start(ap, fmt);
	text = vread(fmt, ap);
	va_end(ap);
	if (!text)
		return -1;

	errno = 0;
	value = strtol(text, &end, 10);
	saved = errno;
	if (end == text || *end || value < 0 || value > INT_MAX) {
		value = -1;
		saved = EINVAL;
	}
	free(text);
	errno = saved;
	return value;
}

int sysfs_write(const char *text, const char *fmt, ...)
{
	size_t len = strlen(text);
	int fd, error = 0;
	va_list ap;

	va_start(ap, fmt);
	fd = vopen(O_WRONLY, fmt, ap);
	va_end(ap);
	if (fd < 0)
		return errno;
	errno = EIO;	/* of a write that is cut short */
	if (write(fd, text, len) != (ssize_t)len)
		error = errno;
	close(fd);
	return error;
}

static char *vlink(const char *fmt, va_list ap)
{
	struct text path = { NULL, 0 };
	char target[PATH_MAX];
	ssize_t n = -1;
	int fd;

	text_vadd(&path, fmt, ap);
	fd = root_open(path.s, O_PATH | O_NOFOLLOW);
	text_free(&path);
	if (fd >= 0) {
		n = readlinkat(fd, "", target, sizeof(target) - 1);
		close(fd);
	}
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return xstrdup(target);
}

char *sysfs_link(const char *fmt, ...)
{
	va_list ap;
	char *link;

	va_start(ap, fmt);
	link = vlink(fmt, ap);
	va_end(ap);
	return link;
}

char *sysfs_link_name(const char *fmt, ...)
{
	const char *slash;
	va_list ap;
	char *link, *name;

	va_start(ap, fmt);
	link = vlink(fmt, ap);
	va_end(ap);
	if (!link)
		return NULL;
	slash = strrchr(link, '/');
	name = xstrdup(slash ? slash + 1 : link);
	free(link);
	return name;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static struct names read_names(const char *dir, const char *prefix,
			       bool number)
{
	struct names n = { NULL, 0 };
	size_t len = strlen(prefix);
	int fd = root_open(dir, O_RDONLY | O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.' || strncmp(e->d_name, prefix, len) ||
		    (number && !isdigit((unsigned char)e->d_name[len])))
			continue;
		n.name = xrealloc(n.name, (n.count + 1) * sizeof(*n.name));
		n.name[n.count++] = xstrdup(e->d_name);
	}
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
	if (n.count)
		qsort(n.name, n.count, sizeof(*n.name), compare_names);
	return n;
}

struct names sysfs_children(const char *dir, const char *prefix)
{
	return read_names(dir, prefix, true);
}

bool sysfs_has_children(const char *dir, const char *prefix)
{
	struct names n = sysfs_children(dir, prefix);
	bool has = n.count;

	names_free(&n);
	return has;
}

struct names sysfs_entries(const char *dir)
{
	return read_names(dir, "", false);
}

void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->name[i]);
	free(n->name);
	n->name = NULL;
	n->count = 0;
}

bool sysfs_exists(const char *path)
{
	int fd = root_open(path, O_PATH);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool sysfs_can_list(const char *dir)
{
	int fd = root_open(dir, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool sysfs_is_directory(const char *path)
{
	int fd = root_open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}
