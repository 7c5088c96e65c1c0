// SPDX-License-Identifier: GPL-2.0-only
/*
 * modprobe.d files: which of ours there are, and what is in them.
 *
 * Others write into these directories too, so a link, or whatever else is not
 * an ordinary file, in the place of ours is neither read, written nor removed.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "output.h"
#include "root.h"

#define MODPROBE_D "modprobe.d"

static const char *const parents[CONFIG_PLACES] = {
	[CONFIG_BOOT] = "/run",
	[CONFIG_PERSISTENT] = "/etc",
};

/* release removes the directory, too, where adopt has made it. */
static const char made_directory[] = "# The directory was made for it.\n";

static void add_content(struct text *t, const char *lines)
{
	text_add(t, "# Written by pmonctl adopt; pmonctl release removes it.\n"
		 "%s", lines);
}

/* In its directory. */
static char *file_name(const char *area)
{
	struct text name = { NULL, 0 };

	text_add(&name, "openpmon-%s.conf", area);
	return name.s;
}

char *config_path(enum config_place place, const char *area)
{
	return root_path("%s/" MODPROBE_D "/openpmon-%s.conf", parents[place],
			 area);
}

static int open_parent(enum config_place place)
{
	return root_open(parents[place], O_RDONLY | O_DIRECTORY);
}

static int open_dir(enum config_place place)
{
	struct text path = { NULL, 0 };
	int dir, saved;

	text_add(&path, "%s/" MODPROBE_D, parents[place]);
	dir = root_open(path.s, O_RDONLY | O_DIRECTORY);
	saved = errno;
	text_free(&path);
	errno = saved;
	return dir;
}

static void close_dir(int dir)
{
	if (dir >= 0)
		close(dir);
}

/*
 * The text of a file, or NULL and errno; EINVAL where it is not an ordinary
 * file.
 */
static char *read_config(enum config_place place, const char *area)
{
	char *name = file_name(area), *text = NULL;
	int dir = open_dir(place), saved = errno;

	if (dir >= 0) {
		text = file_read_at(dir, name);
		saved = errno;
	}
	close_dir(dir);
	free(name);
	errno = saved;
	return text;
}

/* Of a file that could not be read. */
static enum config_state state_of(int error)
{
	if (error == ENOENT || error == ENOTDIR)
		return CONFIG_NONE;
	return error == EINVAL ? CONFIG_ODD : CONFIG_CHANGED;
}

enum config_state config_look(enum config_place place, const char *area)
{
	char *text = read_config(place, area);
	enum config_state state = text ? CONFIG_CHANGED : state_of(errno);

	free(text);
	return state;
}

/* Whether text is the lines of an area, and has made_directory or not. */
static bool is_content(const char *text, const char *lines, bool directory)
{
	struct text t = { NULL, 0 };
	bool same;

	add_content(&t, lines);
	if (directory)
		text_add(&t, "%s", made_directory);
	same = !strcmp(text, t.s);
	text_free(&t);
	return same;
}

enum config_state config_state(enum config_place place, const char *area,
			       const char *lines)
{
	char *text = read_config(place, area);
	enum config_state state = text ? CONFIG_CHANGED : state_of(errno);

	if (text && (is_content(text, lines, false) ||
		     is_content(text, lines, true)))
		state = CONFIG_OURS;
	free(text);
	return state;
}

/* modprobe may read it, whatever the caller's umask is. */
static bool finish_dir(int parent, int dir)
{
	return !fchmod(dir, 0755) && (!fsync(parent) || errno == EINVAL);
}

/* Opens the directory, which is made where there is none; -1 and errno. */
static int make_dir(enum config_place place, bool *made)
{
	int parent = open_parent(place), dir, saved;

	*made = parent >= 0 && !mkdirat(parent, MODPROBE_D, 0755);
	dir = open_dir(place);
	saved = errno;
	if (dir >= 0 && *made && !finish_dir(parent, dir)) {
		saved = errno;
		close(dir);
		dir = -1;
	}
	close_dir(parent);
	errno = saved;
	return dir;
}

static void remove_dir(enum config_place place)
{
	int parent = open_parent(place);

	if (parent >= 0)
		unlinkat(parent, MODPROBE_D, AT_REMOVEDIR);
	close_dir(parent);
}

bool config_write(enum config_place place, const char *area, const char *lines)
{
	char *path = config_path(place, area), *name = file_name(area);
	struct text content = { NULL, 0 };
	bool made;
	int dir = make_dir(place, &made);
	int error = dir < 0 ? errno : 0;

	add_content(&content, lines);
	if (made)
		text_add(&content, "%s", made_directory);
	if (!error)
		error = file_write_at(dir, name, content.s);
	if (error)
		complain("%s: cannot be written: %s", path, strerror(error));
	if (error && made)
		remove_dir(place);
	close_dir(dir);
	text_free(&content);
	free(name);
	free(path);
	return !error;
}

bool config_remove(enum config_place place, const char *area)
{
	char *text = read_config(place, area);
	char *path = config_path(place, area), *name = file_name(area);
	int dir = open_dir(place);
	int error = dir < 0 ? errno : file_remove_at(dir, name);

	if (error)
		complain("%s: cannot be removed: %s", path, strerror(error));
	else if (text && strstr(text, made_directory))
		remove_dir(place);	/* unless others use it by now */
	close_dir(dir);
	free(text);
	free(name);
	free(path);
	return !error;
}
