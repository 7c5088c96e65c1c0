// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of the hypervisor, the registers, the units that they belong to, and
 * what units count.
 *
 * Registers follow from a formula: two for each memory controller, three for
 * each unit of a Zambezi (vf_perf_api 1.11, sections 2.2, 2.4 to 2.6 and 3.1).
 * That specification has neither the layout of the registers nor the events:
 * both are as illumos has them, in usr/src/uts/sun4v/cpu/niagara_perfctr.c and
 * sys/niagara2regs.h. What an LPU receives from its ports is in S. Vemuri's
 * article on busstat (Oracle, July 2009), too.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "vfalls.h"

int vfalls_error(unsigned long status)
{
	switch (status) {
	case VFALLS_EOK:
		return 0;
	case VFALLS_EINVAL:
		return -EINVAL;
	case VFALLS_EBADTRAP:
	case VFALLS_ENOTSUPPORTED:
		return -ENODEV;
	case VFALLS_EWOULDBLOCK:
		return -EAGAIN;
	case VFALLS_ENOACCESS:
		return -EACCES;
	default:
		return -EIO;
	}
}

/* A call would have blocked for the @tries-th time: try again? */
static bool vfalls_again(const struct vfalls_hv *hv, unsigned int tries)
{
	bool last = tries == VFALLS_TRIES;

	hv->blocked(last);
	return !last;
}

int vfalls_get(const struct vfalls_hv *hv, unsigned int reg, u64 *value)
{
	unsigned int tries = 0;
	unsigned long status;

	do {
		status = hv->get(reg, value);
	} while (status == VFALLS_EWOULDBLOCK && vfalls_again(hv, ++tries));
	return vfalls_error(status);
}

int vfalls_set(const struct vfalls_hv *hv, unsigned int reg, u64 value)
{
	unsigned int tries = 0;
	unsigned long status;

	do {
		status = hv->set(reg, value);
	} while (status == VFALLS_EWOULDBLOCK && vfalls_again(hv, ++tries));
	return vfalls_error(status);
}

int vfalls_negotiate(int (*enlist)(unsigned long group, unsigned long major,
				   unsigned long *minor),
		     unsigned int *minor)
{
	unsigned long have = 1;

	if (enlist(VFALLS_GROUP, 1, &have)) {
		have = 0;
		if (enlist(VFALLS_GROUP, 1, &have))
			return -ENODEV;
	}
	*minor = have;
	return 0;
}

struct vfalls_unit vfalls_unit(unsigned int n)
{
	unsigned int index;

	if (n < VFALLS_DRAMS)
		return (struct vfalls_unit) {
			.kind = VFALLS_DRAM,
			.node = n / VFALLS_MCUS, .index = n % VFALLS_MCUS,
			.reg = VFALLS_REG_DRAM + 2 * n, .regs = 2,
		};
	n -= VFALLS_DRAMS;
	index = n % VFALLS_ZAMBEZI_UNITS;
	return (struct vfalls_unit) {
		.kind = index < VFALLS_LPUS ? VFALLS_LPU :
			index == VFALLS_LPUS ? VFALLS_GPD : VFALLS_ASU,
		.node = n / VFALLS_ZAMBEZI_UNITS, .index = index,
		.reg = VFALLS_REG_ZAMBEZI + 3 * n, .regs = 3,
	};
}

/* The unit that a register belongs to, or VFALLS_UNITS. */
static unsigned int vfalls_unit_of(unsigned int reg)
{
	unsigned int n;

	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_unit unit = vfalls_unit(n);

		if (reg >= unit.reg && reg < unit.reg + unit.regs)
			break;
	}
	return n;
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

/* Node, group and name of a unit's register, and the addresses. */
static int vfalls_unit_format(const struct vfalls_unit *unit, unsigned int part,
			      char *buf, size_t size)
{
	static const char * const names[] = { "PCR", "PIC0", "PIC1" };
	const char *group = unit->kind == VFALLS_GPD ? "GPD" : "ASU";
	u64 node = unit->node, local, global;
	int n;

	local = 0x8130001000ULL + unit->index * 0x2000 + part * 8;
	global = ((0xe1 + 4 * node) << 32) + 0x30004000 + node * 0x1000 +
		 unit->index * 0x8000 + part * 8;
	if (unit->kind == VFALLS_DRAM) {
		local = 0x8400000400ULL + unit->index * 0x1000 + part * 8;
		global = local + ((0xd0 - 0x84 + 4 * node) << 32);
		n = scnprintf(buf, size, "%u %u NODE%u_MCU%u_%s", unit->node,
			      unit->index, unit->node, unit->index,
			      part ? "PIC" : "PCR");
	} else if (unit->kind == VFALLS_LPU) {
		n = scnprintf(buf, size, "%u LPU%u ZAM%u_LPU_%c_%s", unit->node,
			      unit->index, unit->node, 'A' + unit->index,
			      names[part]);
	} else {
		n = scnprintf(buf, size, "%u %s ZAM%u_%s_%s", unit->node, group,
			      unit->node, group, names[part]);
	}
	n += vfalls_format_address(local, buf + n, size - n);
	return n + vfalls_format_address(global, buf + n, size - n);
}

