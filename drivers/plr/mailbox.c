// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run commands of the PLR mailbox (Perf Limit Reasons TPMI Register Interface,
 * PLR_MAILBOX_INTERFACE): software sets RUN_BUSY with a command, hardware
 * clears RUN_BUSY when the command is done. The other bits of INTERFACE are not
 * specified then (on a Sierra Forest they still held the command). So check
 * only RUN_BUSY for the end of a command, as in Linux and pcm.
 *
 * The mailbox has no lock. Another agent's command in INTERFACE shows its
 * concurrent use. Firmware may block writes, which only a test write can show.
 * Offsets of registers are from plr_tpmi.c of Linux.
 */
#include <linux/bitfield.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/preempt.h>

#include "mailbox.h"

#define HEADER_MAJOR		GENMASK_ULL(7, 5)
#define HEADER_MINOR		GENMASK_ULL(4, 0)

#define INTERFACE_COMMAND	GENMASK_ULL(7, 0)
#define INTERFACE_DOMAIN	GENMASK_ULL(11, 8)
#define INTERFACE_ID		GENMASK_ULL(19, 12)
#define INTERFACE_TARGET		(INTERFACE_DOMAIN | INTERFACE_ID)
#define COMMAND_READ		0
#define COMMAND_WRITE		1

#define TRIES			3

/* First and longest sleep between two reads of RUN_BUSY. */
#define FIRST_SLEEP_US		20
#define LONGEST_SLEEP_US	500

#define LOGICAL_ID_MODULE	GENMASK_ULL(10, 3)
#define LOGICAL_ID_DOMAIN	GENMASK_ULL(15, 11)

/*
 * Decode MSR_PM_LOGICAL_ID (Topology Aware Register and PM Capsule Interface).
 * Ignore bits above 15, as Linux does. Return -EINVAL if all are 1 (in guests).
 */
int plr_logical_id_decode(u64 msr, struct plr_logical_id *id)
{
	if (msr == U64_MAX)
		return -EINVAL;
	id->domain = FIELD_GET(LOGICAL_ID_DOMAIN, msr);
	id->module = FIELD_GET(LOGICAL_ID_MODULE, msr);
	return 0;
}

/*
 * Return the minor version, -ENODEV for all ones (no instance, or firmware
 * blocks reads), or -EINVAL for an unknown major version.
 */
int plr_header_minor(u64 header)
{
	if (header == U64_MAX)
		return -ENODEV;
	if (FIELD_GET(HEADER_MAJOR, header))
		return -EINVAL;
	return FIELD_GET(HEADER_MINOR, header);
}

/*
 * Return true if the rate limit permits an access to a module. The limit is
 * PLR_BURST commands at once, then one in each PLR_EACH_NS. A poll leaves one
 * access for readers of files.
 */
bool plr_mailbox_has_budget(const struct plr_mailbox *mailbox)
{
	u64 now_ns = mailbox->wait->now_ns();
	u64 ahead_ns = mailbox->due_ns > now_ns ? mailbox->due_ns - now_ns : 0;
	unsigned int least = PLR_COMMANDS_EACH;

	if (!mailbox->is_reader)
		least += PLR_COMMANDS_EACH;
	else if (mailbox->is_limited &&
		 now_ns - mailbox->reader_ns < PLR_READER_EACH_NS)
		return false;
	return ahead_ns <= (PLR_BURST - least) * PLR_EACH_NS;
}

/* Count a command. plr_mailbox_has_budget() limits how far @due_ns is ahead. */
static void plr_mailbox_count_command(struct plr_mailbox *mailbox)
{
	u64 now_ns = mailbox->wait->now_ns();

	mailbox->due_ns = max(mailbox->due_ns, now_ns) + PLR_EACH_NS;
	if (mailbox->is_reader)
		mailbox->reader_ns = now_ns;
}

static u64 plr_interface(const struct plr_mailbox *mailbox)
{
	return pmon_read(mailbox->regs, PLR_INTERFACE, sizeof(u64));
}

bool plr_mailbox_is_busy(const struct plr_mailbox *mailbox)
{
	u64 interface = plr_interface(mailbox);

	return interface != U64_MAX && interface & PLR_RUN_BUSY;
}

/*
 * Wait for RUN_BUSY = 0; read again after the deadline, in case of preemption.
 */
static int plr_mailbox_wait(struct plr_mailbox *mailbox, u64 *interface)
{
	u64 deadline = mailbox->wait->now_ns() +
		       (mailbox->is_reader ? PLR_READER_NS : PLR_MONITOR_NS);
	unsigned int us = FIRST_SLEEP_US;
	u64 now;

	for (mailbox->busy = false;; mailbox->busy = true) {
		now = mailbox->wait->now_ns();
		*interface = plr_interface(mailbox);
		if (*interface == U64_MAX)
			return -EIO;
		if (!(*interface & PLR_RUN_BUSY))
			return 0;
		if (now >= deadline) {
			mailbox->late = true;
			return -ETIMEDOUT;
		}
		mailbox->wait->sleep_us(us);
		us = min_t(unsigned int, us * 2, LONGEST_SLEEP_US);
	}
}

/*
 * Return true if INTERFACE has a running command, or a well-formed command for
 * another DOMAIN or ID. The caller has seen our command end.
 */
static bool plr_is_foreign(u64 interface, u64 ours)
{
	if (interface & PLR_RUN_BUSY)
		return true;
	if (!interface || interface & ~(INTERFACE_COMMAND | INTERFACE_TARGET))
		return false;
	if (FIELD_GET(INTERFACE_COMMAND, interface) > COMMAND_WRITE ||
	    FIELD_GET(INTERFACE_DOMAIN, interface) > PLR_DOMAIN_MESH)
		return false;
	return (interface ^ ours) & INTERFACE_TARGET;
}

