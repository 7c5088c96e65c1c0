// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access registers by hypervisor calls; describe registers, units and events.
 *
 * Numbers of registers are from vf_perf_api 1.11, sections 2.2, 2.4 to 2.6 and
 * 3.1. Layouts and events are not in that specification, but in illumos,
 * usr/src/uts/sun4v/cpu/niagara_perfctr.c and sys/niagara2regs.h. Some events
 * of LPU ports are from S. Vemuri's article on busstat (Oracle, July 2009).
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vfalls.h"

/* Make a call, up to VFALLS_TRIES times while the call would block. */
static int vfalls_access(const struct vfalls_ops *ops, unsigned int reg,
			 u64 *value, bool write)
{
	unsigned int tries;

	for (tries = 1; tries <= VFALLS_TRIES; tries++) {
		unsigned long status = write ? ops->set(reg, *value) :
					       ops->get(reg, value);

		if (status == VFALLS_ENOACCESS)
			set_bit(reg, ops->denied);
		if (status != VFALLS_EWOULDBLOCK)
			return status == VFALLS_EOK ? 0 : -EIO;
		ops->blocked(tries == VFALLS_TRIES);
	}
	return -EAGAIN;
}

int vfalls_get(const struct vfalls_ops *ops, unsigned int reg, u64 *value)
{
	return vfalls_access(ops, reg, value, false);
}

/* A write that succeeds clears the bit in ops->denied. */
int vfalls_set(const struct vfalls_ops *ops, unsigned int reg, u64 value)
{
	int ret = vfalls_access(ops, reg, &value, true);

	if (!ret && test_bit(reg, ops->denied))
		clear_bit(reg, ops->denied);
	return ret;
}

/*
 * A latency event adds the length of a queue in each memory cycle. The longest
 * queue is not published. A length of 40 at 400 MHz adds 2^34 a second.
 * period_ns is half the time to a wrap at that rate.
 */
static const struct vfalls_layout dram_layout = {
	.counter_mask = GENMASK_ULL(30, 0), .select_mask = 0xf,
	.select_shift = { 4, 0 }, .reg = { 1, 1 }, .shift = { 32, 0 },
	.period_ns = 62500000,
};

/* A read each minute is enough for 64 bits. */
#define ZAMBEZI_LAYOUT(_select_mask) {				\
	.counter_mask = ~0ULL, .select_mask = (_select_mask),	\
	.select_shift = { 0, 8 }, .reg = { 1, 2 },		\
	.off = true, .period_ns = 60000000000ULL,		\
}

/* Widths of selects are those of clear_pic in illumos. */
static const struct vfalls_layout lpu_layout = ZAMBEZI_LAYOUT(0xff);
/* for the general part and address serialization */
static const struct vfalls_layout zambezi_layout = ZAMBEZI_LAYOUT(0xf);

struct vfalls_unit vfalls_unit(unsigned int n)
{
	unsigned int index;

	if (n < VFALLS_DRAMS)
		return (struct vfalls_unit) {
			.layout = &dram_layout, .kind = VFALLS_DRAM,
			.node = n / VFALLS_MCUS, .index = n % VFALLS_MCUS,
			.reg = VFALLS_REG_DRAM + 2 * n,
		};
	n -= VFALLS_DRAMS;
	index = n % VFALLS_ZAMBEZI_UNITS;
	return (struct vfalls_unit) {
		.layout = index < VFALLS_LPUS ? &lpu_layout : &zambezi_layout,
		.kind = index < VFALLS_LPUS ? VFALLS_LPU :
			index == VFALLS_LPUS ? VFALLS_GPD : VFALLS_ASU,
		.node = n / VFALLS_ZAMBEZI_UNITS, .index = index,
		.reg = VFALLS_REG_ZAMBEZI + 3 * n,
	};
}

