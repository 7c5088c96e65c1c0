/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registers of one PLR instance: header, mailbox and die level.
 */
#ifndef PMON_PLR_MAILBOX_H
#define PMON_PLR_MAILBOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/regs.h>

/* Offsets in bytes, eight bytes each. */
#define PLR_HEADER		0x00
#define PLR_INTERFACE		0x08
#define PLR_DATA		0x10
#define PLR_DIE_LEVEL		0x18
#define PLR_INSTANCE_SIZE	0x20

#define PLR_RUN_BUSY		BIT_ULL(63)

#define PLR_DOMAIN_CORE		0
#define PLR_DOMAIN_MESH		1

/* How long a command may take: for a reader of a file, for the monitor. */
#define PLR_READER_NS		2000000ULL
#define PLR_MONITOR_NS		20000000ULL

/*
 * Commands of a domain: PLR_BURST at once, then one each PLR_EACH_NS, which is
 * 200 in any second. Readers have 30 of them while the monitor needs them all,
 * and always while it runs without CAP_PERFMON.
 */
#define PLR_BURST		98
#define PLR_EACH_NS		10000000ULL
#define PLR_READER_BURST	10
#define PLR_READER_EACH_NS	50000000ULL
/* One access to a module: a read and a clear, each again twice. */
#define PLR_COMMANDS_EACH	6

/* Clock and sleep, which tests replace. */
struct plr_wait {
	u64 (*now_ns)(void);	/* monotonic */
	u64 (*boot_ns)(void);	/* CLOCK_BOOTTIME */
	void (*sleep_us)(unsigned int us);	/* or up to twice as long */
};

/* A mailbox and its die level; the caller serialises all calls for one. */
struct plr_mailbox {
	const struct pmon_regs *regs;
	const struct plr_wait *wait;
	bool late;		/* the last one timed out with RUN_BUSY set */
	bool busy;		/* RUN_BUSY was seen set after the last one */
	bool unmoved;		/* one has left the interface as it was */
	bool ignored;		/* so have two in a row for different places */
	bool lost;		/* likewise, with a foreign command in it */
	u64 unmoved_target;	/* of the last one that has, or 0 */
	bool is_reader;		/* commands are a reader's, not a poll's */
	bool is_limited;	/* readers have their share only */
	u64 due_ns;		/* of the last one, at the even rate */
	u64 reader_due_ns;	/* likewise of readers alone */
};

/* MSR_PM_LOGICAL_ID: which module of which power domain a CPU belongs to. */
#define PLR_MSR_LOGICAL_ID	0x54

struct plr_logical_id {
	u8 domain;
	u8 module;	/* the ID of the mailbox */
	u8 cpu;		/* of the module: a thread, or a core of a cluster */
};

int plr_logical_id_decode(u64 msr, struct plr_logical_id *id);

int plr_header_minor(u64 header);

bool plr_mailbox_has_budget(const struct plr_mailbox *mailbox);
bool plr_mailbox_test_write(struct plr_mailbox *mailbox);
bool plr_mailbox_is_busy(const struct plr_mailbox *mailbox);
int plr_mailbox_read(struct plr_mailbox *mailbox, u8 domain, u8 id, u64 *value);
int plr_mailbox_clear(struct plr_mailbox *mailbox, u8 domain, u8 id);

int plr_die_read(const struct plr_mailbox *mailbox, u64 *value);
void plr_die_clear(const struct plr_mailbox *mailbox);

#endif /* PMON_PLR_MAILBOX_H */
