// SPDX-License-Identifier: GPL-2.0-only
/*
 * modprobe.d files. A file is complete or not there: it is written under a
 * name that modprobe does not read and renamed then.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "sysfs.h"

static const char *const dirs[CONFIG_PLACES] = {
	[CONFIG_BOOT] = "/run/modprobe.d",
	[CONFIG_PERSISTENT] = "/etc/modprobe.d",
};

/* release removes the directory, too, where adopt has made it. */
static const char made_directory[] = "# The directory was made for it.\n";

static void add_content(struct text *t, const char *lines)
{
	text_add(t, "# Written by pmonctl adopt; pmonctl release removes it.\n"
		 "%s", lines);
}

char *config_path(enum config_place place, const char *area)
{
	return sysfs_path("%s/openpmon-%s.conf", dirs[place], area);
}

bool config_exists(enum config_place place, const char *area)
{
	char *path = config_path(place, area);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static char *read_config(enum config_place place, const char *area)
{
	return sysfs_read("%s/openpmon-%s.conf", dirs[place], area);
}

/* What is read has lost its last newline. */
static bool is_content(const char *text, const char *lines, bool directory)
{
	struct text t = { NULL, 0 };
	bool same;

	add_content(&t, lines);
	if (directory)
		text_add(&t, "%s", made_directory);
	same = strlen(text) == t.len - 1 && !strncmp(text, t.s, t.len - 1);
	text_free(&t);
	return same;
}

enum config_state config_state(enum config_place place, const char *area,
			       const char *lines)
{
	char *text = read_config(place, area);
	enum config_state state = CONFIG_CHANGED;

	if (!text && (errno == ENOENT || errno == ENOTDIR))
		state = CONFIG_NONE;
	else if (text && (is_content(text, lines, false) ||
			  is_content(text, lines, true)))
		state = CONFIG_OURS;
	free(text);
	return state;
}

static int write_file(const char *path, const char *content)
{
	size_t len = strlen(content);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int error = 0;

	if (fd < 0)
		return errno;
	errno = EIO;	/* of a write that is cut short */
	if (write(fd, content, len) != (ssize_t)len || fsync(fd))
		error = errno;
	if (close(fd) && !error)
		error = errno;
	return error;
}

static int write_renamed(const char *path, const char *content)
{
	struct text scratch = { NULL, 0 };
	int error;

	text_add(&scratch, "%s.new", path);
	error = write_file(scratch.s, content);
	if (!error && rename(scratch.s, path))
		error = errno;
	if (error)
		unlink(scratch.s);
	text_free(&scratch);
	return error;
}

bool config_write(enum config_place place, const char *area, const char *lines)
{
	char *dir = sysfs_path("%s", dirs[place]);
	char *path = config_path(place, area);
	struct text content = { NULL, 0 };
	bool made = !mkdir(dir, 0755);
	int error;

	add_content(&content, lines);
	if (made)
		text_add(&content, "%s", made_directory);
	error = write_renamed(path, content.s);
	if (error) {
		complain("%s: cannot be written: %s", path, strerror(error));
		if (made)
			rmdir(dir);
	}
	text_free(&content);
	free(path);
	free(dir);
	return !error;
}

bool config_remove(enum config_place place, const char *area)
{
	char *text = read_config(place, area);
	char *dir = sysfs_path("%s", dirs[place]);
	char *path = config_path(place, area);
	bool made = text && strstr(text, "# The directory was made for it.");
	bool good = !unlink(path);

	if (!good)
		complain("%s: cannot be removed: %s", path, strerror(errno));
	else if (made)
		rmdir(dir);	/* unless somebody else uses it by now */
	free(text);
	free(path);
	free(dir);
	return good;
}
