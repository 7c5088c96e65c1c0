// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel modules, by the programs that every host has for them.
 *
 * rmmod and not modprobe -r, which takes the modules with it that the module
 * asked for: intel_vsec, for instance, which others may need.
 */
#include "modules.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "sysfs.h"

extern char **environ;

static bool exists(const char *name, const char *file)
{
	struct text path = { NULL, 0 };
	bool there;

	text_add(&path, "/sys/module/%s%s", name, file);
	there = sysfs_exists(path.s);
	text_free(&path);
	return there;
}

enum module_state module_state(const char *name)
{
	if (!exists(name, ""))
		return MODULE_ABSENT;
	return exists(name, "/initstate") ? MODULE_LOADED : MODULE_BUILT_IN;
}

long module_users(const char *name)
{
	long users = sysfs_read_long("/sys/module/%s/refcnt", name);

	return users < 0 ? 0 : users;
}

/* With --sysroot the programs are of there, too; this kernel is left alone. */
static char *program(const char *name)
{
	return sysfs_is_real() ? xstrdup(name) : sysfs_path("/sbin/%s", name);
}

/* The words are not changed, whatever posix_spawn()'s prototype says. */
static bool run(const char *const words[])
{
	char *path = program(words[0]);
	int error, status;
	pid_t pid;

	fflush(NULL);
	error = posix_spawnp(&pid, path, NULL, NULL, (char **)words, environ);
	free(path);
	if (error) {
		complain("%s: cannot be run: %s", words[0], strerror(error));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

bool module_load(const char *name)
{
	const char *words[] = { "modprobe", name, NULL };

	return run(words);
}

bool module_remove(const char *name)
{
	const char *words[] = { "rmmod", name, NULL };

	return run(words);
}

char *module_file(const char *name)
{
	struct text command = { NULL, 0 };
	char line[4096], *path = NULL, *modinfo = program("modinfo");
	FILE *pipe;

	/* Names are ours, and plain words. */
	text_add(&command, "\"%s\" -n %s 2>/dev/null", modinfo, name);
	pipe = popen(command.s, "re");
	text_free(&command);
	free(modinfo);
	if (!pipe)
		return NULL;
	if (fgets(line, sizeof(line), pipe)) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '/')
			path = xstrdup(line);
	}
	pclose(pipe);
	return path;
}

bool module_insert(const char *name, const char *parameter)
{
	char *path = module_file(name);
	const char *words[] = { "insmod", path, parameter, NULL };
	bool good = path && run(words);

	free(path);
	return good;
}
