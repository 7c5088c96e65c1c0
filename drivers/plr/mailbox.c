// SPDX-License-Identifier: GPL-2.0-only
/*
 * One PLR instance: header, mailbox and die level.
 *
 * A read is a command with RUN_BUSY written to the interface register, polls
 * of that register until hardware takes RUN_BUSY away, and one read of the
 * data: three accesses when hardware is quick.
 *
 * A device that is gone, or whose reads firmware has blocked, answers all
 * ones. Bits 62:20 of the interface are reserved and all 64 reasons at once
 * do not occur, so all ones is never taken for an answer.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/limits.h>

#include <pmon/plr_reasons.h>

#include "mailbox.h"

#define PLR_HEADER_MAJOR	GENMASK_ULL(7, 5)
#define PLR_HEADER_MINOR	GENMASK_ULL(4, 0)

#define PLR_MAILBOX_FIELDS	(PLR_MAILBOX_COMMAND | PLR_MAILBOX_DOMAIN | PLR_MAILBOX_ID)

static u64 plr_get(struct plr_mailbox *mailbox, u32 reg)
{
	return pmon_read(mailbox->regs, reg, sizeof(u64));
}

/**
 * plr_mailbox_command() - compose a command word
 * @command: PLR_COMMAND_READ or PLR_COMMAND_WRITE
 * @domain: what @id counts
 * @id: module or fabric cluster
 *
 * Return: the word, RUN_BUSY included.
 */
u64 plr_mailbox_command(u8 command, enum plr_mailbox_domain domain, u8 id)
{
	return FIELD_PREP(PLR_MAILBOX_COMMAND, command) |
	       FIELD_PREP(PLR_MAILBOX_DOMAIN, domain) |
	       FIELD_PREP(PLR_MAILBOX_ID, id) |
	       PLR_MAILBOX_RUN_BUSY;
}

/* Busy with a command that hardware may not know, for too long. */
static bool plr_mailbox_is_lost(const struct plr_mailbox *mailbox)
{
	return FIELD_GET(PLR_MAILBOX_DOMAIN, mailbox->command) == PLR_DOMAIN_MESH &&
	       mailbox->wait->now_ns() - mailbox->mesh_ns >= PLR_MESH_NS;
}

/**
 * plr_mailbox_settle() - may a command be written?
 * @mailbox: the mailbox
 *
 * Costs nothing unless the command before was given up.
 *
 * Return: 0, -EINPROGRESS while hardware is busy, -EIO for all ones.
 */
int plr_mailbox_settle(struct plr_mailbox *mailbox)
{
	u64 value;

	if (!mailbox->unsettled)
		return 0;

	value = plr_get(mailbox, PLR_MAILBOX_INTERFACE);
	if (value == U64_MAX)
		return -EIO;
	if (value & PLR_MAILBOX_RUN_BUSY) {
		if (!plr_mailbox_is_lost(mailbox))
			return -EINPROGRESS;
		mailbox->mesh_over = true;
	}
	mailbox->unsettled = false;

	return 0;
}

static void plr_mailbox_start(struct plr_mailbox *mailbox, u64 command)
{
	mailbox->command = command & PLR_MAILBOX_FIELDS;
	if (FIELD_GET(PLR_MAILBOX_DOMAIN, command) == PLR_DOMAIN_MESH)
		mailbox->mesh_ns = mailbox->wait->now_ns();
	mailbox->unsettled = true;
	pmon_write(mailbox->regs, PLR_MAILBOX_INTERFACE, command, sizeof(u64));
}

/**
 * plr_mailbox_start_read() - ask for the reasons of a module or fabric cluster
 * @mailbox: a settled mailbox
 * @domain: what @id counts
 * @id: module or fabric cluster
 */
void plr_mailbox_start_read(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id)
{
	plr_mailbox_start(mailbox, plr_mailbox_command(PLR_COMMAND_READ, domain, id));
}

/**
 * plr_mailbox_start_clear() - clear the reasons of a module or fabric cluster
 * @mailbox: a settled mailbox
 * @domain: what @id counts
 * @id: module or fabric cluster
 *
 * The specification does not say what writing ones does; writing zero to all
 * is the one clear that is known to work.
 */
void plr_mailbox_start_clear(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id)
{
	pmon_write(mailbox->regs, PLR_MAILBOX_DATA, 0, sizeof(u64));
	plr_mailbox_start(mailbox, plr_mailbox_command(PLR_COMMAND_WRITE, domain, id));
}

/*
 * A finished command stays readable. A part that should clear the register
 * instead is accepted, too, as long as it has not been seen to echo (then zero
 * is somebody else's read of core 0), and has been seen busy (else it may be
 * that firmware has blocked writes, and no command ever arrived).
 */
