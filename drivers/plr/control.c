// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks the control interface of a TPMI device (id 0x80) whether firmware has
 * blocked writes to a feature. Used on kernels that do not use this interface
 * themselves.
 *
 * The mailbox is taken by writing a command while it has no owner; it is run,
 * and given back, also after a failure.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include "control.h"

/*
 * Intel, Topology Aware Register and PM Capsule Interface
 * (TPMI_public_disclosure_FINAL_rev3), the control interface and its mailbox.
 * Linux: tpmi_read_feature_status() in drivers/platform/x86/intel/vsec_tpmi.c.
 */
#define CONTROL_STATUS		0x00
#define CONTROL_COMMAND		0x08
#define CONTROL_DATA		0x0c

#define STATUS_RUN_BUSY		BIT_ULL(0)
#define STATUS_OWNER		GENMASK_ULL(5, 4)
#define STATUS_COMPLETE		BIT_ULL(6)
#define STATUS_RESULT		GENMASK_ULL(15, 8)
#define STATUS_DWORDS		GENMASK_ULL(31, 16)
#define OWNER_NONE		0
#define OWNER_IN_BAND		1
#define RESULT_OK		0x40

#define COMMAND_CODE		GENMASK_ULL(7, 0)
#define COMMAND_FEATURE		GENMASK_ULL(47, 40)
#define GET_STATE		0x10
#define GET_STATE_DWORDS	2

#define STATE_WRITE_BLOCKED	BIT(4)
#define STATE_FEATURE		GENMASK(15, 8)

/*
 * How long another owner, or the answer, is waited for, and how often looked.
 */
#define CONTROL_LOOKS		20
#define CONTROL_LOOK_US		1000

/* Wait until the bits of @mask have @value; the last status or an error. */
static int plr_control_await(const struct pmon_regs *regs,
			     const struct plr_wait *wait, u64 mask, u64 value,
			     u64 *status)
{
	unsigned int look;

	for (look = 0; look < CONTROL_LOOKS; look++) {
		*status = pmon_read(regs, CONTROL_STATUS, sizeof(u64));
		if (*status == U64_MAX)
			return -EIO;
		if ((*status & mask) == value)
			return 0;
		wait->sleep_us(CONTROL_LOOK_US);
	}

	return -EBUSY;
}

/* Run the command in the mailbox, which this CPU owns, and wait for its end. */
static int plr_control_run(const struct pmon_regs *regs,
			   const struct plr_wait *wait, u8 id)
{
	u64 status;
	u32 state;
	int ret;

	pmon_write(regs, CONTROL_STATUS,
		   STATUS_RUN_BUSY |
			   FIELD_PREP(STATUS_DWORDS, GET_STATE_DWORDS),
		   sizeof(u64));
	ret = plr_control_await(regs, wait, STATUS_RUN_BUSY, 0, &status);
	if (ret)
		return ret;
	if (FIELD_GET(STATUS_RESULT, status) != RESULT_OK)
		return -EPROTO;
	state = pmon_read(regs, CONTROL_DATA, sizeof(u32));
	if (state == U32_MAX || FIELD_GET(STATE_FEATURE, state) != id)
		return -EPROTO;

	return !!(state & STATE_WRITE_BLOCKED);
}

/**
 * plr_control_is_blocked() - has firmware blocked writes to a feature?
 * @regs: the control interface
 * @wait: how to wait
 * @id: TPMI id of the feature
 *
 * The caller serialises access. Takes some sixty milliseconds at most.
 *
 * Return: 1 when it has, 0 when it has not, or an error when that is not known.
 */
int plr_control_is_blocked(const struct pmon_regs *regs,
			   const struct plr_wait *wait, u8 id)
{
	u64 status;
	int ret;

	ret = plr_control_await(regs, wait, STATUS_OWNER | STATUS_RUN_BUSY,
				FIELD_PREP(STATUS_OWNER, OWNER_NONE), &status);
	if (ret)
		return ret;
	pmon_write(regs, CONTROL_COMMAND,
		   FIELD_PREP(COMMAND_CODE, GET_STATE) |
			   FIELD_PREP(COMMAND_FEATURE, id),
		   sizeof(u64));
	ret = plr_control_await(regs, wait, STATUS_OWNER,
				FIELD_PREP(STATUS_OWNER, OWNER_IN_BAND),
				&status);
	/* Another owner took the mailbox first: do not give it back. */
	if (ret)
		return ret;
	ret = plr_control_run(regs, wait, id);
	pmon_write(regs, CONTROL_STATUS, STATUS_COMPLETE, sizeof(u64));

	return ret;
}
