// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses */
/*
 * Check pmon_tpmi_walk() and pmon_tpmi_find() with the tables of a real
 * two-socket server, and with invalid tables.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/tpmi.h>

#include "suites.h"

#define BAR_SIZE	0x80000ULL
#define TABLE		0x1000U

/* Table row: id, entries, dwords per entry, offset in KiB */
#define ROW(_id, _entries, _dwords, _offset)				\
	((u64)(_id) | (u64)(_entries) << 8 | (u64)(_dwords) << 16 |	\
	 (u64)(_offset) << 32 | 1ULL << 48)

/* The table of the TPMI device of package 1 in a real server. */
static const u64 real_rows[] = {
	ROW(0x80, 1, 0xc, 0x4), ROW(0x00, 1, 0x60, 0x8), ROW(0x01, 5, 0xa, 0xc),
	ROW(0x02, 5, 0xc, 0x10), ROW(0x03, 2, 0x6, 0x14), ROW(0x04, 1, 0x14, 0x18),
	ROW(0x05, 5, 0xfe, 0x1c), ROW(0x0a, 5, 0xa, 0x24), ROW(0x06, 1, 0x6, 0x28),
	ROW(0x0c, 5, 0xa, 0x2c), ROW(0x0d, 1, 0x6, 0x30), ROW(0x81, 1, 0x4, 0x34),
	ROW(0xfd, 5, 0x123, 0x38),
};

#define PLR_ROW		9
#define INFO_ROW	11
#define REAL_INFO	0x8000001c00018019ULL

struct device {
	u32 vsec[PMON_TPMI_VSEC_DWORDS];
	u64 row[ARRAY_SIZE(real_rows)];
	u64 info[2];
	unsigned int reads;
};

static u64 device_bar_size(void *data, u8 bir)
{
	/* BAR 6 is the expansion ROM. */
	return bir == 1 || bir == 6 ? BAR_SIZE : 0;
}

static int device_read(void *data, u8 bir, u64 offset, u64 *value,
		       unsigned int count)
{
	struct device *device = data;

	device->reads++;
	if (bir != 1 || offset + count * 8 > BAR_SIZE)
		return -EFAULT;
	memset(value, 0, count * 8);
	if (offset == TABLE)
		memcpy(value, device->row,
		       min(sizeof(device->row), (size_t)count * 8));
	else
		memcpy(value, device->info, min_t(size_t, 16, count * 8));
	return 0;
}

static struct device *device_new(struct kunit *test)
{
	struct device *device = kunit_kzalloc(test, sizeof(*device), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, device);
	device->vsec[0] = 0x000b | 1 << 16;
	device->vsec[1] = 0x0042 | 1 << 16 | 0x10 << 20;
	device->vsec[2] = ARRAY_SIZE(real_rows) << 16 | 2U << 24;
	device->vsec[3] = TABLE | 1;
	memcpy(device->row, real_rows, sizeof(real_rows));
	device->info[0] = 2;
	device->info[1] = REAL_INFO;

	return device;
}

static int walk(struct device *device, struct pmon_tpmi *tpmi, const char **field)
{
	const struct pmon_tpmi_io io = {
		.bar_size = device_bar_size, .qwords = device_read,
		.data = device,
	};
	struct pmon_tpmi_fault fault;
	int ret = pmon_tpmi_walk(&io, device->vsec, tpmi, &fault);

	*field = fault.field;

	return ret;
}

static struct pmon_tpmi *tpmi_new(struct kunit *test)
{
	return kunit_kzalloc(test, sizeof(struct pmon_tpmi), GFP_KERNEL);
}

static void tpmi_walks_a_real_device(struct kunit *test)
{
	struct device *device = device_new(test);
	struct pmon_tpmi *tpmi = tpmi_new(test);
	struct pmon_tpmi_region region;
	struct pmon_tpmi_fault fault;
	const char *field;

	KUNIT_ASSERT_EQ(test, walk(device, tpmi, &field), 0);
	KUNIT_EXPECT_EQ(test, device->reads, 2);
	KUNIT_EXPECT_EQ(test, tpmi->package, 1);
	KUNIT_EXPECT_EQ(test, tpmi->partition, 0);
	KUNIT_EXPECT_EQ(test, tpmi->compute_dies, 7);
	KUNIT_EXPECT_EQ(test, tpmi->bir, 1);
	KUNIT_EXPECT_EQ(test, tpmi->count, ARRAY_SIZE(real_rows));
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, PMON_TPMI_ID_PLR, 0x20, &region, &fault), 0);
	KUNIT_EXPECT_EQ(test, region.offset, TABLE + 0xb000);
	KUNIT_EXPECT_EQ(test, region.stride, 0x28);
	KUNIT_EXPECT_EQ(test, region.count, 5);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x07, 8, &region, &fault), -ENODEV);
}

