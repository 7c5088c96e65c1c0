// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading sysfs. Nothing here knows what the files mean.
 */
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

#include "output.h"

static const char *root = "";

void sysfs_set_root(const char *dir)
{
	root = dir;
}

bool sysfs_is_real(void)
{
	return !*root;
}

static char *vpath(const char *fmt, va_list ap)
{
	char *rel, *path;

	if (vasprintf(&rel, fmt, ap) < 0)
		out_of_memory();
	if (asprintf(&path, "%s%s", root, rel) < 0)
		out_of_memory();
	free(rel);
	return path;
}

char *sysfs_path(const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = vpath(fmt, ap);
	va_end(ap);
	return path;
}

/*
 * Binary attributes may be larger than a page and come in several reads; an
 * ordinary attribute answers completely to the first one.
 */
static char *read_all(int fd)
{
	size_t size = 0, room = 4096;
	char *text = xrealloc(NULL, room + 1);
	ssize_t n;

	while ((n = read(fd, text + size, room - size)) > 0) {
		size += (size_t)n;
		if (size == room) {
			room *= 2;
			text = xrealloc(text, room + 1);
		}
	}
	if (n < 0) {
		int saved = errno;

		free(text);
		errno = saved;
		return NULL;
	}
	while (size && isspace((unsigned char)text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

static char *read_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	int saved;

	if (fd < 0)
		return NULL;
	text = read_all(fd);
	saved = errno;
	close(fd);
	errno = saved;
	return text;
}

static char *vread(const char *fmt, va_list ap)
{
	char *path = vpath(fmt, ap);
	char *text = read_path(path);
	int saved = errno;

	free(path);
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
	if (end == text || *end || value < 0) {
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
	char *path;
	va_list ap;

	va_start(ap, fmt);
	path = vpath(fmt, ap);
	va_end(ap);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return errno;
	errno = EIO;	/* of a write that is cut short */
	if (write(fd, text, len) != (ssize_t)len)
		error = errno;
	close(fd);
	return error;
}

char *sysfs_link(const char *fmt, ...)
{
	char target[PATH_MAX], *path;
	ssize_t n;
	va_list ap;

	va_start(ap, fmt);
	path = vpath(fmt, ap);
	va_end(ap);
	n = readlink(path, target, sizeof(target) - 1);
	free(path);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	return xstrdup(target);
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
	char *path = sysfs_path("%s", dir);
	struct dirent *e;
	DIR *d = opendir(path);

	free(path);
	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.' || strncmp(e->d_name, prefix, len) ||
		    (number && !isdigit((unsigned char)e->d_name[len])))
			continue;
		n.name = xrealloc(n.name, (n.count + 1) * sizeof(*n.name));
		n.name[n.count++] = xstrdup(e->d_name);
	}
	if (d)
		closedir(d);
	if (n.count)
		qsort(n.name, n.count, sizeof(*n.name), compare_names);
	return n;
}

struct names sysfs_children(const char *dir, const char *prefix)
{
	return read_names(dir, prefix, true);
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

bool sysfs_exists(const char *rel)
{
	char *path = sysfs_path("%s", rel);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

bool sysfs_is_discovery(const char *vendor, const char *device)
{
	return vendor && device && !strcmp(vendor, "0x8086") &&
	       (!strcmp(device, "0x09a7") || !strcmp(device, "0x09a1"));
}

bool sysfs_hardware_present(void)
{
	static const char dir[] = "/sys/bus/pci/devices";
	struct names n = sysfs_children(dir, "");
	bool found = false;

	for (size_t i = 0; i < n.count && !found; i++) {
		char *vendor = sysfs_read("%s/%s/vendor", dir, n.name[i]);
		char *device = sysfs_read("%s/%s/device", dir, n.name[i]);

		found = sysfs_is_discovery(vendor, device);
		free(vendor);
		free(device);
	}
	names_free(&n);
	return found;
}
