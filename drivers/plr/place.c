// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode MSR_PM_LOGICAL_ID (0x54): which module of which power domain a CPU is.
 *
 * Intel, Topology Aware Register and PM Capsule Interface
 * (TPMI_public_disclosure_FINAL_rev3), MSR_PM_LOGICAL_ID. Linux ignores the
 * bits above: drivers/platform/x86/intel/tpmi_power_domains.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include "place.h"

#define LOGICAL_ID_MODULE	GENMASK_ULL(10, 3)
#define LOGICAL_ID_DOMAIN	GENMASK_ULL(15, 11)

/*
 * Decode MSR 0x54. Returns 0, or -EINVAL for all ones, which something else
 * than the register gives, a hypervisor for example.
 */
int plr_place_decode(u64 msr, struct plr_place *place)
{
	if (msr == U64_MAX)
		return -EINVAL;
	place->domain = FIELD_GET(LOGICAL_ID_DOMAIN, msr);
	place->module = FIELD_GET(LOGICAL_ID_MODULE, msr);

	return 0;
}
