// SPDX-License-Identifier: GPL-2.0-only
/*
 * The unit types of each platform: names, formats, events, constraints, and
 * what is certain about their registers.
 *
 * Names are those that perf's event lists use, so that an event finds its PMU.
 * Where the kernel's driver uses another, the row says so: that is how its
 * PMUs are recognised.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <pmon/box.h>

#include "platform.h"

#define MSR	BIT(PMON_ACCESS_MSR)
#define MMIO	BIT(PMON_ACCESS_MMIO)
#define PCI	BIT(PMON_ACCESS_PCI)

/* Formats */

#define FIELD(_name, _mask)	{ .name = _name, .word = 0, .mask = _mask }
#define EVENT			FIELD("event", GENMASK_ULL(7, 0))
#define UMASK			GENMASK_ULL(15, 8)
#define EDGE			FIELD("edge", BIT_ULL(18))
#define INV			FIELD("inv", BIT_ULL(23))
#define THRESH			FIELD("thresh", GENMASK_ULL(31, 24))

#define NARROW_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18) | \
				 BIT_ULL(23) | GENMASK_ULL(31, 24))
#define WIDE_MASK		(NARROW_MASK | GENMASK_ULL(55, 32))
#define CHA_FILTER_ENABLE	BIT_ULL(16)
#define CHA_FILTER_MASK		GENMASK_ULL(9, 0)
#define CHA_MASK		(NARROW_MASK | CHA_FILTER_ENABLE | \
				 GENMASK_ULL(63, 32))

/* A 32-bit event control: nothing above it can be asked for. */
static const struct pmon_field narrow_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV, THRESH, {}
};

/* A 64-bit event control with an extended unit mask. */
static const struct pmon_field wide_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV, THRESH, {}
};

/* One thread's requests only; the thread is in a register of the box. */
static const struct pmon_field cha_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(63, 32)),
	FIELD("tid_en", CHA_FILTER_ENABLE), EDGE, INV, THRESH,
	{ .name = "filter_tid", .word = 1, .mask = CHA_FILTER_MASK }, {}
};

/*
 * The port and channel masks are also the upper part of the unit mask: some
 * event lists fill in the one and some the other.
 */
static const struct pmon_field iio_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(55, 32)), EDGE, INV,
	FIELD("thresh", GENMASK_ULL(35, 24)),
	FIELD("ch_mask", GENMASK_ULL(47, 36)),
	FIELD("fc_mask", GENMASK_ULL(50, 48)), {}
};

/* Events by a name of their own */

/* One CAS moves a cache line: 64 bytes, here in MiB. */
#define CAS(_name, _event) \
	{ .name = _name, .event = _event, \
	  .scale = "6.103515625e-5", .unit = "MiB" }

static const struct pmon_alias imc_aliases[] = {
	{ .name = "clockticks", .event = "event=0x01,umask=0x00" },
	CAS("cas_count_read", "event=0x05,umask=0xcf"),
	CAS("cas_count_write", "event=0x05,umask=0xf0"),
	{}
};

/* Two subchannels in a controller, counted by an event each. */
static const struct pmon_alias imc_sch_aliases[] = {
	{ .name = "clockticks", .event = "event=0x01,umask=0x00" },
	CAS("cas_count_read_sch0", "event=0x05,umask=0xcf"),
	CAS("cas_count_read_sch1", "event=0x06,umask=0xcf"),
	CAS("cas_count_write_sch0", "event=0x05,umask=0xf0"),
	CAS("cas_count_write_sch1", "event=0x06,umask=0xf0"),
	{}
};

/* A link carries 64 bytes of data in nine flits: 64 / 9 / 2^20 MiB each. */
#define FLITS(_name, _event) \
	{ .name = _name, .event = _event, \
	  .scale = "6.781684027777778e-6", .unit = "MiB" }

static const struct pmon_alias upi_aliases[] = {
	{ .name = "clockticks", .event = "event=0x01,umask=0x00" },
	FLITS("tx_data", "event=0x02,umask=0x0f"),
	FLITS("rx_data", "event=0x03,umask=0x0f"),
	{}
};

