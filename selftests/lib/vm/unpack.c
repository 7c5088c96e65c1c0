// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unpack the files of a run: archives in the "newc" format of cpio, one after the
 * other, in BAR 2 of the test bench of the emulated server.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unpack.h"

#define DEVICES		"/sys/bus/pci/devices"
#define BENCH		"PCI_ID=1B36:0B3C"
#define WINDOW_BYTES	0x4000000
#define PADDING		1024	/* zeroes between two archives, at most */

struct header {
	char magic[6];
	char ino[8], mode[8], uid[8], gid[8], links[8], mtime[8], size[8];
	char dev[16], rdev[16], name_size[8], check[8];
};

static unsigned long number(const char *digits)
{
	char text[9] = "";

	memcpy(text, digits, 8);
	return strtoul(text, NULL, 16);
}

static size_t align4(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static int write_file(const char *name, unsigned int mode, const char *data,
		      size_t bytes)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 07777);

	if (fd < 0)
		return -1;
	while (bytes) {
		ssize_t n = write(fd, data, bytes);

		if (n <= 0)
			break;
		data += n;
		bytes -= n;
	}
	fchmod(fd, mode & 07777);
	return close(fd) || bytes ? -1 : 0;
}

static int make(const char *name, unsigned int mode, const char *data,
		size_t bytes)
{
	char target[512] = "";

	if (S_ISDIR(mode))
		return mkdir(name, mode & 07777) && errno != EEXIST ? -1 : 0;
	if (!S_ISLNK(mode))
		return write_file(name, mode, data, bytes);
	if (bytes >= sizeof(target))
		return -1;
	memcpy(target, data, bytes);
	unlink(name);
	return symlink(target, name);
}

/* Unpack the member at @at; return the offset of the next, or 0 after the last. */
static size_t unpack_one(const char *window, size_t at)
{
	const struct header *h;
	const char *name, *data;
	size_t zeroes = 0, bytes, name_size;

	while (zeroes < PADDING && at + sizeof(*h) < WINDOW_BYTES && !window[at]) {
		zeroes += 4;
		at += 4;
	}
	h = (const void *)(window + at);
	if (at + sizeof(*h) > WINDOW_BYTES || memcmp(h->magic, "070701", 6))
		return 0;
	bytes = number(h->size);
	name_size = number(h->name_size);
	name = (const char *)(h + 1);
	data = window + align4(at + sizeof(*h) + name_size);
	if (data + bytes > window + WINDOW_BYTES)
		return 0;
	if (strcmp(name, "TRAILER!!!") && make(name, number(h->mode), data, bytes))
		fprintf(stderr, "init: cannot unpack %s: %s\n", name, strerror(errno));
	return align4(data + bytes - window);
}

static int is_bench(const char *device)
{
	char path[300], text[512] = "";
	int fd;

	snprintf(path, sizeof(path), DEVICES "/%s/uevent", device);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return !!strstr(text, BENCH);
}

int bench_find(void)
{
	char path[300] = "";
	struct dirent *e;
	DIR *d = opendir(DEVICES);

	while (d && !path[0] && (e = readdir(d)))
		if (e->d_name[0] != '.' && is_bench(e->d_name))
			snprintf(path, sizeof(path), DEVICES "/%s", e->d_name);
	if (d)
		closedir(d);
	if (!path[0] || symlink(path, BENCH_LINK))
		return -1;
	return write_file(BENCH_LINK "/enable", 0, "1", 1);
}

int unpack(void)
{
	int fd = open(BENCH_LINK "/resource2", O_RDONLY | O_CLOEXEC);
	const char *window;
	size_t at = 0;

	if (fd < 0)
		return -1;
	window = mmap(NULL, WINDOW_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (window == MAP_FAILED)
		return -1;
	if (chdir("/"))
		return -1;
	do
		at = unpack_one(window, at);
	while (at);
	return munmap((void *)window, WINDOW_BYTES);
}
