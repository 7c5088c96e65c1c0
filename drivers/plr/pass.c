// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asking many modules: the commands of one mailbox one after the other, the
 * mailboxes of several domains side by side.
 *
 * A pass never waits by itself. A step goes as far as it can without waiting
 * for hardware, so that all passes together take about as long as the longest.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "pass.h"

/*
 * Sleeps while all mailboxes are busy: the first is short, then each doubles.
 */
#define PLR_SLEEP_FIRST_US	2
#define PLR_SLEEP_LAST_US	64

/* How often hardware must have been seen busy before it is given up. */
#define PLR_LOOKS		3

/*
 * How often a command is given that has no effect, or that others write over.
 */
#define PLR_ATTEMPTS		3
#define PLR_ATTEMPTS_SHARED	10

static u64 plr_pass_now(const struct plr_pass *pass)
{
	return pass->mailbox->wait->now_ns();
}

static void plr_pass_set_deadline(struct plr_pass *pass)
{
	pass->deadline = plr_pass_now(pass) + PLR_TIMEOUT_NS;
	pass->looks = 0;
}

/* Deadline and turn begin with the same reading of the clock. */
static void plr_pass_set_turn(struct plr_pass *pass)
{
	plr_pass_set_deadline(pass);
	pass->turn = pass->deadline - PLR_TIMEOUT_NS + PLR_TURN_NS;
	pass->turn_looks = 0;
}

/*
 * Begin a command for the target @at: all that is counted for a command is
 * reset.
 */
static void plr_pass_set(struct plr_pass *pass, enum plr_pass_state state)
{
	pass->state = state;
	pass->given = false;
	pass->attempts = 0;
	pass->disturbed = false;
	plr_pass_set_turn(pass);
}

/*
 * Why the target @at is not asked, or 0: only a mesh that did not answer is
 * left out.
 */
static int plr_pass_skips(const struct plr_pass *pass)
{
	if (pass->targets[pass->at].domain != PLR_DOMAIN_MESH)
		return 0;
	if (pass->mailbox->mesh_lost)
		return -ENXIO;

	return plr_mailbox_may_ask_mesh(pass->mailbox) ? 0 : -ETIMEDOUT;
}

/* Read the target @at, or the next one that may be asked. */
static void plr_pass_aim(struct plr_pass *pass)
{
	int ret;

	for (; pass->at < pass->count; pass->at++) {
		if (pass->targets[pass->at].skip)
			continue;
		ret = plr_pass_skips(pass);
		if (!ret) {
			plr_pass_set(pass, PLR_PASS_READ);
			return;
		}
		pass->targets[pass->at].ret = ret;
	}
	plr_pass_set(pass, pass->doubtful ? PLR_PASS_CONFIRM : PLR_PASS_DONE);
}

/**
 * plr_pass_begin() - set up a pass
 * @pass: the pass
 * @mailbox: where
 * @targets: what to ask, with domain, id and clear filled in
 * @count: how many, at least one
 */
void plr_pass_begin(struct plr_pass *pass, struct plr_mailbox *mailbox,
		    struct plr_target *targets, unsigned int count)
{
	*pass = (struct plr_pass) {
		.mailbox = mailbox,
		.targets = targets,
		.count = count,
	};
	pass->failed = count;
	plr_mailbox_begin(mailbox);
	plr_pass_aim(pass);
}

static void plr_pass_next(struct plr_pass *pass, int ret)
{
	pass->targets[pass->at++].ret = ret;
	plr_pass_aim(pass);
}

/*
 * Another command ran before the last data were read: drop them, and ask that
 * target again.
 */
static void plr_pass_doubt(struct plr_pass *pass)
{
	pass->doubtful = false;
	pass->at = pass->from;
	pass->targets[pass->at].value = 0;
	pass->targets[pass->at].read = false;
	pass->state = PLR_PASS_READ;
	pass->given = false;
	pass->disturbed = true;
	plr_pass_set_deadline(pass);
}

/*
 * End the pass with an error: a mailbox that does not answer for one module
 * does not answer for the others, so these are not asked. All ones that were
 * read before a command was given are no answer to it.
 */
static void plr_pass_fail(struct plr_pass *pass, int ret)
{
	if (pass->doubtful)
		plr_pass_doubt(pass);
	if (pass->given || ret != -EIO)
		pass->failed = pass->at;
	for (; pass->at < pass->count; pass->at++)
		if (!pass->targets[pass->at].skip)
			pass->targets[pass->at].ret = ret;
	pass->state = PLR_PASS_DONE;
}

