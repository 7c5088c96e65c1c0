// SPDX-License-Identifier: GPL-2.0-only
/*
 * cxlmem ADDRESS: access memory from a physical address on. For each input line
 * "OFFSET r|w BYTES COUNT STRIDE" make COUNT accesses of BYTES bytes, STRIDE
 * bytes apart, from OFFSET on. Then print "done", for a caller that waits.
 * Use /dev/mem, or on kernels without /dev/mem the device of
 * selftests/guest/modules/iomem.c.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ROOM	(16UL << 20)

static void access_once(volatile char *at, char kind, unsigned int bytes)
{
	switch (bytes) {
	case 1:
		kind == 'w' ? (void)(*(volatile uint8_t *)at = 1) :
			      (void)*(volatile uint8_t *)at;
		break;
	case 4:
		kind == 'w' ? (void)(*(volatile uint32_t *)at = 4) :
			      (void)*(volatile uint32_t *)at;
		break;
	default:
		kind == 'w' ? (void)(*(volatile uint64_t *)at = 8) :
			      (void)*(volatile uint64_t *)at;
		break;
	}
}

int main(int argc, char **argv)
{
	unsigned long offset, count, stride, i;
	unsigned int bytes;
	volatile char *map;
	char kind;
	int fd = open("/dev/mem", O_RDWR | O_SYNC);

	if (fd < 0)
		fd = open("/dev/iomem", O_RDWR | O_SYNC);
	if (argc < 2 || fd < 0) {
		perror("/dev/mem");
		return 1;
	}
	map = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   strtoull(argv[1], NULL, 0));
	if (map == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	while (scanf("%lu %c %u %lu %lu", &offset, &kind, &bytes, &count,
		     &stride) == 5) {
		for (i = 0; i < count; i++)
			access_once(map + (offset + i * stride) % ROOM, kind, bytes);
		puts("done");
		fflush(stdout);
	}
	return 0;
}
