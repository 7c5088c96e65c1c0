// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a TPMI device whose capability, table of features (PFS) and
 * TPMI_INFO hold any bytes. All registers of an accepted feature must lie
 * inside the BAR, and must not overlap the table or another feature.
 */
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/kernel.h>

#include <pmon/tpmi.h>

#include "../../../drivers/plr/mailbox.h"
#include "fuzz.h"

/* Layout of an input. */
struct device {
	u64 bar_size, min_size, info[2], msr;
	u32 vsec[PMON_TPMI_VSEC_DWORDS];
	u64 row[PMON_TPMI_ROWS];
};

static u64 bar_size_of(const struct device *device)
{
	return device->bar_size >> (device->bar_size & 63);
}

static u64 device_bar_size(void *data, u8 bir)
{
	assert(bir < 6);
	return bar_size_of(data);
}

static int device_read(void *data, u8 bir, u64 offset, u64 *value,
		       unsigned int count)
{
	const struct device *device = data;

	assert(count && count <= PMON_TPMI_ROWS);
	assert(offset + count * 8ULL <= bar_size_of(device));
	memcpy(value, count == 2 ? device->info : device->row, count * 8);
	return 0;
}

/* Test whether two ranges have a byte in common. */
static bool share(u64 a, u64 a_size, u64 b, u64 b_size)
{
	u64 first = a > b ? a : b;
	u64 end = a + a_size < b + b_size ? a + a_size : b + b_size;

	return first < end;
}

static void check_region(const struct pmon_tpmi *tpmi, u8 id,
			 const struct pmon_tpmi_region *region)
{
	u64 size = (u64)region->count * region->stride, row;
	unsigned int i;

	assert(region->count && region->count <= PMON_TPMI_DOMAINS);
	assert(region->offset % 8 == 0 && region->stride % 8 == 0);
	/* Features start at a multiple of 4 KiB from the table. */
	assert((region->offset - tpmi->offset) % 4096 == 0);
	assert(size && region->offset + size <= tpmi->bar_size);
	assert(!share(region->offset, size, tpmi->offset, tpmi->count * 8));
	for (i = 0; i < tpmi->count; i++) {
		row = tpmi->row[i];
		if (row == ~0ULL || (u8)row == id)
			continue;
		assert(!share(region->offset, size,
			      tpmi->offset + (row >> 32 & 0xffff) * 1024,
			      (row >> 8 & 0xff) * (row >> 16 & 0xffff) * 4));
	}
}

static void check_device(const struct device *device)
{
	const struct pmon_tpmi_io io = {
		.bar_size = device_bar_size, .qwords = device_read,
		.data = (void *)device,
	};
	u32 min_size = 1 + (device->min_size & 0x7f);
	struct pmon_tpmi_region region;
	struct pmon_tpmi_fault fault;
	struct pmon_tpmi tpmi = { };
	unsigned int i;
	int ret;

	ret = pmon_tpmi_walk(&io, device->vsec, &tpmi, &fault);
	assert((ret == -EINVAL) == !!fault.field);
	if (ret)
		return;
	for (i = 0; i < tpmi.count; i++) {
		u8 id = tpmi.row[i];

		if (pmon_tpmi_find(&tpmi, id, min_size, &region, &fault))
			continue;
		assert(region.stride >= min_size);
		check_region(&tpmi, id, &region);
	}
	assert(pmon_tpmi_domain(&tpmi, 3) < 3 + 16);
}

static void check_logical_id(u64 msr)
{
	struct plr_logical_id id;

	if (!plr_logical_id_decode(msr, &id))
		assert((msr & 0xfff8) ==
		       ((u64)id.domain << 11 | id.module << 3));
	else
		assert(msr == ~0ULL);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct device device = { };

	memcpy(&device, data, size < sizeof(device) ? size : sizeof(device));
	check_device(&device);
	check_logical_id(device.msr);
	return 0;
}
