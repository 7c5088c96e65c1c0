// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads and writes every file of ours, as anybody: what the class, the PMUs,
 * the CPUs and the modules have, and our tracepoint. Files are kept open, too,
 * and read when what they belong to has gone.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

#define TRACING		"/sys/kernel/tracing/events/pmon"
#define MUX		"perf_event_mux_interval_ms"
#define KEPT		8
#define FIRST_KEPT	300
#define PATH		320
#define DEPTH		4

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

static bool is_directory(const char *path, bool follow)
{
	struct stat s;

	return !(follow ? stat(path, &s) : lstat(path, &s)) &&
	       S_ISDIR(s.st_mode);
}

/* Where our files begin. */
static void root(struct me *me, char *path)
{
	static const char *const modules[] = { "pmon", "pmon_uncore",
					       "pmon_plr" };
	unsigned int n = rng_below(&me->rng, 100);
	const struct pmu *pmu;
	char name[64];

	path[0] = 0;
	if (n < 50 && random_name(&me->rng, "/sys/class/pmon", NULL, name, sizeof(name))) {
		snprintf(path, PATH, "/sys/class/pmon/%s", name);
	} else if (n < 75) {
		pmu = pmus_pick(&me->pmus, &me->rng, true);
		if (pmu)
			snprintf(path, PATH, PMUS "/%s", pmu->name);
	} else if (n < 83) {
		snprintf(path, PATH, "/sys/devices/system/cpu/cpu%u/plr",
			 (unsigned int)rng_below(&me->rng, 8));
	} else if (n < 88) {
		snprintf(path, PATH, "/sys/module/%s", PICK(&me->rng, modules));
	} else if (!switched_off("tracing")) {
		snprintf(path, PATH, TRACING);
	}
}

/* Down to some file; links lead to what is not ours. */
static bool random_file(struct me *me, char *path)
{
	unsigned int depth;
	char name[64];
	size_t n;

	root(me, path);
	if (!is_directory(path, true))
		return false;
	for (depth = 0; depth < DEPTH; depth++) {
		n = strlen(path);
		if (!random_name(&me->rng, path, NULL, name, sizeof(name)))
			return false;
		snprintf(path + n, PATH - n, "/%s", name);
		if (!is_directory(path, false))
			break;
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
	struct stat s;

	if (lstat(path, &s) || !S_ISREG(s.st_mode))
		return true;
	/* 6.1 itself goes on reading a tracepoint's fields when its module goes. */
	return (!strcmp(name, "format") && strstr(path, "/tracing/") &&
		kernel_is("6.1.")) ||
	       (!strcmp(name, "trigger") && switched_off("trigger")) ||
	       !strcmp(name, MUX);
}

static size_t random_value(struct me *me, const char *path, char *text,
			   size_t size)
{
	const char *name = last_part(path);
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(values); i++) {
		if (strcmp(name, values[i].name) || rng_odds(&me->rng, 10))
			continue;
		for (n = 0; n < 16 && values[i].value[n]; n++)
			;
		n = rng_below(&me->rng, n);
		return snprintf(text, size, "%s%s", values[i].value[n],
				rng_odds(&me->rng, 50) ? "\n" : "");
	}
	n = rng_below(&me->rng, rng_odds(&me->rng, 90) ? 24 : size);
	for (i = 0; i < n; i++)
		text[i] = rng_odds(&me->rng, 50) ? '0' + rng_below(&me->rng, 10) :
			  rng_next(&me->rng);
	return n;
}

/* To a number that says nothing about the file; what was there is closed. */
static void keep(struct me *me, int fd)
{
	dup3(fd, FIRST_KEPT + rng_below(&me->rng, KEPT), O_CLOEXEC);
}

static long read_file(struct me *me, int fd)
{
	char data[8192];
	size_t size = 1 + rng_below(&me->rng, rng_odds(&me->rng, 70) ? 8192 : 16);
	struct pollfd p = { fd, POLLPRI, 0 };
	void *map;

	switch (rng_below(&me->rng, 10)) {
	case 0:
		return pread(fd, data, size, rng_odd_number(&me->rng) >> 1);
	case 1:
		if (read(fd, data, size) < 0)
			return -1;
		poll(&p, 1, rng_below(&me->rng, 5));
		return pread(fd, data, size, 0);
	case 2:
		map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		if (map == MAP_FAILED)
			return -1;
		return munmap(map, 4096);
	default:
		return read(fd, data, size);
	}
}

static bool op_read_file(struct me *me)
{
	char path[PATH];
	long ret;
	int fd;

	if (!random_file(me, path) || hands_off(path))
		return false;
	doing(me, "read %s", path);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return did(me, -1);
	ret = read_file(me, fd);
	if (rng_odds(&me->rng, 20))
		keep(me, fd);
	close(fd);
	return did(me, ret);
}

/* Nothing of ours is writable for everybody. */
static bool op_write_file(struct me *me)
{
	char path[PATH], text[4096];
	size_t size;
	long ret;
	int fd;

	if (!random_file(me, path) || hands_off(path))
		return false;
	size = random_value(me, path, text, sizeof(text) - 2);
	text[size] = 0;
	doing(me, "write %.80s to %s", text, path);
	fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return did(me, -1);
	if (me->worker->uid)
		finding("uid %u may write to %.100s", me->worker->uid, path);
	ret = write(fd, text, size);
	if (rng_odds(&me->rng, 10))
		keep(me, fd);
	close(fd);
	return did(me, ret);
}

static bool op_kept(struct me *me)
{
	int fd = FIRST_KEPT + rng_below(&me->rng, KEPT);

	doing(me, "kept file %d", fd);
	switch (rng_below(&me->rng, 5)) {
	case 0:
		return did(me, close(fd));
	case 1:
		return did(me, write(fd, "0\n", 2));
	case 2:
		lseek(fd, 0, SEEK_SET);
		/* fall through */
	default:
		return did(me, read_file(me, fd));
	}
}

struct op file_ops[] = {
	{ "read-file", 40, op_read_file }, { "write-file", 25, op_write_file },
	{ "kept-file", 15, op_kept },
	{ }
};