static bool plr_mailbox_is_ours(struct plr_mailbox *mailbox, u64 value)
{
	if (value == mailbox->command) {
		mailbox->echoes |= !!value;
		return true;
	}

	return !value && mailbox->worked && !mailbox->echoes;
}

/**
 * plr_mailbox_is_proven() - are commands known to arrive?
 * @mailbox: the mailbox
 *
 * Until one has been echoed or seen at work, firmware may have blocked writes.
 * A read of core 0 proves nothing: it is all zero, as an idle register may be.
 *
 * Return: whether they are.
 */
bool plr_mailbox_is_proven(const struct plr_mailbox *mailbox)
{
	return mailbox->echoes || mailbox->worked;
}

/*
 * What has finished is not ours. The register as we left it, or as it is after
 * a reset, means that the command did not arrive; else somebody else was here.
 */
static int plr_mailbox_foreign(struct plr_mailbox *mailbox, u64 value)
{
	if (mailbox->ours ? value == mailbox->last : !value && !mailbox->echoes)
		return -EOPNOTSUPP;
	mailbox->ours = false;

	return -EAGAIN;
}

/**
 * plr_mailbox_poll() - has the command finished?
 * @mailbox: a mailbox with a command under way
 *
 * Return: 0 when it has, -EINPROGRESS, -EAGAIN when somebody else's has,
 * -EOPNOTSUPP when nothing has happened, -EIO for all ones.
 */
int plr_mailbox_poll(struct plr_mailbox *mailbox)
{
	u64 value = plr_get(mailbox, PLR_MAILBOX_INTERFACE);

	if (value == U64_MAX)
		return -EIO;
	if (value & PLR_MAILBOX_RUN_BUSY) {
		mailbox->worked = true;
		return -EINPROGRESS;
	}
	mailbox->unsettled = false;
	value &= PLR_MAILBOX_FIELDS;
	if (!plr_mailbox_is_ours(mailbox, value))
		return plr_mailbox_foreign(mailbox, value);
	mailbox->ours = true;
	mailbox->last = value;
	/* What it was written over was the fault, not the mailbox. */
	mailbox->mesh_lost |= mailbox->mesh_over;
	mailbox->mesh_over = false;

	return 0;
}

/**
 * plr_mailbox_data() - take what a finished read has brought
 * @mailbox: a mailbox whose poll gave 0
 * @value: coarse reasons in the low, fine ones in the high half
 *
 * Return: 0, or -EIO for all ones; @value is written for 0 only.
 */
int plr_mailbox_data(struct plr_mailbox *mailbox, u64 *value)
{
	u64 data = plr_get(mailbox, PLR_MAILBOX_DATA);

	if (data == U64_MAX)
		return -EIO;
	*value = data;

	return 0;
}

/**
 * plr_die_read() - read the coarse reasons of the die
 * @mailbox: the instance
 * @value: the reasons; the register's high half is 0 (PLR_DIE_LEVEL[63:32]),
 *	and what a part might have there is no reason
 *
 * Return: 0, or -EIO for all ones.
 */
int plr_die_read(struct plr_mailbox *mailbox, u64 *value)
{
	u64 data = plr_get(mailbox, PLR_DIE_LEVEL);

	if (data == U64_MAX)
		return -EIO;
	*value = data & PLR_COARSE_MASK;

	return 0;
}

/**
 * plr_die_clear() - clear the coarse reasons of the die
 * @mailbox: the instance
 */
void plr_die_clear(struct plr_mailbox *mailbox)
{
	pmon_write(mailbox->regs, PLR_DIE_LEVEL, 0, sizeof(u64));
}

/**
 * plr_header_check() - is there an instance that this code understands?
 * @header: value of PLR_HEADER
 *
 * Return: 0, -ENODEV for an instance that the part does not have (dies that
 * were left out, dies without cores), -EPROTONOSUPPORT for another layout.
 */
int plr_header_check(u64 header)
{
	if (header == U64_MAX)
		return -ENODEV;
	if (plr_header_major(header))
		return -EPROTONOSUPPORT;

	return 0;
}

/**
 * plr_header_major() - major version of an instance
 * @header: value of PLR_HEADER
 *
 * Return: the number; it changes when old readers would misread.
 */
unsigned int plr_header_major(u64 header)
{
	return FIELD_GET(PLR_HEADER_MAJOR, header);
}

/**
 * plr_header_minor() - minor version of an instance
 * @header: value of PLR_HEADER
 *
 * Return: the number.
 */
unsigned int plr_header_minor(u64 header)
{
	return FIELD_GET(PLR_HEADER_MINOR, header);
}
