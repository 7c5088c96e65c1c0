/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_PASS_H
#define PMON_PLR_PASS_H

#include "mailbox.h"

/*
 * How long, and for how many looks, another agent that uses the mailbox is
 * waited for. Both must be over: a pass that has lost the CPU has waited
 * without looking.
 */
#define PLR_TURN_LOOKS		16
#define PLR_TURN_NS		20000000ULL

/**
 * struct plr_target - one module or fabric cluster to be asked
 * @domain: what @id counts
 * @id: module or fabric cluster
 * @clear: clear in hardware when one of these bits was read
 * @pending: for a watcher: it may have reasons that were not read yet
 * @must: for a watcher: look at it however many commands there were
 * @likely: for a watcher: it will have to be cleared
 * @skip: do not ask; @ret stays as it is
 * @value: what was read, valid when @ret is 0 or @read is set
 * @read: @value is valid, although clearing it failed
 * @ret: 0, or why not
 */
struct plr_target {
	enum plr_mailbox_domain domain;
	u8 id;
	u64 clear;
	bool pending;
	bool must;
	bool likely;
	bool skip;
	u64 value;
	bool read;
	int ret;
};

/**
 * enum plr_pass_state - what a pass is at
 * @PLR_PASS_READ: a read
 * @PLR_PASS_PROVE: a command that differs from the next one, to see that they
 *	arrive
 * @PLR_PASS_CLEAR: a clear
 * @PLR_PASS_CONFIRM: a look at whether the last data were those of its command
 * @PLR_PASS_DONE: nothing
 */
enum plr_pass_state {
	PLR_PASS_READ,
	PLR_PASS_PROVE,
	PLR_PASS_CLEAR,
	PLR_PASS_CONFIRM,
	PLR_PASS_DONE,
};

/**
 * struct plr_pass - targets of one mailbox, one after the other
 * @mailbox: the mailbox; its lock is held from begin to end
 * @targets: what to ask
 * @count: how many
 * @at: the one under way
 * @state: what is done about it
 * @given: its command has been given, and is waited for
 * @proven: what the command is for, while another one is given first
 * @doubtful: the data of target @from may be another command's
 * @from: the one whose data have been taken last
 * @doubts: how often that was so
 * @attempts: how often the command of this target was given
 * @disturbed: another command than it was seen to finish
 * @yields: it waits for another agent to take its answer
 * @seen: what the mailbox was last seen busy with
 * @looks: how often that was, or its own command
 * @deadline: when hardware is given up
 * @turn: when another agent is not waited for any more
 * @turn_looks: how often it was found that it is to be waited for
 * @failed: the target whose command ended the pass with an error, @count for
 *	none
 * @next: another pass to be run beside it
 */
struct plr_pass {
	struct plr_mailbox *mailbox;
	struct plr_target *targets;
	unsigned int count;
	unsigned int at;
	enum plr_pass_state state;
	bool given;
	enum plr_pass_state proven;
	bool doubtful;
	unsigned int from;
	unsigned int doubts;
	unsigned int attempts;
	bool disturbed;
	bool yields;
	u64 seen;
	unsigned int looks;
	u64 deadline;
	u64 turn;
	unsigned int turn_looks;
	unsigned int failed;
	struct plr_pass *next;
};

void plr_pass_begin(struct plr_pass *pass, struct plr_mailbox *mailbox,
		    struct plr_target *targets, unsigned int count);
bool plr_pass_step(struct plr_pass *pass);
void plr_pass_run(struct plr_pass *first, const struct plr_wait *wait);
int plr_mailbox_read(struct plr_mailbox *mailbox,
		     enum plr_mailbox_domain domain, u8 id, u64 *value);

#endif /* PMON_PLR_PASS_H */
