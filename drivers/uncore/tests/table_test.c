// SPDX-License-Identifier: GPL-2.0-only
/* contract: addresses */
/*
 * Check single records: a good record of each access type, then each field at
 * each limit. Each rejection must give the field and the value.
 */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "build.h"
#include "suites.h"

static void fields_of_a_unit(struct kunit *test)
{
	struct spec spec = spec_imc(5);
	struct uncore_unit unit = {};

	spec_parse(&spec, spr(), &unit);
	KUNIT_EXPECT_EQ(test, unit.access, UNCORE_ACCESS_MMIO);
	KUNIT_EXPECT_EQ(test, unit.address, 0xc8aca800ULL);
	KUNIT_EXPECT_FALSE(test, unit.empty);
	/* the fixed counter's control is the last register */
	KUNIT_EXPECT_EQ(test, unit.span, 0x58);
}

/* Reserved bits may get a meaning later, and are not an error. */
static void reserved_bits_are_ignored(struct kunit *test)
{
	struct spec spec = spec_imc(0);
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_unit unit = {};

	spec_record(&spec, record);
	record[0] |= GENMASK_ULL(61, 40);
	record[2] |= GENMASK_ULL(62, 32);
	uncore_unit_parse(record, spr(), &unit);
	KUNIT_EXPECT_TRUE(test, uncore_unit_good(&unit));
}

/* All-ones in a field do not change other fields. */
static void fields_are_apart(struct kunit *test)
{
	u64 record[UNCORE_RECORD_QWORDS] = {};
	struct uncore_unit unit = {};
	int i;

	for (i = 0; i < 7; i++) {
		record[0] = i < 5 ? 0xffULL << (8 * i) : 0;
		record[1] = 1;
		record[2] = i < 5 ? 0 : 0xffffULL << (16 * (i - 5));
		uncore_unit_parse(record, spr(), &unit);
		KUNIT_EXPECT_EQ(test, unit.counters, i == 0 ? 0xff : 0);
		KUNIT_EXPECT_EQ(test, unit.ctl, i == 1 ? 0xff : 0);
		KUNIT_EXPECT_EQ(test, unit.width, i == 2 ? 0xff : 0);
		KUNIT_EXPECT_EQ(test, unit.ctr, i == 3 ? 0xff : 0);
		KUNIT_EXPECT_EQ(test, unit.status, i == 4 ? 0xff : 0);
		KUNIT_EXPECT_EQ(test, unit.type, i == 5 ? 0xffff : 0);
		KUNIT_EXPECT_EQ(test, unit.id, i == 6 ? 0xffff : 0);
		KUNIT_EXPECT_EQ(test, unit.access, 0);
	}
}

static void fields_of_a_table(struct kunit *test)
{
	u64 record[UNCORE_RECORD_QWORDS] = {
		0x40000000000000a5ULL | 0x3cULL << 8 | 2ULL << 16, 0x12345678,
		0x5a | 0xbeefULL << 8,
	};
	struct uncore_global_record table;
	struct uncore_fault fault;

	KUNIT_ASSERT_TRUE(test, uncore_global_record_check(record, 0x10000,
							   &table, &fault));
	KUNIT_EXPECT_NULL(test, fault.field);
	KUNIT_EXPECT_EQ(test, table.stride, 0x3c);
	KUNIT_EXPECT_EQ(test, table.units, 2);
	KUNIT_EXPECT_EQ(test, table.access, 1);
	KUNIT_EXPECT_EQ(test, table.address, 0x12345678);
	record[0] ^= GENMASK_ULL(63, 62);
	KUNIT_ASSERT_TRUE(test, uncore_global_record_check(record, 0x10000,
							   &table, &fault));
	KUNIT_EXPECT_EQ(test, table.access, 2);
	record[0] ^= GENMASK_ULL(63, 62);

	/* reserved bits belong to no field */
	record[0] |= GENMASK_ULL(61, 26);
	record[2] |= GENMASK_ULL(62, 24);
	KUNIT_ASSERT_TRUE(test, uncore_global_record_check(record, 0x10000,
							   &table, &fault));
	KUNIT_EXPECT_EQ(test, table.units, 2);
	KUNIT_EXPECT_EQ(test, table.access, 1);
}

static void first_fault_stays(struct kunit *test)
{
	struct uncore_unit unit = {};

	uncore_unit_reject(&unit, "width", 7, "first");
	uncore_unit_reject(&unit, "address", 8, "second");
	KUNIT_EXPECT_STREQ(test, unit.fault.field, "width");
	KUNIT_EXPECT_STREQ(test, unit.fault.reason, "first");
	KUNIT_EXPECT_EQ(test, unit.fault.value, 7);
}