static const struct pmon_alias cha_aliases[] = {
	{ .name = "clockticks", .event = "event=0x01,umask=0x00" },
	{}
};

/* Which counters can count an event, where not all can */

static const struct pmon_constraint cha_constraints[] = {
	PMON_ON_COUNTERS(0x11, 0x1),
	PMON_ON_COUNTERS(0x36, 0x1),
	{}
};

static const struct pmon_constraint iio_constraints[] = {
	PMON_ON_COUNTERS(0x02, 0x3),
	PMON_ON_COUNTERS(0x03, 0x3),
	PMON_ON_COUNTERS(0x83, 0x3),
	PMON_ON_COUNTERS(0x88, 0xc),
	PMON_ON_COUNTERS(0xc0, 0xc),
	PMON_ON_COUNTERS(0xc5, 0xc),
	PMON_ON_COUNTERS(0xd5, 0xc),
	{}
};

static const struct pmon_constraint m2pcie_constraints[] = {
	PMON_ON_COUNTERS(0x14, 0x3),
	PMON_ON_COUNTERS(0x2d, 0x3),
	{}
};

static const struct pmon_constraint m3upi_constraints[] = {
	PMON_ON_COUNTERS(0x1c, 0x1),
	PMON_ON_COUNTERS(0x1d, 0x1),
	PMON_ON_COUNTERS(0x1e, 0x1),
	PMON_ON_COUNTERS(0x1f, 0x1),
	PMON_ON_COUNTERS(0x40, 0x7),
	PMON_ON_COUNTERS(0x4e, 0x7),
	PMON_ON_COUNTERS(0x4f, 0x7),
	PMON_ON_COUNTERS(0x50, 0x7),
	{}
};

static const struct pmon_constraint cxlcm_constraints[] = {
	PMON_ON_COUNTERS(0x02, 0x0f),
	PMON_ON_COUNTERS(0x05, 0x0f),
	PMON_ON_COUNTERS(0x40, 0xf0),
	PMON_ON_COUNTERS(0x41, 0xf0),
	PMON_ON_COUNTERS(0x42, 0xf0),
	PMON_ON_COUNTERS(0x43, 0xf0),
	PMON_ON_COUNTERS(0x4b, 0xf0),
	PMON_ON_COUNTERS(0x52, 0xf0),
	{}
};

/* What the engine needs of each type */

#define PMU(_name, _fields, _mask, ...) \
	(&(const struct pmon_type){ .name = _name, .fields = _fields, \
				    .ctl_mask = _mask, ##__VA_ARGS__ })
#define NARROW(_name, ...)	PMU(_name, narrow_fields, NARROW_MASK, \
				    ##__VA_ARGS__)
#define WIDE(_name, ...)	PMU(_name, wide_fields, WIDE_MASK, \
				    ##__VA_ARGS__)

#define CHA	PMU("cha", cha_fields, CHA_MASK, .aliases = cha_aliases, \
		    .constraints = cha_constraints, \
		    .filter_enable = CHA_FILTER_ENABLE, \
		    .filter_mask = CHA_FILTER_MASK)
#define IIO	PMU("iio", iio_fields, WIDE_MASK, \
		    .constraints = iio_constraints)
/* Event 0xff of a memory controller is its fixed clock counter. */
#define IMC(_aliases)	NARROW("imc", .aliases = _aliases, .fixed_config = 0xff)

