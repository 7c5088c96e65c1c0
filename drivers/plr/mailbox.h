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

/* DOMAIN of the interface. */
#define PLR_DOMAIN_CORE		0
#define PLR_DOMAIN_MESH		1

/* How long a command may take: for a reader of a file, for the monitor. */
#define PLR_READER_NS		2000000ULL
#define PLR_MONITOR_NS		20000000ULL

/* Commands in any second: of all, and of each while a domain is monitored. */
#define PLR_COMMANDS		200
#define PLR_MONITOR_COMMANDS	170
#define PLR_READER_COMMANDS	30
/*
 * What one access to a module can take: a read and a clear, each again twice.
 */
#define PLR_COMMANDS_EACH	6
#define PLR_SLOT_NS		100000000ULL
#define PLR_SLOTS		11

/**
 * struct plr_wait - clock and sleep, which tests replace
 * @now_ns: monotonic time
 * @boot_ns: CLOCK_BOOTTIME
 * @sleep_us: sleep that long, or up to twice as long
 */
struct plr_wait {
	u64 (*now_ns)(void);
	u64 (*boot_ns)(void);
	void (*sleep_us)(unsigned int us);
};

/**
 * struct plr_mailbox - a mailbox and its die level
 * @regs: registers of the instance
 * @wait: clock and sleep
 * @timeout_ns: how long a command may take
 * @late: the last command timed out while RUN_BUSY was set
 * @is_reader: commands are those of a reader, not of the monitor
 * @slot: commands of both in each slot of 100 ms, the newest at @newest %
 * PLR_SLOTS
 * @newest: number of the newest slot, time / PLR_SLOT_NS
 *
 * The caller serialises all calls for one mailbox.
 */
struct plr_mailbox {
	const struct pmon_regs *regs;
	const struct plr_wait *wait;
	u64 timeout_ns;
	bool late;
	bool is_reader;
	u16 slot[2][PLR_SLOTS];
	u64 newest;
};

/* MSR_PM_LOGICAL_ID: which module of which power domain a CPU belongs to. */
#define PLR_MSR_LOGICAL_ID	0x54

/**
 * struct plr_place - which module a CPU belongs to
 * @package: package id
 * @domain: power domain in the package
 * @module: module in the domain, the ID of the mailbox
 */
struct plr_place {
	u16 package;
	u8 domain;
	u8 module;
};

int plr_place_decode(u64 msr, struct plr_place *place);

int plr_header_check(u64 header);
unsigned int plr_header_minor(u64 header);

unsigned int plr_mailbox_budget(struct plr_mailbox *mailbox,
				unsigned int most);
bool plr_mailbox_is_busy(const struct plr_mailbox *mailbox);
int plr_mailbox_read(struct plr_mailbox *mailbox, u8 domain, u8 id, u64 *value);
int plr_mailbox_clear(struct plr_mailbox *mailbox, u8 domain, u8 id);

int plr_die_read(const struct plr_mailbox *mailbox, u64 *value);
void plr_die_clear(const struct plr_mailbox *mailbox);

#endif /* PMON_PLR_MAILBOX_H */
