/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Helpers for programs in guests: small files, time, PMUs, the emulator's
 * bench.
 */
#ifndef GUEST_H
#define GUEST_H

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define PMUS		"/sys/bus/event_source/devices"
#define CPUS		"/sys/devices/system/cpu"
#define SNAPSHOT	(1ull << 63)	/* config2 of a group's leader */
#define BENCH		"/run/bench/resource0"
#define BENCH_BYTES	0x100000
#define BENCH_RUN	0x08
#define BENCH_LENGTH	0x10
#define BENCH_TEXT	0x1000

/* End with a message about @what and errno. */
static inline void die(const char *what)
{
	perror(what);
	exit(1);
}

/*
 * Open the file whose name @fmt and @args give. Avoid FILE streams, because
 * some callers fork while threads run.
 */
static inline int guest_open(int flags, const char *fmt, va_list args)
{
	char path[320];

	vsnprintf(path, sizeof(path), fmt, args);
	return open(path, flags | O_CLOEXEC);
}

/* Read a file, as much of it as one read returns. */
__attribute__((format(printf, 3, 4)))
static inline bool read_lines(char *text, size_t size, const char *fmt, ...)
{
	va_list args;
	ssize_t n;
	int fd;

	va_start(args, fmt);
	fd = guest_open(O_RDONLY, fmt, args);
	va_end(args);
	n = fd < 0 ? -1 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	return n >= 0;
}

static inline bool first_line(char *text, bool good)
{
	text[strcspn(text, "\n")] = 0;
	return good;
}

/* Read only the first line of a file, without the newline. */
#define read_text(text, size, ...)	first_line(text, read_lines(text, size, __VA_ARGS__))

__attribute__((format(printf, 2, 3)))
static inline bool write_text(const char *text, const char *fmt, ...)
{
	va_list args;
	bool good;
	int fd;

	va_start(args, fmt);
	fd = guest_open(O_WRONLY, fmt, args);
	va_end(args);
	good = fd >= 0 && write(fd, text, strlen(text)) >= 0;
	if (fd >= 0)
		close(fd);
	return good;
}

static inline void nap_us(unsigned long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Return a PMU's type; -1 and ENODEV if there is no such PMU. */
static inline int pmu_type(const char *pmu)
{
	char text[16];

	if (read_text(text, sizeof(text), PMUS "/%s/type", pmu))
		return atoi(text);
	errno = ENODEV;
	return -1;
}

/* Return a PMU's type; end the program if there is no such PMU. */
static inline unsigned int pmu_type_or_end(const char *pmu)
{
	int type = pmu_type(pmu);

	if (type < 0) {
		fprintf(stderr, "there is no PMU %s\n", pmu);
		exit(1);
	}
	return type;
}

static inline int event_on(struct perf_event_attr *attr, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, -1, cpu, group, 0);
}

/* Run only on this CPU; on any if it is negative. Fails if the CPU is offline. */
static inline bool pin(int cpu)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	for (i = 0; i < CPU_SETSIZE; i++)
		if (cpu < 0 || i == cpu)
			CPU_SET(i, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

static inline bool cpu_is_online(int cpu)
{
	char text[8];

	return !read_text(text, sizeof(text), CPUS "/cpu%d/online", cpu) || *text == '1';
}

static inline bool cpu_set_online(int cpu, bool online)
{
	return write_text(online ? "1" : "0", CPUS "/cpu%d/online", cpu);
}

/* Get memory, all 0, that children of this process share. */
static inline void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	return memory;
}

/* Load a module of this project. */
static inline int module_load(const char *module, const char *parameters)
{
	struct utsname name;
	char path[256];
	int fd, ret;

	uname(&name);
	snprintf(path, sizeof(path), "/lib/modules/%s/updates/%s.ko", name.release, module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = syscall(SYS_finit_module, fd, parameters, 0);
	close(fd);
	return ret;
}

/*
 * Run a command of hw/hw.c in this process; the answer is cut to @size. Return
 * false if there is no bench or the answer is an error.
 */
static inline bool bench(const char *command, char *answer, size_t size)
{
	static volatile char *bar;
	static int fd = -1;
	static pid_t owner;
	uint32_t length;

	/* After fork() the lock needs an open file of this process. */
	if (!bar || owner != getpid()) {
		owner = getpid();
		fd = open(BENCH, O_RDWR | O_SYNC | O_CLOEXEC);
		bar = mmap(NULL, BENCH_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (bar == MAP_FAILED) {
			bar = NULL;
			snprintf(answer, size, "error: %s: %s\n", BENCH, strerror(errno));
			return false;
		}
	}
	flock(fd, LOCK_EX);
	memcpy((char *)bar + BENCH_TEXT, command, strlen(command) + 1);
	*(volatile uint32_t *)(bar + BENCH_RUN) = strlen(command);
	length = *(volatile uint32_t *)(bar + BENCH_LENGTH);
	if (length >= size)
		length = size - 1;
	memcpy(answer, (const char *)bar + BENCH_TEXT, length);
	flock(fd, LOCK_UN);
	answer[length] = 0;
	return strncmp(answer, "error:", 6);
}

/* Run a command of hw/hw.c; the answer is valid until the next command. */
__attribute__((format(printf, 1, 2)))
static inline char *ask(const char *fmt, ...)
{
	static char answer[BENCH_BYTES];
	char command[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	if (!bench(command, answer, sizeof(answer))) {
		fputs(answer, stderr);
		exit(2);
	}
	return answer;
}

#endif /* GUEST_H */
