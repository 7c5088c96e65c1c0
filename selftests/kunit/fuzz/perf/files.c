// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and writes every file of ours, as anybody: what the class, the PMUs,
 * the CPUs and the modules have, and our tracepoint. Files are kept open, too,
 * and read when what they belong to has gone.
 */
#include <poll.h>
#include <sys/stat.h>

#include "fuzz.h"

#define KEPT		8
#define FIRST_KEPT	300
#define PATH		320
#define DEPTH		4

/* Where our files begin, and how many of a hundred begin there. */
static const struct {
	unsigned int share;
	const char *pattern;
} roots[] = {
	{ 50, "/sys/class/pmon/*/." },
	{ 5, PMUS "/plr/." },
	{ 20, PMUS "/uncore_*/." },
	{ 8, CPUS "/cpu*/plr/." },
	{ 5, "/sys/module/{pmon,pmon_uncore,pmon_plr}" },
	{ 12, "/sys/kernel/tracing/events/pmon" },
};

/* What may be written to files of these names, and is understood there. */
static const struct {
	const char *name;
	const char *value[16];
} values[] = {
	{ "interval_ms", { "0", "0", "1", "10", "100", "1000", "3600000",
			   "4294967296", "-1", "x", "" } },
	{ "gate", { "all", "none", "POWER", "THERMAL MISC", "POWER_FAST_RAPL", "x", "" } },
	{ "clear", { "all", "all", "THERMAL", "POWER THERMAL", "RSVD_FINE31",
		     "NOTHING", "", "all all all" } },
	{ "enable", { "0", "1", "0", "1", "2", "" } },
	{ "filter", { "0", "package == 0", "coarse & 4 || fine > 1",
		      "scope == \"die\"", "new_names ~ \"*POWER*\"", "(((",
		      "nothing == 1", "common_pid > 0" } },
	{ "trigger", { "hist:keys=package,module:vals=coarse",
		       "!hist:keys=package,module:vals=coarse",
		       "hist:keys=common_pid.execname:pause",
		       "!hist:keys=common_pid.execname", "stacktrace:5",
		       "!stacktrace:5", "traceon if coarse > 0", "!traceon",
		       "hist:keys=names:size=256:clear", "!hist:keys=names",
		       "nothing", "enable_event:pmon:plr_reasons:1",
		       "!enable_event:pmon:plr_reasons:1" } },
	{ "uevent", { "add", "change", "remove", "nothing", "add 1-2-3 A=B" } },
	{ "control", { "auto", "on", "off" } },
	{ "async", { "enabled", "disabled" } },
	{ "autosuspend_delay_ms", { "0", "-1", "1000" } },
};

static bool is_directory(const char *path)
{
	struct stat s;

	return !lstat(path, &s) && S_ISDIR(s.st_mode);
}

/* Down to some file; links lead to what is not ours. */
static bool random_file(char *path)
{
	unsigned int n = below(100), i, depth;

	for (i = 0; n >= roots[i].share; i++)
		n -= roots[i].share;
	if (i == ARRAY_SIZE(roots) - 1 && switched_off("tracing"))
		return false;
	if (!random_path(path, PATH - 2, roots[i].pattern))
		return false;
	for (depth = 0; depth < DEPTH && is_directory(path); depth++) {
		strcat(path, "/*");
		if (!random_path(path, PATH - 2, path))
			return false;
	}
	return depth < DEPTH;
}

static const char *last_part(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool hands_off(const char *path)
{
	const char *name = last_part(path);
	struct utsname kernel;
	struct stat s;

	if (lstat(path, &s) || !S_ISREG(s.st_mode))
		return true;
	uname(&kernel);
	/* 6.1 itself goes on reading a tracepoint's fields when its module goes. */
	return (!strcmp(name, "format") && strstr(path, "/tracing/") &&
		!strncmp(kernel.release, "6.1.", 4)) ||
	       (!strcmp(name, "trigger") && switched_off("trigger")) ||
	       !strcmp(name, "perf_event_mux_interval_ms");
}

static size_t random_value(const char *path, char *text, size_t size)
{
	const char *name = last_part(path);
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		if (strcmp(name, values[i].name) || odds(10))
			continue;
		for (n = 0; n < 16 && values[i].value[n]; n++)
			;
		return snprintf(text, size, "%s%s", values[i].value[below(n)],
				odds(50) ? "\n" : "");
	}
	n = below(odds(90) ? 24 : size);
	for (i = 0; i < n; i++)
		text[i] = odds(50) ? '0' + below(10) : any_number();
	return n;
}

/* Some to a number that says nothing about the file; what was there is closed. */
static void keep(int fd, unsigned int percent)
{
	if (odds(percent))
		dup3(fd, FIRST_KEPT + below(KEPT), O_CLOEXEC);
	close(fd);
}

static long read_file(int fd)
{
	char data[8192];
	size_t size = 1 + below(odds(70) ? 8192 : 16);
	struct pollfd p = { fd, POLLPRI, 0 };
	void *map;

	switch (below(10)) {
	case 0:
		return pread(fd, data, size, odd_number() >> 1);
	case 1:
		if (read(fd, data, size) < 0)
			return -1;
		poll(&p, 1, below(5));
		return pread(fd, data, size, 0);
	case 2:
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		return map == MAP_FAILED ? -1 : munmap(map, 4096);
	default:
		return read(fd, data, size);
	}
}

static long op_read_file(void)
{
	char path[PATH];
	long ret;
	int fd;

	if (!random_file(path) || hands_off(path))
		return -1;
	doing("read %s", path);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = read_file(fd);
	keep(fd, 20);
	return ret;
}

/* Nothing of ours is writable for everybody. */
static long op_write_file(void)
{
	char path[PATH], text[4096];
	size_t size;
	long ret;
	int fd;

	if (!random_file(path) || hands_off(path))
		return -1;
	size = random_value(path, text, sizeof(text) - 2);
	text[size] = 0;
	doing("write %.80s to %s", text, path);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (me.record->worker->uid)
		tap(false, "uid %u may write to %s", getuid(), path);
	ret = write(fd, text, size);
	keep(fd, 10);
	return ret;
}

static long op_kept(void)
{
	int fd = FIRST_KEPT + below(KEPT);

	doing("kept file %d", fd);
	switch (below(5)) {
	case 0:
		return close(fd);
	case 1:
		return write(fd, "0\n", 2);
	case 2:
		lseek(fd, 0, SEEK_SET);
		/* fall through */
	default:
		return read_file(fd);
	}
}

struct op file_ops[] = {
	{ "read-file", 40, op_read_file }, { "write-file", 25, op_write_file },
	{ "kept-file", 15, op_kept },
	{ }
};