static const struct pmon_row spr_rows[] = {
	{ .type = 0, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .filter = 0xe, .pmu = CHA },
	{ .type = 1, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .pmu = IIO },
	{ .type = 2, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu = WIDE("irp") },
	{ .type = 3, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu = WIDE("m2pcie",
		     .constraints = m2pcie_constraints) },
	{ .type = 4, .accesses = MSR | MMIO | PCI,
	  .pmu = NARROW("pcu") },
	{ .type = 5, .accesses = MSR | MMIO | PCI,
	  .pmu = NARROW("ubox") },
	{ .type = 6, .accesses = MMIO, .counters = 4, .ctl = 0x40, .ctr = 0x08,
	  .fixed_ctl = 0x54, .fixed_ctr = 0x38,
	  .pmu = IMC(imc_aliases) },
	{ .type = 7, .accesses = PCI, .counters = 4, .ctl = 0x30, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu = WIDE("m2m") },
	{ .type = 8, .accesses = PCI, .counters = 4, .ctl = 0x38, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu = WIDE("upi",
				     .aliases = upi_aliases) },
	{ .type = 9, .accesses = PCI, .counters = 4, .ctl = 0x38, .ctr = 0x08,
	  .ctl_bytes = 8, .pmu = WIDE("m3upi",
				     .constraints = m3upi_constraints) },
	{ .type = 11, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu = WIDE("mdf") },
	{ .type = 12, .accesses = MMIO, .counters = 8, .ctl_stride = 8,
	  .pmu = NARROW("cxlcm", .constraints = cxlcm_constraints) },
	{ .type = 13, .accesses = MMIO, .ctl_stride = 8, .pmu = NARROW("cxldp") },
	{ .type = 14, .accesses = MMIO, .kernel = "hbm",
	  .pmu = NARROW("mchbm") },
};

static const struct pmon_row gnr_rows[] = {
	{ .type = 0, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .filter = 0xe, .pmu = CHA },
	{ .type = 1, .accesses = MSR, .counters = 4, .ctl = 2, .ctr = 8,
	  .pmu = IIO },
	{ .type = 2, .accesses = MSR | PCI, .ctl_bytes = 8,
	  .pmu = WIDE("irp") },
	{ .type = 4, .accesses = MSR | MMIO | PCI,
	  .pmu = NARROW("pcu") },
	{ .type = 5, .accesses = MSR | MMIO | PCI,
	  .pmu = NARROW("ubox") },
	{ .type = 6, .accesses = MMIO, .counters = 4, .ctl = 0x40, .ctr = 0x08,
	  .fixed_ctl = 0x54, .fixed_ctr = 0x38,
	  .pmu = IMC(imc_sch_aliases) },
	{ .type = 8, .accesses = PCI, .ctl_bytes = 8,
	  .pmu = WIDE("upi", .aliases = upi_aliases) },
	{ .type = 12, .accesses = MMIO, .counters = 8, .ctl_stride = 8,
	  .pmu = NARROW("cxlcm", .constraints = cxlcm_constraints) },
	{ .type = 13, .accesses = MMIO, .ctl_stride = 8, .pmu = NARROW("cxldp") },
	{ .type = 15, .accesses = MSR | MMIO | PCI,
	  .pmu = NARROW("b2hot") },
	{ .type = 16, .accesses = PCI, .ctl_bytes = 8,
	  .pmu = WIDE("b2cmi") },
	{ .type = 17, .accesses = MMIO, .ctl_stride = 8, .pmu = NARROW("b2cxl") },
	{ .type = 18, .accesses = PCI, .ctl_bytes = 8,
	  .pmu = WIDE("b2upi") },
	{ .type = 20, .accesses = MSR | MMIO | PCI, .kernel = "mdf_sbo",
	  .pmu = NARROW("mdf") },
	{ .type = 21, .accesses = PCI, .ctl_bytes = 8,
	  .pmu = WIDE("pciex16") },
	{ .type = 22, .accesses = PCI, .ctl_bytes = 8,
	  .pmu = WIDE("pciex8") },
};

/* A type nobody described: only what every box has. */
static const struct pmon_row generic_rows[] = {
	[PMON_ACCESS_MSR] = { .accesses = MSR,
			      .pmu = NARROW(NULL) },
	[PMON_ACCESS_MMIO] = { .accesses = MMIO,
			       .pmu = NARROW(NULL) },
	[PMON_ACCESS_PCI] = { .accesses = PCI,
			      .pmu = NARROW(NULL) },
};

/*
 * Counter MSRs lie in two blocks of 4096. The end of the first is left out:
 * the global control of all boxes and the number of CHAs are there.
 */