struct lie {
	const char *field;
	unsigned int dword;
	u32 value;
};

/* Invalid values of the capability, with the rejected field. */
static const struct lie lies[] = {
	{ "revision", 1, 0x0042 | 2 << 16 | 0x10 << 20 },
	{ "length", 1, 0x0042 | 1 << 16 | 0x0c << 20 },
	{ "entries", 2, 2U << 24 },
	{ "entry_size", 2, 13 << 16 | 3U << 24 },
	{ "bir", 3, TABLE | 0 },
	{ "bir", 3, TABLE | 6 },
	{ "bir", 3, TABLE | 7 },
	{ "offset", 3, (u32)BAR_SIZE | 1 },
	{ "offset", 3, ((u32)BAR_SIZE - 96) | 1 },
	{ "offset", 3, 0xfffffff8 | 1 },
};

static void tpmi_refuses_a_capability(struct kunit *test)
{
	struct pmon_tpmi *tpmi = tpmi_new(test);
	struct device *device;
	const char *field;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lies); i++) {
		device = device_new(test);
		device->vsec[lies[i].dword] = lies[i].value;
		KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), -EINVAL);
		KUNIT_ASSERT_NOT_NULL(test, field);
		KUNIT_EXPECT_STREQ(test, field, lies[i].field);
		KUNIT_EXPECT_EQ(test, device->reads, 0);
	}
}

/* A table at the end of the BAR is read, but its rows lack TPMI_INFO. */
static void tpmi_reads_a_table_at_the_end(struct kunit *test)
{
	struct device *device = device_new(test);
	const char *field;

	device->vsec[3] = ((u32)BAR_SIZE - 8 * ARRAY_SIZE(real_rows)) | 1;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi_new(test), &field), -ENODEV);
	KUNIT_EXPECT_EQ(test, device->reads, 1);
}

static const struct {
	const char *field;
	u64 row;
} bad_rows[] = {
	{ "entries", ROW(0x0c, 0, 0xa, 0x2c) },
	{ "entries", ROW(0x0c, 33, 0xa, 0x2c) },
	{ "entry_size", ROW(0x0c, 5, 6, 0x2c) },
	{ "entry_size", ROW(0x0c, 5, 0xb, 0x2c) },
	{ "entry_size", ROW(0x0c, 1, 1026, 0x40) },
	{ "cap_offset", ROW(0x0c, 5, 0xa, 0) },
	{ "cap_offset", ROW(0x0c, 5, 0xa, 0x2d) },
	{ "cap_offset", ROW(0x0c, 5, 0xa, 0xfffc) },
	/* The registers begin in the BAR's last page, and end after the BAR. */
	{ "cap_offset", ROW(0x0c, 32, 0x40, (BAR_SIZE - 0x1000 - TABLE) / 1024) },
	{ "entries", ROW(0x0c, 5, 0xa, 0x34) },	/* overlaps TPMI_INFO */
	{ "entries", ROW(0x0c, 32, 0x40, 0x2c) },	/* overlaps row 0x0d */
};

static void tpmi_refuses_a_row(struct kunit *test)
{
	struct pmon_tpmi *tpmi = tpmi_new(test);
	struct pmon_tpmi_region region;
	struct pmon_tpmi_fault fault;
	struct device *device;
	const char *field;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_rows); i++) {
		device = device_new(test);
		KUNIT_ASSERT_EQ(test, walk(device, tpmi, &field), 0);
		tpmi->row[PLR_ROW] = bad_rows[i].row;
		fault.field = "none";
		KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault),
				-EINVAL);
		KUNIT_EXPECT_STREQ(test, fault.field, bad_rows[i].field);
	}
	/* the largest valid size */
	tpmi->row[PLR_ROW] = ROW(0x0c, 1, 1024, 0x40);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault), 0);
	/* adjacent to the features before and after */
	tpmi->row[PLR_ROW - 1] = ROW(0x06, 1, 1024, 0x28);
	tpmi->row[PLR_ROW] = ROW(0x0c, 32, 0x20, 0x2c);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault), 0);
	/* a row without instances is nowhere */
	tpmi->row[0] = ROW(0x80, 0, 0xc, 0x2d);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault), 0);
	/* rows after the last row are ignored */
	tpmi->row[PLR_ROW] = real_rows[PLR_ROW];
	tpmi->row[ARRAY_SIZE(real_rows)] = ROW(0xfe, 1, 4, 0x2c);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault), 0);
	tpmi->row[PLR_ROW] = ~0ULL;
	KUNIT_EXPECT_EQ(test, pmon_tpmi_find(tpmi, 0x0c, 0x20, &region, &fault), -ENODEV);
}

