// SPDX-License-Identifier: GPL-2.0-only
#include "files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "output.h"

/*
 * Reading files, and writing them in directories that others write to.
 */

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

/*
 * Where paths begin, and that they stay there.
 */

static const char *below = "";
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

static bool opened(int fd)	/* or errno says why not */
{
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* Kernels before 5.6, and some containers, do not have openat2(). */
static bool can_open_below(int dir)
{
	return opened(open_below(dir, "/", O_PATH | O_CLOEXEC));
}

bool root_set(const char *dir)
{
	int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char full[PATH_MAX];

	if (tree >= 0)
		close(tree);
	tree = -1;
	below = "";
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
		below = dir;
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

	text_add(&path, "%s", below);
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

/*
 * modprobe.d files: which of ours there are, and what is in them.
 *
 * Others write into these directories too, so a link, or whatever else is not
 * an ordinary file, in the place of ours is neither read, written nor removed.
 */

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

/* Reads files of sysfs, without knowing what they mean. */

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
	return opened(root_open(path, O_PATH));
}

bool sysfs_can_list(const char *dir)
{
	return opened(root_open(dir, O_RDONLY | O_DIRECTORY));
}
