// SPDX-License-Identifier: GPL-2.0-only
/*
 * The only program of the sparc64 guest: run the tests in case= of the kernel's
 * command line (names of tests[], or "kunit:" and the modules of suites), print
 * TAP or KTAP and the kernel's log, and power off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "guest.h"

#define HV "/sys/kernel/debug/fakehv/"

static unsigned int checks, bad;

void check(bool good, const char *fmt, ...)
{
	va_list args;

	bad += !good;
	printf("%sok %u - ", good ? "" : "not ", ++checks);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
}

void is(uint64_t got, uint64_t want, const char *fmt, ...)
{
	char what[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	check(got == want, "%s", what);
	if (got != want)
		printf("#   got:  %" PRIu64 "\n#   want: %" PRIu64 "\n", got,
		       want);
}

int load(const char *module, const char *parameters)
{
	char path[64];
	int fd, ret;

	snprintf(path, sizeof(path), "/%s.ko", module);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return errno;
	ret = syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return ret;
}

/* Unload a module, which closed events may still hold for a moment. */
int unload(const char *module)
{
	unsigned int tries = 100;

	while (syscall(SYS_delete_module, module, O_NONBLOCK)) {
		if (errno != EWOULDBLOCK || !--tries)
			return errno;
		wait_ms(20);
	}
	return 0;
}

/* Before Linux 6.2 perf keeps every PMU for ever, so pmon stays loaded. */
static bool engine_stays(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	return !uname(&name) &&
	       sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major < 6 || (major == 6 && minor < 2));
}

void load_engine(void)
{
	int ret = load("pmon", "");

	is(engine_stays() && ret == EEXIST ? 0 : ret, 0, "pmon loads");
}

void unload_engine(void)
{
	int ret = unload("pmon");

	is(engine_stays() && ret == EAGAIN ? 0 : ret, 0, "pmon unloads");
}

void load_ours(void)
{
	load_engine();
	is(load("pmon_vfalls", ""), 0, "the driver loads");
}

void unload_ours(void)
{
	is(unload("pmon_vfalls"), 0, "the driver unloads");
	unload_engine();
}

const char *line_of(const char *path)
{
	static char text[256];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return text;
}

bool exists(const char *path)
{
	return !access(path, F_OK);
}

unsigned int pmus(const char *prefix)
{
	DIR *dir = opendir(PMUS);
	struct dirent *entry;
	unsigned int n = 0;

	while (dir && (entry = readdir(dir)))
		n += !strncmp(entry->d_name, prefix, strlen(prefix));
	if (dir)
		closedir(dir);
	return n;
}

void hv(const char *fmt, ...)
{
	int fd = open(HV "do", O_WRONLY);
	char command[64];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	if (write(fd, command, n) != n)
		check(false, "the fake hypervisor does not know: %s", command);
	close(fd);
}

uint64_t hv_says(unsigned int column, const char *fmt, ...)
{
	FILE *file = fopen(HV "state", "r");
	char word[32], line[128], name[32], value[2][64];
	uint64_t found = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(word, sizeof(word), fmt, args);
	va_end(args);
	while (file && fgets(line, sizeof(line), file)) {
		value[1][0] = '\0';
		if (sscanf(line, "%31s %63s %63s", name, value[0], value[1]) > 1 &&
		    !strcmp(name, word))
			found = strtoull(value[column], NULL, 0);
	}
	if (file)
		fclose(file);
	return found;
}

int event(const char *pmu, uint64_t config, int group)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), PMUS "%s/type", pmu);
	attr.type = strtoul(line_of(path), NULL, 10);
	if (!attr.type)
		return -ENOENT;
	attr.config = config;
	attr.disabled = group < 0;
	attr.read_format = group < 0 ? PERF_FORMAT_GROUP : 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, group, 0);
	return fd < 0 ? -errno : fd;
}

void on(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void off(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

uint64_t count(int fd)
{
	uint64_t values[3] = { 0, ~0ULL, 0 };

	return read(fd, values, sizeof(values)) < 16 ? ~0ULL : values[1];
}

void count_both(int fd, uint64_t *counts)
{
	uint64_t values[3] = { };

	if (read(fd, values, sizeof(values)) != sizeof(values))
		check(false, "a group of two is read");
	counts[0] = values[1];
	counts[1] = values[2];
}

void wait_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void print_file(const char *path)
{
	char line[256];
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof(line), file))
		fputs(line, stdout);
	if (file)
		fclose(file);
}

/* Load the suites and print their results, as selftests/kunit/guest.sh does. */
static void run_suites(char *modules)
{
	char path[320], *name, *rest = modules;
	struct dirent *entry;
	DIR *dir;

	if (load("kunit", ""))
		bad++;
	while ((name = strsep(&rest, ","))) {
		printf("# suites of %s\n", name);
		if (load(name, ""))
			bad++;
		dir = opendir("/sys/kernel/debug/kunit");
		while (dir && (entry = readdir(dir))) {
			snprintf(path, sizeof(path),
				 "/sys/kernel/debug/kunit/%s/results",
				 entry->d_name);
			if (entry->d_name[0] != '.')
				print_file(path);
		}
		if (dir)
			closedir(dir);
		if (unload(name))
			bad++;
	}
}

static void run_test(const char *name)
{
	const struct test *test;

	checks = 0;
	printf("# test %s\n", name);
	for (test = tests; test->name; test++)
		if (!strcmp(test->name, name))
			break;
	is(load("fakehv", ""), 0, "the fake hypervisor loads");
	if (test->name)
		test->run();
	else
		check(false, "the program has a test %s", name);
	is(hv_says(0, "illegal"), 0, "the driver makes no illegal call");
	if (!test->stays)
		is(unload("fakehv"), 0, "the fake hypervisor unloads");
	printf("1..%u\n", checks);
}

static char *kernel_log(void)
{
	static char text[1 << 18];
	int n = klogctl(3, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

bool logged(const char *text)
{
	return strstr(kernel_log(), text);
}

static void print_log(void)
{
	char *line, *rest = kernel_log();

	while ((line = strsep(&rest, "\n")))
		if (*line)
			printf("LOG %s\n", line);
}

/* Run each test, print the kernel's log, and clear this log for the next test. */
static void run_tests(char *names)
{
	char *name;

	while ((name = strsep(&names, ","))) {
		run_test(name);
		print_log();
		klogctl(5, NULL, 0);
	}
}

static void find_case(char *name, size_t size)
{
	char line[1024] = "", *at;
	int fd = open("/proc/cmdline", O_RDONLY);

	if (read(fd, line, sizeof(line) - 1) < 0)
		line[0] = '\0';
	close(fd);
	at = strstr(line, "case=");
	snprintf(name, size, "%s", at ? at + 5 : "");
	for (at = name; *at > ' '; at++)
		;
	*at = '\0';
}

int main(void)
{
	char name[512];
	int fd;

	mkdir("/proc", 0755);
	mkdir("/sys", 0755);
	mkdir("/dev", 0755);
	mount("proc", "/proc", "proc", 0, "");
	mount("sysfs", "/sys", "sysfs", 0, "");
	mount("devtmpfs", "/dev", "devtmpfs", 0, "");
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, "");
	fd = open("/dev/console", O_RDWR);
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
	setvbuf(stdout, NULL, _IOLBF, 0);

	printf("BEGIN\n");
	find_case(name, sizeof(name));
	if (!strncmp(name, "kunit:", 6))
		run_suites(name + 6);
	else
		run_tests(name);
	print_log();
	printf("END %u\n", bad);
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