/*
 * Return true if another agent has read module 0: INTERFACE is 0, although it
 * kept our last command of @command's kind. Return true only once, as hardware
 * may clear INTERFACE from now on.
 */
static bool plr_mailbox_is_zero_foreign(struct plr_mailbox *mailbox,
					u64 interface, u64 command)
{
	u8 kind = BIT(FIELD_GET(INTERFACE_COMMAND, command) |
		      FIELD_GET(INTERFACE_DOMAIN, command) << 1);
	bool is_echoed = mailbox->echoed & kind;

	if (!command)
		return false;
	if (interface == command)
		mailbox->echoed |= kind;
	else if (!interface)
		mailbox->echoed &= ~kind;
	return !interface && is_echoed;
}

/*
 * Return 1 if a write changes INTERFACE, 0 if firmware blocks writes; -EBUSY
 * while a command runs, -EIO if INTERFACE reads as all ones. Without RUN_BUSY
 * the written value starts no command. Keep preemption off, to leave other
 * agents little time to use the mailbox.
 */
int plr_mailbox_test_write(const struct plr_mailbox *mailbox)
{
	int ret = -EBUSY;
	u64 before, other;

	preempt_disable();
	before = plr_interface(mailbox);
	if (before == U64_MAX) {
		ret = -EIO;
	} else if (!(before & PLR_RUN_BUSY)) {
		other = before ^ FIELD_PREP(INTERFACE_ID, 1);
		pmon_write(mailbox->regs, PLR_INTERFACE, other, sizeof(u64));
		ret = plr_interface(mailbox) != before;
		pmon_write(mailbox->regs, PLR_INTERFACE, before, sizeof(u64));
	}
	preempt_enable();
	return ret;
}

/*
 * Start a command. Keep preemption off, so that no result of another agent gets
 * into DATA before our command begins.
 */
static void plr_mailbox_start(struct plr_mailbox *mailbox, u64 command,
			      bool is_write)
{
	preempt_disable();
	if (is_write)
		pmon_write(mailbox->regs, PLR_DATA, 0, sizeof(u64));
	pmon_write(mailbox->regs, PLR_INTERFACE, PLR_RUN_BUSY | command,
		   sizeof(u64));
	preempt_enable();
	plr_mailbox_count_command(mailbox);
}

/*
 * Run a command. Return -EAGAIN if INTERFACE has a command of another agent, or
 * had one and has not changed since (@foreign). In the second case our writes
 * may be blocked, so even INTERFACE = @command may be the other agent's.
 */
static int plr_mailbox_run(struct plr_mailbox *mailbox, u64 command,
			   u64 *value)
{
	u64 before, interface;
	int ret;

	ret = plr_mailbox_wait(mailbox, &before);
	if (ret)
		return ret;
	plr_mailbox_start(mailbox, command, !value);
	ret = plr_mailbox_wait(mailbox, &interface);
	if (ret)
		return ret;
	if (interface != before || mailbox->busy)
		mailbox->foreign = false;
	if (value)
		*value = pmon_read(mailbox->regs, PLR_DATA, sizeof(u64));
	interface = plr_interface(mailbox);
	if (interface == U64_MAX || (value && *value == U64_MAX))
		return -EIO;
	if (plr_mailbox_is_zero_foreign(mailbox, interface, command))
		return -EAGAIN;
	if (plr_is_foreign(interface, command))
		mailbox->foreign = interface == before && !mailbox->busy;
	else if (!mailbox->foreign)
		return 0;
	return -EAGAIN;
}

static int plr_mailbox_command(struct plr_mailbox *mailbox, u64 command,
			       u8 domain, u8 id, u64 *value)
{
	unsigned int tries;
	int ret;

	mailbox->late = false;
	command |= FIELD_PREP(INTERFACE_DOMAIN, domain) |
		   FIELD_PREP(INTERFACE_ID, id);
	for (tries = 0; tries < TRIES; tries++) {
		ret = plr_mailbox_run(mailbox, command, value);
		if (ret != -EAGAIN)
			return ret;
	}
	return -EBUSY;
}

/*
 * Read the reasons of a module or of the mesh, in five register accesses or
 * more. Sleeps. Return -ETIMEDOUT if RUN_BUSY stays set, -EBUSY if another
 * agent uses the mailbox, -EIO for all ones.
 */
int plr_mailbox_read(struct plr_mailbox *mailbox, u8 domain, u8 id, u64 *value)
{
	return plr_mailbox_command(mailbox, COMMAND_READ, domain, id, value);
}

/*
 * Clear all reasons of a module or of the mesh. Errors are those of
 * plr_mailbox_read(). A clear that failed may take effect later.
 */
int plr_mailbox_clear(struct plr_mailbox *mailbox, u8 domain, u8 id)
{
	return plr_mailbox_command(mailbox, COMMAND_WRITE, domain, id, NULL);
}

int plr_die_read(const struct plr_mailbox *mailbox, u64 *value)
{
	u64 die = pmon_read(mailbox->regs, PLR_DIE_LEVEL, sizeof(u64));

	if (die == U64_MAX)
		return -EIO;
	*value = lower_32_bits(die);
	return 0;
}

void plr_die_clear(const struct plr_mailbox *mailbox)
{
	pmon_write(mailbox->regs, PLR_DIE_LEVEL, 0, sizeof(u64));
}
