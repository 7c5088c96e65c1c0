// SPDX-License-Identifier: GPL-2.0-only
/* contract: names encoding */
/* Check that the platform tables are consistent and match known encodings. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "../../core/box_hw.h"
#include "build.h"
#include "suites.h"

struct model_case {
	u8 family;
	u8 model;
	const char *name;
};

static const struct model_case model_cases[] = {
	{ 6, 0x8f, "spr" }, { 6, 0xcf, "emr" },	  { 6, 0xad, "gnr" },
	{ 6, 0xae, "gnr-d" }, { 6, 0xaf, "srf" }, { 6, 0xb6, "grr" },
	{ 6, 0xdd, "cwf" }, { 6, 0x6a, NULL },	  { 6, 0, NULL },
	{ 6, 0xff, NULL },  { 15, 0x8f, NULL },	  { 25, 0x8f, NULL },
	{ 19, 1, "dmr" },   { 19, 0, NULL },	  { 19, 0xad, NULL },
	{ 6, 1, NULL },	    { 6, 0xcc, "ptl" },	  { 6, 0xe5, "ptl" },
	{ 6, 0xd5, "ptl" }, { 18, 1, "nvl" },	  { 18, 3, "nvl" },
	{ 18, 2, NULL },    { 18, 0xcc, NULL },	  { 6, 3, NULL },
};

static void model_case_desc(const struct model_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "family %u model 0x%x",
		 c->family, c->model);
}

KUNIT_ARRAY_PARAM(model, model_cases, model_case_desc);

static void each_model_has_its_platform(struct kunit *test)
{
	const struct model_case *c = test->param_value;
	const struct uncore_platform *platform;

	platform = uncore_platform_find(c->family, c->model);
	if (!c->name) {
		KUNIT_EXPECT_TRUE(test, !platform);
		return;
	}
	KUNIT_ASSERT_NOT_NULL(test, platform);
	KUNIT_EXPECT_STREQ(test, platform->name, c->name);
}

/* Each model in platform.c must have a row in model_cases. */
static void each_model_has_a_row(struct kunit *test)
{
	const struct model_case *c, *end = model_cases + ARRAY_SIZE(model_cases);
	unsigned int row, cpu;

	for (row = 0; (cpu = cpu_model_at(row)); row++) {
		for (c = model_cases; c < end; c++)
			if (c->name && (c->family << 8 | c->model) == cpu)
				break;
		KUNIT_EXPECT_TRUE_MSG(test, c < end,
				      "family %u model 0x%x: add it to model_cases",
				      cpu >> 8, cpu & 0xff);
	}
}

/* Name the row in the message of a failure. */
#define OF_ROW(_platform, _row)						\
	"%s: type %u (%s)", (_platform)->name, (_row)->type,		\
	(_row)->pmu_type->name ?: "no name"

/* Get the bits of a config word that have a term. */
static u64 bits_of(const struct uncore_row *row, unsigned int word)
{
	u64 covered[PMON_CONFIG_WORDS];

	pmon_fields_cover(row->pmu_type->fields, covered);
	return covered[word];
}

static void check_fields(struct kunit *test,
			 const struct uncore_platform *platform,
			 const struct uncore_row *row)
{
	const struct pmon_field *field;

	for (field = row->pmu_type->fields; field->name; field++)
		KUNIT_EXPECT_NE_MSG(test, field->mask, 0,
				    OF_ROW(platform, row));
}

/*
 * Check that the fixed counter of a row overlaps no other register of the row.
 */
static void check_fixed(struct kunit *test,
			const struct uncore_platform *platform,
			const struct uncore_row *row)
{
	u32 ctls = row->ctl + row->counters * 4;
	u32 ctrs = row->ctr + row->counters * 8;

	if (!row->fixed_ctl) {
		KUNIT_EXPECT_EQ_MSG(test, row->pmu_type->fixed_config, 0,
				    OF_ROW(platform, row));
		return;
	}
	KUNIT_EXPECT_EQ_MSG(test, row->pmu_type->fixed_config, 0xff,
			    OF_ROW(platform, row));
	KUNIT_EXPECT_EQ_MSG(test, row->accesses, BIT(UNCORE_ACCESS_MMIO),
			    OF_ROW(platform, row));
	/* offsets from a discovery table are checked at run time */
	if (!row->counters && !row->ctl && !row->ctr)
		return;
	KUNIT_ASSERT_TRUE_MSG(test, row->counters && row->ctl && row->ctr,
			      OF_ROW(platform, row));
	KUNIT_EXPECT_GE_MSG(test, row->fixed_ctl, ctls, OF_ROW(platform, row));
	KUNIT_EXPECT_GE_MSG(test, row->fixed_ctl, ctrs, OF_ROW(platform, row));
	KUNIT_EXPECT_GE_MSG(test, row->fixed_ctr, ctrs, OF_ROW(platform, row));
	KUNIT_EXPECT_LE_MSG(test, row->fixed_ctr + 8, row->ctl,
			    OF_ROW(platform, row));
}

