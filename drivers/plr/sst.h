/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_SST_H
#define PMON_PLR_SST_H

#include <linux/types.h>

#include <pmon/regs.h>

/* What an instance has at the least: its header. */
#define SST_MIN_SIZE	8

#define SST_ROWS	6
#define SST_BUCKETS	8

/**
 * struct sst_domain - what frequencies a die may have
 * @level: SST-PP level that is in force
 * @locked: nothing can change the level until the next reset
 * @bf: SST-BF is on: some cores have a higher base frequency, the others a
 *	lower one
 * @tf: SST-TF is on: cores of high priority may go beyond @mhz, the others less
 *	far
 * @base_mhz: base frequency
 * @buckets: how many of @modules there are, and columns of @mhz
 * @modules: up to how many active modules a column is for
 * @mhz: turbo limits by row and number of active modules; a row of 0 is not
 *	there
 */
struct sst_domain {
	u8 level;
	bool locked;
	bool bf;
	bool tf;
	u16 base_mhz;
	u8 buckets;
	u8 modules[SST_BUCKETS];
	u16 mhz[SST_ROWS][SST_BUCKETS];
};

int sst_read_domain(const struct pmon_regs *regs, u32 start, u32 size,
		    struct sst_domain *domain);

#endif /* PMON_PLR_SST_H */
