// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables as two-socket servers show them, then the same with every field out
 * of range, one at a time.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include "../pfs.h"
#include "suites.h"

#define BAR_SIZE	0x20000

static const struct pfs_vsec good_vsec = {
	.id = PFS_VSEC_ID,
	.revision = 1,
	.length = 0x10,
	.entries = 15,
	.entry_dwords = 2,
	.bir = 0,
	.offset = 0x1000,
};

static const struct pfs_entry good_entry = {
	.id = PFS_ID_PLR,
	.entries = 5,
	.entry_dwords = 10,
	.cap_offset = 0x2c,
	.attribute = 1,
};

static void vsec_decodes(struct kunit *test)
{
	const u32 dword[4] = { 0x0001000b, 0x01010042, 0x020f0000, 0x00001002 };
	struct pfs_vsec vsec;

	pfs_vsec_decode(dword, &vsec);
	KUNIT_EXPECT_EQ(test, vsec.id, 0x42);
	KUNIT_EXPECT_EQ(test, vsec.revision, 1);
	KUNIT_EXPECT_EQ(test, vsec.length, 0x10);
	KUNIT_EXPECT_EQ(test, vsec.entries, 15);
	KUNIT_EXPECT_EQ(test, vsec.entry_dwords, 2);
	KUNIT_EXPECT_EQ(test, vsec.bir, 2);
	KUNIT_EXPECT_EQ(test, vsec.offset, 0x1000);
}

/* The low three bits are the BAR and not part of the offset. */
static void vsec_offset_is_masked(struct kunit *test)
{
	const u32 dword[4] = { 0, 0, 0, 0xffffffff };
	struct pfs_vsec vsec;

	pfs_vsec_decode(dword, &vsec);
	KUNIT_EXPECT_EQ(test, vsec.offset, 0xfffffff8);
	KUNIT_EXPECT_EQ(test, vsec.bir, 7);
}

static int check_vsec(const struct pfs_vsec *vsec, u64 size, const char **field)
{
	struct pfs_fault fault = { "", 0 };
	int ret = pfs_vsec_check(vsec, size, &fault);

	*field = fault.field;

	return ret;
}

static void vsec_good(struct kunit *test)
{
	struct pfs_vsec vsec = good_vsec;
	const char *field;

	KUNIT_EXPECT_EQ(test, check_vsec(&vsec, BAR_SIZE, &field), 0);
	/* Up to the last byte of the BAR, and not one byte more. */
	KUNIT_EXPECT_EQ(test, check_vsec(&vsec, 0x1000 + 15 * 8, &field), 0);
	KUNIT_EXPECT_EQ(test, check_vsec(&vsec, 0x1000 + 15 * 8 - 1, &field), -EINVAL);
	KUNIT_EXPECT_STREQ(test, field, "offset");
}

static void vsec_bad_fields(struct kunit *test)
{
	struct pfs_vsec vsec;
	const char *field;

#define EXPECT_BAD(_member, _value, _field, _size) do {			\
		vsec = good_vsec;						\
		vsec._member = (_value);					\
		KUNIT_EXPECT_EQ(test, check_vsec(&vsec, _size, &field), -EINVAL); \
		KUNIT_EXPECT_STREQ(test, field, _field);			\
	} while (0)

	EXPECT_BAD(revision, 0, "revision", BAR_SIZE);
	EXPECT_BAD(revision, 2, "revision", BAR_SIZE);
	EXPECT_BAD(length, 0x0c, "length", BAR_SIZE);
	EXPECT_BAD(entries, 0, "entries", BAR_SIZE);
	EXPECT_BAD(entry_dwords, 0, "entry_size", BAR_SIZE);
	EXPECT_BAD(entry_dwords, 1, "entry_size", BAR_SIZE);
	EXPECT_BAD(entry_dwords, 3, "entry_size", BAR_SIZE);
	EXPECT_BAD(entry_dwords, 255, "entry_size", BAR_SIZE);
	EXPECT_BAD(bir, 6, "bir", BAR_SIZE);
	EXPECT_BAD(bir, 7, "bir", BAR_SIZE);
	EXPECT_BAD(bir, 1, "bir", 0);
	EXPECT_BAD(offset, BAR_SIZE, "offset", BAR_SIZE);
	EXPECT_BAD(offset, 0xfffffff8, "offset", BAR_SIZE);
