// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of boxes: names, formats, named events and constraints.
 *
 * Names are those that perf's event lists use, so that an event finds its PMU.
 * Constraints are what the Counter fields of these lists say, and what the
 * kernel's driver knows of events that they do not have.
 */
#include <linux/bits.h>

#include <pmon/box.h>

#include "fields.h"
#include "types.h"

/*
 * As SPR_RAW_EVENT_MASK_EXT, SPR_CHA_EVENT_MASK_EXT, SPR_CHA_PMON_CTL_TID_EN
 * and SPR_CHA_PMON_BOX_FILTER_TID in arch/x86/events/intel/uncore_snbep.c of
 * Linux.
 */
#define WIDE_MASK		(NARROW_MASK | GENMASK_ULL(55, 32))
#define CHA_FILTER_ENABLE	BIT_ULL(16)
#define CHA_FILTER_MASK		GENMASK_ULL(9, 0)
#define CHA_MASK		(NARROW_MASK | CHA_FILTER_ENABLE | \
				 GENMASK_ULL(63, 32))

/*
 * Event 0xff stands for a fixed counter, with a unit mask of 0x10 and above for
 * free-running ones: intel_uncore refuses both where there is no such counter
 * (uncore_pmu_event_init(), is_freerunning_event()).
 */
#define FREE_RUNNING(bit) \
	{ .config = 0xff | BIT_ULL(bit), .mask = 0xff | BIT_ULL(bit) }

const struct pmon_constraint uncore_reserved[] = {
	{ .config = 0xff, .mask = ~0ULL },
	FREE_RUNNING(12), FREE_RUNNING(13), FREE_RUNNING(14), FREE_RUNNING(15),
	{}
};

/* A 32-bit event control: nothing above it can be asked for. */
const struct pmon_field uncore_fields_narrow[] = {
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

/* No control register: these name a counter. */
const struct pmon_field uncore_fields_free[] = {
	EVENT, FIELD("umask", UMASK), {}
};

/* Events by a name of their own */

/* One CAS moves a cache line: 64 bytes, here in MiB. */
#define CAS(_name, _event)	MIB(_name, _event, "6.103515625e-5")

static const struct pmon_alias clock_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	{}
};

static const struct pmon_alias imc_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	CAS("cas_count_read", "event=0x05,umask=0xcf"),
	CAS("cas_count_write", "event=0x05,umask=0xf0"),
	{}
};

/* Two subchannels in a controller, counted by an event each. */
static const struct pmon_alias imc_sch_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	CAS("cas_count_read_sch0", "event=0x05,umask=0xcf"),
	CAS("cas_count_read_sch1", "event=0x06,umask=0xcf"),
	CAS("cas_count_write_sch0", "event=0x05,umask=0xf0"),
	CAS("cas_count_write_sch1", "event=0x06,umask=0xf0"),
	{}
};

/* A link carries 64 bytes of data in nine flits: 64 / 9 / 2^20 MiB each. */
#define FLITS(_name, _event)	MIB(_name, _event, "6.781684027777778e-6")

static const struct pmon_alias upi_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	FLITS("tx_data", "event=0x02,umask=0x0f"),
	FLITS("rx_data", "event=0x03,umask=0x0f"),
	{}
};

/*
 * What devices behind part n of a stack write to memory (in) and read from it
 * (out), in steps of 4 bytes.
 */
#define PART(_name, _umask, _channel) \
	MIB(_name, "event=0x83,umask=" _umask ",ch_mask=" _channel \
	    ",fc_mask=0x7", "3.814697265625e-6")

