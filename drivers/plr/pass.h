/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_PASS_H
#define PMON_PLR_PASS_H

#include "mailbox.h"

/**
 * struct plr_target - one module or fabric cluster to be asked
 * @domain: what @id counts
 * @id: module or fabric cluster
 * @clear: clear in hardware when one of these bits was read
 * @value: what was read, valid when @ret is 0 or @read is set
 * @read: @value is valid, although clearing it failed
 * @ret: 0, or why not
 */
struct plr_target {
	enum plr_mailbox_domain domain;
	u8 id;
	u64 clear;
	u64 value;
	bool read;
	int ret;
};

/**
 * enum plr_pass_state - what a pass waits for
 * @PLR_PASS_SETTLE: the command that was given up before
 * @PLR_PASS_PROVE: a command that is not all zero, to see that they arrive
 * @PLR_PASS_READ: a read
 * @PLR_PASS_CLEAR: a clear
 * @PLR_PASS_DONE: nothing
 */
enum plr_pass_state {
	PLR_PASS_SETTLE, PLR_PASS_PROVE, PLR_PASS_READ, PLR_PASS_CLEAR, PLR_PASS_DONE,
};

/**
 * struct plr_pass - targets of one mailbox, one after the other
 * @mailbox: the mailbox; its lock is held from begin to end
 * @targets: what to ask
 * @count: how many
 * @at: the one under way
 * @state: what it waits for
 * @attempts: how often its command was given
 * @disturbed: another command than it was seen to finish
 * @deadline: when it is given up
 * @next: another pass to be run beside it
 */
struct plr_pass {
	struct plr_mailbox *mailbox;
	struct plr_target *targets;
	unsigned int count;
	unsigned int at;
	enum plr_pass_state state;
	unsigned int attempts;
	bool disturbed;
	u64 deadline;
	struct plr_pass *next;
};

void plr_pass_begin(struct plr_pass *pass, struct plr_mailbox *mailbox,
		    struct plr_target *targets, unsigned int count);
bool plr_pass_step(struct plr_pass *pass);
void plr_pass_run(struct plr_pass *first, const struct plr_wait *wait);
int plr_mailbox_read(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id,
		     u64 *value);

#endif /* PMON_PLR_PASS_H */
