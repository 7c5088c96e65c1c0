/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The performance registers of Victoria Falls machines: numbers, and the units
 * that they belong to (vf_perf_api 1.11, section 3.1). Pure.
 */
#ifndef PMON_VFALLS_REGMAP_H
#define PMON_VFALLS_REGMAP_H

#include <linux/types.h>

#define VFALLS_REGS		90
#define VFALLS_REG_STRAND	0	/* the PCR of the calling strand */
#define VFALLS_REG_L2		1	/* of the calling node's L2 banks */
#define VFALLS_REG_DRAM		2
#define VFALLS_REG_ZAMBEZI	18	/* from here on: API 1.1 */

#define VFALLS_NODES		4
#define VFALLS_MCUS		2
#define VFALLS_ZAMBEZIS		4
#define VFALLS_LPUS		4

#define VFALLS_NAME_SIZE	24

/**
 * enum vfalls_kind - what a register belongs to
 * @VFALLS_STRAND: the strand that asks
 * @VFALLS_L2: the node that asks
 * @VFALLS_DRAM: a memory controller: a select, and two counters in one register
 * @VFALLS_LPU: a link port of a Zambezi: a select, two counters
 * @VFALLS_GPD: the general part of a Zambezi, likewise
 * @VFALLS_ASU: the address serialization of a Zambezi, likewise
 */
enum vfalls_kind {
	VFALLS_STRAND,
	VFALLS_L2,
	VFALLS_DRAM,
	VFALLS_LPU,
	VFALLS_GPD,
	VFALLS_ASU,
};

/**
 * struct vfalls_unit - a pair of counters with their select
 * @kind: enum vfalls_kind, from %VFALLS_DRAM on
 * @node: of a memory controller: its node; else the Zambezi
 * @index: memory controller of the node, or link port of the Zambezi
 */
struct vfalls_unit {
	u8 kind;
	u8 node;
	u8 index;
};

/* Units that the API knows, numbered as their registers are. */
#define VFALLS_DRAMS		(VFALLS_NODES * VFALLS_MCUS)
#define VFALLS_ZAMBEZI_UNITS	(VFALLS_LPUS + 2)
#define VFALLS_UNITS \
	(VFALLS_DRAMS + VFALLS_ZAMBEZIS * VFALLS_ZAMBEZI_UNITS)

struct vfalls_unit vfalls_unit(unsigned int n);
/* Its select; the counters follow. */
unsigned int vfalls_unit_reg(const struct vfalls_unit *unit);
/* How many registers it has. */
unsigned int vfalls_unit_regs(const struct vfalls_unit *unit);
/* Is it there only with API 1.1? */
bool vfalls_unit_is_zambezi(const struct vfalls_unit *unit);
/* The PMU's name. Returns its length. */
int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size);

/**
 * vfalls_reg_format() - a register, as the table of the specification has it
 * @reg: below VFALLS_REGS
 * @buf: gets number, node, group, name, local and global address
 * @size: of @buf
 *
 * Return: the length of what was written.
 */
int vfalls_reg_format(unsigned int reg, char *buf, size_t size);

#endif
