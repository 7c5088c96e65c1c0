// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of boxes of client processors: names and formats are those of
 * arch/x86/events/intel/uncore_snb.c of Linux 7.3, named events those of perf's
 * list for Panther Lake.
 */
#include <linux/bits.h>

#include <pmon/box.h>

#include "fields.h"
#include "types.h"

/* SNB_UNC_CTL_EN and ADL_UNC_RAW_EVENT_MASK */
#define CLIENT_ENABLE		BIT_ULL(22)
#define CLIENT_MSR_MASK		(GENMASK_ULL(7, 0) | UMASK | BIT_ULL(18) | \
				 BIT_ULL(23) | GENMASK_ULL(29, 24))

static const struct pmon_field client_msr_fields[] = {
	EVENT, FIELD("umask", UMASK), EDGE, INV,
	FIELD("threshold", GENMASK_ULL(29, 24)), {}
};

static const struct pmon_field client_clock_fields[] = { EVENT, {} };

/* Data moves in pieces of 32 bytes, counted by channel. */
#define CHUNKS(_name, _event)	MIB(_name, _event, "3.0517578125e-5")

static const struct pmon_alias client_imc_aliases[] = {
	PLAIN("clockticks", "event=0x01"),
	CHUNKS("data_read", "event=0x3a"),
	CHUNKS("data_write", "event=0x3b"),
	CHUNKS("data_total", "event=0x3c"),
	{}
};

/* Whole cache lines, counted by controller. */
#define LINES(_name, _event)	MIB(_name, _event, "6.103515625e-5")

static const struct pmon_alias client_free_aliases[] = {
	LINES("data_total", "event=0xff,umask=0x10"),
	LINES("data_read", "event=0xff,umask=0x20"),
	LINES("data_write", "event=0xff,umask=0x30"),
	{}
};

static const struct pmon_alias client_clock_aliases[] = {
	PLAIN("clockticks", "event=0xff"),
	{}
};

#define MSR_TYPE(_name) \
	TYPE(_name, client_msr_fields, CLIENT_MSR_MASK, \
	     .ctl_set = CLIENT_ENABLE)

const struct pmon_type uncore_type_client_cbox = MSR_TYPE("cbox");
const struct pmon_type uncore_type_client_ia_core_bridge =
	MSR_TYPE("ia_core_bridge");
const struct pmon_type uncore_type_client_santa = MSR_TYPE("santa");
const struct pmon_type uncore_type_client_cncu =
	TYPE("cncu", client_clock_fields, GENMASK_ULL(7, 0),
	     .fixed_config = 0xff, .aliases = client_clock_aliases);
const struct pmon_type uncore_type_client_imc =
	NARROW("imc", .aliases = client_imc_aliases);
const struct pmon_type uncore_type_client_sncu = NARROW("sncu");
const struct pmon_type uncore_type_client_hbo = NARROW("hbo");
const struct pmon_type uncore_type_client_imc_free_running =
	FREE("imc_free_running", .aliases = client_free_aliases);
