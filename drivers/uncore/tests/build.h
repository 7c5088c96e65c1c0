/* SPDX-License-Identifier: GPL-2.0-only */
/* Build valid records of discovery tables; tests then change single fields. */
#ifndef PMON_UNCORE_TESTS_BUILD_H
#define PMON_UNCORE_TESTS_BUILD_H

#include <linux/types.h>

#include "../platform.h"

/* The fields of a unit's record; some are wider than in the record. */
struct spec {
	u16 type;
	u16 id;
	u8 access;
	u8 counters;
	u8 width;
	u8 ctl;
	u8 ctr;
	u8 status;
	u64 address;
};

static inline void spec_record(const struct spec *spec, u64 *record)
{
	record[0] = spec->counters | (u64)spec->ctl << 8 |
		    (u64)spec->width << 16 | (u64)spec->ctr << 24 |
		    (u64)spec->status << 32 | (u64)spec->access << 62;
	record[1] = spec->address;
	record[2] = spec->type | (u64)spec->id << 16;
}

static inline void spec_parse(const struct spec *spec,
			      const struct uncore_platform *platform,
			      struct uncore_unit *unit)
{
	u64 record[UNCORE_RECORD_QWORDS];

	spec_record(spec, record);
	uncore_unit_parse(record, platform, unit);
}

static inline const struct uncore_platform *spr(void)
{
	return uncore_platform_find(6, 0x8f);
}

static inline const struct uncore_platform *dmr(void)
{
	return uncore_platform_find(19, 1);
}

static inline void table_record(u8 stride, u16 units, u64 *record)
{
	record[0] = (u64)stride << 8 | (u64)units << 16 | 1ULL << 62;
	record[1] = 0x2ff0;
	record[2] = 0;
}

static inline u64 pci_address(u8 segment, u8 bus, u8 devfn, u16 offset)
{
	return 1ULL << 31 | (u64)segment << 28 | (u64)bus << 20 |
	       (u64)devfn << 12 | offset;
}

/* spec_cha, _imc, _upi: a valid unit of each access type on Sapphire Rapids. */
static inline struct spec spec_cha(u16 id)
{
	return (struct spec){
		.type = 0, .id = id, .access = UNCORE_ACCESS_MSR, .counters = 4,
		.width = 48, .ctl = 2, .ctr = 8, .status = 1,
		.address = 0x2000 + 0x10 * id,
	};
}

static inline struct spec spec_imc(u16 id)
{
	return (struct spec){
		.type = 6,
		.id = id,
		.access = UNCORE_ACCESS_MMIO,
		.counters = 4,
		.width = 48,
		.ctl = 0x40,
		.ctr = 8,
		.status = 0x5c,
		.address = 0xc8aa2800 + 0x8000 * id,
	};
}

static inline struct spec spec_upi(u16 id)
{
	return (struct spec){
		.type = 8, .id = id, .access = UNCORE_ACCESS_PCI, .counters = 4,
		.width = 48, .ctl = 0x38, .ctr = 8, .status = 0x64,
		.address = pci_address(0, 0x7e, (1 + id) << 3 | 1, 0x318),
	};
}

/* A unit of a type without a name or a row. */
static inline struct spec spec_generic(u8 access, u16 id)
{
	struct spec spec = access == UNCORE_ACCESS_MSR ? spec_cha(id) :
			   access == UNCORE_ACCESS_MMIO ? spec_imc(id) :
			   spec_upi(id);

	spec.type = 99;
	spec.status = 0;
	return spec;
}

/* No limit on the number of units. */
static inline struct uncore_limit no_limit(const struct uncore_unit *unit)
{
	return (struct uncore_limit){ .max = UNCORE_TABLE_UNITS * 2 };
}

#endif
