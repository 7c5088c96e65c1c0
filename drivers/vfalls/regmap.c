// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers by formula: two for each memory controller, three for each unit of
 * a Zambezi (vf_perf_api 1.11, sections 2.2, 2.4 to 2.6 and 3.1).
 */
#include <linux/kernel.h>

#include "regmap.h"

#define DRAM_REGS	2
#define ZAMBEZI_REGS	3

struct vfalls_unit vfalls_unit(unsigned int n)
{
	struct vfalls_unit unit = { .kind = VFALLS_DRAM };

	if (n < VFALLS_DRAMS) {
		unit.node = n / VFALLS_MCUS;
		unit.index = n % VFALLS_MCUS;
		return unit;
	}
	n -= VFALLS_DRAMS;
	unit.node = n / VFALLS_ZAMBEZI_UNITS;
	n %= VFALLS_ZAMBEZI_UNITS;
	if (n < VFALLS_LPUS) {
		unit.kind = VFALLS_LPU;
		unit.index = n;
	} else {
		unit.kind = n == VFALLS_LPUS ? VFALLS_GPD : VFALLS_ASU;
	}
	return unit;
}

/* The how many-th unit of its Zambezi it is. */
static unsigned int vfalls_zambezi_unit(const struct vfalls_unit *unit)
{
	switch (unit->kind) {
	case VFALLS_LPU:
		return unit->index;
	case VFALLS_GPD:
		return VFALLS_LPUS;
	default:
		return VFALLS_LPUS + 1;
	}
}

bool vfalls_unit_is_zambezi(const struct vfalls_unit *unit)
{
	return unit->kind != VFALLS_DRAM;
}

unsigned int vfalls_unit_reg(const struct vfalls_unit *unit)
{
	unsigned int n;

	if (!vfalls_unit_is_zambezi(unit)) {
		n = unit->node * VFALLS_MCUS + unit->index;
		return VFALLS_REG_DRAM + n * DRAM_REGS;
	}
	n = unit->node * VFALLS_ZAMBEZI_UNITS + vfalls_zambezi_unit(unit);
	return VFALLS_REG_ZAMBEZI + n * ZAMBEZI_REGS;
}

unsigned int vfalls_unit_regs(const struct vfalls_unit *unit)
{
	return vfalls_unit_is_zambezi(unit) ? ZAMBEZI_REGS : DRAM_REGS;
}

int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size)
{
	switch (unit->kind) {
	case VFALLS_DRAM:
		return scnprintf(name, size, "vfalls_dram_%u_%u", unit->node,
				 unit->index);
	case VFALLS_LPU:
		return scnprintf(name, size, "zambezi_lpu_%u_%c", unit->node,
				 'a' + unit->index);
	case VFALLS_GPD:
		return scnprintf(name, size, "zambezi_gpd_%u", unit->node);
	default:
		return scnprintf(name, size, "zambezi_asu_%u", unit->node);
	}
}

/* As the specification writes addresses of 40 bits. */
static int vfalls_format_address(u64 address, char *buf, size_t size)
{
	return scnprintf(buf, size, " 0x%02X.%04X.%04X",
			 (unsigned int)(address >> 32),
			 (unsigned int)(address >> 16) & 0xffff,
			 (unsigned int)address & 0xffff);
}

static int vfalls_format_dram(const struct vfalls_unit *unit, unsigned int part,
			      char *buf, size_t size)
{
	u64 offset = 0x400 + unit->index * 0x1000ULL + part * 8;
	int n;

	n = scnprintf(buf, size, "%u %u NODE%u_MCU%u_%s", unit->node,
		      unit->index, unit->node, unit->index,
		      part ? "PIC" : "PCR");
	n += vfalls_format_address((0x84ULL << 32) + offset, buf + n, size - n);
	return n + vfalls_format_address(((0xd0ULL + 4 * unit->node) << 32) +
						 offset,
					 buf + n, size - n);
}

static int vfalls_format_zambezi(const struct vfalls_unit *unit,
				 unsigned int part, char *buf, size_t size)
{
	static const char * const parts[] = { "PCR", "PIC0", "PIC1" };
	unsigned int u = vfalls_zambezi_unit(unit);
	const char *group = unit->kind == VFALLS_GPD ? "GPD" : "ASU";
	u64 local = 0x8130000000ULL + 0x1000 + u * 0x2000ULL + part * 8;
	u64 global = ((0xe1ULL + 4 * unit->node) << 32) + 0x30004000 +
		     unit->node * 0x1000ULL + u * 0x8000ULL + part * 8;
	int n;

	if (unit->kind == VFALLS_LPU)
		n = scnprintf(buf, size, "%u LPU%u ZAM%u_LPU_%c_%s", unit->node,
			      unit->index, unit->node, 'A' + unit->index,
			      parts[part]);
	else
		n = scnprintf(buf, size, "%u %s ZAM%u_%s_%s", unit->node, group,
			      unit->node, group, parts[part]);
	n += vfalls_format_address(local, buf + n, size - n);
	return n + vfalls_format_address(global, buf + n, size - n);
}

int vfalls_reg_format(unsigned int reg, char *buf, size_t size)
{
	int n = scnprintf(buf, size, "%u ", reg);
	unsigned int rest;
	struct vfalls_unit unit;

	if (reg == VFALLS_REG_STRAND)
		return n + scnprintf(buf + n, size - n, "local - SPARC PCR - -");
	if (reg == VFALLS_REG_L2)
		return n + scnprintf(buf + n, size - n,
				     "local all L2 Bank CRs - -");
	if (reg < VFALLS_REG_ZAMBEZI) {
		rest = reg - VFALLS_REG_DRAM;
		unit = vfalls_unit(rest / DRAM_REGS);
		return n + vfalls_format_dram(&unit, rest % DRAM_REGS, buf + n,
					      size - n);
	}
	rest = reg - VFALLS_REG_ZAMBEZI;
	unit = vfalls_unit(VFALLS_DRAMS + rest / ZAMBEZI_REGS);
	return n + vfalls_format_zambezi(&unit, rest % ZAMBEZI_REGS, buf + n,
					 size - n);
}
