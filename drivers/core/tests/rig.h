/* SPDX-License-Identifier: GPL-2.0-only */
/* Drive a box and its events on a scripted register space. */
#ifndef PMON_CORE_TEST_RIG_H
#define PMON_CORE_TEST_RIG_H

#include "../box_hw.h"
#include "plain.h"
#include "fake.h"

#define FREEZE	0x1
#define RESET	0x301
#define RUN	0x0

#define COUNTERS	64
#define EVENTS	10

/* A box in MMIO with controls of 4 bytes and a fixed counter. */
extern const struct pmon_layout imc;
/* A box in MSRs with controls of 8 bytes and a filter. */
extern const struct pmon_layout cha;
/* A box in PCI config space, where 8 bytes are two accesses. */
extern const struct pmon_layout upi;
/* A box in MMIO with a general-purpose counter and a free-running counter. */
extern const struct pmon_layout mixed;

struct counted {
	struct pmon_event event;
	u64 count;
	unsigned int lost;	/* times that it was found to have failed */
	bool is_lost;		/* counted in @lost since it was added */
};

struct rig {
	struct fake fake;
	struct pmon_box_hw hw;
	struct pmon_hw_counter counter[COUNTERS];
	struct counted ev[EVENTS];
	bool started;	/* start_four() was called */
	unsigned int reports;	/* calls of report() */
	unsigned int released;	/* calls of pmon_regs_ops.release() */
};

struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split);
void rig_expect_start(struct rig *t);
struct rig *rig_counting(struct kunit *test);

/* A box is unresponsive after this many reads of all-ones in a row. */
#define READS	4U
/* Expect READS reads of all-ones from the counter at @ctr. */
void expect_all_ones(struct rig *t, u32 ctr);

/* Check that the box is READY if @responds, else UNRESPONSIVE. */
void expect_responds(struct rig *t, bool responds);

/* Encode event @i, but do not add the event. */
void config(struct rig *t, unsigned int i, u64 config, u64 config1);
bool add(struct rig *t, unsigned int i);
/* Encode and add event @i, on any counter ... */
void add_new(struct rig *t, unsigned int i, u64 word, u64 word1);
/* ... or on @counter. */
void add_on(struct rig *t, unsigned int i, u64 word, unsigned int counter);
void del(struct rig *t, unsigned int i);

/* Add the expected accesses to the script, in order. */
#define expect(t, ...) \
	fake_script(&(t)->fake, (const struct fake_step []){ __VA_ARGS__, { } })

/* Call apply() with the expected accesses. */
#define apply_as(t, ...) \
	apply_script(t, (const struct fake_step []){ __VA_ARGS__, { } })
void apply_script(struct rig *t, const struct fake_step *step);

/* Call a function of box_hw.h, and check that all steps were used. */
void apply(struct rig *t);
void rig_tick(struct rig *t);
void rig_sync(struct rig *t);
void rig_resume(struct rig *t);
void rig_release(struct rig *t);
/* Probe an unresponsive box, as probe.c does; returns true if it responds. */
bool rig_probe(struct rig *t);
/* Set READY, as when a CPU is online again or the device is back in D0. */
void rig_ready(struct rig *t);
void rig_snapshot(struct rig *t, u64 counters);
/* Read event @i, if counted. */
void rig_read(struct rig *t, unsigned int i);
/* Read event @i: counter @ctr holds @value, and the count becomes @count. */
void expect_count(struct rig *t, unsigned int i, u32 ctr, u64 value,
		  u64 count);

/* Expect reads of the first four counters: @value, @value + 1, ... */
void expect_four_reads(struct rig *t, u64 value);

/*
 * Expect a tick of a box that has a reset: check, freeze, read each active
 * counter, start again. Both reads of a fixed counter return its @value.
 */
void expect_period(struct rig *t, const u64 *value);
/* Expect the accesses of expect_period() after the check. */
void expect_restart(struct rig *t, const u64 *value);

/* Start four events on counters 0 to 3, with controls 1 to 4. */
void start_four(struct kunit *test, struct rig *t);

#endif /* PMON_CORE_TEST_RIG_H */
