// SPDX-License-Identifier: GPL-2.0-only
/*
 * MSR_PM_LOGICAL_ID (0x54): which module of which power domain a CPU is.
 *
 * [15:11] power domain, [10:3] module, [2:0] logical processor. The module
 * number is the ID that the PLR mailbox takes.
 *
 * Intel, Topology Aware Register and PM Capsule Interface
 * (TPMI_public_disclosure_FINAL_rev3), MSR_PM_LOGICAL_ID. Linux:
 * drivers/platform/x86/intel/tpmi_power_domains.c.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>

#include "logical_id.h"

#define LOGICAL_ID_LP		GENMASK_ULL(2, 0)
#define LOGICAL_ID_MODULE	GENMASK_ULL(10, 3)
#define LOGICAL_ID_DOMAIN	GENMASK_ULL(15, 11)

/**
 * plr_logical_id_decode() - take MSR 0x54 apart
 * @msr: its value
 * @id: the result
 *
 * Return: 0, or -EINVAL when bits are set that the register does not have:
 * such a value comes from something else (all-ones from a hypervisor, for
 * one), and a CPU must not be mapped by it.
 */
int plr_logical_id_decode(u64 msr, struct plr_logical_id *id)
{
	if (msr & ~(LOGICAL_ID_LP | LOGICAL_ID_MODULE | LOGICAL_ID_DOMAIN))
		return -EINVAL;

	id->domain = FIELD_GET(LOGICAL_ID_DOMAIN, msr);
	id->module = FIELD_GET(LOGICAL_ID_MODULE, msr);
	id->lp = FIELD_GET(LOGICAL_ID_LP, msr);

	return 0;
}