/* Check that a filter has a mask and is an MSR after the counters. */
static void check_filter(struct kunit *test,
			 const struct uncore_platform *platform,
			 const struct uncore_row *row)
{
	const struct pmon_type *type = row->pmu_type;

	KUNIT_EXPECT_EQ_MSG(test, type->filter_mask, bits_of(row, 1),
			    OF_ROW(platform, row));
	KUNIT_EXPECT_EQ_MSG(test, !row->filter, !type->filter_enable,
			    OF_ROW(platform, row));
	KUNIT_EXPECT_EQ_MSG(test, !row->filter, !type->filter_mask,
			    OF_ROW(platform, row));
	if (!row->filter)
		return;
	KUNIT_EXPECT_EQ_MSG(test, row->accesses, BIT(UNCORE_ACCESS_MSR),
			    OF_ROW(platform, row));
	KUNIT_ASSERT_TRUE_MSG(test, row->counters && row->ctl && row->ctr,
			      OF_ROW(platform, row));
	KUNIT_EXPECT_GE_MSG(test, row->filter, row->ctl + row->counters,
			    OF_ROW(platform, row));
	KUNIT_EXPECT_GE_MSG(test, row->filter, row->ctr + row->counters,
			    OF_ROW(platform, row));
}

static struct pmon_counter counters[PMON_COUNTERS_MAX];

/*
 * Check that a control outside of MSRs is wide enough for all terms: bits
 * beyond the width would be dropped silently.
 */
static void check_width(struct kunit *test,
			const struct uncore_platform *platform,
			const struct uncore_row *row, u8 access)
{
	struct pmon_layout layout;
	struct uncore_unit unit = {
		.row = row, .access = access, .counters = 4, .width = 48,
		.ctl = 0x80, .ctr = row->ctr ?: 0x40,
	};

	uncore_unit_layout(&unit, counters, &layout);
	KUNIT_EXPECT_STREQ_MSG(test, pmon_layout_valid(&layout, 0) ?: "nothing",
			       "nothing", OF_ROW(platform, row));
	if (access == UNCORE_ACCESS_MSR)
		return;
	KUNIT_EXPECT_TRUE_MSG(test, row->ctl_bytes == 4 || row->ctl_bytes == 8,
			      OF_ROW(platform, row));
	if (layout.ctl_bytes == 4)
		KUNIT_EXPECT_EQ_MSG(test, bits_of(row, 0) >> 32, 0,
				    OF_ROW(platform, row));
}

static void check_row(struct kunit *test,
		      const struct uncore_platform *platform,
		      const struct uncore_row *row)
{
	u8 access;

	KUNIT_ASSERT_NOT_NULL(test, row->pmu_type);
	/* another program's event or unit mask is noticed on all boxes */
	KUNIT_EXPECT_EQ_MSG(test, row->pmu_type->ctl_event, 0xffff,
			    OF_ROW(platform, row));
	check_fields(test, platform, row);
	check_fixed(test, platform, row);
	check_filter(test, platform, row);
	KUNIT_EXPECT_NE_MSG(test, row->accesses, 0, OF_ROW(platform, row));
	KUNIT_EXPECT_LE_MSG(test, row->counters, UNCORE_UNIT_COUNTERS,
			    OF_ROW(platform, row));
	for (access = 0; access < UNCORE_ACCESSES; access++)
		if (row->accesses & BIT(access))
			check_width(test, platform, row, access);
}

