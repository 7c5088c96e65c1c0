// SPDX-License-Identifier: GPL-2.0-only
/*
 * Units and their events. The specification (vf_perf_api 1.11) has neither the
 * layout of the registers nor the events: both are as illumos has them, in
 * usr/src/uts/sun4v/cpu/niagara_perfctr.c and sys/niagara2regs.h. What an LPU
 * receives from its ports is in S. Vemuri's article on busstat (Oracle, July
 * 2009), too.
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/errno.h>

#include "units.h"

/* A select without an off, and two counters of 31 bits in one register. */
static const struct pmon_part dram_parts[VFALLS_PARTS] = {
	{ 0, 4, 4 }, { 0, 0, 4 }, { 1, 32, 31 }, { 1, 0, 31 },
};

/* Select 0 is off; each counter has a register of its own, of 64 bits. */
static const struct pmon_part zambezi_parts[VFALLS_PARTS] = {
	{ 0, 0, 8 }, { 0, 8, 8 }, { 1, 0, 64 }, { 2, 0, 64 },
};

/*
 * A latency event adds what is in a queue in each cycle of the memory: up to
 * 2^34 a second if that is 40 requests at 400 MHz, of which nothing is
 * published. So the counters are read every 62 milliseconds, and one of twice
 * that rate would not wrap unseen either.
 */
static const struct pmon_protocol dram_protocol = {
	.keeps = true, .no_off = true, .rate_log2 = 34,
};

/* They count cycles. */
static const struct pmon_protocol zambezi_protocol = {
	.keeps = true, .rate_log2 = 32,
};

static const struct pmon_counter dram_counters[] = {
	{ .ctl = 0, .ctr = 2, .width = 31 },
	{ .ctl = 1, .ctr = 3, .width = 31 },
};

static const struct pmon_counter zambezi_counters[] = {
	{ .ctl = 0, .ctr = 2, .width = 64 },
	{ .ctl = 1, .ctr = 3, .width = 64 },
};

static const struct pmon_layout dram_layout = {
	.protocol = &dram_protocol, .counter = dram_counters, .counters = 2,
	.ctl_bytes = 8, .indexed = true,
	.data_bytes = sizeof(struct vfalls_rights),
};

static const struct pmon_layout zambezi_layout = {
	.protocol = &zambezi_protocol, .counter = zambezi_counters,
	.counters = 2, .ctl_bytes = 8, .indexed = true,
	.data_bytes = sizeof(struct vfalls_rights),
};

static const struct pmon_field event4[] = { { "event", 0, 0xf }, { } };
static const struct pmon_field event8[] = { { "event", 0, 0xff }, { } };

/* Either counter counts any event. */
static int vfalls_encode(const struct pmon_layout *layout, const u64 *config,
			 struct pmon_encoding *encoding)
{
	const struct vfalls_rights *rights = layout->data;

	if (READ_ONCE(*rights->denied))
		return -EACCES;
	/* Select 0 stops the counter: that is no event. */
	if (!layout->protocol->no_off && !config[0])
		return -EINVAL;
	encoding->ctl = config[0];
	encoding->allowed = BIT_ULL(0) | BIT_ULL(1);
	return 0;
}

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

static const struct pmon_type types[] = {
	[VFALLS_DRAM] = {
		.name = "vfalls_dram", .fields = event4,
		.aliases = dram_events, .ctl_mask = 0xf,
		.encode = vfalls_encode,
	},
	[VFALLS_LPU] = {
		.name = "zambezi_lpu", .fields = event8,
		.aliases = lpu_events, .ctl_mask = 0xff,
		.encode = vfalls_encode,
	},
	[VFALLS_GPD] = {
		.name = "zambezi_gpd", .fields = event4,
		.aliases = gpd_events, .ctl_mask = 0xf,
		.encode = vfalls_encode,
	},
	[VFALLS_ASU] = {
		.name = "zambezi_asu", .fields = event4,
		.aliases = asu_events, .ctl_mask = 0xf,
		.encode = vfalls_encode,
	},
};

const struct pmon_type *vfalls_type(const struct vfalls_unit *unit)
{
	return &types[unit->kind];
}

const struct pmon_part *vfalls_parts(const struct vfalls_unit *unit)
{
	return vfalls_unit_is_zambezi(unit) ? zambezi_parts : dram_parts;
}

const struct pmon_layout *vfalls_layout(const struct vfalls_unit *unit)
{
	return vfalls_unit_is_zambezi(unit) ? &zambezi_layout : &dram_layout;
}
