/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A register space that knows what shall happen to it. Each access must be the
 * next one of a script, with the same register, width and value; anything
 * else fails the test, and so does a script that was not played to its end.
 */
#ifndef PMON_CORE_TEST_FAKE_H
#define PMON_CORE_TEST_FAKE_H

#include <kunit/test.h>

#include <pmon/regs.h>

#define FAKE_STEPS_MAX	64

/* Nanoseconds; an access takes FAKE_ACCESS_NS, other time passes when told. */
#define FAKE_ACCESS_NS	100
extern u64 fake_time;
/* How long the machine slept just now, in which fake_time stood still. */
extern u64 fake_slept;

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

/* Append to the script. */
void fake_write(struct fake *fake, u32 reg, u64 val, u8 bytes);
void fake_read(struct fake *fake, u32 reg, u64 val);
/* The same of a register that is no counter. */
void fake_read_bytes(struct fake *fake, u32 reg, u64 val, u8 bytes);
/* The last one is refused: it reads as all-ones, or is not written. */
void fake_refused(struct fake *fake);

/* Several of them, up to one of 0 bytes. */
void fake_script(struct fake *fake, const struct fake_step *step);

/* Steps of a script: a write, a write that is refused, a read; their bytes. */
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

/* All that was expected has happened. */
void fake_done(struct fake *fake);

#endif /* PMON_CORE_TEST_FAKE_H */
