// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds kernel modules by /sys and depmod's lists, and runs the programs that load and unload them.
 *
 * libkmod has the state of modules only for the host, not for a tree of the tests. modprobe -r is
 * not used, because it would also remove dependencies such as intel_vsec.
 */
#include <fcntl.h>
#include <libkmod.h>
#include <unistd.h>

#include "host.h"

enum module_state module_state(const char *name)
{
	if (!sysfs_exists("/sys/module/%s", name))
		return MODULE_ABSENT;
	return sysfs_exists("/sys/module/%s/initstate", name) ? MODULE_LOADED : MODULE_BUILT_IN;
}

const char *const own_modules[OWN_MODULES] = {
	"pmon", "pmon_uncore", "pmon_plr", "pmon_cxl", "pmon_r2pcie", "pmon_vfalls"
};

char *module_version(const char *name)
{
	char *version = sysfs_read("/sys/module/%s/version", name);

	return version || module_state(name) == MODULE_ABSENT ? version : xstrdup("unknown");
}

char *own_versions(void)
{
	struct text all = { NULL, 0 };

	for (size_t i = 0; i < OWN_MODULES; i++) {
		char *version = module_version(own_modules[i]);
		bool seen = !version;

		for (size_t j = 0; j < i && !seen; j++) {
			char *before = module_version(own_modules[j]);

			seen = before && !strcmp(before, version);
		}
		if (!seen)
			text_add(&all, "%s%s", all.len ? ", " : "", version);
	}
	return all.s;
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

/* NULL unless the release is a single component of a path. */
char *module_kernel(void)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");

	return release && *release && *release != '.' && !strchr(release, '/') ? release : NULL;
}

#define STRIKES_OUT 2
#define SECONDS_OUT (7 * 24 * 3600)

long long strikes_until(const char *key)
{
	char *text = sysfs_read(STRIKES "/%s", key), *end = text;
	long number = text ? strtol(text, &end, 10) : 0;

	return number < STRIKES_OUT ? 0 : strtoll(end, NULL, 10) + SECONDS_OUT;
}

char *version_out(void)
{
	char *kernel = module_kernel();
	size_t len = kernel ? strlen(kernel) : 0;

	for_each_name(key, sysfs_entries(STRIKES))
		if (len && !strncmp(key, kernel, len) && key[len] == ' ' && strikes_until(key))
			return xstrdup(key + len + 1);
	return NULL;
}

/* depmod's lists; libkmod gets the open directory, because the root of tests is not "/". */
struct lists {
	char *path, *open_path;
	int dir;
	struct kmod_ctx *kmod;
};

static struct lists lists_open(void)
{
	static const char *const no_configuration[] = { NULL };
	char *kernel = module_kernel();
	struct lists l = { .dir = -1 };

	if (!kernel)
		return l;
	l.path = xasprintf("/lib/modules/%s", kernel);
	l.dir = host_open(l.path, O_RDONLY | O_DIRECTORY);
	l.open_path = xasprintf("/proc/self/fd/%d", l.dir);
	if (l.dir >= 0)
		l.kmod = kmod_new(l.open_path, no_configuration);
	return l;
}

static void lists_close(struct lists *l)
{
	kmod_unref(l->kmod);
	close_held(&l->dir);
}

char *module_value(const char *name, const char *key)
{
	struct lists l FREED_BY(lists_close) = lists_open();
	struct kmod_list *info = NULL, *one;
	struct kmod_module *module = NULL;
	const char *file = NULL;
	char *found = NULL;

	if (l.kmod && !kmod_module_new_from_name(l.kmod, name, &module))
		file = kmod_module_get_path(module);
	if (file && !key)
		found = strncmp(file, l.open_path, strlen(l.open_path)) ? xstrdup(file) :
			xasprintf("%s%s", l.path, file + strlen(l.open_path));
	else if (file && kmod_module_get_info(module, &info) >= 0)
		kmod_list_foreach(one, info)
			if (!found && !strcmp(kmod_module_info_get_key(one), key))
				found = xstrdup(kmod_module_info_get_value(one));
	kmod_module_info_free_list(info);
	kmod_module_unref(module);
	return found;
}

bool module_is_left_out(const char *name)
{
	return module_state(name) == MODULE_ABSENT && !module_is_installed(name) &&
	       module_is_installed("pmon") && module_is_installed("pmon_plr");
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
	char *path = module_file(name);

	if (path)
		return module_run("insmod", path, parameter);
	return complain("%s: no such module in modules.dep of this kernel; install openpmon for "
			"it, or run depmod", name);
}