/* Linux skips a record if the first or the second quadword is 0. */
static const struct empty_case {
	u64 record[UNCORE_RECORD_QWORDS];
	bool empty;
} empty_cases[] = {
	{ { 0, 0, 0 }, true },
	/* an unused record may have a type and an id */
	{ { 0, 0x2000, 0x00030000 }, true },
	{ { 0x108300204, 0, 0x00030000 }, true },
	/* the first unit of type 0 */
	{ { 0x108300204, 0x2000, 0 }, false },
	{ { BIT_ULL(63), BIT_ULL(63), 0 }, false },
};

static void empty_records_have_no_fault(struct kunit *test)
{
	const struct empty_case *c = empty_cases;
	struct uncore_unit unit = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(empty_cases); i++, c++) {
		uncore_unit_parse(c->record, spr(), &unit);
		KUNIT_EXPECT_EQ_MSG(test, unit.empty, c->empty, "case %zu", i);
		if (!c->empty)
			continue;
		KUNIT_EXPECT_FALSE(test, uncore_unit_good(&unit));
		KUNIT_EXPECT_NULL_MSG(test, unit.fault.field, "case %zu", i);
	}
}

static void all_ones_in_any_quadword(struct kunit *test)
{
	struct spec spec = spec_imc(0);
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_unit unit;
	int i;

	for (i = 0; i < UNCORE_RECORD_QWORDS; i++) {
		memset(&unit, 0, sizeof(unit));
		spec_record(&spec, record);
		record[i] = U64_MAX;
		uncore_unit_parse(record, spr(), &unit);
		KUNIT_ASSERT_NOT_NULL(test, unit.fault.field);
		KUNIT_EXPECT_STREQ(test, unit.fault.field, "record");
		KUNIT_EXPECT_EQ(test, unit.fault.value, U64_MAX);
	}
}

enum base { CHA, IMC, UPI, IRP, MSR, MMIO, PCI, MSRS, MMIOS, PCIS };

/* Return a unit whose offsets @ctl and @ctr leave room for many counters. */
static struct spec roomy(u8 access, u8 ctl, u8 ctr)
{
	struct spec spec = spec_generic(access, 0);

	spec.ctl = ctl;
	spec.ctr = ctr;
	return spec;
}

static struct spec base_spec(enum base base)
{
	struct spec spec;

	switch (base) {
	case CHA:
		return spec_cha(0);
	case IMC:
		return spec_imc(0);
	case UPI:
		return spec_upi(0);
	case IRP:
		spec = spec_cha(0);
		spec.type = 2;
		return spec;
	case MSR:
		return spec_generic(UNCORE_ACCESS_MSR, 0);
	case MMIO:
		return spec_generic(UNCORE_ACCESS_MMIO, 0);
	case MSRS:
		return roomy(UNCORE_ACCESS_MSR, 1, 66);
	case MMIOS:
		return roomy(UNCORE_ACCESS_MMIO, 0x04, 0xf8);
	case PCIS:
		return roomy(UNCORE_ACCESS_PCI, 0xf8, 0x08);
	default:
		return spec_generic(UNCORE_ACCESS_PCI, 0);
	}
}

/* Each case sets one field of a valid unit; model_test.c sets random fields. */
struct unit_case {
	enum base base;
	const char *set;
	u64 value;
	bool bad;
	const char *field; /* rejected field, NULL: the field that was set */
};

#define OK(_base, _set, _value)		{ _base, _set, _value, false }
#define BAD(_base, _set, _value)	{ _base, _set, _value, true }
#define WRONG(_base, _set, _value, _field) { _base, _set, _value, true, _field }

