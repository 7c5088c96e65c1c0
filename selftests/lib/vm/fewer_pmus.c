// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hide PMUs from the perf of the tests, into which selftests/lib/build/perf links
 * this file. Before opening an event `perf stat` reads all files of all PMUs, which
 * takes most of the time of a test in an emulated guest. So readdir() returns only
 * PMUs that the command's events can name.
 *
 * It returns all PMUs for metrics, wildcards, events without a PMU (except some
 * software events), commands other than stat, and if PERF_ALL_PMUS is set.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 64

DIR *__real_opendir(const char *path);
DIR *__real_fdopendir(int fd);
int __real_closedir(DIR *dir);
struct dirent *__real_readdir(DIR *dir);
struct dirent64 *__real_readdir64(DIR *dir);

/* PMU names, or prefixes of names, in the events; if @count is 0, hide none. */
static struct {
	char prefix[MOST][NAME_MAX + 1];
	int count;
	bool judged;
} events;

/* The open directory of the PMUs, or NULL. */
static DIR *pmus;

/* True for some software events, which need no PMU of a module. */
static bool is_software(const char *name, size_t length)
{
	static const char *const names[] = {
		"cpu-clock", "task-clock", "context-switches", "dummy",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == length && !strncmp(names[i], name, length))
			return true;
	return false;
}

/* Add the PMU of one event; returns false if the event may be of any PMU. */
static bool add_event(const char *event, size_t length)
{
	size_t name = strcspn(event, "/");

	if (name >= length)
		return is_software(event, strcspn(event, ":,}"));
	if (!name || name > NAME_MAX || events.count == MOST ||
	    strcspn(event, "*?[") < name)
		return false;
	memcpy(events.prefix[events.count], event, name);
	events.prefix[events.count++][name] = '\0';
	return true;
}

/* Add the PMUs of an event list such as "{a/x,y/,b/z/}:S,cpu-clock". */
static bool add_events(const char *list)
{
	while (*list) {
		bool inside = false;
		size_t length;

		list += strspn(list, "\n{, ");
		for (length = 0; list[length]; length++) {
			if (list[length] == '/')
				inside = !inside;
			else if (!inside && strchr(",}", list[length]))
				break;
		}
		if (length && !add_event(list, length))
			return false;
		list += length;
		if (*list == '}')
			list += strcspn(list, ",");
	}
	return true;
}

/* Add the PMUs of a command; returns false if its events may be of any PMU. */
static bool judge(char *const *argument, char *const *end)
{
	if (getenv("PERF_ALL_PMUS") || end - argument < 2 ||
	    strcmp(argument[1], "stat"))
		return false;
	for (argument += 2; argument < end && strcmp(*argument, "--"); argument++) {
		const char *text = *argument;

		if (!strncmp(text, "-M", 2) || !strncmp(text, "--metric", 8) ||
		    !strncmp(text, "--iostat", 8) || !strncmp(text, "--event", 7))
			return false;
		if (strncmp(text, "-e", 2))
			continue;
		text = text[2] || argument + 1 == end ? text + 2 : *++argument;
		if (!add_events(text))
			return false;
	}
	return true;
}

static void judge_command(void)
{
	static char line[65536];
	static char *argument[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = 0, got, i;
	int count = 0;

	events.judged = true;
	while (fd >= 0 && (got = read(fd, line + length,
				      sizeof(line) - 1 - length)) > 0)
		length += got;
	if (fd >= 0)
		close(fd);
	if (length == sizeof(line) - 1)
		return;
	for (i = 0; i < length && count < 4095; i += strlen(line + i) + 1)
		argument[count++] = line + i;
	if (i < length || !judge(argument, argument + count))
		events.count = 0;
}

static bool is_wanted(const char *name)
{
	int i;

	for (i = 0; i < events.count; i++)
		if (!strncmp(name, events.prefix[i], strlen(events.prefix[i])) ||
		    (!strncmp(name, "uncore_", 7) &&
		     !strncmp(name + 7, events.prefix[i],
			      strlen(events.prefix[i]))))
			return true;
	return false;
}

/* True if an event names the PMU by its alias. */
static bool has_wanted_alias(const char *name)
{
	char path[PATH_MAX], alias[NAME_MAX + 1] = "";
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path),
		 "/sys/bus/event_source/devices/%s/alias", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, alias, sizeof(alias) - 1);
	close(fd);
	return got > 0 && is_wanted(alias);
}

static bool is_hidden(const char *name)
{
	if (!events.count || *name == '.' || !strncmp(name, "cpu", 3) ||
	    !strcmp(name, "software"))
		return false;
	return !is_wanted(name) && !has_wanted_alias(name);
}

static DIR *note(DIR *dir, const char *path)
{
	static const char end[] = "/bus/event_source/devices";
	size_t length = strlen(path);

	while (length && path[length - 1] == '/')
		length--;
	if (!dir || length < sizeof(end) - 1 ||
	    strncmp(path + length - (sizeof(end) - 1), end, sizeof(end) - 1))
		return dir;
	if (!events.judged)
		judge_command();
	pmus = dir;
	return dir;
}

DIR *__wrap_opendir(const char *path)
{
	return note(__real_opendir(path), path);
}

DIR *__wrap_fdopendir(int fd)
{
	char link[32], path[PATH_MAX] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0)
		*path = '\0';
	return note(__real_fdopendir(fd), path);
}

int __wrap_closedir(DIR *dir)
{
	if (dir == pmus)
		pmus = NULL;
	return __real_closedir(dir);
}

struct dirent *__wrap_readdir(DIR *dir)
{
	struct dirent *entry;

	do
		entry = __real_readdir(dir);
	while (entry && dir == pmus && is_hidden(entry->d_name));
	return entry;
}

struct dirent64 *__wrap_readdir64(DIR *dir)
{
	struct dirent64 *entry;

	do
		entry = __real_readdir64(dir);
	while (entry && dir == pmus && is_hidden(entry->d_name));
	return entry;
}
