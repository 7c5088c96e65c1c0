// SPDX-License-Identifier: GPL-2.0-only
/*
 * One PLR instance: header, mailbox and die level.
 *
 * A read is a look at the interface register, a command with RUN_BUSY written
 * to it, polls of it until hardware takes RUN_BUSY away, one read of the data,
 * and another look, which tells whether the data are still those of the
 * command: five accesses when hardware is quick, four when another command
 * follows.
 *
 * Other agents may use the mailbox, and there is no lock. So a command is
 * written only where the interface was seen idle just before, and where what it
 * has is not an answer that another agent may yet come for. What remains is
 * the time between the look and the write, in which this CPU does nothing else.
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

#define PLR_MAILBOX_FIELDS \
	(PLR_MAILBOX_COMMAND | PLR_MAILBOX_DOMAIN | PLR_MAILBOX_ID)

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

static bool plr_is_for_mesh(u64 command)
{
	return FIELD_GET(PLR_MAILBOX_DOMAIN, command) == PLR_DOMAIN_MESH;
}

static u64 plr_now(const struct plr_mailbox *mailbox)
{
	return mailbox->wait->now_ns();
}

/*
 * Another agent uses the mailbox: leave its answer there for PLR_GRACE_NS
 * before the next command is written.
 */
static void plr_mailbox_note_foreign(struct plr_mailbox *mailbox)
{
	mailbox->unknown = true;
	mailbox->yield_ns = 0;
	mailbox->foreign_ns = plr_now(mailbox);
}

/**
 * plr_mailbox_is_shared() - has another agent been seen lately?
 * @mailbox: the mailbox
 *
 * Return: whether one has.
 */
bool plr_mailbox_is_shared(const struct plr_mailbox *mailbox)
{
	return mailbox->foreign_ns &&
	       plr_now(mailbox) - mailbox->foreign_ns < PLR_SHARED_NS;
}

/**
 * plr_mailbox_begin() - commands are going to be given
 * @mailbox: the mailbox
 *
 * The interface may have what we left there because another agent has asked for
 * the same.
 */
void plr_mailbox_begin(struct plr_mailbox *mailbox)
{
	if (plr_mailbox_is_shared(mailbox))
		mailbox->unknown = true;
	mailbox->yield_ns = 0;
}

/**
 * plr_mailbox_may_ask_mesh() - is a command for the mesh worth its time?
 * @mailbox: the mailbox
 *
 * Return: whether it is; not soon after the mesh did not answer.
 */
bool plr_mailbox_may_ask_mesh(const struct plr_mailbox *mailbox)
{
	return !mailbox->mesh_tries ||
	       plr_now(mailbox) - mailbox->mesh_ns >= PLR_MESH_NS;
}

/*
 * RUN_BUSY is set when a command is to be written: is it another agent's
 * command, or one of ours that has timed out?
 */
static int plr_mailbox_wait(struct plr_mailbox *mailbox, u64 fields,
			    u64 command)
{
	if (!mailbox->unsettled || fields != mailbox->command) {
		plr_mailbox_note_foreign(mailbox);
		return -EINPROGRESS;
	}
	/*
	 * It is ours, and it has timed out. If it was for the mesh a command
	 * for a core is written over it: cores answer although the mesh does
	 * not.
	 */
	if (!plr_is_for_mesh(fields) || plr_is_for_mesh(command))
		return -EINPROGRESS;
	mailbox->mesh_over |= !mailbox->adopted;

	return 0;
}

/**
 * plr_mailbox_adopt() - hardware was busy with the same for all of a deadline
 * @mailbox: the mailbox, as it was looked at last
 *
 * It may be a command for a mesh that does not answer, which another agent has
 * given, or this driver before it was loaded anew. From here on it is one of
 * ours that has timed out, so that the next command for a core is written over
 * it; else no module would answer before a reset. It says nothing of whether
 * the mesh answers us. A command for a core ends: it is left alone.
 */
