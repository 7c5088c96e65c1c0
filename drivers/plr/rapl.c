// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power limits and energy (TPMI id 0): the number behind a reason of power.
 * Only reads; a driver of the kernel may have the same registers, and may
 * write them.
 *
 * A domain has 128 bytes. Its header says of what it is, and which of 16
 * registers it has.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include "rapl.h"

/*
 * Intel, RAPL TPMI interface (RAPL_TPMI_public_disclosure_FINAL-rev3 in
 * github.com/intel/tpmi_power_management): RAPL_DOMAIN_HEADER and the registers
 * that it announces. Linux: drivers/powercap/intel_rapl_tpmi.c, enum
 * tpmi_rapl_register.
 */
enum {
	REG_HEADER,
	REG_UNIT,
	REG_PL1,
	REG_PL2,
	REG_PL4 = 5,
	REG_ENERGY = 7,
	REG_INFO = 9,
	REG_DOMAIN,
};

#define HEADER_MAJOR		GENMASK_ULL(7, 5)
#define HEADER_TYPE		GENMASK_ULL(15, 8)
#define HEADER_SIZE		GENMASK_ULL(23, 16)
#define HEADER_REGISTERS	GENMASK_ULL(47, 32)

#define UNIT_POWER		GENMASK_ULL(3, 0)
#define UNIT_ENERGY		GENMASK_ULL(10, 6)

#define LIMIT_POWER		GENMASK_ULL(17, 0)
#define LIMIT_ENABLED		BIT_ULL(62)
#define LIMIT_LOCKED		BIT_ULL(63)

#define INFO_TDP		GENMASK_ULL(17, 0)
#define INFO_MIN		GENMASK_ULL(35, 18)
#define INFO_MAX		GENMASK_ULL(53, 36)

#define ENERGY_COUNT		GENMASK_ULL(31, 0)

/*
 * Set in the platform domain of one package. Those of the others have no
 * registers.
 */
#define DOMAIN_IS_ROOT		BIT_ULL(0)

#define TYPE_PLATFORM		1

static const char * const rapl_names[] = {
	[TYPE_PLATFORM] = "platform", [2] = "package", [4] = "memory",
};

static const struct {
	const char *name;
	u8 reg;
} rapl_limits[RAPL_LIMITS] = {
	[RAPL_PL1] = { "pl1", REG_PL1 },
	[RAPL_PL2] = { "pl2", REG_PL2 },
	[RAPL_PL4] = { "pl4", REG_PL4 },
};

/**
 * struct rapl_block - the registers of a domain
 * @regs: of all domains
 * @offset: of this one
 * @registers: a bit for each that it has
 * @name: what it is of
 * @unit: how the others count
 */
struct rapl_block {
	const struct pmon_regs *regs;
	u32 offset;
	u16 registers;
	const char *name;
	u64 unit;
};

static bool plr_rapl_has(const struct rapl_block *block, unsigned int reg)
{
	return block->registers >> reg & 1;
}

/*
 * Read a register. All ones means that it cannot be read: no register can have
 * that value, its upper bits are reserved or a lock.
 */
static int plr_rapl_get(const struct rapl_block *block, unsigned int reg,
			u64 *value)
{
	*value = pmon_read(block->regs, block->offset + reg * sizeof(u64),
			   sizeof(u64));

	return *value == U64_MAX ? -EIO : 0;
}

static int plr_rapl_check_header(struct rapl_block *block, u64 header)
{
	u8 type = FIELD_GET(HEADER_TYPE, header);

	if (FIELD_GET(HEADER_MAJOR, header) ||
	    FIELD_GET(HEADER_SIZE, header) != 1)
		return -ENODEV;
	if (type >= ARRAY_SIZE(rapl_names) || !rapl_names[type])
		return -ENODEV;
	block->name = rapl_names[type];
	block->registers = FIELD_GET(HEADER_REGISTERS, header);

	return plr_rapl_has(block, REG_UNIT) ? 0 : -ENODEV;
}

static int plr_rapl_check_root(const struct rapl_block *block)
{
	u64 value;
	int ret;

	if (block->name != rapl_names[TYPE_PLATFORM])
		return 0;
	if (!plr_rapl_has(block, REG_DOMAIN))
		return -ENODEV;
	ret = plr_rapl_get(block, REG_DOMAIN, &value);
	if (ret)
		return ret;

	return value & DOMAIN_IS_ROOT ? 0 : -ENODEV;
}

