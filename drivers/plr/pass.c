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

/* Sleeps while all mailboxes are busy: the first is short, then each doubles. */
#define PLR_SLEEP_FIRST_US	2
#define PLR_SLEEP_LAST_US	64

/* How often a command is given when another agent uses the mailbox, too. */
#define PLR_ATTEMPTS		3

static u64 plr_pass_now(const struct plr_pass *pass)
{
	return pass->mailbox->wait->now_ns();
}

static void plr_pass_set_deadline(struct plr_pass *pass)
{
	pass->deadline = plr_pass_now(pass) + PLR_TIMEOUT_NS;
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
		.state = PLR_PASS_SETTLE,
	};
	plr_pass_set_deadline(pass);
}

/* Give the command that @state waits for. */
static void plr_pass_command(struct plr_pass *pass, enum plr_pass_state state)
{
	const struct plr_target *target = &pass->targets[pass->at];

	pass->state = state;
	pass->attempts++;
	if (state == PLR_PASS_PROVE)
		plr_mailbox_start_read(pass->mailbox, PLR_DOMAIN_CORE, 1);
	else if (state == PLR_PASS_CLEAR)
		plr_mailbox_start_clear(pass->mailbox, target->domain, target->id);
	else
		plr_mailbox_start_read(pass->mailbox, target->domain, target->id);
}

/* Its time begins when it has been given: nobody knows how long that took. */
static void plr_pass_first_command(struct plr_pass *pass, enum plr_pass_state state)
{
	pass->attempts = 0;
	pass->disturbed = false;
	plr_pass_command(pass, state);
	plr_pass_set_deadline(pass);
}

static void plr_pass_next(struct plr_pass *pass, int ret);

static void plr_pass_read(struct plr_pass *pass)
{
	const struct plr_target *target = &pass->targets[pass->at];
	bool proves = target->domain != PLR_DOMAIN_CORE || target->id;

	if (target->domain == PLR_DOMAIN_MESH && pass->mailbox->mesh_lost) {
		plr_pass_next(pass, -ENXIO);
		return;
	}
	plr_pass_first_command(pass, proves || plr_mailbox_is_proven(pass->mailbox) ?
			       PLR_PASS_READ : PLR_PASS_PROVE);
}

static void plr_pass_next(struct plr_pass *pass, int ret)
{
	pass->targets[pass->at++].ret = ret;
	if (pass->at == pass->count) {
		pass->state = PLR_PASS_DONE;
		return;
	}
	plr_pass_read(pass);
}

/* A mailbox that fails for one module fails for all: nobody waits for more. */
static void plr_pass_fail(struct plr_pass *pass, int ret)
{
	while (pass->at < pass->count)
		pass->targets[pass->at++].ret = ret;
	pass->state = PLR_PASS_DONE;
}

static void plr_pass_finished(struct plr_pass *pass)
{
	struct plr_target *target = &pass->targets[pass->at];

	if (pass->state == PLR_PASS_PROVE) {
		plr_pass_first_command(pass, PLR_PASS_READ);
		return;
	}
	if (pass->state == PLR_PASS_CLEAR) {
		plr_pass_next(pass, 0);
		return;
	}
	if (plr_mailbox_data(pass->mailbox, &target->value)) {
		plr_pass_fail(pass, -EIO);
		return;
	}
	target->read = true;
	if (!(target->clear & target->value)) {
		plr_pass_next(pass, 0);
		return;
	}
	plr_pass_first_command(pass, PLR_PASS_CLEAR);
}

/* What has finished is not what was asked for. */
static void plr_pass_again(struct plr_pass *pass, int ret)
{
	pass->disturbed |= ret == -EAGAIN;
	if (pass->attempts < PLR_ATTEMPTS)
		plr_pass_command(pass, pass->state);
	else if (pass->disturbed)
		plr_pass_next(pass, -EBUSY);
	else
		plr_pass_fail(pass, -EOPNOTSUPP);
}

/* One look at the hardware; false when it is busy. */
static bool plr_pass_look(struct plr_pass *pass)
{
	/*
	 * The clock comes before the register: who lost the CPU in between has
	 * still looked once after the time.
	 */
	bool late = plr_pass_now(pass) >= pass->deadline;
	int ret;

	if (pass->state == PLR_PASS_SETTLE)
		ret = plr_mailbox_settle(pass->mailbox);
	else
		ret = plr_mailbox_poll(pass->mailbox);

	if (ret == -EINPROGRESS && !late)
		return false;
	if (ret == -EINPROGRESS)
		plr_pass_fail(pass, -ETIMEDOUT);
	else if (ret == -EAGAIN || ret == -EOPNOTSUPP)
		plr_pass_again(pass, ret);
	else if (ret)
		plr_pass_fail(pass, ret);
	else if (pass->state == PLR_PASS_SETTLE)
		plr_pass_read(pass);
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
		bool moved = false, done = true;
		struct plr_pass *pass;

		for (pass = first; pass; pass = pass->next) {
			unsigned int at = pass->at;
			enum plr_pass_state state = pass->state;

			done &= plr_pass_step(pass);
			moved |= pass->at != at || pass->state != state;
		}
		if (done)
			return;
		us = moved ? PLR_SLEEP_FIRST_US : min(us * 2, PLR_SLEEP_LAST_US);
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
 * using the mailbox, -EOPNOTSUPP when commands have no effect, -EIO for all
 * ones. @value is written for 0 only.
 */
int plr_mailbox_read(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id,
		     u64 *value)
{
	struct plr_target target = { .domain = domain, .id = id };
	struct plr_pass pass;

	plr_pass_begin(&pass, mailbox, &target, 1);
	plr_pass_run(&pass, mailbox->wait);
	if (!target.ret)
		*value = target.value;

	return target.ret;
}
