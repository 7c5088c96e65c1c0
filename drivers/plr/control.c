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
 * Another owner need not be waited for: how often is looked. Firmware has a
 * second to grant the mailbox, says the specification, and as long to run it;
 * so much time the kernel gives it, too.
 */
#define CONTROL_LOOKS		20
#define CONTROL_LOOK_US		1000
#define CONTROL_TIMEOUT_NS	1000000000ULL

/*
 * Wait until the bits of @mask have @value, for CONTROL_LOOKS and @ns at least;
 * the last status or an error.
 */
static int plr_control_await(const struct pmon_regs *regs,
			     const struct plr_wait *wait, u64 ns, u64 mask,
			     u64 value, u64 *status)
{
	u64 deadline = wait->now_ns() + ns;
	unsigned int looks = 0;
	bool late;

	do {
		/* Before the look: the CPU may be lost in between. */
		late = ++looks >= CONTROL_LOOKS && wait->now_ns() >= deadline;
		*status = pmon_read(regs, CONTROL_STATUS, sizeof(u64));
		if (*status == U64_MAX)
			return -EIO;
		if ((*status & mask) == value)
			return 0;
		wait->sleep_us(CONTROL_LOOK_US);
	} while (!late);

	return -EBUSY;
}

/*
 * Ask for the mailbox with the command for a feature. A request cannot be taken
 * back: as long as the mailbox has no owner it may be granted yet.
 */
static int plr_control_take(const struct pmon_regs *regs,
			    const struct plr_wait *wait, u8 id, bool *owed)
{
	u64 status, ns = *owed ? 0 : CONTROL_TIMEOUT_NS;
	int ret;

	pmon_write(regs, CONTROL_COMMAND,
		   FIELD_PREP(COMMAND_CODE, GET_STATE) |
			   FIELD_PREP(COMMAND_FEATURE, id),
		   sizeof(u64));
	ret = plr_control_await(regs, wait, ns, STATUS_OWNER,
				FIELD_PREP(STATUS_OWNER, OWNER_IN_BAND),
				&status);
	/* Another owner took the mailbox first: it is not ours to give back. */
	if (ret && (status == U64_MAX ||
		    FIELD_GET(STATUS_OWNER, status) == OWNER_NONE))
		*owed = true;

	return ret;
}

/* Run the command in the mailbox, which this CPU owns, and wait for its end. */
static int plr_control_run(const struct pmon_regs *regs,
			   const struct plr_wait *wait, u8 id, bool *owed)
{
	u64 status;
	u32 state;
	int ret;

	pmon_write(regs, CONTROL_STATUS,
		   STATUS_RUN_BUSY |
			   FIELD_PREP(STATUS_DWORDS, GET_STATE_DWORDS),
		   sizeof(u64));
	ret = plr_control_await(regs, wait, CONTROL_TIMEOUT_NS, STATUS_RUN_BUSY,
				0, &status);
	/* Firmware need not take it back while it runs. */
	*owed = ret;
	if (ret)
		return ret;
	if (FIELD_GET(STATUS_RESULT, status) != RESULT_OK)
		return -EPROTO;
	state = pmon_read(regs, CONTROL_DATA, sizeof(u32));
	if (state == U32_MAX || FIELD_GET(STATE_FEATURE, state) != id)
		return -EPROTO;

	return !!(state & STATE_WRITE_BLOCKED);
}

static void plr_control_complete(const struct pmon_regs *regs)
{
	pmon_write(regs, CONTROL_STATUS, STATUS_COMPLETE, sizeof(u64));
}

/**
 * plr_control_settle() - give the mailbox back that firmware granted, or had
 *	run, too late
 * @regs: the control interface
 * @owed: whether that may be; false when it was given back
 *
 * Else nobody gives it back: the BMC, and the next kernel, wait for it.
 */
void plr_control_settle(const struct pmon_regs *regs, bool *owed)
{
	u64 status;

	if (!*owed)
		return;
	status = pmon_read(regs, CONTROL_STATUS, sizeof(u64));
	if (status == U64_MAX ||
	    (status & (STATUS_OWNER | STATUS_RUN_BUSY)) !=
		    FIELD_PREP(STATUS_OWNER, OWNER_IN_BAND))
		return;
	plr_control_complete(regs);
	*owed = false;
}

/**
 * plr_control_is_blocked() - has firmware blocked writes to a feature?
 * @regs: the control interface
 * @wait: how to wait
 * @id: TPMI id of the feature
 * @owed: the mailbox may be ours, or come to be, and is to be given back then;
 *	kept from call to call
 *
 * The caller serialises access. Takes some milliseconds; two seconds where
 * firmware keeps to the times of the specification, but only just. The second
 * for the grant is not spent again while the mailbox is owed.
 *
 * Return: 1 when it has, 0 when it has not, or an error when that is not known.
 */
int plr_control_is_blocked(const struct pmon_regs *regs,
			   const struct plr_wait *wait, u8 id, bool *owed)
{
	u64 status;
	int ret;

	plr_control_settle(regs, owed);
	ret = plr_control_await(regs, wait, 0, STATUS_OWNER | STATUS_RUN_BUSY,
				FIELD_PREP(STATUS_OWNER, OWNER_NONE), &status);
	if (ret)
		return ret;
	ret = plr_control_take(regs, wait, id, owed);
	if (ret)
		return ret;
	ret = plr_control_run(regs, wait, id, owed);
	plr_control_complete(regs);

	return ret;
}