static void check_rows(struct kunit *test,
		       const struct uncore_platform *platform)
{
	const struct uncore_row *row = platform->rows, *end, *other;

	end = row + platform->nr_rows;
	for (; row < end; row++) {
		check_row(test, platform, row);
		for (other = platform->rows; other < row; other++) {
			if (!other->applies)
				KUNIT_EXPECT_NE_MSG(test, row->type,
						    other->type,
						    OF_ROW(platform, row));
			KUNIT_EXPECT_STRNEQ_MSG(test, row->pmu_type->name,
						other->pmu_type->name,
						OF_ROW(platform, row));
		}
	}
}

static void rows_are_consistent(struct kunit *test)
{
	const struct uncore_platform *platform;
	size_t i;
	u8 access;

	for (i = 0; i < ARRAY_SIZE(model_cases); i++) {
		platform = uncore_platform_find(model_cases[i].family,
						model_cases[i].model);
		if (!platform)
			continue;
		check_rows(test, platform);
		check_rows(test, uncore_platform_narrow(platform));
		KUNIT_EXPECT_EQ(test, !strcmp(platform->name, "dmr"),
				uncore_platform_narrow(platform) != platform);
	}
	platform = &uncore_platform_unknown;
	for (access = 0; access < UNCORE_ACCESSES; access++)
		check_row(test, platform,
			  uncore_platform_row(platform, 0, access, 0));
}

static void unknown_types_are_generic(struct kunit *test)
{
	const struct uncore_platform *unknown = &uncore_platform_unknown;
	const struct uncore_row *row;
	u8 access;

	for (access = 0; access < UNCORE_ACCESSES; access++) {
		row = uncore_platform_row(spr(), 99, access, 0);
		KUNIT_EXPECT_TRUE(test, !row->pmu_type->name);
		KUNIT_EXPECT_EQ(test, row->accesses, BIT(access));
		KUNIT_EXPECT_PTR_EQ(test, row,
				    uncore_platform_row(unknown, 6, access, 0));
	}
	/* an invalid access type must not index past the end */
	KUNIT_EXPECT_PTR_EQ(test, uncore_platform_row(spr(), 99, 3, 0),
			    uncore_platform_row(spr(), 99, 0, 0));
}

struct name_case {
	const char *pmu;
	int spr;
	int gnr;
};

#define NEW	UNCORE_KIND_UNKNOWN

/*
 * PMU names, and their kinds on spr and gnr. NEW: the name may come from a newer
 * kernel and belong to boxes of any type, even of a type without a name here.
 */
static const struct name_case name_cases[] = {
	{ "uncore_cha_0", 0, 0 },
	{ "uncore_cha_127", 0, 0 },
	{ "uncore_imc_11", 6, 6 },
	{ "uncore_iio_0", 1, 1 },
	{ "uncore_irp_0", 2, 2 },
	{ "uncore_m2pcie_0", 3, NEW },
	{ "uncore_ubox", 5, 5 },
	{ "uncore_upi_0", 8, 8 },
	{ "uncore_m3upi_0", 9, NEW },
	{ "uncore_cxlcm_2", 12, 12 },
	{ "uncore_cxldp_3", 13, 13 },
	{ "uncore_b2hot_0", NEW, 15 },
	{ "uncore_b2cxl_0", NEW, 17 },
	{ "uncore_b2upi_0", NEW, 18 },
	{ "uncore_pciex16_8", NEW, 21 },
	{ "uncore_pciex8", NEW, 22 },
	{ "uncore_pcu", 4, 4 },
	{ "uncore_type_5", 5, 5 },
	{ "uncore_type_20_79", 20, 20 },
	{ "uncore_type_65535_0", 65535, 65535 },
	{ "uncore_type_65536_0", NEW, NEW },
	{ "uncore_type_99999999999999999999", NEW, NEW },
	{ "uncore_type_", NEW, NEW },
	{ "uncore_type_6_", NEW, NEW },
	{ "uncore_type_6x", NEW, NEW },
	{ "uncore_hbm_3", 14, NEW },
	{ "uncore_mchbm_3", 14, NEW },
	{ "uncore_mdf_0", 11, 20 },
	{ "uncore_mdf_sbo_0", NEW, 20 },
	{ "uncore_imc_free_running_0", 0x10006, NEW },
	{ "uncore_iio_free_running", 0x10001, 0x10001 },
	{ "uncore_iio_free_running_11", 0x10001, 0x10001 },
	{ "uncore_iio_free_runningx", NEW, NEW },
	{ "uncore_iio_free_1", NEW, NEW },
	{ "uncore_chacms_1", NEW, NEW },
	{ "uncore_m2hbm_1", 7, NEW },
	{ "uncore_m2m_1", 7, NEW },
	{ "uncore_b2cmi_1", NEW, 16 },
	{ "uncore_chax", NEW, NEW },
	{ "uncore_cha_", NEW, NEW },
	{ "uncore_cha_x", NEW, NEW },
	{ "uncore_", -1, -1 },
	{ "uncorexcha_0", -1, -1 },
	{ "xncore_cha_0", -1, -1 },
	{ "uncore_typex6_0", NEW, NEW },
	{ "uncore_typ", NEW, NEW },
	{ "cha_0", -1, -1 },
	{ "cpu", -1, -1 },
	{ "", -1, -1 },
};

