// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory FILE STEP FIRST [PARAMETERS]: loads the module again and again, and each
 * time the kernel has no memory for one of its allocations: number FIRST, then
 * STEP further, until there are not so many. What was loaded is unloaded. Prints
 * how often that was so and what became of it, and the least number that there
 * are not. The kernel has CONFIG_FAILSLAB, and failslab/ignore-gfp-wait is N.
 */
#include "../../guest/guest.h"

static int fail_nth;

static void set(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(fail_nth, text, len, 0) != len)
		die("fail-nth");
}

/* Zero when it has happened. */
static unsigned int left(void)
{
	char text[16] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth");
	return strtoul(text, NULL, 10);
}

static int load(int fd, const char *parameters)
{
	return syscall(SYS_finit_module, fd, parameters, 0) ? errno : 0;
}

/* Some time may pass until nothing holds it any more. */
static void unload(const char *name)
{
	unsigned int tries = 500;

	while (syscall(SYS_delete_module, name, O_NONBLOCK)) {
		if (errno != EWOULDBLOCK || !--tries)
			die(name);
		nap_us(20000);
	}
}

int main(int argc, char **argv)
{
	const char *parameters = argc > 4 ? argv[4] : "";
	unsigned int n, step, loaded = 0, refused = 0, rest;
	char name[64];
	int fd, ret;

	if (argc < 4)
		return 64;
	snprintf(name, sizeof(name), "%s", strrchr(argv[1], '/') + 1);
	*strchrnul(name, '.') = '\0';
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR);
	if (fail_nth < 0)
		die("fail-nth");
	step = strtoul(argv[2], NULL, 10);
	for (n = strtoul(argv[3], NULL, 10);; n += step) {
		fd = open(argv[1], O_RDONLY);
		if (fd < 0)
			die(argv[1]);
		set(n);
		ret = load(fd, parameters);
		rest = left();
		set(0);
		close(fd);
		if (!ret)
			unload(name);
		if (rest)
			break;
		*(ret ? &refused : &loaded) += 1;
		if (ret && ret != ENOMEM)
			printf("error %d at %u\n", ret, n);
	}
	printf("%s: loaded %u refused %u of %u\n", name, loaded, refused,
	       n - rest + 1);
	return 0;
}
