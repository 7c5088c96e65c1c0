// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of boxes of Diamond Rapids: names, formats, named events and
 * constraints, as dmr_uncores[] in arch/x86/events/intel/uncore_snbep.c of
 * Linux 7.3 has them. Two things there contradict each other, and are otherwise
 * here:
 *
 * - The threshold of a memory controller begins at bit 23, where "inv" is said
 *   to be as well. The threshold has it; no source has another place for
 *   "inv", so there is none.
 * - Fields above bit 31 need controls of 64 bits. Where controls are 32 bits
 *   wide (the parameter "controls") these fields do not exist.
 */
#include <linux/bits.h>

#include <pmon/box.h>

#include "fields.h"
#include "types_dmr.h"

#define DMR_BASE_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18))
#define DMR_IMC_MASK		(DMR_BASE_MASK | GENMASK_ULL(32, 23))
#define DMR_IMC4_MASK		(DMR_BASE_MASK | GENMASK_ULL(31, 23))
#define DMR_CXLCM_MASK		(DMR_BASE_MASK | BIT_ULL(21) | \
				 GENMASK_ULL(35, 23))
#define DMR_CXLCM4_MASK		(DMR_BASE_MASK | BIT_ULL(21) | \
				 GENMASK_ULL(31, 23))
#define DMR_LONG_MASK		(NARROW_MASK | GENMASK_ULL(63, 32))
#define DMR_PCIE_MASK		(NARROW_MASK | GENMASK_ULL(55, 32))

static const struct pmon_field dmr_imc_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE,
	FIELD("thresh", GENMASK_ULL(32, 23)), {}
};

static const struct pmon_field dmr_imc4_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE,
	FIELD("thresh", GENMASK_ULL(31, 23)), {}
};

static const struct pmon_field dmr_cxlcm_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, FIELD("inv", BIT_ULL(21)),
	FIELD("thresh", GENMASK_ULL(31, 23)),
	FIELD("port_en", GENMASK_ULL(35, 32)), {}
};

static const struct pmon_field dmr_cxlcm4_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, FIELD("inv", BIT_ULL(21)),
	FIELD("thresh", GENMASK_ULL(31, 23)), {}
};

/* A unit mask of 40 bits. */
static const struct pmon_field dmr_long_fields[] = {
	EVENT, FIELD("umask", UMASK | GENMASK_ULL(63, 32)), EDGE, INV, THRESH,
	{}
};

static const struct pmon_field dmr_pcie_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV, THRESH,
	FIELD("thresh_ext", GENMASK_ULL(35, 32)),
	FIELD("rs3_sel", BIT_ULL(36)),
	FIELD("rx_sel", BIT_ULL(37)),
	FIELD("tx_sel", BIT_ULL(38)),
	FIELD("iep_sel", BIT_ULL(39)),
	FIELD("vc_sel", GENMASK_ULL(47, 40)),
	FIELD("port_sel", GENMASK_ULL(55, 48)), {}
};

/* What goes through a port, in steps of 4 bytes. */
#define DMR_PORT(_name, _umask) \
	MIB(_name, "event=0xff,umask=" _umask, "3.814697265625e-6")

static const struct pmon_alias dmr_free_aliases[] = {
	DMR_PORT("inb_data_port0", "0x10"),
	DMR_PORT("inb_data_port1", "0x11"),
	DMR_PORT("inb_data_port2", "0x12"),
	DMR_PORT("inb_data_port3", "0x13"),
	DMR_PORT("inb_data_port4", "0x14"),
	DMR_PORT("inb_data_port5", "0x15"),
	DMR_PORT("inb_data_port6", "0x16"),
	DMR_PORT("inb_data_port7", "0x17"),
	DMR_PORT("bw_in_port0", "0x20"),
	DMR_PORT("bw_in_port1", "0x21"),
	DMR_PORT("bw_in_port2", "0x22"),
	DMR_PORT("bw_in_port3", "0x23"),
	DMR_PORT("bw_in_port4", "0x24"),
	DMR_PORT("bw_in_port5", "0x25"),
	DMR_PORT("bw_in_port6", "0x26"),
	DMR_PORT("bw_in_port7", "0x27"),
	DMR_PORT("bw_out_port0", "0x30"),
	DMR_PORT("bw_out_port1", "0x31"),
	DMR_PORT("bw_out_port2", "0x32"),
	DMR_PORT("bw_out_port3", "0x33"),
	DMR_PORT("bw_out_port4", "0x34"),
	DMR_PORT("bw_out_port5", "0x35"),
	DMR_PORT("bw_out_port6", "0x36"),
	DMR_PORT("bw_out_port7", "0x37"),
	PLAIN("clockticks", "event=0xff,umask=0x40"),
	{}
};