#undef EXPECT_BAD
}

static void vsec_of_something_else(struct kunit *test)
{
	struct pfs_vsec vsec = good_vsec;
	const char *field;

	vsec.id = 65;
	vsec.revision = 9;
	KUNIT_EXPECT_EQ(test, check_vsec(&vsec, BAR_SIZE, &field), -ENODEV);
}

static void entry_decodes(struct kunit *test)
{
	struct pfs_entry entry;

	KUNIT_ASSERT_EQ(test, pfs_entry_decode(0x0001002c000a050c, &entry), 0);
	KUNIT_EXPECT_EQ(test, entry.id, PFS_ID_PLR);
	KUNIT_EXPECT_EQ(test, entry.entries, 5);
	KUNIT_EXPECT_EQ(test, entry.entry_dwords, 10);
	KUNIT_EXPECT_EQ(test, entry.cap_offset, 0x2c);
	KUNIT_EXPECT_EQ(test, entry.attribute, 1);
	KUNIT_EXPECT_EQ(test, pfs_entry_decode(U64_MAX, &entry), -ENODEV);
}

static int check_entry(const struct pfs_entry *entry, u64 size, struct pfs_region *region,
		       const char **field)
{
	struct pfs_fault fault = { "", 0 };
	int ret = pfs_entry_region(entry, &good_vsec, size, 0x20, region, &fault);

	*field = fault.field;

	return ret;
}

static void entry_good(struct kunit *test)
{
	struct pfs_entry least = good_entry;
	struct pfs_region region;
	const char *field;
	u64 end = 0x1000 + 0x2c * 1024 + 5 * 0x28;

	KUNIT_ASSERT_EQ(test, check_entry(&good_entry, BAR_SIZE, &region, &field), 0);
	KUNIT_EXPECT_EQ(test, region.offset, 0xc000);
	KUNIT_EXPECT_EQ(test, region.stride, 0x28);
	KUNIT_EXPECT_EQ(test, region.count, 5);
	KUNIT_EXPECT_EQ(test, check_entry(&good_entry, end, &region, &field), 0);
	/* Instances of just the size that they must have. */
	least.entry_dwords = 0x20 / 4;
	KUNIT_EXPECT_EQ(test, check_entry(&least, BAR_SIZE, &region, &field), 0);
	KUNIT_EXPECT_EQ(test, region.stride, 0x20);
	KUNIT_EXPECT_EQ(test, check_entry(&good_entry, end - 1, &region, &field), -EINVAL);
	KUNIT_EXPECT_STREQ(test, field, "cap_offset");
}

static void entry_bad_fields(struct kunit *test)
{
	struct pfs_region region;
	struct pfs_entry entry;
	const char *field;

#define EXPECT_BAD(_member, _value, _field) do {				\
		entry = good_entry;						\
		entry._member = (_value);					\
		KUNIT_EXPECT_EQ(test, check_entry(&entry, BAR_SIZE, &region, &field), \
				-EINVAL);					\
		KUNIT_EXPECT_STREQ(test, field, _field);			\
	} while (0)

	EXPECT_BAD(entries, 0, "entries");
	EXPECT_BAD(entry_dwords, 0, "entry_size");
	EXPECT_BAD(entry_dwords, 6, "entry_size");
	EXPECT_BAD(entry_dwords, 9, "entry_size");
	EXPECT_BAD(entry_dwords, 1026, "entry_size");
	EXPECT_BAD(entry_dwords, 0xffff, "entry_size");
	EXPECT_BAD(cap_offset, 0, "cap_offset");
	EXPECT_BAD(cap_offset, 0x2d, "cap_offset");
	EXPECT_BAD(cap_offset, 0x2e, "cap_offset");
	EXPECT_BAD(cap_offset, 0x80, "cap_offset");
	EXPECT_BAD(cap_offset, 0xfffc, "cap_offset");
#undef EXPECT_BAD
}

