// SPDX-License-Identifier: GPL-2.0-only
/*
 * regs pci ADDRESS OFFSET [VALUE], regs msr CPU NUMBER [VALUE]: read or write a
 * dword of configuration space, or an MSR, with the rights of the caller.
 */
#include "../../guest/guest.h"

int main(int argc, char **argv)
{
	int msr = argc > 1 && !strcmp(argv[1], "msr");
	size_t bytes = msr ? 8 : 4;
	uint64_t value = 0;
	char path[256];
	off_t at;
	int fd;

	if (argc < 4)
		return 64;
	snprintf(path, sizeof(path), msr ? "/dev/cpu/%s/msr" :
		 "/sys/bus/pci/devices/%s/config", argv[2]);
	fd = open(path, argc > 4 ? O_RDWR : O_RDONLY);
	at = strtoull(argv[3], NULL, 0);
	if (argc > 4)
		value = strtoull(argv[4], NULL, 0);
	if (fd < 0 || (argc > 4 ? pwrite(fd, &value, bytes, at) :
				  pread(fd, &value, bytes, at)) != (ssize_t)bytes)
		die(path);
	if (argc == 4)
		printf("0x%llx\n", (unsigned long long)value);
	return 0;
}