void plr_mailbox_adopt(struct plr_mailbox *mailbox)
{
	bool ours = mailbox->unsettled && mailbox->before == mailbox->command;

	if (ours || !plr_is_for_mesh(mailbox->before))
		return;
	mailbox->command = mailbox->before;
	mailbox->unsettled = true;
	mailbox->adopted = true;
}

/*
 * RUN_BUSY is clear, and what the interface has may be another agent's answer:
 * has it been there long enough?
 */
static int plr_mailbox_yield(struct plr_mailbox *mailbox, u64 fields)
{
	u64 now = plr_now(mailbox);

	if (!mailbox->yield_ns || fields != mailbox->left) {
		if (mailbox->used && fields != mailbox->left)
			mailbox->foreign_ns = now;
		mailbox->unknown = true;
		mailbox->left = fields;
		mailbox->yield_ns = now;
		mailbox->yields = 1;
		return -EAGAIN;
	}
	/* Time alone does not do: the agent may not have had a CPU. */
	if (++mailbox->yields < PLR_GRACE_LOOKS ||
	    now - mailbox->yield_ns < PLR_GRACE_NS)
		return -EAGAIN;
	mailbox->unknown = false;

	return 0;
}

/**
 * plr_mailbox_look() - may a command be written?
 * @mailbox: the mailbox
 * @command: which one
 *
 * After a finished command of ours this also tells whether the data are its.
 *
 * Return: 0, -EINPROGRESS while hardware is busy, -EAGAIN while another agent's
 * answer may be there, -EIO for all ones.
 */
int plr_mailbox_look(struct plr_mailbox *mailbox, u64 command)
{
	u64 value = plr_get(mailbox, PLR_MAILBOX_INTERFACE);
	u64 fields = value & PLR_MAILBOX_FIELDS;

	if (value == U64_MAX)
		return -EIO;
	mailbox->before = fields;
	if (value & PLR_MAILBOX_RUN_BUSY)
		return plr_mailbox_wait(mailbox, fields, command);
	/* A command that had timed out has finished since. */
	if (mailbox->unsettled && fields == mailbox->command &&
	    !mailbox->unknown)
		mailbox->left = fields;
	mailbox->unsettled = false;
	if (!mailbox->unknown && fields == mailbox->left)
		return 0;

	return plr_mailbox_yield(mailbox, fields);
}

static void plr_mailbox_start(struct plr_mailbox *mailbox, u64 command)
{
	mailbox->command = command & PLR_MAILBOX_FIELDS;
	mailbox->unsettled = true;
	mailbox->adopted = false;
	mailbox->worked = false;
	if (plr_is_for_mesh(command))
		mailbox->mesh_ns = plr_now(mailbox);
	/*
	 * The specification does not say what writing ones does; writing zero
	 * to all is the one clear that is known to work.
	 */
	if (FIELD_GET(PLR_MAILBOX_COMMAND, command) == PLR_COMMAND_WRITE)
		pmon_write(mailbox->regs, PLR_MAILBOX_DATA, 0, sizeof(u64));
	pmon_write(mailbox->regs, PLR_MAILBOX_INTERFACE, command, sizeof(u64));
}

/**
 * plr_mailbox_give() - write a command, if that may be done now
 * @mailbox: the mailbox
 * @command: from plr_mailbox_command(); PLR_COMMAND_WRITE clears all reasons
 *
 * Return: as plr_mailbox_look() does; 0 when it was written.
 */
int plr_mailbox_give(struct plr_mailbox *mailbox, u64 command)
{
	unsigned long flags = mailbox->wait->hold_cpu();
	int ret = plr_mailbox_look(mailbox, command);

	if (!ret)
		plr_mailbox_start(mailbox, command);
	mailbox->wait->let_go(flags);

	return ret;
}