static const struct pmon_alias iio_aliases[] = {
	PLAIN("clockticks", "event=0x01,umask=0x00"),
	PART("bw_in_part0", "0x01", "0x01"),
	PART("bw_in_part1", "0x01", "0x02"),
	PART("bw_in_part2", "0x01", "0x04"),
	PART("bw_in_part3", "0x01", "0x08"),
	PART("bw_in_part4", "0x01", "0x10"),
	PART("bw_in_part5", "0x01", "0x20"),
	PART("bw_in_part6", "0x01", "0x40"),
	PART("bw_in_part7", "0x01", "0x80"),
	PART("bw_out_part0", "0x04", "0x01"),
	PART("bw_out_part1", "0x04", "0x02"),
	PART("bw_out_part2", "0x04", "0x04"),
	PART("bw_out_part3", "0x04", "0x08"),
	PART("bw_out_part4", "0x04", "0x10"),
	PART("bw_out_part5", "0x04", "0x20"),
	PART("bw_out_part6", "0x04", "0x40"),
	PART("bw_out_part7", "0x04", "0x80"),
	{}
};

/* The same without a control, in steps of 32 bytes. */
#define PORT(_name, _umask) \
	MIB(_name, "event=0xff,umask=" _umask, "3.0517578125e-5")

static const struct pmon_alias iio_free_aliases[] = {
	PLAIN("ioclk", "event=0xff,umask=0x10"),
	PORT("bw_in_port0", "0x20"),
	PORT("bw_in_port1", "0x21"),
	PORT("bw_in_port2", "0x22"),
	PORT("bw_in_port3", "0x23"),
	PORT("bw_in_port4", "0x24"),
	PORT("bw_in_port5", "0x25"),
	PORT("bw_in_port6", "0x26"),
	PORT("bw_in_port7", "0x27"),
	PORT("bw_out_port0", "0x30"),
	PORT("bw_out_port1", "0x31"),
	PORT("bw_out_port2", "0x32"),
	PORT("bw_out_port3", "0x33"),
	PORT("bw_out_port4", "0x34"),
	PORT("bw_out_port5", "0x35"),
	PORT("bw_out_port6", "0x36"),
	PORT("bw_out_port7", "0x37"),
	{}
};

static const struct pmon_alias imc_free_aliases[] = {
	PLAIN("dclk", "event=0xff,umask=0x10"),
	PLAIN("rpq_cycles", "event=0xff,umask=0x20"),
	PLAIN("wpq_cycles", "event=0xff,umask=0x21"),
	{}
};

/* Which counters can count an event, where not all can */

static const struct pmon_constraint cha_constraints[] = {
	ON(0x11, 0x1), ON(0x36, 0x1), {}
};

/* Of event 0x41 only the unit mask with both of its high bits is bound. */
static const struct pmon_constraint spr_iio_constraints[] = {
	ON(0x02, 0x3), ON(0x03, 0x3), ON(0x40, 0x1),
	{ .config = 0xc041, .mask = 0xc0ff, .counters = 0x1 },
	ON(0x83, 0x3), ON(0x88, 0xc), ON(0xc0, 0xc), ON(0xc5, 0xc),
	ON(0xd5, 0xc), {}
};

static const struct pmon_constraint gnr_iio_constraints[] = {
	ON(0x02, 0x3), ON(0x03, 0x3), ON(0x83, 0x3), ON(0x84, 0x3),
	ON(0xc0, 0xc), ON(0xc1, 0xc), ON(0xc5, 0xc), ON(0xd5, 0xc), {}
};

static const struct pmon_constraint m2pcie_constraints[] = {
	ON(0x14, 0x3), ON(0x23, 0x3), ON(0x2d, 0x3), {}
};

static const struct pmon_constraint m3upi_constraints[] = {
	ON4(0x1c, 0x1), ON(0x21, 0x1), ON(0x30, 0x1), ON(0x35, 0x1),
	ON(0x40, 0x7), ON(0x43, 0x1), ON(0x47, 0x1), ON4(0x48, 0x1),
	ON(0x4c, 0x1), ON(0x4d, 0x1), ON(0x4e, 0x7), ON(0x4f, 0x7),
	ON(0x50, 0x7), ON16(0x50, 0x1), ON(0x60, 0x1), ON(0x61, 0x1),
	ON(0x7d, 0x1), ON(0x7e, 0x1), {}
};