/* The last thing in the address space: nothing wraps. */
static void entry_near_the_top(struct kunit *test)
{
	struct pfs_vsec vsec = good_vsec;
	struct pfs_entry entry = good_entry;
	struct pfs_region region;
	struct pfs_fault fault;

	vsec.offset = 0xfffffff8;
	entry.cap_offset = 0xfffc;
	entry.entries = 255;
	entry.entry_dwords = 1024;
	KUNIT_EXPECT_EQ(test, pfs_entry_region(&entry, &vsec, 0xffffffff, 0x20, &region, &fault),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, pfs_entry_region(&entry, &vsec, U64_MAX, 0x20, &region, &fault), 0);
	KUNIT_EXPECT_EQ(test, region.offset, 0xfffffff8ULL + 0xfffcULL * 1024);
}

/* A table as servers have it; PLR is the third row. */
static const u64 good_rows[] = {
	0x00010004000c0180, 0x0001001000300502, 0x0001002c000a050c, 0x000100300006010d,
	0x0001003400040181, U64_MAX,
};

static int check_region(u64 plr_row, struct pfs_fault *fault)
{
	struct pfs_vsec vsec = good_vsec;
	u64 rows[ARRAY_SIZE(good_rows)];
	struct pfs_region region;
	struct pfs_entry entry;

	memcpy(rows, good_rows, sizeof(rows));
	rows[2] = plr_row;
	vsec.entries = ARRAY_SIZE(rows);
	if (pfs_entry_decode(plr_row, &entry) ||
	    pfs_entry_region(&entry, &vsec, BAR_SIZE, 0x20, &region, fault))
		return -ENOENT;

	return pfs_region_check(&region, PFS_ID_PLR, &vsec, rows, fault);
}

static void region_keeps_to_itself(struct kunit *test)
{
	struct pfs_fault fault;

	KUNIT_EXPECT_EQ(test, check_region(good_rows[2], &fault), 0);
	/* 32 domains of the largest size that still fits before the next one. */
	KUNIT_EXPECT_EQ(test, check_region(0x0001002c0020200c, &fault), 0);
	/* One qword more per domain runs into it. */
	KUNIT_EXPECT_EQ(test, check_region(0x0001002c0022200c, &fault), -EINVAL);
	KUNIT_EXPECT_STREQ(test, fault.field, "entries");
	KUNIT_EXPECT_EQ(test, check_region(0x0001002c000a210c, &fault), -EINVAL);
	KUNIT_EXPECT_STREQ(test, fault.field, "entries");
	KUNIT_EXPECT_EQ(test, fault.value, 33);
	/* At the place of another feature, at its start and in its middle. */
	KUNIT_EXPECT_EQ(test, check_region(0x00010034000a050c, &fault), -EINVAL);
	KUNIT_EXPECT_EQ(test, check_region(0x00010004000a050c, &fault), -EINVAL);
}

struct info_case {
	const char *name;
	u64 header;
	u64 raw;
	int ret;
	struct pfs_info info;
};

static const struct info_case info_cases[] = {
	{ "package 0", 0x2, 0x8000001c00000019, 0,
	  { .package = 0, .bus = 0, .devfn = 0x19, .compute_dies = 0x7 } },
	{ "package 1", 0x2, 0x8000001c00018019, 0,
	  { .package = 1, .bus = 0x80, .devfn = 0x19, .compute_dies = 0x7 } },
	{ "one die", 0x2, 0x8000000400000019, 0, { .devfn = 0x19, .compute_dies = 0x1 } },
	{ "second partition", 0x2, 0x0000006112018019, 0,
	  { .package = 1, .partition = 1, .segment = 0x12, .bus = 0x80, .devfn = 0x19,
	    .compute_dies = 0x18 } },
	/* The second device of a Diamond Rapids (test data of Intel's pepc, test_tpmi_nohost). */
	{ "second partition without dies", 0x2, 0x8000000101000011, 0,
	  { .partition = 1, .segment = 1, .devfn = 0x11 } },
	{ "minor version 1 tells no dies", 0x1, 0x8000001e12018019, 0,
	  { .package = 1, .bus = 0x80, .devfn = 0x19 } },
	{ "every field full", 0x2, 0x8003ffffffffffff, 0,
	  { .package = 255, .partition = 3, .segment = 255, .bus = 255, .devfn = 255,
	    .compute_dies = 0xffff } },
	{ "reserved bits are no dies", 0x2, 0xfffc000000000000, 0, {} },
	{ "major version 1", 0x22, 0x8000001c00000019, -EINVAL, {} },
	{ "header all ones", U64_MAX, 0x8000001c00000019, -ENODEV, {} },
	{ "data all ones", 0x2, U64_MAX, -ENODEV, {} },
};

