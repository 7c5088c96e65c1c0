// SPDX-License-Identifier: GPL-2.0-only
/*
 * sharer BDF BAR OFFSET COMMANDS VALUE...: another program at the mailbox of a
 * PLR instance, which does what public ones do: it waits until RUN_BUSY is
 * clear, asks for the module, waits again, without an end, and takes the data.
 * It asks for as many modules as there are values, again and again, with a
 * pause after each round. Nothing preempts it, so that it takes its answers at
 * once. An answer is right when it is the module's value, or
 * none of it. Prints how many commands there were and how many were wrong.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RUN_BUSY	(1ull << 63)

static volatile uint64_t *interface, *data;

static uint64_t ask(unsigned int module)
{
	while (*interface & RUN_BUSY)
		;
	*interface = RUN_BUSY | (uint64_t)module << 12;
	while (*interface & RUN_BUSY)
		;
	return *data;
}

int main(int argc, char **argv)
{
	const struct sched_param param = { .sched_priority = 10 };
	const struct timespec pause = { .tv_nsec = 2000000 };
	unsigned long offset, commands, n, wrong = 0;
	unsigned int modules, m;
	char path[256];
	char *map;
	int fd;

	if (argc < 6)
		return 64;
	offset = strtoul(argv[3], NULL, 0);
	commands = strtoul(argv[4], NULL, 0);
	modules = argc - 5;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource%s", argv[1], argv[2]);
	fd = open(path, O_RDWR | O_SYNC);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset & ~4095ul);
	if (fd < 0 || map == MAP_FAILED) {
		perror(path);
		return 1;
	}
	map += offset & 4095;
	interface = (volatile uint64_t *)(map + 0x08);
	data = (volatile uint64_t *)(map + 0x10);
	if (sched_setscheduler(0, SCHED_FIFO, &param)) {
		perror("SCHED_FIFO");
		return 1;
	}
	for (n = 0; n < commands; n++) {
		uint64_t want, got;

		m = n % modules;
		want = strtoull(argv[5 + m], NULL, 0);
		got = ask(m);
		if (got && got != want) {
			if (wrong++ < 10)
				fprintf(stderr, "%lu: module %u: %#llx\n", n, m,
					(unsigned long long)got);
		}
		if (m + 1 == modules)
			nanosleep(&pause, NULL);
	}
	printf("%lu commands, %lu wrong\n", commands, wrong);
	return 0;
}