static int plr_mailbox_finish(struct plr_mailbox *mailbox, u64 fields)
{
	mailbox->left = fields;
	/*
	 * Another agent may have given the same command since, and may not have
	 * read its data yet.
	 */
	mailbox->unknown = plr_mailbox_is_shared(mailbox);
	mailbox->yield_ns = 0;
	mailbox->used = true;
	mailbox->echoes |= !!fields;
	if (plr_is_for_mesh(mailbox->command)) {
		mailbox->mesh_tries = 0;
	} else if (mailbox->mesh_over) {
		/*
		 * A command for a core works after it was written over one for
		 * the mesh: the mesh does not answer, the mailbox does.
		 */
		mailbox->mesh_over = false;
		mailbox->mesh_lost |=
			++mailbox->mesh_tries >= PLR_MESH_TRIES &&
			!mailbox->mesh_answered;
	}

	return 0;
}

/*
 * RUN_BUSY is clear and the interface has our command. It stays there after it
 * has finished; but if the command before was the same, it is there as well
 * when ours never arrived. So it must have been seen with RUN_BUSY.
 */
static int plr_mailbox_is_echoed(struct plr_mailbox *mailbox)
{
	if (mailbox->worked || mailbox->before != mailbox->command)
		return plr_mailbox_finish(mailbox, mailbox->command);
	mailbox->left = mailbox->command;

	return -EALREADY;
}

/*
 * RUN_BUSY is clear and the interface has something else than our command. Zero
 * is accepted from a part that clears the interface when it has finished: if
 * the command was seen with RUN_BUSY, and no command was ever seen to stay.
 * What was there before the command means that it did not arrive. Anything else
 * was written by another agent.
 */
static int plr_mailbox_is_other(struct plr_mailbox *mailbox, u64 fields)
{
	if (!fields && mailbox->worked && !mailbox->echoes)
		return plr_mailbox_finish(mailbox, fields);
	if (fields == mailbox->before && !mailbox->worked)
		return -EOPNOTSUPP;
	plr_mailbox_note_foreign(mailbox);

	return -EAGAIN;
}

/**
 * plr_mailbox_poll() - has the command finished?
 * @mailbox: a mailbox with a command under way
 *
 * Return: 0 when it has, -EINPROGRESS, -EAGAIN when another agent has written
 * one over it, -EALREADY when it is the same as the one before, so that it is
 * not known whether it arrived, -EOPNOTSUPP when nothing has happened, -EIO for
 * all ones.
 */
int plr_mailbox_poll(struct plr_mailbox *mailbox)
{
	u64 value = plr_get(mailbox, PLR_MAILBOX_INTERFACE);
	u64 fields = value & PLR_MAILBOX_FIELDS;

	if (value == U64_MAX)
		return -EIO;
	if (value & PLR_MAILBOX_RUN_BUSY && fields == mailbox->command) {
		mailbox->worked = true;
		return -EINPROGRESS;
	}
	mailbox->unsettled = false;
	if (value & PLR_MAILBOX_RUN_BUSY) {
		plr_mailbox_note_foreign(mailbox);
		return -EAGAIN;
	}
	if (fields == mailbox->command)
		return plr_mailbox_is_echoed(mailbox);

	return plr_mailbox_is_other(mailbox, fields);
}

/**
 * plr_mailbox_data() - what the data register has
 * @mailbox: a mailbox whose poll gave 0: what a read has brought
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
 * plr_die_keeps() - does the die have what it was cleared of?
 * @mailbox: the instance, after plr_die_clear()
 * @before: what it had
 *
 * Hardware does not confirm the write. Where this says yes the reasons are in
 * force, or those of its modules, or firmware has blocked writes.
 *
 * Return: 1 when it still has all of @before, 0 when not, -EIO for all ones.
 */
int plr_die_keeps(struct plr_mailbox *mailbox, u64 before)
{
	u64 after;
	int ret = plr_die_read(mailbox, &after);

	return ret ?: !(before & ~after);
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