static void name_case_desc(const struct name_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", c->pmu);
}

KUNIT_ARRAY_PARAM(name, name_cases, name_case_desc);

static void pmus_of_others(struct kunit *test)
{
	const struct name_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, c->spr,
			uncore_platform_kind(uncore_platform_find(6, 0x8f),
					     c->pmu));
	KUNIT_EXPECT_EQ(test, c->gnr,
			uncore_platform_kind(uncore_platform_find(6, 0xad),
					     c->pmu));
}

static void layout_of(struct kunit *test, struct spec spec, u8 model,
		      struct pmon_layout *layout)
{
	struct uncore_unit unit = {};

	spec_parse(&spec, uncore_platform_find(6, model), &unit);
	KUNIT_ASSERT_TRUE(test, uncore_unit_good(&unit));
	uncore_unit_layout(&unit, counters, layout);
}

static void a_cha_has_controls_of_eight_bytes(struct kunit *test)
{
	struct pmon_layout layout;

	layout_of(test, spec_cha(0), 0x8f, &layout);
	KUNIT_EXPECT_EQ(test, layout.counter[3].ctl, 5);
	KUNIT_EXPECT_EQ(test, layout.counter[3].ctr, 11);
	KUNIT_EXPECT_EQ(test, layout.counters, 4);
	KUNIT_EXPECT_EQ(test, layout.ctl_bytes, 8);
	KUNIT_EXPECT_EQ(test, layout.counter[0].filter, 0xe);
	KUNIT_EXPECT_EQ(test, layout.filter_bytes, 8);
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 8);
	KUNIT_EXPECT_EQ(test, layout.protocol->reset, 0x301);
	KUNIT_EXPECT_EQ(test, layout.protocol->freeze, 0x1);
	KUNIT_EXPECT_EQ(test, layout.protocol->run, 0x0);
}

/* CXL boxes have controls of eight bytes. */
static void cxl_boxes_have_controls_of_eight_bytes(struct kunit *test)
{
	struct spec spec = spec_generic(UNCORE_ACCESS_MMIO, 0);
	static const u8 models[] = { 0x8f, 0xad };
	struct uncore_unit unit = {};
	struct pmon_layout layout;
	size_t i;

	spec.type = 13;
	layout_of(test, spec, 0xad, &layout);
	KUNIT_EXPECT_EQ(test, layout.counter[3].ctl, 0x58);
	KUNIT_EXPECT_EQ(test, layout.ctl_bytes, 8);
	KUNIT_EXPECT_EQ(test, layout.protocol->bytes, 4);
	KUNIT_EXPECT_EQ(test, layout.protocol->reset, 0x301);
	KUNIT_EXPECT_EQ(test, layout.protocol->freeze, 0x1);
	KUNIT_EXPECT_EQ(test, layout.protocol->run, 0x0);

	/* CXLCM boxes have eight counters, not four. */
	spec.type = 12;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		spec_parse(&spec, uncore_platform_find(6, models[i]), &unit);
		KUNIT_EXPECT_STREQ(test, unit.fault.field ?: "none",
				   "counters");
	}
}

struct function_case {
	u8 devfn;
	const char *name;
};

/* M2HBM is in functions 1 to 4 of slots 12 to 15, M2M in all others. */
static const struct function_case function_cases[] = {
	{ 12 << 3 | 0, "m2m" },	  { 15 << 3 | 0, "m2m" },
	{ 12 << 3 | 1, "m2hbm" }, { 12 << 3 | 4, "m2hbm" },
	{ 12 << 3 | 5, "m2m" },	  { 15 << 3 | 1, "m2hbm" },
	{ 15 << 3 | 4, "m2hbm" }, { 15 << 3 | 7, "m2m" },
	{ 11 << 3 | 1, "m2m" },	  { 16 << 3 | 1, "m2m" },
};

