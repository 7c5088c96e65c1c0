// SPDX-License-Identifier: GPL-2.0-only
/*
 * rights ACTOR [TIMES]: try the commands of standard input with the rights of
 * an actor, in a guest. ACTOR is root; container (root without capabilities);
 * or one of five with uid 65534: sysadmin, perfmon or module (with that
 * capability alone), group (in group 7), or everybody. Commands:
 *
 *	event TYPE CONFIG cpu=N|task[,user][,raw]
 *	read FILE
 *	show FILE
 *	write FILE TEXT
 *	load MODULE
 *
 * "user" excludes kernel code; "raw" samples the tracepoint's data. Prints each
 * line with its result: "yes", for "show" the first line of the file, or the
 * name of the error. With TIMES each command is tried TIMES times, and the last
 * result is printed.
 */
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include "../../guest/guest.h"

#define NOBODY		65534
#define GROUP		7
#ifndef CAP_PERFMON
#define CAP_PERFMON	38
#endif

static const struct {
	const char *name;
	int capability;
	bool group;
} actors[] = {
	{ "sysadmin", CAP_SYS_ADMIN, false },
	{ "perfmon", CAP_PERFMON, false },
	{ "module", CAP_SYS_MODULE, false },
	{ "group", -1, true },
	{ "everybody", -1, false },
};

#define ACTORS	(sizeof(actors) / sizeof(actors[0]))

static int keep(int capability)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { };

	if (capability >= 0) {
		data[capability / 32].permitted = 1u << capability % 32;
		data[capability / 32].effective = 1u << capability % 32;
	}
	return syscall(SYS_capset, &head, data);
}

static bool become(const char *name)
{
	const gid_t group = GROUP;
	size_t i = 0;

	if (!strcmp(name, "root"))
		return true;
	if (!strcmp(name, "container"))
		return !keep(-1);
	while (i < ACTORS && strcmp(name, actors[i].name))
		i++;
	return i < ACTORS && !prctl(PR_SET_KEEPCAPS, 1) &&
	       !setgroups(actors[i].group, &group) && !setgid(NOBODY) &&
	       !setuid(NOBODY) && !prctl(PR_SET_KEEPCAPS, 0) &&
	       !keep(actors[i].capability);
}

static int try_event(const char *how)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	unsigned long long config;
	int fd, type, cpu = -1;
	char where[64];

	if (sscanf(how, "%d %lli %63s", &type, &config, where) != 3)
		exit(64);
	attr.type = type;
	attr.config = config;
	attr.exclude_kernel = !!strstr(where, ",user");
	attr.exclude_hv = attr.exclude_kernel;
	if (strstr(where, ",raw")) {
		attr.sample_type = PERF_SAMPLE_RAW;
		attr.sample_period = 1;
	}
	if (sscanf(where, "cpu=%d", &cpu) != 1 && strncmp(where, "task", 4))
		exit(64);
	fd = syscall(SYS_perf_event_open, &attr, cpu < 0 ? 0 : -1, cpu, -1, 0);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* First line of the last file that was read. */
static char shown[4096];

static int try_read(const char *path)
{
	return read_text(shown, sizeof(shown), "%s", path) ? 0 : errno;
}

static int try_write(char *path)
{
	char *text = strchr(path, ' ');
	int err;

	if (!text)
		exit(64);
	*text = '\0';
	err = write_text(text + 1, "%s", path) ? 0 : errno;
	*text = ' ';
	return err;
}

static int try_load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	return syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
}

static bool is_shown(const char *line)
{
	return !strncmp(line, "show ", 5);
}

static int try(char *line)
{
	char *what = strchr(line, ' ') + 1;

	if (!strncmp(line, "event ", 6))
		return try_event(what);
	if (!strncmp(line, "read ", 5) || is_shown(line))
		return try_read(what);
	if (!strncmp(line, "write ", 6))
		return try_write(what);
	if (!strncmp(line, "load ", 5))
		return try_load(what);
	exit(64);
}

int main(int argc, char **argv)
{
	int times = argc > 2 ? atoi(argv[2]) : 1, i, err = 0;
	char line[512];

	if (argc < 2 || !become(argv[1]))
		return 64;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		for (i = 0; i < times; i++)
			err = try(line);
		printf("%s %s\n", line, err ? strerrorname_np(err) :
		       is_shown(line) ? shown : "yes");
	}
	return 0;
}