int vfalls_reg_format(unsigned int reg, char *buf, size_t size)
{
	const struct vfalls_unit unit = vfalls_unit(vfalls_unit_of(reg));
	int n = scnprintf(buf, size, "%u ", reg);

	if (reg == VFALLS_REG_STRAND)
		return n + scnprintf(buf + n, size - n,
				     "local - SPARC PCR - -");
	if (reg == VFALLS_REG_L2)
		return n + scnprintf(buf + n, size - n,
				     "local all L2 Bank CRs - -");
	return n + vfalls_unit_format(&unit, reg - unit.reg, buf + n, size - n);
}

/*
 * A machine with two nodes has no Zambezis, and a guest may not be permitted to
 * use all registers (section 3.2).
 */

/* Read a register to see whether it is there. One whose call would block is. */
static int vfalls_probe_reg(const struct vfalls_hv *hv, unsigned int reg)
{
	u64 value;
	int ret = vfalls_get(hv, reg, &value);

	return ret == -EAGAIN ? 0 : ret;
}

static int vfalls_probe_unit(const struct vfalls_hv *hv,
			     const struct vfalls_unit *unit)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < unit->regs; i++)
		ret = vfalls_probe_reg(hv, unit->reg + i);
	return ret;
}

void vfalls_probe(const struct vfalls_hv *hv, unsigned int minor,
		  struct vfalls_found *found)
{
	unsigned int n;

	static_assert(VFALLS_UNITS <= 32);
	*found = (struct vfalls_found) {
		.strand = vfalls_probe_reg(hv, VFALLS_REG_STRAND),
		.l2 = vfalls_probe_reg(hv, VFALLS_REG_L2),
	};
	for (n = 0; n < VFALLS_UNITS; n++) {
		struct vfalls_unit unit = vfalls_unit(n);
		int ret;

		if (minor < 1 && unit.kind != VFALLS_DRAM)
			continue;
		ret = vfalls_probe_unit(hv, &unit);
		if (!ret)
			found->units |= BIT(n);
		else if (ret == -EACCES)
			found->denied |= BIT(n);
	}
}

bool vfalls_has(const struct vfalls_found *found, unsigned int reg)
{
	unsigned int n = vfalls_unit_of(reg);

	if (reg == VFALLS_REG_STRAND)
		return !found->strand;
	if (reg == VFALLS_REG_L2)
		return !found->l2;
	return n < VFALLS_UNITS && found->units & BIT(n);
}

/*
 * A select without an off, and two counters of 31 bits in one register.
 *
 * A latency event adds what is in a queue in each cycle of the memory: up to
 * 2^34 a second if that is 40 requests at 400 MHz, of which nothing is
 * published. So the counters are read every 62 milliseconds, half of the time
 * to wrap, and one of twice that rate would not wrap unseen either.
 */
static const struct vfalls_layout dram_layout = {
	.counter_mask = GENMASK_ULL(30, 0), .select_mask = 0xf,
	.select_shift = { 4, 0 }, .reg = { 1, 1 }, .shift = { 32, 0 },
	.period_ns = 62500000,
};

/* Each counter has a register of its own; looked at once a minute. */
static const struct vfalls_layout zambezi_layout = {
	.counter_mask = ~0ULL, .select_mask = 0xff,
	.select_shift = { 0, 8 }, .reg = { 1, 2 },
	.off = true, .period_ns = 60000000000ULL,
};

const struct vfalls_layout *vfalls_layout(const struct vfalls_unit *unit)
{
	return unit->kind == VFALLS_DRAM ? &dram_layout : &zambezi_layout;
}

/* Events of a group are always read together: snapshot changes nothing. */
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

const struct pmon_type *vfalls_type(const struct vfalls_unit *unit)
{
	return &types[unit->kind];
}