static void m2hbm_by_function(struct kunit *test)
{
	const struct uncore_row *row;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(function_cases); i++) {
		row = uncore_platform_row(spr(), 7, UNCORE_ACCESS_PCI,
					  pci_address(0, 0x7e,
						      function_cases[i].devfn,
						      0x438));
		KUNIT_EXPECT_STREQ(test, row->pmu_type->name,
				   function_cases[i].name);
	}
	row = uncore_platform_row(spr(), 7, UNCORE_ACCESS_MSR, 0x61000);
	KUNIT_EXPECT_STREQ(test, row->pmu_type->name, "m2m");
}

/* Check far ends: IIO units have one, UPI units on platforms with links. */
static void boxes_with_a_far_end_have_a_topology(struct kunit *test)
{
	static const u8 models[] = { 0x8f, 0xcf, 0xad, 0xae, 0xaf, 0xb6, 0xdd };
	const struct uncore_platform *platform;
	const struct uncore_row *row;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		platform = uncore_platform_find(6, models[i]);
		KUNIT_EXPECT_EQ(test, platform->index_on_bus, models[i] == 0xb6);
		KUNIT_EXPECT_EQ(test, platform->counts_chas, i < 2);
		row = uncore_platform_row(platform, 1, UNCORE_ACCESS_MSR,
					  0x3000);
		KUNIT_EXPECT_EQ(test, row->topology, UNCORE_TOPOLOGY_IIO);
		KUNIT_EXPECT_EQ(test, platform->unlisted->row->topology,
				UNCORE_TOPOLOGY_AS_IIO);
		row = uncore_platform_row(platform, 8, UNCORE_ACCESS_PCI,
					  pci_address(0, 0x7e, 9, 0x318));
		KUNIT_EXPECT_EQ(test, row->topology,
				platform->links ? UNCORE_TOPOLOGY_UPI :
						  UNCORE_TOPOLOGY_NONE);
		row = uncore_platform_row(platform, 0, UNCORE_ACCESS_MSR,
					  0x2000);
		KUNIT_EXPECT_EQ(test, row->topology, UNCORE_TOPOLOGY_NONE);
	}
	platform = uncore_platform_find(6, 0xcf);
	KUNIT_EXPECT_NOT_NULL(test, uncore_platform_stacks(platform, UNCORE_CHOP_XCC));
}

/*
 * Check what no other table has: one table per package; the MSRs that may be
 * global controls, without the number of CHAs (0x2ffe); types with one unit.
 */
static void packages_and_global_controls(struct kunit *test)
{
	static const u8 models[] = { 0x8f, 0xcf, 0xad, 0xae, 0xaf, 0xb6, 0xdd };
	const struct uncore_platform *platform;
	const struct uncore_row *row;
	size_t i;
	bool spr;

	for (i = 0; i < ARRAY_SIZE(models); i++) {
		platform = uncore_platform_find(6, models[i]);
		spr = platform->links;
		KUNIT_EXPECT_EQ(test, platform->roots, 1);
		KUNIT_EXPECT_EQ(test, platform->global.first,
				spr ? 0x2ff0 : 0x2000);
		KUNIT_EXPECT_EQ(test, platform->global.last,
				spr ? 0x2ffd : 0x3fff);
		/* uncore_pcu, uncore_ubox, but uncore_pcu_0 since GNR */
		row = uncore_platform_row(platform, 4, UNCORE_ACCESS_MSR, 0);
		KUNIT_EXPECT_EQ(test, row->single, spr);
		row = uncore_platform_row(platform, 5, UNCORE_ACCESS_MSR, 0);
		KUNIT_EXPECT_TRUE(test, row->single);
	}
}

/* Linux: is_freerunning_event(), uncore_pmu_event_init(). */
static void events_of_other_counters(struct kunit *test)
{
	const struct pmon_layout layout = { .general = 0xf };
	const struct uncore_row *row =
		uncore_platform_row(uncore_platform_find(6, 0x8f), 0,
				    UNCORE_ACCESS_MSR, 0x2000);
	unsigned int umask;

	for (umask = 0; umask < 0x100; umask++)
		KUNIT_EXPECT_EQ_MSG(test,
				    pmon_allowed(row->pmu_type, &layout,
						 umask << 8 | 0xff),
				    umask && umask < 0x10 ? 0xf : 0,
				    "unit mask 0x%x", umask);
}