static const struct pmon_constraint spr_pcu_constraints[] = {
	ON(0x06, 0x1), {}
};

static const struct pmon_constraint spr_ubox_constraints[] = {
	ON4(0x4c, 0x1), {}
};

static const struct pmon_constraint cxlcm_constraints[] = {
	ON(0x02, 0x0f), ON(0x05, 0x0f), ON4(0x40, 0xf0), ON(0x4b, 0xf0),
	ON(0x52, 0xf0), {}
};

/* The types */

#define WIDE(_name, ...) \
	TYPE(_name, wide_fields, WIDE_MASK, ##__VA_ARGS__)
#define IIO(...) \
	TYPE("iio", iio_fields, WIDE_MASK, .aliases = iio_aliases, \
	     ##__VA_ARGS__)
/* Event 0xff of a memory controller is its fixed clock counter. */
#define IMC(_aliases) \
	NARROW("imc", .aliases = _aliases, .fixed_config = 0xff)

const struct pmon_type uncore_type_narrow = NARROW(NULL);

const struct pmon_type uncore_type_cha =
	TYPE("cha", cha_fields, CHA_MASK, .aliases = clock_aliases,
	     .constraints = cha_constraints,
	     .filter_enable = CHA_FILTER_ENABLE,
	     .filter_mask = CHA_FILTER_MASK);
const struct pmon_type uncore_type_irp = WIDE("irp");
const struct pmon_type uncore_type_upi = WIDE("upi", .aliases = upi_aliases);
const struct pmon_type uncore_type_cxlcm =
	WIDE("cxlcm", .constraints = cxlcm_constraints);
const struct pmon_type uncore_type_cxldp = WIDE("cxldp");
const struct pmon_type uncore_type_iio_free_running =
	FREE("iio_free_running", .aliases = iio_free_aliases);

const struct pmon_type uncore_type_spr_iio =
	IIO(.constraints = spr_iio_constraints);
const struct pmon_type uncore_type_spr_imc = IMC(imc_aliases);
const struct pmon_type uncore_type_spr_mdf = WIDE("mdf");
const struct pmon_type uncore_type_spr_pcu =
	NARROW("pcu", .constraints = spr_pcu_constraints);
const struct pmon_type uncore_type_spr_ubox =
	NARROW("ubox", .constraints = spr_ubox_constraints);
const struct pmon_type uncore_type_imc_free_running =
	FREE("imc_free_running", .aliases = imc_free_aliases);
const struct pmon_type uncore_type_m2hbm = WIDE("m2hbm");
const struct pmon_type uncore_type_m2m = WIDE("m2m");
const struct pmon_type uncore_type_m2pcie =
	WIDE("m2pcie", .constraints = m2pcie_constraints);
const struct pmon_type uncore_type_m3upi =
	WIDE("m3upi", .constraints = m3upi_constraints);
const struct pmon_type uncore_type_mchbm = NARROW("mchbm");

const struct pmon_type uncore_type_b2cmi = WIDE("b2cmi");
const struct pmon_type uncore_type_b2cxl = WIDE("b2cxl");
const struct pmon_type uncore_type_b2hot = NARROW("b2hot");
const struct pmon_type uncore_type_b2upi = WIDE("b2upi");
const struct pmon_type uncore_type_chacms = NARROW("chacms");
const struct pmon_type uncore_type_gnr_iio =
	IIO(.constraints = gnr_iio_constraints);
const struct pmon_type uncore_type_gnr_imc = IMC(imc_sch_aliases);
const struct pmon_type uncore_type_gnr_mdf = NARROW("mdf");
const struct pmon_type uncore_type_gnr_pcu = NARROW("pcu");
const struct pmon_type uncore_type_gnr_ubox = NARROW("ubox");
const struct pmon_type uncore_type_pciex16 = WIDE("pciex16");
const struct pmon_type uncore_type_pciex8 = WIDE("pciex8");