static int plr_rapl_open(const struct pmon_regs *regs, unsigned int index,
			 struct rapl_block *block)
{
	u64 header;
	int ret;

	*block = (struct rapl_block) {
		.regs = regs, .offset = index * RAPL_DOMAIN_SIZE
	};
	/*
	 * A domain that the part does not have reads as all ones, too, and
	 * others behind it may be there.
	 */
	if (plr_rapl_get(block, REG_HEADER, &header))
		return -ENODEV;
	ret = plr_rapl_check_header(block, header);
	if (!ret)
		ret = plr_rapl_check_root(block);

	return ret ?: plr_rapl_get(block, REG_UNIT, &block->unit);
}

static u64 plr_rapl_uw(const struct rapl_block *block, u64 count)
{
	return count * 1000000 >> FIELD_GET(UNIT_POWER, block->unit);
}

static u64 plr_rapl_uj(const struct rapl_block *block, u64 count)
{
	return count * 1000000 >> FIELD_GET(UNIT_ENERGY, block->unit);
}

static int plr_rapl_read_limit(const struct rapl_block *block, unsigned int reg,
			       struct rapl_limit *limit)
{
	u64 value;
	int ret;

	*limit = (struct rapl_limit) { .present = plr_rapl_has(block, reg) };
	if (!limit->present)
		return 0;
	ret = plr_rapl_get(block, reg, &value);
	if (ret)
		return ret;
	limit->uw = plr_rapl_uw(block, FIELD_GET(LIMIT_POWER, value));
	limit->enabled = value & LIMIT_ENABLED;
	limit->locked = value & LIMIT_LOCKED;

	return 0;
}

static int plr_rapl_read_info(const struct rapl_block *block,
			      struct rapl_domain *domain)
{
	u64 value;
	int ret;

	domain->has_info = plr_rapl_has(block, REG_INFO);
	if (!domain->has_info)
		return 0;
	ret = plr_rapl_get(block, REG_INFO, &value);
	domain->tdp_uw = plr_rapl_uw(block, FIELD_GET(INFO_TDP, value));
	domain->min_uw = plr_rapl_uw(block, FIELD_GET(INFO_MIN, value));
	domain->max_uw = plr_rapl_uw(block, FIELD_GET(INFO_MAX, value));

	return ret;
}

/**
 * rapl_limit_name() - how a limit is called
 * @kind: which
 *
 * Return: the name.
 */
const char *rapl_limit_name(enum rapl_limit_kind kind)
{
	return rapl_limits[kind].name;
}

/**
 * rapl_read_domain() - the limits of a domain
 * @regs: registers of all domains
 * @index: which
 * @domain: the result
 *
 * Return: 0, -ENODEV when there is no such domain (its header is all ones), or
 * one that is not known, or -EIO when another of its registers is all ones.
 */
int rapl_read_domain(const struct pmon_regs *regs, unsigned int index,
		     struct rapl_domain *domain)
{
	struct rapl_block block;
	unsigned int kind;
	int ret = plr_rapl_open(regs, index, &block);

	if (ret)
		return ret;
	*domain = (struct rapl_domain) { .name = block.name };
	for (kind = 0; kind < RAPL_LIMITS; kind++) {
		ret = plr_rapl_read_limit(&block, rapl_limits[kind].reg,
					  &domain->limit[kind]);
		if (ret)
			return ret;
	}

	return plr_rapl_read_info(&block, domain);
}

/**
 * rapl_read_energy() - what a domain has drawn
 * @regs: registers of all domains
 * @index: which
 * @energy: the result
 *
 * Return: as rapl_read_domain().
 */
int rapl_read_energy(const struct pmon_regs *regs, unsigned int index,
		     struct rapl_energy *energy)
{
	struct rapl_block block;
	u64 value;
	int ret = plr_rapl_open(regs, index, &block);

	if (ret)
		return ret;
	if (!plr_rapl_has(&block, REG_ENERGY))
		return -ENODEV;
	ret = plr_rapl_get(&block, REG_ENERGY, &value);
	if (ret)
		return ret;
	*energy = (struct rapl_energy) {
		.name = block.name,
		.uj = plr_rapl_uj(&block, FIELD_GET(ENERGY_COUNT, value)),
		.range_uj = plr_rapl_uj(&block, ENERGY_COUNT + 1),
	};

	return 0;
}
