// SPDX-License-Identifier: GPL-2.0-only
/* Small files, and time. Without stdio: threads fork here. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "fuzz.h"

/* The first line only, without its end. */
bool read_text(char *text, size_t size, const char *fmt, ...)
{
	char path[320];
	va_list args;
	ssize_t n;
	int fd;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	text[0] = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	text[strcspn(text, "\n")] = 0;
	return n >= 0;
}

bool write_text(const char *text, const char *fmt, ...)
{
	char path[320];
	va_list args;
	ssize_t n;
	int fd;

	va_start(args, fmt);
	vsnprintf(path, sizeof(path), fmt, args);
	va_end(args);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = write(fd, text, strlen(text));
	close(fd);
	return n >= 0;
}

void nap_us(unsigned long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

bool kernel_is(const char *release)
{
	struct utsname name;

	uname(&name);
	return !strncmp(name.release, release, strlen(release));
}