static const struct unit_case unit_cases[] = {
	BAD(MMIO, "access", 3),
	BAD(IMC, "access", UNCORE_ACCESS_MSR),
	BAD(IMC, "access", UNCORE_ACCESS_PCI),
	BAD(CHA, "access", UNCORE_ACCESS_MMIO),
	BAD(UPI, "access", UNCORE_ACCESS_MSR),

	BAD(MMIO, "counters", 0),
	/* eight counters from 0x08 end at 0x48, but controls begin at 0x40 */
	WRONG(MMIO, "counters", 8, "ctr_offset"),
	WRONG(MSR, "counters", 9, "ctr_offset"),
	BAD(MSRS, "counters", 65),
	WRONG(MMIOS, "counters", 62, "ctr_offset"),
	WRONG(PCIS, "counters", 31, "ctr_offset"),
	BAD(IMC, "counters", 3),
	BAD(IMC, "counters", 5),
	BAD(CHA, "counters", 8),

	BAD(MMIO, "width", 31),
	BAD(MMIO, "width", 65),
	OK(IMC, "width", 32),
	OK(MSR, "width", 64),
	OK(MMIO, "width", 64),
	OK(PCI, "width", 64),

	BAD(MMIO, "ctl_offset", 0),
	BAD(MMIO, "ctl_offset", 0x2a),
	WRONG(MMIO, "ctl_offset", 0x24, "ctr_offset"),
	BAD(MSR, "ctl_offset", 0),
	WRONG(MSR, "ctl_offset", 5, "ctr_offset"),
	WRONG(MSR, "ctl_offset", 11, "ctr_offset"),
	BAD(IMC, "ctl_offset", 0x44),
	BAD(CHA, "ctl_offset", 3),
	BAD(UPI, "ctl_offset", 0x30),

	BAD(MMIO, "ctr_offset", 0),
	BAD(MMIO, "ctr_offset", 0x0c),
	BAD(MMIO, "ctr_offset", 0x28),
	BAD(MMIO, "ctr_offset", 0x48),
	BAD(MSR, "ctr_offset", 0),
	/* controls have 64 bits, yet their MSR numbers differ by 1 */
	OK(IRP, "ctr_offset", 6),
	BAD(IRP, "ctr_offset", 5),
	BAD(PCI, "ctr_offset", 0x1c),
	BAD(PCI, "ctr_offset", 0x50),
	BAD(PCI, "ctr_offset", 0x0a),
	BAD(IMC, "ctr_offset", 0x10),
	BAD(CHA, "ctr_offset", 9),

	BAD(MMIO, "status_offset", 2),
	BAD(MMIO, "status_offset", 8),
	BAD(MMIO, "status_offset", 0x27),
	BAD(MMIO, "status_offset", 0x40),
	BAD(MMIO, "status_offset", 0x4f),

	BAD(CHA, "address", 0x1fff),
	OK(CHA, "address", 0x2000),
	OK(CHA, "address", 0x2fe1),
	BAD(CHA, "address", 0x2fe2),
	BAD(CHA, "address", 0x2ffe),
	OK(CHA, "address", 0x3000),
	OK(CHA, "address", 0x3ff1),
	BAD(CHA, "address", 0x3ff2),
	BAD(CHA, "address", 0x4000),
	BAD(CHA, "address", 0x100002000ULL),
	BAD(CHA, "address", U64_MAX - 1),

	BAD(IMC, "address", 0xffff8),
	OK(IMC, "address", 0x100000),
	BAD(IMC, "address", 0xc8aa2801),
	BAD(IMC, "address", 0xc8aa2804),
	OK(IMC, "address", 0xc8aa2808),
	OK(IMC, "address", 0x000fffffffffffa8ULL),
	BAD(IMC, "address", 0x000fffffffffffb0ULL),
	BAD(IMC, "address", 0xfffffffffffffff8ULL),

	BAD(UPI, "address", 0x07e09318),
	BAD(UPI, "address", 0x187e09318ULL),
	BAD(UPI, "address", 0x87e09319),
	OK(UPI, "address", 0x87e0931c),
	BAD(UPI, "address", 0x87e0903c),
	OK(UPI, "address", 0x87e09040),
	OK(UPI, "address", 0x87e09fa8),
	BAD(UPI, "address", 0x87e09fac),
	OK(UPI, "address", 0xffffff40),
};

static void unit_case_desc(const struct unit_case *c, char *desc)
{
	static const char * const names[] = {
		"cha", "imc", "upi", "irp", "msr", "mmio", "pci",
		"roomy msr", "roomy mmio", "roomy pci"
	};

	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %s=0x%llx: %s",
		 names[c->base], c->set, c->value, c->bad ? "bad" : "good");
}

KUNIT_ARRAY_PARAM(unit, unit_cases, unit_case_desc);

static void set_field(struct kunit *test, struct spec *spec, const char *name,
		      u64 value)
{
	if (!strcmp(name, "access"))
		spec->access = value;
	else if (!strcmp(name, "counters"))
		spec->counters = value;
	else if (!strcmp(name, "width"))
		spec->width = value;
	else if (!strcmp(name, "ctl_offset"))
		spec->ctl = value;
	else if (!strcmp(name, "ctr_offset"))
		spec->ctr = value;
	else if (!strcmp(name, "status_offset"))
		spec->status = value;
	else if (!strcmp(name, "address"))
		spec->address = value;
	else
		KUNIT_FAIL(test, "no field %s", name);
}

static void each_field_is_checked(struct kunit *test)
{
	const struct unit_case *c = test->param_value;
	const char *field = c->field ?: c->set;
	struct spec spec = base_spec(c->base);
	struct uncore_unit unit = {};
	u64 value = c->value;

	set_field(test, &spec, c->set, c->value);
	spec_parse(&spec, spr(), &unit);
	KUNIT_EXPECT_EQ(test, uncore_unit_good(&unit), !c->bad);
	if (!c->bad)
		return;
	KUNIT_ASSERT_NOT_NULL(test, unit.fault.field);
	KUNIT_ASSERT_NOT_NULL(test, unit.fault.reason);
	KUNIT_EXPECT_STREQ(test, unit.fault.field, field);
	if (c->field)
		value = spec.ctr;
	KUNIT_EXPECT_EQ(test, unit.fault.value, value);
	/* type and id of a rejected unit are correct */
	KUNIT_EXPECT_EQ(test, unit.type, spec.type);
	KUNIT_EXPECT_EQ(test, unit.id, spec.id);
}

