/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_MAILBOX_H
#define PMON_PLR_MAILBOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/regs.h>

/*
 * Intel, Perf Limit Reasons TPMI Register Interface
 * (TPMI_Perf_Limit_reasons_rev3 in github.com/intel/tpmi_power_management),
 * section "Interface": PLR_HEADER, PLR_MAILBOX_INTERFACE, PLR_MAILBOX_DATA,
 * PLR_DIE_LEVEL. It has no more than these.
 */
#define PLR_HEADER		0x00
#define PLR_MAILBOX_INTERFACE	0x08
#define PLR_MAILBOX_DATA	0x10
#define PLR_DIE_LEVEL		0x18
#define PLR_INSTANCE_SIZE	0x20

#define PLR_MAILBOX_COMMAND	GENMASK_ULL(7, 0)
#define PLR_MAILBOX_DOMAIN	GENMASK_ULL(11, 8)
#define PLR_MAILBOX_ID		GENMASK_ULL(19, 12)
#define PLR_MAILBOX_RUN_BUSY	BIT_ULL(63)

#define PLR_COMMAND_READ	0
#define PLR_COMMAND_WRITE	1

/*
 * The most that one command may take: the specification names no time, and a
 * reader is to have an answer within 2 ms.
 */
#define PLR_TIMEOUT_NS		1000000

/*
 * Another agent's answer is left there for this time and for this many looks
 * with sleeps between them, so that it can be read. An agent that was seen
 * within PLR_SHARED_NS may have used the mailbox again since.
 */
#define PLR_GRACE_NS		100000ULL
#define PLR_GRACE_LOOKS		4
#define PLR_SHARED_NS		10000000000ULL

/*
 * A mesh that does not answer while cores do is asked again after PLR_MESH_NS.
 * After PLR_MESH_TRIES the part is taken for one without a mesh.
 */
#define PLR_MESH_NS		1000000000ULL
#define PLR_MESH_TRIES		2

/**
 * enum plr_mailbox_domain - what the ID of a command counts
 * @PLR_DOMAIN_CORE: modules, as in MSR 0x54
 * @PLR_DOMAIN_MESH: fabric clusters
 */
enum plr_mailbox_domain {
	PLR_DOMAIN_CORE = 0,
	PLR_DOMAIN_MESH = 1,
};

/**
 * struct plr_wait - time, for a pure state machine
 * @now_ns: monotonic clock
 * @sleep_us: sleep for about this long
 * @hold_cpu: nothing else runs on this CPU from here on
 * @let_go: until here, with what @hold_cpu gave
 */
struct plr_wait {
	u64 (*now_ns)(void);
	void (*sleep_us)(unsigned int us);
	unsigned long (*hold_cpu)(void);
	void (*let_go)(unsigned long flags);
};

/**
 * struct plr_mailbox - one PLR instance
 * @regs: its registers
 * @wait: how to wait
 * @command: what was written last, without RUN_BUSY
 * @before: what the interface had before that, or when it was looked at last
 * @unsettled: @command has not been seen to end
 * @adopted: @command is another agent's for the mesh, see plr_mailbox_adopt()
 * @worked: @command has been seen under way
 * @echoes: a finished command has been read back from the interface register,
 *	so that a different one there is another agent's
 * @left: what the interface has while it is idle and all of it is known
 * @unknown: another agent may have an answer in the mailbox
 * @used: a command of ours has finished
 * @yield_ns: since when @left is there, unchanged; 0 when that is not waited
 *	for
 * @yields: how often it was seen so
 * @foreign_ns: when another agent was seen last, 0 for never
 * @opaque: after a clear the data register has something else than what was
 *	written, so that it cannot be verified
 * @mesh_ns: when the mesh was asked last
 * @mesh_over: that command was written over, as it had not finished
 * @mesh_tries: how often, while cores answered
 * @mesh_answered: a command for the mesh has brought data: this part has one,
 *	so it is slow at most
 * @mesh_lost: hardware does not answer for the mesh, but for cores, and never
 *	has
 *
 * The caller serialises access.
 */
struct plr_mailbox {
	const struct pmon_regs *regs;
	const struct plr_wait *wait;
	u64 command;
	u64 before;
	bool unsettled;
	bool adopted;
	bool worked;
	bool echoes;
	u64 left;
	bool unknown;
	bool used;
	u64 yield_ns;
	unsigned int yields;
	u64 foreign_ns;
	bool opaque;
	u64 mesh_ns;
	bool mesh_over;
	unsigned int mesh_tries;
	bool mesh_answered;
	bool mesh_lost;
};

u64 plr_mailbox_command(u8 command, enum plr_mailbox_domain domain, u8 id);
void plr_mailbox_begin(struct plr_mailbox *mailbox);
int plr_mailbox_look(struct plr_mailbox *mailbox, u64 command);
int plr_mailbox_give(struct plr_mailbox *mailbox, u64 command);
int plr_mailbox_poll(struct plr_mailbox *mailbox);
void plr_mailbox_adopt(struct plr_mailbox *mailbox);
bool plr_mailbox_is_shared(const struct plr_mailbox *mailbox);
bool plr_mailbox_may_ask_mesh(const struct plr_mailbox *mailbox);
int plr_mailbox_data(struct plr_mailbox *mailbox, u64 *value);
int plr_die_read(struct plr_mailbox *mailbox, u64 *value);
void plr_die_clear(struct plr_mailbox *mailbox);
int plr_die_keeps(struct plr_mailbox *mailbox, u64 before);
int plr_header_check(u64 header);
unsigned int plr_header_major(u64 header);
unsigned int plr_header_minor(u64 header);

#endif /* PMON_PLR_MAILBOX_H */
