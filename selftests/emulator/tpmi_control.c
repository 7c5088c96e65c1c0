// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model the TPMI control mailbox (feature 0x80): owner, RUN_BUSY, command packet,
 * result, and the bitmap of supported feature ids.
 */
#include "qemu/osdep.h"
#include "pmon.h"

#define CONTROL_STATUS		0x00
#define CONTROL_COMMAND		0x08
#define CONTROL_CAPABILITIES	0x10
#define CONTROL_END		0x30

#define STATUS_RUN_BUSY		(1ull << 0)
#define STATUS_OWNER_MASK	(3ull << 4)
#define STATUS_IN_BAND		(1ull << 4)
#define STATUS_COMPLETE		(1ull << 6)
#define STATUS_RESULT(code)	((uint64_t)(code) << 8)
#define STATUS_DWORDS		(0xffffull << 16)

#define RESULT_OK		0x40
#define RESULT_FAILURE		0x90

#define COMMAND_CODE(c)		((c) & 0xff)
#define COMMAND_FEATURE(c)	((c) >> 40 & 0xff)
#define COMMAND_GET_STATE	0x10
#define COMMAND_SET_STATE	0x11

static uint64_t control_reg(const struct pmon_tpmi *t, unsigned int off)
{
	if (off == CONTROL_STATUS)
		return t->ctl_status;
	if (off == CONTROL_COMMAND)
		return t->ctl_command;
	if (off < CONTROL_END)
		return ldq_le_p(t->capabilities + off - CONTROL_CAPABILITIES);
	return 0;
}

uint64_t pmon_control_read(struct pmon_tpmi *t, unsigned int off, unsigned int bytes)
{
	pmon_control_settle(t);
	return pmon_part(control_reg(t, off & ~7u), off % 8, bytes);
}

static unsigned int run(struct pmon_tpmi *t)
{
	struct pmon_feature *f = pmon_tpmi_feature(t, COMMAND_FEATURE(t->ctl_command));
	uint32_t wanted = t->ctl_command >> 32;

	if (!f)
		return RESULT_FAILURE;
	switch (COMMAND_CODE(t->ctl_command)) {
	case COMMAND_GET_STATE:
		break;
	case COMMAND_SET_STATE:
		if (f->state & PMON_STATE_LOCKED)
			return RESULT_FAILURE;
		f->state = wanted;
		break;
	default:
		return RESULT_FAILURE;
	}
	/* The answer replaces the data dword. */
	t->ctl_command = (t->ctl_command & UINT32_MAX) |
			 (uint64_t)(f->state | f->id << 8) << 32;
	return RESULT_OK;
}

/* Grant the mailbox, or end the command, if the delay for it has passed. */
void pmon_control_settle(struct pmon_tpmi *t)
{
	uint64_t ns = pmon_now() - t->ctl_since;

	if (t->ctl_asked && ns >= t->ctl_grant_ns) {
		t->ctl_asked = false;
		t->ctl_status |= STATUS_IN_BAND;
	}
	if (t->ctl_status & STATUS_RUN_BUSY && ns >= t->ctl_run_ns) {
		t->ctl_status &= ~STATUS_RUN_BUSY;
		t->ctl_status |= STATUS_RESULT(run(t));
	}
}

/* Free the mailbox, as after power-on: drop a pending request and the last result. */
void pmon_control_reset(struct pmon_tpmi *t)
{
	t->ctl_status = 0;
	t->ctl_asked = false;
}

/* Let firmware ignore all requests and commands from now on. */
void pmon_control_never(struct pmon_tpmi *t)
{
	t->ctl_grant_ns = UINT64_MAX;
	t->ctl_run_ns = UINT64_MAX;
}

/* Write the status; ignored unless the host owns the mailbox and no command runs. */
static void write_status(struct pmon_tpmi *t, uint64_t val)
{
	if ((t->ctl_status & STATUS_OWNER_MASK) != STATUS_IN_BAND ||
	    t->ctl_status & STATUS_RUN_BUSY)
		return;
	if (val & STATUS_COMPLETE) {
		t->ctl_status = 0;
		return;
	}
	if (!(val & STATUS_RUN_BUSY))
		return;
	t->ctl_status = STATUS_RUN_BUSY | STATUS_IN_BAND | (val & STATUS_DWORDS);
	t->ctl_since = pmon_now();
}

/* Write a command.  The first write requests the mailbox; firmware grants it later. */
static void write_command(struct pmon_tpmi *t, uint64_t val)
{
	t->ctl_command = val;
	if (t->ctl_status & STATUS_OWNER_MASK || t->ctl_asked)
		return;
	t->ctl_asked = true;
	t->ctl_since = pmon_now();
}

void pmon_control_write(struct pmon_tpmi *t, unsigned int off, uint64_t val,
			unsigned int bytes)
{
	pmon_control_settle(t);
	val = pmon_merge(control_reg(t, off & ~7u), val, off % 8, bytes);
	if ((off & ~7u) == CONTROL_STATUS)
		write_status(t, val);
	else if ((off & ~7u) == CONTROL_COMMAND)
		write_command(t, val);
	pmon_control_settle(t);
}