/*
 * Ranges of events, in which the first row that fits decides: 1 to 0x24 on
 * counters 0 to 3; 0x41, 0x50 to 0x5e and 0x60 to 0x61 on the others.
 */
static const struct pmon_constraint dmr_cxlcm_constraints[] = {
	ON(0x00, 0xff), ON32(0x00, 0x0f), ON4(0x20, 0x0f), ON(0x24, 0x0f),
	ON(0x41, 0xf0), ON(0x5f, 0xff), ON16(0x50, 0xf0), ON2(0x60, 0xf0), {}
};

static const struct pmon_constraint dmr_cbo_constraints[] = {
	ON(0x11, 0x1), ON(0x19, 0x1), ON(0x1a, 0x1), ON(0x1f, 0x1),
	ON(0x21, 0x1), ON(0x25, 0x1), ON(0x36, 0x1), {}
};

static const struct pmon_constraint dmr_sbo_constraints[] = {
	ON(0x1f, 0x1), ON(0x25, 0x1), {}
};

#define LONG(_name, ...) \
	TYPE(_name, dmr_long_fields, DMR_LONG_MASK, ##__VA_ARGS__)
#define PCIE(_name)	TYPE(_name, dmr_pcie_fields, DMR_PCIE_MASK)

const struct pmon_type uncore_type_dmr_imc =
	TYPE("imc", dmr_imc_fields, DMR_IMC_MASK, .fixed_config = 0xff);
const struct pmon_type uncore_type_dmr_cxlcm =
	TYPE("cxlcm", dmr_cxlcm_fields, DMR_CXLCM_MASK,
	     .constraints = dmr_cxlcm_constraints);
const struct pmon_type uncore_type_dmr_cbo =
	LONG("cbo", .constraints = dmr_cbo_constraints);
const struct pmon_type uncore_type_dmr_sbo =
	LONG("sbo", .constraints = dmr_sbo_constraints);
const struct pmon_type uncore_type_dmr_cpc = LONG("cpc");
const struct pmon_type uncore_type_dmr_dda = LONG("dda");
const struct pmon_type uncore_type_dmr_hamvf = LONG("hamvf");
const struct pmon_type uncore_type_dmr_itc = LONG("itc");
const struct pmon_type uncore_type_dmr_otc = LONG("otc");
const struct pmon_type uncore_type_dmr_sca = LONG("sca");
const struct pmon_type uncore_type_dmr_ubr = LONG("ubr");
const struct pmon_type uncore_type_dmr_ula = LONG("ula");
const struct pmon_type uncore_type_dmr_pcie4 = PCIE("pcie4");
const struct pmon_type uncore_type_dmr_pcie6 = PCIE("pcie6");
const struct pmon_type uncore_type_dmr_cms = NARROW("cms");
const struct pmon_type uncore_type_dmr_cncu = NARROW("cncu");
const struct pmon_type uncore_type_dmr_crs = NARROW("crs");
const struct pmon_type uncore_type_dmr_santa = NARROW("santa");
const struct pmon_type uncore_type_dmr_sncu = NARROW("sncu");
const struct pmon_type uncore_type_dmr_iio_free_running =
	FREE("iio_free_running", .aliases = dmr_free_aliases);

/* The same with controls of 32 bits. */
const struct pmon_type uncore_type_dmr4_imc =
	TYPE("imc", dmr_imc4_fields, DMR_IMC4_MASK, .fixed_config = 0xff);
const struct pmon_type uncore_type_dmr4_cxlcm =
	TYPE("cxlcm", dmr_cxlcm4_fields, DMR_CXLCM4_MASK,
	     .constraints = dmr_cxlcm_constraints);
const struct pmon_type uncore_type_dmr4_cbo =
	NARROW("cbo", .constraints = dmr_cbo_constraints);
const struct pmon_type uncore_type_dmr4_sbo =
	NARROW("sbo", .constraints = dmr_sbo_constraints);
const struct pmon_type uncore_type_dmr4_cpc = NARROW("cpc");
const struct pmon_type uncore_type_dmr4_dda = NARROW("dda");
const struct pmon_type uncore_type_dmr4_hamvf = NARROW("hamvf");
const struct pmon_type uncore_type_dmr4_itc = NARROW("itc");
const struct pmon_type uncore_type_dmr4_otc = NARROW("otc");
const struct pmon_type uncore_type_dmr4_sca = NARROW("sca");
const struct pmon_type uncore_type_dmr4_ubr = NARROW("ubr");
const struct pmon_type uncore_type_dmr4_ula = NARROW("ula");
const struct pmon_type uncore_type_dmr4_pcie4 = NARROW("pcie4");
const struct pmon_type uncore_type_dmr4_pcie6 = NARROW("pcie6");
