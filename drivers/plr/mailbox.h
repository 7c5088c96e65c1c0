/* SPDX-License-Identifier: GPL-2.0-only */
/* Access the mailbox and the die level of one PLR instance. */
#ifndef PMON_PLR_MAILBOX_H
#define PMON_PLR_MAILBOX_H

#include <linux/bits.h>
#include <linux/types.h>

#include <pmon/regs.h>

/* Offsets of the 64-bit registers of an instance, in bytes. */
#define PLR_HEADER		0x00
#define PLR_INTERFACE		0x08
#define PLR_DATA		0x10
#define PLR_DIE_LEVEL		0x18
#define PLR_INSTANCE_SIZE	0x20

#define PLR_RUN_BUSY		BIT_ULL(63)

#define PLR_DOMAIN_CORE		0
#define PLR_DOMAIN_MESH		1

/* Timeouts of a command: for a reader of a file, for the monitor. */
#define PLR_READER_NS		2000000ULL
#define PLR_MONITOR_NS		20000000ULL

/*
 * Rate limit of commands, by domain: PLR_BURST at once, then one per
 * PLR_EACH_NS, so at most 200 in any second. Readers of files share one access
 * per PLR_READER_EACH_NS while the monitor is behind; readers without
 * CAP_PERFMON do so whenever the monitor runs.
 */
#define PLR_BURST		98
#define PLR_EACH_NS		10000000ULL
#define PLR_READER_EACH_NS	50000000ULL
/* Commands of one access to a module: a read and a clear, three tries each. */
#define PLR_COMMANDS_EACH	6

/* Clocks and sleep; tests replace them. */
struct plr_wait {
	u64 (*now_ns)(void);	/* monotonic */
	u64 (*boot_ns)(void);	/* CLOCK_BOOTTIME */
	void (*sleep_us)(unsigned int us);	/* @us to 2 * @us */
};

/* Users of a mailbox hold domain->lock. */
struct plr_mailbox {
	const struct pmon_regs *regs;
	const struct plr_wait *wait;
	bool late;		/* last command: timeout, RUN_BUSY stayed set */
	bool busy;		/* last command: RUN_BUSY was seen set */
	bool foreign;		/* INTERFACE keeps another agent's command */
	u8 echoed;		/* kinds of commands that stay in INTERFACE */
	bool is_reader;		/* commands are for a file, not a poll */
	bool is_limited;	/* limit readers of files to their share */
	u64 due_ns;		/* end of commands if one ran per PLR_EACH_NS */
	u64 reader_ns;		/* time of the last command for a file */
};

/* MSR_PM_LOGICAL_ID: power domain and module of a CPU. */
#define PLR_MSR_LOGICAL_ID	0x54

struct plr_logical_id {
	u8 domain;
	u8 module;	/* ID in mailbox commands */
};

int plr_logical_id_decode(u64 msr, struct plr_logical_id *id);

int plr_header_minor(u64 header);

bool plr_mailbox_has_budget(const struct plr_mailbox *mailbox);
int plr_mailbox_test_write(const struct plr_mailbox *mailbox);
bool plr_mailbox_is_busy(const struct plr_mailbox *mailbox);
int plr_mailbox_read(struct plr_mailbox *mailbox, u8 domain, u8 id, u64 *value);
int plr_mailbox_clear(struct plr_mailbox *mailbox, u8 domain, u8 id);

int plr_die_read(const struct plr_mailbox *mailbox, u64 *value);
void plr_die_clear(const struct plr_mailbox *mailbox);

#endif /* PMON_PLR_MAILBOX_H */