static void tpmi_reads_info(struct kunit *test)
{
	struct device *device = device_new(test);
	struct pmon_tpmi *tpmi = tpmi_new(test);
	const char *field;

	/*
	 * Before minor version 2, TPMI_INFO has neither partition nor dies,
	 * so both become 0 whatever an earlier call returned.
	 */
	tpmi->partition = 3;
	tpmi->compute_dies = 7;
	device->info[0] = 1;
	device->info[1] = REAL_INFO | 3ULL << 32;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), 0);
	KUNIT_EXPECT_EQ(test, tpmi->partition, 0);
	KUNIT_EXPECT_EQ(test, tpmi->compute_dies, 0);
	/* all bits of package, partition and dies */
	device->info[0] = 2;
	device->info[1] = 0x0003ffff00ff0000;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), 0);
	KUNIT_EXPECT_EQ(test, tpmi->package, 0xff);
	KUNIT_EXPECT_EQ(test, tpmi->partition, 3);
	KUNIT_EXPECT_EQ(test, tpmi->compute_dies, 0xffff);
	device->info[0] = 0x22;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), -EINVAL);
	KUNIT_EXPECT_STREQ(test, field, "info_version");
	device->info[0] = ~0ULL;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), -ENODEV);
	device->info[0] = 2;
	device->info[1] = ~0ULL;
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), -ENODEV);
	device->info[1] = REAL_INFO;
	device->row[INFO_ROW] = ROW(0x07, 1, 4, 0x34);
	KUNIT_EXPECT_EQ(test, walk(device, tpmi, &field), -ENODEV);
}

static void tpmi_numbers_domains(struct kunit *test)
{
	struct pmon_tpmi *tpmi = tpmi_new(test);

	tpmi->compute_dies = 7;
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 0), 0);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 2), 2);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 3), -1);
	/* The second device of a package, with dies 2 and 3. */
	tpmi->partition = 1;
	tpmi->compute_dies = 0xc;
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 0), 2);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 1), 3);
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 2), -1);
	tpmi->compute_dies = 0;
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 0), -1);
	tpmi->partition = 0;
	KUNIT_EXPECT_EQ(test, pmon_tpmi_domain(tpmi, 4), 4);
}

/* A reset BAR keeps its flags in bits 0 to 3, but has no address bits. */
static void tpmi_bars_after_a_reset(struct kunit *test)
{
	KUNIT_EXPECT_TRUE(test, pmon_tpmi_bar_is_lost(0x0, 0));
	KUNIT_EXPECT_TRUE(test, pmon_tpmi_bar_is_lost(0xc, 0));
	KUNIT_EXPECT_FALSE(test, pmon_tpmi_bar_is_lost(0x10, 0));
	KUNIT_EXPECT_FALSE(test, pmon_tpmi_bar_is_lost(0x80000004, 0));
	KUNIT_EXPECT_FALSE(test, pmon_tpmi_bar_is_lost(0xc, 0x3800));
}

static struct kunit_case tpmi_cases[] = {
	KUNIT_CASE(tpmi_walks_a_real_device),
	KUNIT_CASE(tpmi_refuses_a_capability),
	KUNIT_CASE(tpmi_reads_a_table_at_the_end),
	KUNIT_CASE(tpmi_refuses_a_row),
	KUNIT_CASE(tpmi_reads_info),
	KUNIT_CASE(tpmi_numbers_domains),
	KUNIT_CASE(tpmi_bars_after_a_reset),
	{}
};

struct kunit_suite pmon_tpmi_suite = {
	.name = "pmon_tpmi",
	.test_cases = tpmi_cases,
};
