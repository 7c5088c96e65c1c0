/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMON_PLR_FAKE_H
#define PMON_PLR_FAKE_H

#include <kunit/test.h>

#include "../mailbox.h"
#include "../pass.h"

/**
 * struct fake_access - one register access that a test expects
 * @write: a write, of @value; otherwise a read, which gives @value
 * @reg: which register
 * @value: what is written or read
 * @times: how often, 0 for once
 * @given: of a command: the interface is looked at before, and has @before
 * @zeroed: of a command: then the data register is cleared
 * @before: what the interface has
 */
struct fake_access {
	bool write;
	u32 reg;
	u64 value;
	unsigned int times;
	bool given;
	bool zeroed;
	u64 before;
};

#define FAKE_READ(_reg, _value)		{ .reg = (_reg), .value = (_value) }
#define FAKE_WRITE(_reg, _value)	{ .write = true, .reg = (_reg), .value = (_value) }

#define FAKE_READS(_reg, _value, _times)						\
	{ .reg = (_reg), .value = (_value), .times = (_times) }

/* A command, and a clear, with what is done before they are written. */
#define FAKE_GIVE(_before, _command)							\
	{ .write = true, .reg = PLR_MAILBOX_INTERFACE, .given = true, .before = (_before), \
	  .value = PLR_MAILBOX_RUN_BUSY | (_command) }
#define FAKE_CLEAR(_before, _command)							\
	{ .write = true, .reg = PLR_MAILBOX_INTERFACE, .given = true, .before = (_before), \
	  .zeroed = true, .value = PLR_MAILBOX_RUN_BUSY | (_command) }

/**
 * struct fake_plr - a PLR instance that follows a script
 * @regs: its registers
 * @mailbox: a mailbox on them
 * @test: fails on any access that is not the next of the script
 * @script: what is expected
 * @length: accesses in @script
 * @next: the one expected now
 * @done: accesses of that one
 * @any_width: not all registers have eight bytes
 * @repeat: the last access of the script may happen any number of times
 */
struct fake_plr {
	struct pmon_regs regs;
	struct plr_mailbox mailbox;
	struct kunit *test;
	const struct fake_access *script;
	size_t length;
	size_t next;
	unsigned int done;
	bool any_width;
	bool repeat;
};

struct fake_plr *fake_plr_new(struct kunit *test);
void fake_plr_script(struct fake_plr *fake, const struct fake_access *script, size_t length);
void fake_plr_done(struct fake_plr *fake);
unsigned int fake_plr_pass(struct fake_plr *fake, struct plr_target *targets,
			   unsigned int count);
void fake_plr_expect(struct kunit *test, const struct plr_target *target, int ret,
		     u64 value);
u64 fake_plr_now(void);
const struct plr_wait *fake_plr_wait(void);
void fake_plr_lose_cpu(u64 ns);
void fake_plr_pass_time(u64 ns);

#endif /* PMON_PLR_FAKE_H */
