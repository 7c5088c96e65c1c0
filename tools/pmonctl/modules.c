// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel modules: what the kernel and depmod's list say about them, and the
 * programs that load them.
 *
 * rmmod and not modprobe -r, which takes the modules with it that the module
 * asked for: intel_vsec, for instance, which others may need.
 */
#include "modules.h"

#include <unistd.h>

#include "host.h"
#include "files.h"

enum module_state module_state(const char *name)
{
	if (!sysfs_exists("/sys/module/%s", name))
		return MODULE_ABSENT;
	return sysfs_exists("/sys/module/%s/initstate", name) ? MODULE_LOADED : MODULE_BUILT_IN;
}

long module_users(const char *name)
{
	long users = sysfs_read_long("/sys/module/%s/refcnt", name);

	return users < 0 ? 0 : users;
}

static bool run(const char *program, const char *module, const char *parameter)
{
	const char *words[] = { program, module, parameter, NULL };

	return program_run(words);
}

bool module_load(const char *name)
{
	return run("modprobe", name, NULL);
}

bool module_remove(const char *name)
{
	return run("rmmod", name, NULL);
}

/* It becomes the name of a directory, so it must be one. */
char *module_kernel(void)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");

	if (!release || (*release && *release != '.' && !strchr(release, '/')))
		return release;
	free(release);
	return NULL;
}

/* "a_b" is in kernel/drivers/a-b.ko.xz, for one. */
static bool is_file_of(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;

	for (; *name; name++, base++)
		if (*name != (*base == '-' ? '_' : *base))
			return false;
	return !strncmp(base, ".ko", strlen(".ko"));
}

/* Lines "PATH: PATH...": a module, and those that it needs. */
char *module_file(const char *name)
{
	char *kernel FREED = module_kernel();

	if (!kernel)
		return NULL;
	for_each_line(path, sysfs_read("/lib/modules/%s/modules.dep", kernel)) {
		char *end = strchr(path, ':');

		if (!end)
			continue;
		*end = '\0';
		if (is_file_of(path, name))
			return *path == '/' ? xstrdup(path) :
			       xasprintf("/lib/modules/%s/%s", kernel, path);
	}
	return NULL;
}

bool module_has_alias(const char *name, const char *begin)
{
	char *kernel FREED = module_kernel();
	char alias[256], module[64];

	if (!kernel)
		return false;
	for_each_line(line, sysfs_read("/lib/modules/%s/modules.alias", kernel))
		if (sscanf(line, "alias %255s %63s", alias, module) == 2 &&
		    !strcmp(module, name) && !strncmp(alias, begin, strlen(begin)))
			return true;
	return false;
}

bool module_is_unsigned(const char *file)
{
	/* MODULE_SIG_STRING of linux/module_signature.h */
	static const char end[] = "~Module signature appended~\n";
	const size_t len = strlen(end), name = strlen(file);
	bool looks = name > 3 && !strcmp(file + name - 3, ".ko");
	int fd CLOSED = looks ? sysfs_open("%s", file) : -1;
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	char tail[sizeof(end)];

	if (size < (off_t)len)
		return size >= 0;
	return pread(fd, tail, len, size - (off_t)len) == (ssize_t)len && memcmp(tail, end, len);
}

bool module_insert(const char *name, const char *parameter)
{
	char *path FREED = module_file(name);

	if (path)
		return run("insmod", path, parameter);
	return complain("%s: no such module in modules.dep of this kernel; install openpmon for "
			"it, or run depmod", name);
}
