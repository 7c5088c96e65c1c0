// SPDX-License-Identifier: GPL-2.0-only
/*
 * isst PACKAGE DOMAIN: what the kernel's own driver says of the level of Speed
 * Select that is in force, as a line of our file sst.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

/* Debian's headers of user space are older than this part of it. */
#include ISST_HEADER

static int buckets(const struct isst_perf_level_data_info *d)
{
	int n;

	for (n = 0; n < TRL_MAX_BUCKETS && d->bucket_core_counts[n]; n++)
		printf("%s%u", n ? "," : " modules=", d->bucket_core_counts[n]);
	return n;
}

static void turbo(const struct isst_perf_level_data_info *d)
{
	int count = buckets(d), row, n;

	for (row = 0; row < TRL_MAX_LEVELS && count; row++) {
		if (!d->trl_freq_mhz[row][0])
			continue;
		printf(" cdyn%d_mhz=", row);
		for (n = 0; n < count; n++)
			printf("%s%u", n ? "," : "", d->trl_freq_mhz[row][n]);
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	int fd = open("/dev/isst_interface", O_RDWR);
	struct isst_perf_level_info level = { 0 };
	struct isst_perf_level_data_info data = { 0 };

	if (argc != 3 || fd < 0)
		return 2;
	level.socket_id = atoi(argv[1]);
	level.power_domain_id = atoi(argv[2]);
	data.socket_id = level.socket_id;
	data.power_domain_id = level.power_domain_id;
	if (ioctl(fd, ISST_IF_PERF_LEVELS, &level))
		return 1;
	data.level = level.current_level;
	if (ioctl(fd, ISST_IF_GET_PERF_LEVEL_INFO, &data))
		return 1;
	printf("%s level=%u locked=%u bf=%u tf=%u base_mhz=%u", argv[2], level.current_level,
	       level.locked, level.feature_state & 1, level.feature_state >> 1 & 1,
	       data.base_freq_mhz);
	turbo(&data);
	return 0;
}
