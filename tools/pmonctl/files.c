// SPDX-License-Identifier: GPL-2.0-only
/* Reads, lists and writes files of sysfs, procfs and modprobe. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

/* Larger than any file that is read. */
#define FILE_MAX ((size_t)4 << 20)
#define FILE_CHUNK 4096

void close_held(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Reads to the end, whatever st_size is. */
char *file_bytes(int opened, size_t *size)
{
	int fd CLOSED = opened, error;
	char *bytes = NULL;
	ssize_t n;

	*size = 0;
	if (fd < 0)
		return NULL;
	do {
		/* The room grows with the text, so that reads which fill the room are few. */
		size_t room = *size + FILE_CHUNK;

		bytes = xrealloc(bytes, *size + room + 1);
		n = read(fd, bytes + *size, room);
		*size += n > 0 ? (size_t)n : 0;
	} while (n > 0 && *size <= FILE_MAX);
	error = n > 0 ? EFBIG : errno;
	bytes[*size] = '\0';
	held(bytes = xrealloc(bytes, *size + 1));
	errno = error;
	return n ? NULL : bytes;
}

/* A zero byte, as in binary data, is an error. */
static char *read_and_close(int fd)
{
	size_t size;
	char *text = file_bytes(fd, &size);

	if (text && memchr(text, '\0', size)) {
		errno = EINVAL;
		return NULL;
	}
	return text;
}

/* Ignores EINVAL, which some filesystems return for a directory. */
static int sync_dir(int dir)
{
	return fsync(dir) && errno != EINVAL ? errno : 0;
}

int file_write_at(int dir, const char *name, const char *content)
{
	/* A name that neither modprobe (*.conf) nor the node exporter (*.prom) reads. */
	char *scratch = xasprintf(".%s.new", name);
	int fd, error = 0;

	unlinkat(dir, scratch, 0);
	fd = openat(dir, scratch, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	/* The mode does not depend on the caller's umask. */
	if (fd < 0 || dprintf(fd, "%s", content) < 0 || fchmod(fd, 0644) || fsync(fd))
		error = errno;
	if (((fd >= 0 && close(fd)) || (!error && renameat(dir, scratch, dir, name))) && !error)
		error = errno;
	if (error && fd >= 0)
		unlinkat(dir, scratch, 0);
	return error ? error : sync_dir(dir);
}

int file_remove_at(int dir, const char *name)
{
	return unlinkat(dir, name, 0) ? errno : sync_dir(dir);
}

/* Opens an ordinary file, or returns -1 and errno. */
static int open_file(const char *path, int flags)
{
	int fd = host_open(path, flags | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	return -1;
}

/* Our modprobe.d files; a link or a special file is neither read, written nor removed. */

static const char *const parents[CONFIG_PLACES] = {
	[CONFIG_BOOT] = "/run",
	[CONFIG_PERSISTENT] = "/etc",
};

#define CONFIG_FILE "openpmon-%s.conf"

static char *content_of(const char *lines)
{
	return xasprintf("# Written by pmonctl adopt; pmonctl release removes it.\n%s", lines);
}

char *config_path(enum config_place place, const char *area)
{
	return xasprintf("%s/modprobe.d/" CONFIG_FILE, parents[place], area);
}

enum config_state config_state(enum config_place place, const char *area, const char *lines)
{
	char *content = lines ? content_of(lines) : NULL;
	char *text = read_and_close(open_file(config_path(place, area),
						    O_RDONLY | O_NOFOLLOW));

	if (!text && (errno == ENOENT || errno == ENOTDIR))
		return CONFIG_NONE;
	if (!text && (errno == ELOOP || errno == EINVAL || errno == EISDIR))
		return CONFIG_ODD;
	return text && content && !strcmp(text, content) ? CONFIG_INTACT : CONFIG_CHANGED;
}

bool config_write(enum config_place place, const char *area, const char *lines)
{
	char *name = xasprintf(CONFIG_FILE, area);
	char *content = lines ? content_of(lines) : NULL;
	int parent CLOSED = host_open(parents[place], O_RDONLY | O_DIRECTORY), dir CLOSED = -1;
	int error;

	if (content && parent >= 0)
		mkdirat(parent, "modprobe.d", 0755);
	dir = host_open(xasprintf("%s/modprobe.d", parents[place]), O_RDONLY | O_DIRECTORY);
	error = dir < 0 ? errno : content ? file_write_at(dir, name, content) :
		file_remove_at(dir, name);
	if (error)
		complain("%s: cannot be %s: %s", config_path(place, area), content ? "written" :
			 "removed", strerror(error));
	/* Removes /run/modprobe.d if it is empty. */
	if (place == CONFIG_BOOT && parent >= 0)
		unlinkat(parent, "modprobe.d", AT_REMOVEDIR);
	return !error;
}

/* False if the file is dated in the future, because the date or the clock is wrong. */
bool config_is_pending(const char *area)
{
	int fd CLOSED = open_file(config_path(CONFIG_PERSISTENT, area), O_RDONLY | O_NOFOLLOW);
	char *stat = sysfs_read("/proc/stat"), *line = stat ? strstr(stat, "\nbtime ") : NULL;
	long boot = line ? strtol(line + strlen("\nbtime "), NULL, 10) : 0;
	struct stat st;

	return boot > 0 && fd >= 0 && !fstat(fd, &st) && st.st_mtime > boot &&
	       st.st_mtime <= time(NULL);
}

struct remedy adopt_remedy(const char *area, const char *text)
{
	return OURS(xasprintf(config_is_pending(area) ?
			      "reboot, or pmonctl adopt --persist --now %s" :
			      "pmonctl adopt %s", area), text);
}

int sysfs_open_path(char *path)
{
	return open_file(path, O_RDONLY);
}

char *sysfs_read_path(char *path)
{
	char *text = read_and_close(sysfs_open_path(path));
	size_t size = text ? strlen(text) : 0;

	while (size && isspace((unsigned char)text[size - 1]))
		text[--size] = '\0';
	return text;
}

bool sysfs_is_path(const char *text, char *path)
{
	char *content = sysfs_read_path(path);

	return content && !strcmp(content, text);
}

long sysfs_read_long_path(char *path)
{
	char *text = sysfs_read_path(path);
	long long value;

	if (text && number_parse(text, 10, INT_MAX, &value))
		return (long)value;
	errno = text ? EINVAL : errno;
	return -1;
}

int sysfs_write_path(const char *text, char *path)
{
	int fd CLOSED = open_file(path, O_WRONLY);
	size_t len = strlen(text);

	if (fd < 0)
		return errno;
	errno = EIO;	/* for a short write */
	return write(fd, text, len) == (ssize_t)len ? 0 : errno;
}

char *sysfs_link_path(char *path)
{
	int fd CLOSED = host_open(path, O_PATH | O_NOFOLLOW);
	char target[PATH_MAX];
	ssize_t n = fd < 0 ? -1 : readlinkat(fd, "", target, sizeof(target));

	return n < 0 ? NULL : xstrndup(target, (size_t)n);
}

char *sysfs_link_name_path(char *path)
{
	char *link = sysfs_link_path(path), *slash = link ? strrchr(link, '/') : NULL;

	return link ? xstrdup(slash ? slash + 1 : link) : NULL;
}

struct names sysfs_names_path(const char *prefix, bool number, char *dir)
{
	int fd CLOSED = host_open(dir, O_RDONLY | O_DIRECTORY);
	struct dirent **all = NULL;
	int count = fd < 0 ? 0 : scandirat(fd, ".", &all, NULL, versionsort);
	struct names n = { .name = NULL };
	size_t len = strlen(prefix);

	for (int i = 0; i < count; i++) {
		const char *name = all[i]->d_name;

		if (*name != '.' && !strncmp(name, prefix, len) &&
		    (!number || isdigit((unsigned char)name[len])))
			append(n.name, n.count, xstrdup(name));
		free(all[i]);
	}
	free(all);
	return n;
}

bool sysfs_exists_path(char *path)
{
	int fd CLOSED = host_open(path, O_PATH);

	return fd >= 0;
}

/* Lists of CPUs in the kernel's format. */

/* Longer than a list of all CPUs one by one. */
#define LIST_MAX (8 * CPUS_MAX)

bool cpus_parse(struct cpus *c, const char *list)
{
	struct cpus listed = { { 0 } };
	char *end;

	*c = listed;
	if (strlen(list) > LIST_MAX)
		return false;
	do {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-' && isdigit((unsigned char)*list))
			last = strtoul(list = end + 1, &end, 10);
		if (!isdigit((unsigned char)*list) || first > last || last >= CPUS_MAX)
			return false;
		for (; first <= last; first++)
			cpus_add(&listed, first);
		list = end + 1;
	} while (*end == ',');
	if (*end)
		return false;
	*c = listed;
	return true;
}

struct cpus cpus_read_path(char *path)
{
	char *list = sysfs_read_path(path);
	struct cpus c = { { 0 } };

	if (list)
		cpus_parse(&c, list);
	return c;
}

unsigned int cpus_next(const struct cpus *c, unsigned int from)
{
	while (from < CPUS_MAX && !cpus_has(c, from))
		from++;
	return from;
}

void cpus_add_text(struct text *t, const struct cpus *c)
{
	unsigned int *cpu = xcalloc(CPUS_MAX, sizeof(*cpu));
	size_t count = 0;

	for_each_cpu(i, c)
		cpu[count++] = i;
	text_add_ranges(t, cpu, count);
}