/* A table: stride and count of record 0, and the space in the BAR */
struct table_case {
	const char *name;
	u8 stride;
	u16 units;
	u64 space;
	bool readable;
	u16 kept;
	const char *field;
	u64 value;
};

static const struct table_case table_cases[] = {
	{ "exact", 8, 10, 80 * 8 + 24, true, 10 },
	{ "one byte short", 8, 10, 80 * 8 + 23, true, 9, "units", 10 },
	{ "none fits", 8, 10, 8 * 8 + 23, false, 0, "units", 10 },
	{ "no space at all", 8, 10, 0, false, 0, "units", 10 },
	{ "all units", 3, 1023, 1024 * 24, true, 1023 },
	{ "widest", 255, 1023, 1023 * 255 * 8 + 24, true, 1023 },
	{ "endless space", 255, 1023, U64_MAX, true, 1023 },
	{ "stride 2", 2, 1, 0x10000, false, 0, "stride", 2 },
	{ "stride 0", 0, 1, 0x10000, false, 0, "stride", 0 },
	{ "no units", 8, 0, 0x10000, false, 0, "units", 0 },
};

static void table_case_desc(const struct table_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", c->name);
}

KUNIT_ARRAY_PARAM(table, table_cases, table_case_desc);

static void stride_and_number_of_units_are_checked(struct kunit *test)
{
	const struct table_case *c = test->param_value;
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_global_record table;
	struct uncore_fault fault;
	bool readable;

	table_record(c->stride, c->units, record);
	readable = uncore_global_record_check(record, c->space, &table, &fault);
	KUNIT_EXPECT_EQ(test, readable, c->readable);
	if (readable)
		KUNIT_EXPECT_EQ(test, table.units, c->kept);
	if (!c->field) {
		KUNIT_EXPECT_NULL(test, fault.field);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, fault.field);
	KUNIT_EXPECT_STREQ(test, fault.field, c->field);
	KUNIT_EXPECT_EQ(test, fault.value, c->value);
}

/* The space in a BAR for a table at the offset in the capability */
static const struct space_case {
	const char *name;
	u64 bar;
	u32 offset;
	u64 space;
} space_cases[] = {
	{ "in the middle", 0x2000, 0x1000, 0x1000 },
	{ "one record before the end", 0x2000, 0x2000 - 24, 24 },
	{ "too near to the end", 0x2000, 0x2000 - 16, 0 },
	{ "outside", 0x2000, 0xfffffff8, 0 },
	{ "a BAR for no record", 16, 0, 0 },
	{ "no more than a table can have", 1ULL << 32, 8, 24 + 1023 * 255 * 8 },
};

static void space_case_desc(const struct space_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", c->name);
}

KUNIT_ARRAY_PARAM(space, space_cases, space_case_desc);

static void a_table_ends_with_its_bar(struct kunit *test)
{
	const struct space_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, uncore_table_space(c->bar, c->offset), c->space);
}

static void table_of_ones(struct kunit *test)
{
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_global_record table;
	struct uncore_fault fault;
	int i;

	for (i = 0; i < UNCORE_RECORD_QWORDS; i++) {
		table_record(8, 10, record);
		record[i] = U64_MAX;
		KUNIT_EXPECT_FALSE(test,
				   uncore_global_record_check(record, 0x10000,
							      &table, &fault));
		KUNIT_ASSERT_NOT_NULL(test, fault.field);
		KUNIT_EXPECT_STREQ(test, fault.field, "table");
		KUNIT_EXPECT_EQ(test, fault.value, U64_MAX);
	}
}

static struct kunit_case table_tests[] = {
	KUNIT_CASE(fields_of_a_unit),
	KUNIT_CASE(reserved_bits_are_ignored),
	KUNIT_CASE(fields_are_apart),
	KUNIT_CASE(fields_of_a_table),
	KUNIT_CASE(first_fault_stays),
	KUNIT_CASE(empty_records_have_no_fault),
	KUNIT_CASE(all_ones_in_any_quadword),
	KUNIT_CASE_PARAM(each_field_is_checked, unit_gen_params),
	KUNIT_CASE_PARAM(stride_and_number_of_units_are_checked, table_gen_params),
	KUNIT_CASE(table_of_ones),
	KUNIT_CASE_PARAM(a_table_ends_with_its_bar, space_gen_params),
	{}
};

struct kunit_suite table_suite = {
	.name = "uncore_table",
	.test_cases = table_tests,
};
