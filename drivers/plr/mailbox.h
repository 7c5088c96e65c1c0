/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_MAILBOX_H
#define PMON_PLR_MAILBOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/regs.h>

/* Registers of one PLR instance; the interface has no more than these. */
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
 * A command for the mesh that is not finished after this time never will be:
 * the part does not know the mesh. The next one is written over it.
 */
#define PLR_MESH_NS		1000000000ULL

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
 */
struct plr_wait {
	u64 (*now_ns)(void);
	void (*sleep_us)(unsigned int us);
};

/**
 * struct plr_mailbox - one PLR instance
 * @regs: its registers
 * @wait: how to wait
 * @command: what was written last, without RUN_BUSY
 * @unsettled: the last command was given up, so hardware may still be busy
 *	with it; the mailbox must be seen idle before it is written again
 * @echoes: a finished command has been read back from the interface register,
 *	so that a different one there is another agent's
 * @worked: RUN_BUSY has been seen set
 * @ours: when the interface was last seen idle, a command of ours had finished
 * @last: that command
 * @mesh_ns: when the mesh was asked last
 * @mesh_over: that command was written over, as it had not finished
 * @mesh_lost: hardware does not answer for the mesh, but for cores
 *
 * The caller serialises access.
 */
struct plr_mailbox {
	const struct pmon_regs *regs;
	const struct plr_wait *wait;
	u64 command;
	bool unsettled;
	bool echoes;
	bool worked;
	bool ours;
	u64 last;
	u64 mesh_ns;
	bool mesh_over;
	bool mesh_lost;
};

bool plr_mailbox_is_proven(const struct plr_mailbox *mailbox);
u64 plr_mailbox_command(u8 command, enum plr_mailbox_domain domain, u8 id);
int plr_mailbox_settle(struct plr_mailbox *mailbox);
void plr_mailbox_start_read(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id);
void plr_mailbox_start_clear(struct plr_mailbox *mailbox, enum plr_mailbox_domain domain, u8 id);
int plr_mailbox_poll(struct plr_mailbox *mailbox);
int plr_mailbox_data(struct plr_mailbox *mailbox, u64 *value);
int plr_die_read(struct plr_mailbox *mailbox, u64 *value);
void plr_die_clear(struct plr_mailbox *mailbox);
int plr_header_check(u64 header);
unsigned int plr_header_major(u64 header);
unsigned int plr_header_minor(u64 header);

#endif /* PMON_PLR_MAILBOX_H */
