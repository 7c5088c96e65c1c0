// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a TPMI device whose capability, table of features (PFS), version
 * and Speed Select registers hold any bytes. What is accepted must be safe to
 * use: registers inside the BAR, apart from the table and from other features.
 */
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/kernel.h>

#include <pmon/regs.h>

#include "../../drivers/plr/logical_id.h"
#include "../../drivers/plr/pfs.h"
#include "../../drivers/plr/sst.h"
#include "fuzz.h"

#define ROWS	256

/* An input is one of these. */
struct device {
	u32 vsec[4];
	u64 bar_size, min_size, info[2], msr;
	u64 row[ROWS];
};

/* Do the first and the second range have a byte in common? */
static bool share(u64 a, u64 a_size, u64 b, u64 b_size)
{
	u64 first = a > b ? a : b;
	u64 end = a + a_size < b + b_size ? a + a_size : b + b_size;

	return first < end;
}

static void check_region(const struct device *device,
			 const struct pfs_vsec *vsec, u64 bar_size, u8 id,
			 const struct pfs_region *region)
{
	u64 size = (u64)region->count * region->stride;
	struct pfs_entry other;
	unsigned int i;

	assert(region->count && region->count <= PFS_MAX_DOMAINS);
	assert(region->offset % 8 == 0 && region->stride % 8 == 0);
	/* Features start on pages from the table on. */
	assert((region->offset - vsec->offset) % 4096 == 0);
	assert(size && region->offset + size <= bar_size);
	assert(!share(region->offset, size, vsec->offset, vsec->entries * 8));
	for (i = 0; i < vsec->entries; i++) {
		if (pfs_entry_decode(device->row[i], &other) || other.id == id)
			continue;
		assert(!share(region->offset, size,
			      vsec->offset + other.cap_offset * 1024ULL,
			      other.entries * other.entry_dwords * 4ULL));
	}
}

static void check_table(const struct device *device)
{
	u64 bar_size = device->bar_size >> (device->bar_size & 63);
	u32 min_size = 1 + (device->min_size & 0x7f);
	struct pfs_fault fault = { };
	struct pfs_region region;
	struct pfs_entry entry;
	struct pfs_vsec vsec;
	unsigned int i;

	pfs_vsec_decode(device->vsec, &vsec);
	if (pfs_vsec_check(&vsec, bar_size, &fault)) {
		assert(fault.field || vsec.id != PFS_VSEC_ID);
		return;
	}
	assert(vsec.offset + vsec.entries * 8ULL <= bar_size);
	for (i = 0; i < vsec.entries; i++) {
		fault.field = NULL;
		if (pfs_entry_decode(device->row[i], &entry))
			continue;
		if (pfs_entry_region(&entry, &vsec, bar_size, min_size, &region,
				     &fault) ||
		    pfs_region_check(&region, entry.id, &vsec, device->row,
				     &fault)) {
			assert(fault.field);
			continue;
		}
		assert(region.stride >= min_size);
		check_region(device, &vsec, bar_size, entry.id, &region);
	}
}

static void check_info(const struct device *device)
{
	struct pfs_fault fault = { };
	struct plr_logical_id id;
	struct pfs_info info;

	if (!pfs_info_decode(device->info[0], device->info[1], &info, &fault)) {
		assert(pfs_info_domain(&info, 3) >= 3);
		assert(pfs_info_domain(&info, 3) < 3 + 16);
	}
	if (!plr_logical_id_decode(device->msr, &id))
		assert(device->msr ==
		       ((u64)id.domain << 11 | id.module << 3 | id.lp));
}

/* The registers of Speed Select are the rows. */
#define SST_START	64

static u32 sst_size;

static u64 sst_read(const struct pmon_regs *regs, u32 reg, u8 bytes)
{
	const struct device *device = regs->priv;

	assert(bytes == 8 && reg % 8 == 0);
	assert(reg >= SST_START && reg + 8 <= SST_START + sst_size);
	return device->row[(reg - SST_START) / 8];
}

static void check_sst(const struct device *device)
{
	static const struct pmon_regs_ops ops = { .read = sst_read };
	struct pmon_regs regs = { .ops = &ops, .priv = (void *)device };
	struct sst_domain domain = { };
	unsigned int i;
	int ret;

	sst_size = device->min_size % sizeof(device->row);
	ret = sst_read_domain(&regs, SST_START, sst_size, &domain);
	assert(!ret || ret == -ENODEV || ret == -EIO);
	if (ret)
		return;
	assert(domain.buckets && domain.buckets <= SST_BUCKETS);
	for (i = 0; i < domain.buckets; i++)
		assert(domain.modules[i]);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct device device = { };

	memcpy(&device, data, size < sizeof(device) ? size : sizeof(device));
	check_table(&device);
	check_info(&device);
	check_sst(&device);
	return 0;
}
