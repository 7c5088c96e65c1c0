// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of this host that load modules: found where hosts have them and
 * nowhere else, run without a shell, and with none of the caller's environment,
 * in which MODPROBE_OPTIONS, for one, would change what they do.
 */
#include "programs.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "output.h"
#include "files.h"

#define DIRS "/usr/sbin:/usr/bin:/sbin:/bin"

bool programs_allowed(void)
{
	return root_is_real();
}

/* The words are not changed, whatever posix_spawn()'s prototype says. */
static int start(pid_t *pid, const char *const words[])
{
	static const char *const environment[] = { "PATH=" DIRS, NULL };
	const char *dir = DIRS;
	int error = ENOENT;

	while (error == ENOENT && *dir) {
		int len = (int)strcspn(dir, ":");
		struct text path = { NULL, 0 };

		text_add(&path, "%.*s/%s", len, dir, words[0]);
		error = posix_spawn(pid, path.s, NULL, NULL, (char **)words,
				    (char **)environment);
		text_free(&path);
		dir += len + (dir[len] == ':');
	}
	return error;
}

bool program_run(const char *const words[])
{
	int error, status;
	pid_t pid;

	if (!programs_allowed()) {
		complain("%s %s: not run, since --sysroot is about files only; "
			 "do this on the host itself", words[0], words[1]);
		return false;
	}
	fflush(NULL);
	/* Where it is ignored, as a caller may have it, there is no status. */
	signal(SIGCHLD, SIG_DFL);
	error = start(&pid, words);
	if (error) {
		complain("%s: cannot be run: %s; it is looked for in " DIRS,
			 words[0], strerror(error));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