int vfalls_unit_name(const struct vfalls_unit *unit, char *name, size_t size)
{
	const char *type = vfalls_type(unit)->name;

	if (unit->kind == VFALLS_DRAM)
		return scnprintf(name, size, "%s_%u_%u", type, unit->node,
				 unit->index);
	if (unit->kind == VFALLS_LPU)
		return scnprintf(name, size, "%s_%u_%c", type, unit->node,
				 'a' + unit->index);
	return scnprintf(name, size, "%s_%u", type, unit->node);
}

static int vfalls_dram_format(unsigned int reg, char *buf, size_t size)
{
	unsigned int n = (reg - VFALLS_REG_DRAM) / 2, pic = reg % 2;
	unsigned int node = n / VFALLS_MCUS, mcu = n % VFALLS_MCUS;
	unsigned int address = 0x400 + mcu * 0x1000 + pic * 8;

	return scnprintf(buf, size,
			 "%u %u %u NODE%u_MCU%u_%s 0x84.0000.%04X 0x%02X.0000.%04X",
			 reg, node, mcu, node, mcu, pic ? "PIC" : "PCR",
			 address, 0xd0 + 4 * node, address);
}

static int vfalls_zambezi_format(unsigned int reg, char *buf, size_t size)
{
	static const struct {
		const char *group;
		const char *name;
	} units[VFALLS_ZAMBEZI_UNITS] = {
		{ "LPU0", "LPU_A" }, { "LPU1", "LPU_B" }, { "LPU2", "LPU_C" },
		{ "LPU3", "LPU_D" }, { "GPD", "GPD" }, { "ASU", "ASU" },
	};
	static const char * const parts[] = { "PCR", "PIC0", "PIC1" };
	unsigned int n = (reg - VFALLS_REG_ZAMBEZI) / 3, part = reg % 3;
	unsigned int node = n / VFALLS_ZAMBEZI_UNITS;
	unsigned int unit = n % VFALLS_ZAMBEZI_UNITS;
	unsigned int local = 0x1000 + unit * 0x2000 + part * 8;
	unsigned int global = 0x30004000 + node * 0x1000 + unit * 0x8000 +
			      part * 8;

	return scnprintf(buf, size,
			 "%u %u %s ZAM%u_%s_%s 0x81.3000.%04X 0x%02X.%04X.%04X",
			 reg, node, units[unit].group, node, units[unit].name,
			 parts[part], local, 0xe1 + 4 * node, global >> 16,
			 global & 0xffff);
}

int vfalls_reg_format(unsigned int reg, char *buf, size_t size)
{
	if (reg == VFALLS_REG_STRAND)
		return scnprintf(buf, size, "%u local - SPARC PCR - -", reg);
	if (reg == VFALLS_REG_L2)
		return scnprintf(buf, size, "%u local all L2 Bank CRs - -",
				 reg);
	return reg < VFALLS_REG_ZAMBEZI ? vfalls_dram_format(reg, buf, size) :
					  vfalls_zambezi_format(reg, buf, size);
}

/*
 * Read each register of API 1.@minor, because a two-node machine has no Zambezi
 * and a guest may lack permission (section 3.2). Busy registers are readable.
 */
void vfalls_probe(const struct vfalls_ops *ops, unsigned int minor,
		  unsigned long *readable)
{
	unsigned int reg, end = minor ? VFALLS_REGS : VFALLS_REG_ZAMBEZI;
	u64 value;

	for (reg = 0; reg < end; reg++)
		if (vfalls_get(ops, reg, &value) != -EIO)
			set_bit(reg, readable);
}

/* The term "snapshot" has no effect: a group is always read at once. */
#define SNAPSHOT	{ "snapshot", 2, BIT_ULL(63) }

static const struct pmon_field event4[] = {
	{ "event", 0, 0xf }, SNAPSHOT, { }
};

static const struct pmon_field event8[] = {
	{ "event", 0, 0xff }, SNAPSHOT, { }
};

static const struct pmon_alias dram_events[] = {
	{ "mem_reads", "event=0x0" },
	{ "mem_writes", "event=0x1" },
	{ "mem_read_write", "event=0x2" },
	{ "rd_queue_latency", "event=0x4" },
	{ "wr_queue_latency", "event=0x5" },
	{ "rw_queue_latency", "event=0x6" },
	{ "wb_buf_hits", "event=0x7" },
	{ }
};

