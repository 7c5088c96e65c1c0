// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where paths begin, and that they stay there.
 */
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "files.h"
#include "output.h"

static const char *prefix = "";
static int tree = -1;		/* the directory of --sysroot */

bool root_is_real(void)
{
	return tree < 0;
}

/* EAGAIN: something moved while the kernel made sure that it is inside. */
static int open_below(int dir, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	for (int tries = 0; tries < 32; tries++) {
		fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return (int)fd;
}

/* Kernels before 5.6, and some containers, do not have openat2(). */
static bool can_open_below(int dir)
{
	int fd = open_below(dir, "/", O_PATH | O_CLOEXEC);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool root_set(const char *dir)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char full[PATH_MAX];

	if (tree >= 0)
		close(tree);
	tree = -1;
	prefix = "";
	if (fd < 0 || !realpath(dir, full)) {
		complain("--sysroot %s: %s; name a directory that has sys "
			 "below it", dir, strerror(errno));
	} else if (!strcmp(full, "/")) {
		close(fd);
		return true;
	} else if (!can_open_below(fd)) {
		complain("--sysroot %s: links that lead out of it cannot be "
			 "told (openat2: %s); use Linux 5.6 or later", dir,
			 strerror(errno));
	} else {
		prefix = dir;
		tree = fd;
		return true;
	}
	if (fd >= 0)
		close(fd);
	return false;
}

char *root_path(const char *fmt, ...)
{
	struct text path = { NULL, 0 };
	va_list ap;

	text_add(&path, "%s", prefix);
	va_start(ap, fmt);
	text_vadd(&path, fmt, ap);
	va_end(ap);
	return path.s;
}

int root_open(const char *path, int flags)
{
	flags |= O_CLOEXEC;
	return root_is_real() ? open(path, flags) :
				open_below(tree, path, flags);
}

int root_open_file(const char *path, int flags)
{
	int fd = root_open(path, flags | O_NONBLOCK | O_NOCTTY);

	return fd < 0 ? fd : file_ordinary(fd);
}