static u64 plr_pass_command(const struct plr_pass *pass)
{
	const struct plr_target *target;

	if (pass->at == pass->count)
		return plr_mailbox_command(PLR_COMMAND_READ, PLR_DOMAIN_CORE,
					   0);
	target = &pass->targets[pass->at];
	if (pass->state == PLR_PASS_PROVE)
		return plr_mailbox_command(PLR_COMMAND_READ, PLR_DOMAIN_CORE,
					   target->domain == PLR_DOMAIN_CORE &&
					   !target->id);

	return plr_mailbox_command(pass->state == PLR_PASS_CLEAR ?
					   PLR_COMMAND_WRITE :
					   PLR_COMMAND_READ,
				   target->domain, target->id);
}

/*
 * The interface still has the command whose data were read last, if there are
 * any: they are its data.
 */
static void plr_pass_believe(struct plr_pass *pass)
{
	if (pass->doubtful) {
		pass->doubts = 0;
		pass->mailbox->mesh_answered |=
			pass->targets[pass->from].domain == PLR_DOMAIN_MESH;
	}
	pass->doubtful = false;
	if (pass->state == PLR_PASS_CONFIRM)
		pass->state = PLR_PASS_DONE;
}

/*
 * The mailbox is not free. Returns false if it is to be looked at again later.
 */
static bool plr_pass_wait(struct plr_pass *pass, int ret, bool late)
{
	u64 before = pass->mailbox->before;

	if (ret != -EINPROGRESS || before != pass->seen) {
		/*
		 * Not the command that was seen the last time: hardware is at
		 * work, so the time begins anew.
		 */
		pass->seen = ret == -EINPROGRESS ? before : U64_MAX;
		plr_pass_set_deadline(pass);
	} else if (late) {
		plr_mailbox_adopt(pass->mailbox);
		plr_pass_fail(pass, -ETIMEDOUT);
		return true;
	}
	pass->yields = ret == -EAGAIN;
	if (++pass->turn_looks < PLR_TURN_LOOKS ||
	    plr_pass_now(pass) < pass->turn)
		return false;
	plr_pass_fail(pass, -EBUSY);

	return true;
}

/*
 * Write the command if the mailbox is free. Returns false if it is to be looked
 * at again later.
 */
static bool plr_pass_give(struct plr_pass *pass, bool late)
{
	u64 command = plr_pass_command(pass), left = pass->mailbox->left;
	int ret;

	if (pass->state == PLR_PASS_CONFIRM)
		ret = plr_mailbox_look(pass->mailbox, command);
	else
		ret = plr_mailbox_give(pass->mailbox, command);

	if (ret == -EIO) {
		plr_pass_fail(pass, ret);
		return true;
	}
	/*
	 * The interface is as our last command has left it, so its data were
	 * its own; but another agent's grace has yet to pass.
	 */
	if (ret == -EAGAIN && pass->mailbox->before == left && pass->doubtful) {
		plr_pass_believe(pass);
		pass->yields = true;
		return pass->state == PLR_PASS_DONE;
	}
	if (ret && pass->doubtful) {
		plr_pass_doubt(pass);
		if (++pass->doubts < PLR_ATTEMPTS_SHARED)
			return false;
		pass->doubts = 0;
		plr_pass_next(pass, -EBUSY);
		return true;
	}
	if (ret)
		return plr_pass_wait(pass, ret, late);
	if (pass->state != PLR_PASS_CONFIRM) {
		pass->given = true;
		pass->yields = false;
		pass->attempts++;
		/*
		 * From here on: waiting for the mailbox may have taken any
		 * time.
		 */
		plr_pass_set_deadline(pass);
	}
	plr_pass_believe(pass);

	return true;
}

static void plr_pass_has_read(struct plr_pass *pass)
{
	struct plr_target *target = &pass->targets[pass->at];

	if (plr_mailbox_data(pass->mailbox, &target->value)) {
		plr_pass_fail(pass, -EIO);
		return;
	}
	target->read = true;
	pass->doubtful = true;
	pass->from = pass->at;
	if (target->clear & target->value)
		plr_pass_set(pass, PLR_PASS_CLEAR);
	else
		plr_pass_next(pass, 0);
}

/*
 * After a clear the data register must have the zero that was written. If not,
 * another agent wrote it before our command ran, and its data are in the module
 * now: clear again. Not on a part (@opaque) whose data register never has what
 * was written.
 */
static void plr_pass_has_cleared(struct plr_pass *pass)
{
	u64 data = 0;

	if (!pass->mailbox->opaque && plr_mailbox_data(pass->mailbox, &data)) {
		plr_pass_fail(pass, -EIO);
		return;
	}
	if (data && plr_mailbox_is_shared(pass->mailbox) &&
	    pass->attempts >= PLR_ATTEMPTS_SHARED) {
		plr_pass_next(pass, -EBUSY);
		return;
	}
	if (data && (pass->attempts < PLR_ATTEMPTS ||
		     plr_mailbox_is_shared(pass->mailbox))) {
		pass->given = false;
		return;
	}
	pass->mailbox->opaque |= !!data;
	plr_pass_next(pass, 0);
}

