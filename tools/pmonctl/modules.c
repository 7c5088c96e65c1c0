// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel modules: state from /sys (libkmod has only the host's), depmod's lists, and the programs
 * that load modules.
 *
 * rmmod rather than modprobe -r, which would also remove dependencies such as intel_vsec.
 */
#include "modules.h"

#include <fcntl.h>
#include <libkmod.h>
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

bool module_run(const char *program, const char *module, const char *parameter)
{
	const char *words[] = { program, module, parameter, NULL };

	return program_run(words);
}

/* Must be a single path component. */
char *module_kernel(void)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");

	if (!release || (*release && *release != '.' && !strchr(release, '/')))
		return release;
	free(release);
	return NULL;
}

/* depmod's lists; libkmod gets the open directory, because the root may not be "/". */
struct lists {
	char *path, *open_path;
	int dir;
	struct kmod_ctx *kmod;
};

static struct lists lists_open(void)
{
	static const char *const no_configuration[] = { NULL };
	char *kernel FREED = module_kernel();
	struct lists l = { .dir = -1 };

	if (!kernel)
		return l;
	l.path = xasprintf("/lib/modules/%s", kernel);
	l.dir = root_open(l.path, O_RDONLY | O_DIRECTORY);
	l.open_path = xasprintf("/proc/self/fd/%d", l.dir);
	if (l.dir >= 0)
		l.kmod = kmod_new(l.open_path, no_configuration);
	return l;
}

static void lists_close(struct lists *l)
{
	kmod_unref(l->kmod);
	close_held(&l->dir);
	free(l->open_path);
	free(l->path);
}

char *module_file(const char *name)
{
	struct lists l FREED_BY(lists_close) = lists_open();
	struct kmod_module *module = NULL;
	const char *file = NULL;
	char *found = NULL;

	if (l.kmod && !kmod_module_new_from_name(l.kmod, name, &module))
		file = kmod_module_get_path(module);
	if (file && !strncmp(file, l.open_path, strlen(l.open_path)))
		found = xasprintf("%s%s", l.path, file + strlen(l.open_path));
	else if (file)
		found = xstrdup(file);
	kmod_module_unref(module);
	return found;
}

bool module_is_installed(const char *name)
{
	char *file FREED = module_file(name);

	return file;
}

bool module_is_for(const char *name, const char *device)
{
	struct lists l FREED_BY(lists_close) = lists_open();
	struct kmod_list *list = NULL, *one;
	bool found = false;

	if (l.kmod)
		kmod_module_new_from_lookup(l.kmod, device, &list);
	kmod_list_foreach(one, list) {
		struct kmod_module *module = kmod_module_get_module(one);

		found |= !strcmp(kmod_module_get_name(module), name);
		kmod_module_unref(module);
	}
	kmod_module_unref_list(list);
	return found;
}

bool module_is_unsigned(const char *file)
{
	/* MODULE_SIG_STRING of linux/module_signature.h */
	static const char end[] = "~Module signature appended~\n";
	const size_t len = strlen(end), name = strlen(file);
	bool is_plain = name > 3 && !strcmp(file + name - 3, ".ko");
	int fd CLOSED = is_plain ? sysfs_open("%s", file) : -1;
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
		return module_run("insmod", path, parameter);
	return complain("%s: no such module in modules.dep of this kernel; install openpmon for "
			"it, or run depmod", name);
}
