/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Script a register space. Each access must match the next step of the script
 * in register, width and value. Any other access, and a step that was not used,
 * fails the test.
 */
#ifndef PMON_CORE_TEST_FAKE_H
#define PMON_CORE_TEST_FAKE_H

#include <kunit/test.h>

#include <pmon/regs.h>

#define FAKE_STEPS_MAX	64

/* Time in ns. Each access adds FAKE_ACCESS_NS; tests add other time. */
#define FAKE_ACCESS_NS	100
extern u64 fake_time;
/* Length of the last sleep of the machine, in which fake_time stood still. */
extern u64 fake_sleep_ns;

struct fake_step {
	bool read;
	u32 reg;
	u64 val;
	u8 bytes;
	bool refused;
};

struct fake {
	struct kunit *test;
	struct pmon_regs regs;
	struct pmon_regs_ops ops;
	struct fake_step step[FAKE_STEPS_MAX];
	unsigned int steps;
	unsigned int at;
};

void fake_init(struct fake *fake, struct kunit *test, bool split);

/* Add a step to the script. */
void fake_write(struct fake *fake, u32 reg, u64 val, u8 bytes);
void fake_read(struct fake *fake, u32 reg, u64 val);
/* As fake_read(), which reads 8 bytes, but read @bytes. */
void fake_read_bytes(struct fake *fake, u32 reg, u64 val, u8 bytes);
/* Refuse the last step: a read returns all-ones, a write fails. */
void fake_refused(struct fake *fake);

/* Add steps up to a step of 0 bytes. */
void fake_script(struct fake *fake, const struct fake_step *step);

/* Steps: W write, X refused write, R read; with the number of bytes. */
#define W4(_reg, _val)	{ .reg = (_reg), .val = (_val), .bytes = 4 }
#define W8(_reg, _val)	{ .reg = (_reg), .val = (_val), .bytes = 8 }
#define X4(_reg, _val) \
	{ .reg = (_reg), .val = (_val), .bytes = 4, .refused = true }
#define X8(_reg, _val) \
	{ .reg = (_reg), .val = (_val), .bytes = 8, .refused = true }
#define R4(_reg, _val) \
	{ .read = true, .reg = (_reg), .val = (_val), .bytes = 4 }
#define R8(_reg, _val) \
	{ .read = true, .reg = (_reg), .val = (_val), .bytes = 8 }

/* Check that all steps were used. */
void fake_done(struct fake *fake);

#endif /* PMON_CORE_TEST_FAKE_H */