static void plr_pass_finished(struct plr_pass *pass)
{
	switch (pass->state) {
	case PLR_PASS_PROVE:
		pass->state = pass->proven;
		pass->given = false;
		break;
	case PLR_PASS_CLEAR:
		plr_pass_has_cleared(pass);
		break;
	default:
		plr_pass_has_read(pass);
	}
}

/*
 * The command equals the one before it, so that it is not known whether it
 * arrived. Give a different one first.
 */
static void plr_pass_prove(struct plr_pass *pass)
{
	if (pass->attempts >= PLR_ATTEMPTS_SHARED) {
		plr_pass_next(pass, -EBUSY);
		return;
	}
	/* That one may equal another agent's, too. */
	if (pass->state != PLR_PASS_PROVE)
		pass->proven = pass->state;
	pass->state = PLR_PASS_PROVE;
	pass->given = false;
}

/*
 * Another command has finished, or none: give the command again, a limited
 * number of times.
 */
static void plr_pass_again(struct plr_pass *pass, int ret)
{
	pass->disturbed |= ret == -EAGAIN;
	if (pass->attempts <
	    (pass->disturbed ? PLR_ATTEMPTS_SHARED : PLR_ATTEMPTS))
		pass->given = false;
	else if (pass->disturbed)
		plr_pass_next(pass, -EBUSY);
	else
		plr_pass_fail(pass, -EOPNOTSUPP);
}

/* Read the interface once, and act on it. Returns false when it is busy. */
static bool plr_pass_look(struct plr_pass *pass)
{
	/*
	 * The clock is read before the register, so that a pass that lost the
	 * CPU in between has read the register once after the deadline. And
	 * PLR_LOOKS readings are needed: with fewer, two different commands for
	 * the same module cannot be told apart.
	 */
	bool late = ++pass->looks > PLR_LOOKS &&
		    plr_pass_now(pass) >= pass->deadline;
	int ret;

	if (!pass->given)
		return plr_pass_give(pass, late);

	ret = plr_mailbox_poll(pass->mailbox);
	if (ret == -EINPROGRESS && !late)
		return false;
	if (ret == -EINPROGRESS)
		plr_pass_fail(pass, -ETIMEDOUT);
	else if (ret == -EALREADY)
		plr_pass_prove(pass);
	else if (ret == -EAGAIN || ret == -EOPNOTSUPP)
		plr_pass_again(pass, ret);
	else if (ret)
		plr_pass_fail(pass, ret);
	else
		plr_pass_finished(pass);

	return true;
}

/**
 * plr_pass_step() - go on until hardware is busy
 * @pass: the pass
 *
 * Return: true when the pass is over, false to be called again later.
 */
bool plr_pass_step(struct plr_pass *pass)
{
	while (pass->state != PLR_PASS_DONE)
		if (!plr_pass_look(pass))
			return false;

	return true;
}

/**
 * plr_pass_run() - run passes side by side to their ends
 * @first: the first of a list of passes, each of another mailbox
 * @wait: how to wait while all of them do
 */
void plr_pass_run(struct plr_pass *first, const struct plr_wait *wait)
{
	unsigned int us = PLR_SLEEP_FIRST_US;

	for (;;) {
		bool moved = false, done = true, yields = true;
		struct plr_pass *pass;

		for (pass = first; pass; pass = pass->next) {
			unsigned int at = pass->at;
			enum plr_pass_state state = pass->state;
			bool given = pass->given;

			done &= plr_pass_step(pass);
			moved |= pass->at != at || pass->state != state ||
				 pass->given != given;
			yields &= pass->yields || pass->state == PLR_PASS_DONE;
		}
		if (done)
			return;
		/*
		 * All wait for another agent to read its answer: give it time.
		 */
		if (yields)
			us = PLR_SLEEP_LAST_US;
		else
			us = moved ? PLR_SLEEP_FIRST_US :
				     min(us * 2, PLR_SLEEP_LAST_US);
		wait->sleep_us(us);
	}
}

/**
 * plr_mailbox_read() - read the reasons of one module or fabric cluster
 * @mailbox: the mailbox
 * @domain: what @id counts
 * @id: module or fabric cluster
 * @value: coarse reasons in the low, fine ones in the high half
 *
 * Return: 0, -ETIMEDOUT after PLR_TIMEOUT_NS, -ENXIO for a mesh that hardware
 * does not answer for, -EBUSY when another agent keeps
 * the mailbox, -EOPNOTSUPP when commands have no effect, -EIO for all
 * ones. @value is written for 0 only.
 */
int plr_mailbox_read(struct plr_mailbox *mailbox,
		     enum plr_mailbox_domain domain, u8 id, u64 *value)
{
	struct plr_target target = { .domain = domain, .id = id };
	struct plr_pass pass;

	plr_pass_begin(&pass, mailbox, &target, 1);
	plr_pass_run(&pass, mailbox->wait);
	if (!target.ret)
		*value = target.value;

	return target.ret;
}