static const struct pmon_alias lpu_events[] = {
	{ "clock_cycles", "event=0x01" },
	{ "c2c_port_x", "event=0x02" },
	{ "mem_port_x", "event=0x03" },
	{ "wb_port_x", "event=0x04" },
	{ "nc_port_x", "event=0x05" },
	{ "c2c_port_y", "event=0x06" },
	{ "mem_port_y", "event=0x07" },
	{ "wb_port_y", "event=0x08" },
	{ "nc_port_y", "event=0x09" },
	{ "c2c_port_z", "event=0x0a" },
	{ "mem_port_z", "event=0x0b" },
	{ "wb_port_z", "event=0x0c" },
	{ "nc_port_z", "event=0x0d" },
	{ "tid_wb", "event=0x0e" },
	{ "tid_inv", "event=0x0f" },
	{ "tid_rtd", "event=0x10" },
	{ "tid_rto", "event=0x11" },
	{ "tid_rts", "event=0x12" },
	{ "io_wrm", "event=0x13" },
	{ "io_rd", "event=0x14" },
	{ "wb_egress", "event=0x15" },
	{ "inv_egress", "event=0x16" },
	{ "rto_egress", "event=0x17" },
	{ "rtd_egress", "event=0x18" },
	{ "rts_egress", "event=0x19" },
	{ "no_wb", "event=0x1a" },
	{ "no_read_or_inv", "event=0x1b" },
	{ "hit_m", "event=0x1c" },
	{ "hit_o", "event=0x1d" },
	{ "hit_s", "event=0x1e" },
	{ "wb_hit", "event=0x1f" },
	{ "miss", "event=0x20" },
	{ "read_or_inv", "event=0x21" },
	{ "wb", "event=0x22" },
	{ "ndr", "event=0x23" },
	{ "cache_miss", "event=0x24" },
	{ "cache_hit", "event=0x25" },
	{ "crc_errors", "event=0x26" },
	{ "replays_sent", "event=0x27" },
	{ "replays_received", "event=0x28" },
	{ "link_retrain", "event=0x29" },
	{ }
};

static const struct pmon_alias gpd_events[] = {
	{ "clock_cycles", "event=0x1" },
	{ }
};

static const struct pmon_alias asu_events[] = {
	{ "clock_cycles", "event=0x1" },
	{ "in_packets", "event=0x2" },
	{ "out_packets", "event=0x3" },
	{ "cam_hit", "event=0x4" },
	{ "wakeup", "event=0x5" },
	{ }
};

#define TYPE(_name, _fields, _events) \
	{ .name = _name, .fields = _fields, .aliases = _events, \
	  .free_running = true }

static const struct pmon_type types[] = {
	[VFALLS_DRAM] = TYPE("vfalls_dram", event4, dram_events),
	[VFALLS_LPU] = TYPE("zambezi_lpu", event8, lpu_events),
	[VFALLS_GPD] = TYPE("zambezi_gpd", event4, gpd_events),
	[VFALLS_ASU] = TYPE("zambezi_asu", event4, asu_events),
};

/*
 * Selects that count an event, one bit each. Select 3 of a memory controller
 * counts only on other models of CPU; select 0 of a Zambezi stops the counter.
 */
static const u64 selects[] = {
	[VFALLS_DRAM] = GENMASK_ULL(7, 4) | GENMASK_ULL(2, 0),
	[VFALLS_LPU] = GENMASK_ULL(0x29, 1),
	[VFALLS_GPD] = BIT_ULL(1),
	[VFALLS_ASU] = GENMASK_ULL(5, 1),
};

bool vfalls_has_event(const struct vfalls_unit *unit, u64 select)
{
	return select < 64 && selects[unit->kind] & BIT_ULL(select);
}

const struct pmon_type *vfalls_type(const struct vfalls_unit *unit)
{
	return &types[unit->kind];
}