static const struct pmon_msr_range uncore_msrs[] = {
	{ 0x2000, 0x2fef }, { 0x3000, 0x3fff }, {}
};

#define SPR(_name) \
	{ .name = _name, .rows = spr_rows, .nr_rows = ARRAY_SIZE(spr_rows), \
	  .generic = generic_rows, .msr = uncore_msrs }
#define GNR(_name) \
	{ .name = _name, .rows = gnr_rows, .nr_rows = ARRAY_SIZE(gnr_rows), \
	  .generic = generic_rows, .msr = uncore_msrs }

/* Listed by model: everything since Sapphire Rapids is family 6. */
static const struct {
	u8 model;
	struct pmon_platform platform;
} platforms[] = {
	{ 0x8f, SPR("spr") },
	{ 0xcf, SPR("emr") },
	{ 0xad, GNR("gnr") },
	{ 0xae, GNR("gnr-d") },
	{ 0xaf, GNR("srf") },
	{ 0xb6, GNR("grr") },
	{ 0xdd, GNR("cwf") },
};

/* A model that nobody described, served only when asked for. */
const struct pmon_platform pmon_platform_unknown = {
	.name = "unknown", .generic = generic_rows, .msr = uncore_msrs,
};

/**
 * pmon_platform_find - the platform of a CPU model
 * @family: CPU family
 * @model: CPU model
 *
 * Return: NULL if the model is not known.
 */
const struct pmon_platform *pmon_platform_find(u8 family, u8 model)
{
	size_t i;

	if (family != 6)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (platforms[i].model == model)
			return &platforms[i].platform;
	return NULL;
}

/**
 * pmon_platform_row - what is known of a unit type
 * @platform: the platform
 * @type: box type
 * @access: how the unit is reached, as the table says
 *
 * Return: the row, a generic one for a type without name; never NULL.
 */
const struct pmon_row *pmon_platform_row(const struct pmon_platform *platform,
					 u16 type, u8 access)
{
	size_t i;

	for (i = 0; i < platform->nr_rows; i++)
		if (platform->rows[i].type == type)
			return &platform->rows[i];
	return &platform->generic[access < PMON_ACCESSES ? access : 0];
}

/* Reads a decimal number of at most 16 bits; moves @text behind it. */
static bool read_number(const char **text, u32 *value)
{
	const char *digit = *text;

	for (*value = 0; *digit >= '0' && *digit <= '9'; digit++) {
		*value = *value * 10 + (*digit - '0');
		if (*value > U16_MAX)
			return false;
	}
	if (digit == *text)
		return false;
	*text = digit;
	return true;
}

/* What may follow a unit's name: nothing, or a number. */
static bool is_suffix(const char *text)
{
	u32 value;

	return !*text || (*text++ == '_' && read_number(&text, &value) &&
			  !*text);
}

static bool is_named(const char *text, const char *name)
{
	size_t length = name ? strlen(name) : 0;

	return length && !strncmp(text, name, length) &&
	       is_suffix(text + length);
}

/**
 * pmon_platform_type - which unit type another driver's PMU counts
 * @platform: the platform
 * @pmu: the PMU's name, such as "uncore_imc_3" or "uncore_type_6_3"
 *
 * Return: the box type, or -1 if the name does not tell.
 */
int pmon_platform_type(const struct pmon_platform *platform, const char *pmu)
{
	static const char prefix[] = "uncore_", type[] = "type_";
	const struct pmon_row *row;
	u32 number;

	if (strncmp(pmu, prefix, sizeof(prefix) - 1))
		return -1;
	pmu += sizeof(prefix) - 1;
	if (!strncmp(pmu, type, sizeof(type) - 1)) {
		pmu += sizeof(type) - 1;
		return read_number(&pmu, &number) && is_suffix(pmu) ?
			(int)number : -1;
	}
	for (row = platform->rows; row < platform->rows + platform->nr_rows;
	     row++)
		if (is_named(pmu, row->pmu->name) || is_named(pmu, row->kernel))
			return row->type;
	return -1;
}