static void info_case_desc(const struct info_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(info, info_cases, info_case_desc);

static void info_decodes(struct kunit *test)
{
	const struct info_case *c = test->param_value;
	struct pfs_fault fault;
	struct pfs_info info;

	KUNIT_ASSERT_EQ(test, pfs_info_decode(c->header, c->raw, &info, &fault), c->ret);
	if (c->ret)
		return;
	KUNIT_EXPECT_EQ(test, info.package, c->info.package);
	KUNIT_EXPECT_EQ(test, info.partition, c->info.partition);
	KUNIT_EXPECT_EQ(test, info.segment, c->info.segment);
	KUNIT_EXPECT_EQ(test, info.bus, c->info.bus);
	KUNIT_EXPECT_EQ(test, info.devfn, c->info.devfn);
	KUNIT_EXPECT_EQ(test, info.compute_dies, c->info.compute_dies);
}

static void info_domains(struct kunit *test)
{
	struct pfs_info info = { .compute_dies = 0x7 };

	KUNIT_EXPECT_EQ(test, pfs_info_domain(&info, 0), 0);
	KUNIT_EXPECT_EQ(test, pfs_info_domain(&info, 2), 2);
	info.compute_dies = 0x18;
	KUNIT_EXPECT_EQ(test, pfs_info_domain(&info, 0), 3);
	KUNIT_EXPECT_EQ(test, pfs_info_domain(&info, 1), 4);
	info.compute_dies = 0;
	KUNIT_EXPECT_EQ(test, pfs_info_domain(&info, 1), 1);
}

/*
 * The package that map_partition_power_domain_id() of isst_tpmi_core.c in Linux
 * has as an example: two compute dies and one IO die in each of two partitions.
 */
static void info_io_dies_have_no_domain(struct kunit *test)
{
	const struct pfs_info partition[] = {
		{ .partition = 0, .compute_dies = 0x3 }, { .partition = 1, .compute_dies = 0xc },
	};
	const struct pfs_info hole = { .compute_dies = 0x5 };
	const struct pfs_info none = { .partition = 1 }, untold = {};
	unsigned int p, die;

	for (p = 0; p < ARRAY_SIZE(partition); p++) {
		for (die = 0; die < 2; die++) {
			KUNIT_EXPECT_TRUE(test, pfs_info_is_compute(&partition[p], die));
			KUNIT_EXPECT_EQ(test, pfs_info_domain(&partition[p], die), 2 * p + die);
		}
		KUNIT_EXPECT_FALSE(test, pfs_info_is_compute(&partition[p], 2));
	}
	/* Dies that are not there have their instances. */
	KUNIT_EXPECT_TRUE(test, pfs_info_is_compute(&hole, 2));
	KUNIT_EXPECT_FALSE(test, pfs_info_is_compute(&hole, 3));
	KUNIT_EXPECT_FALSE(test, pfs_info_is_compute(&none, 0));
	KUNIT_EXPECT_TRUE(test, pfs_info_is_compute(&untold, 4));
}

static struct kunit_case plr_pfs_cases[] = {
	KUNIT_CASE(vsec_decodes),
	KUNIT_CASE(vsec_offset_is_masked),
	KUNIT_CASE(vsec_good),
	KUNIT_CASE(vsec_bad_fields),
	KUNIT_CASE(vsec_of_something_else),
	KUNIT_CASE(entry_decodes),
	KUNIT_CASE(entry_good),
	KUNIT_CASE(entry_bad_fields),
	KUNIT_CASE(entry_near_the_top),
	KUNIT_CASE(region_keeps_to_itself),
	KUNIT_CASE_PARAM(info_decodes, info_gen_params),
	KUNIT_CASE(info_domains),
	KUNIT_CASE(info_io_dies_have_no_domain),
	{}
};

struct kunit_suite plr_pfs_suite = {
	.name = "plr_pfs",
	.test_cases = plr_pfs_cases,
};