struct names_case {
	const char *text;
	bool good;
	u16 type;
	const char *name;
};

static const struct names_case names_cases[] = {
	{ "", true, 19, NULL },
	{ "19:chacms", true, 19, "chacms" },
	{ "19:chacms,", true, 19, "chacms" },
	{ "30:chacms,31:imc", true, 31, "imc" },
	{ "0:chacms", true, 0, "chacms" },
	{ "65535:ubox", true, 65535, "ubox" },
	{ "65536:ubox", false },
	{ "19", false },
	{ "19:", false },
	{ ":chacms", false },
	{ "chacms", false },
	{ "19:chacm", false },
	{ "19:chacmsx", false },
	{ "19:m2hbm", false },	/* not on this platform */
	{ "19:chacms;20:imc", false },
	{ ",19:chacms", false },
	{ "1:cha,2:cha,3:cha", false },	/* more names than rows */
};

static void names_by_hand(struct kunit *test)
{
	const struct names_case *c = names_cases;
	struct uncore_platform platform;
	const struct uncore_row *row;
	struct uncore_row rows[2];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names_cases); i++, c++) {
		platform = *uncore_platform_find(6, 0xad);
		KUNIT_EXPECT_EQ_MSG(test, c->good,
				    uncore_platform_names(&platform, c->text,
							  rows, 2),
				    "%s", c->text);
		if (!c->good)
			continue;
		row = uncore_platform_row(&platform, c->type, UNCORE_ACCESS_MSR,
					  0x2000);
		if (c->name)
			KUNIT_EXPECT_STREQ(test, row->pmu_type->name, c->name);
		else
			KUNIT_EXPECT_TRUE(test, !row->pmu_type->name);
	}
}

/*
 * A name applies to all units of a type, and the last call replaces all names.
 */
static void names_are_for_whole_types(struct kunit *test)
{
	struct uncore_platform platform = *uncore_platform_find(6, 0x8f);
	struct uncore_row rows[2];

	KUNIT_ASSERT_TRUE(test, uncore_platform_names(&platform,
						      "19:m2m,20:m2hbm",
						      rows, 2));
	KUNIT_EXPECT_EQ(test, platform.nr_named, 2);
	KUNIT_EXPECT_STREQ(test, rows[1].pmu_type->name, "m2hbm");
	KUNIT_EXPECT_EQ(test, rows[1].type, 20);
	KUNIT_EXPECT_TRUE(test, !rows[1].applies);
	KUNIT_ASSERT_TRUE(test, uncore_platform_names(&platform, "21:m2hbm",
						      rows, 2));
	KUNIT_EXPECT_EQ(test, platform.nr_named, 1);
	KUNIT_EXPECT_EQ(test, rows[0].type, 21);
	/* intel_uncore has the name hbm for type 14 only */
	KUNIT_ASSERT_TRUE(test, uncore_platform_names(&platform,
						      "14:mchbm,30:mchbm",
						      rows, 2));
	KUNIT_EXPECT_STREQ(test, rows[0].intel_name, "hbm");
	KUNIT_EXPECT_NULL(test, rows[1].intel_name);
}

static struct kunit_case platform_tests[] = {
	KUNIT_CASE_PARAM(each_model_has_its_platform, model_gen_params),
	KUNIT_CASE(each_model_has_a_row),
	KUNIT_CASE(rows_are_consistent),
	KUNIT_CASE(unknown_types_are_generic),
	KUNIT_CASE_PARAM(pmus_of_others, name_gen_params),
	KUNIT_CASE(a_cha_has_controls_of_eight_bytes),
	KUNIT_CASE(cxl_boxes_have_controls_of_eight_bytes),
	KUNIT_CASE(m2hbm_by_function),
	KUNIT_CASE(boxes_with_a_far_end_have_a_topology),
	KUNIT_CASE(packages_and_global_controls),
	KUNIT_CASE(events_of_other_counters),
	KUNIT_CASE(names_by_hand),
	KUNIT_CASE(names_are_for_whole_types),
	{}
};

struct kunit_suite platform_suite = {
	.name = "uncore_platform",
	.test_cases = platform_tests,
};
