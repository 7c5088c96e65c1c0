// SPDX-License-Identifier: GPL-2.0-only
/*
 * await FILE MS [COUNT]: COUNT times wait for a notification of FILE (POLLPRI),
 * for MS milliseconds at most. Print "ready" before the first wait, then the
 * text of FILE for each wait, or "quiet". If FILE vanishes, print "gone", end.
 */
#include <poll.h>

#include "../../guest/guest.h"

static ssize_t again(int fd, char *text, size_t size)
{
	ssize_t n = pread(fd, text, size - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return n;
}

int main(int argc, char **argv)
{
	struct pollfd p = { .events = POLLPRI };
	char text[4096];
	int count;

	if (argc < 3)
		return 64;
	count = argc > 3 ? atoi(argv[3]) : 1;
	p.fd = open(argv[1], O_RDONLY);
	if (p.fd < 0)
		die(argv[1]);
	again(p.fd, text, sizeof(text));
	puts("ready");
	fflush(stdout);
	while (count--) {
		const char *said = text;

		if (poll(&p, 1, atoi(argv[2])) != 1)
			said = "quiet\n";
		else if (again(p.fd, text, sizeof(text)) < 0)
			break;
		fputs(said, stdout);
		fflush(stdout);
	}
	if (count >= 0)
		puts("gone");
	return 0;
}
