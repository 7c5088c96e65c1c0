/* SPDX-License-Identifier: GPL-2.0-only */
/* A bank of counters on a fake register space, and events for it. */
#ifndef PMON_CORE_TEST_RIG_H
#define PMON_CORE_TEST_RIG_H

#include "../bank.h"
#include "plain.h"
#include "fake.h"

#define FREEZE	0x1
#define RESET	0x301
#define RUN	0x0

#define SLOTS	64
#define EVENTS	10

/* MMIO, controls of 4 bytes, a fixed counter. */
extern const struct pmon_layout imc;
/* MSR, controls of 8 bytes, a filter. */
extern const struct pmon_layout cha;
/* PCI config space: 8 bytes are two accesses. */
extern const struct pmon_layout upi;

struct counted {
	struct pmon_event event;
	u64 count;
	unsigned int lost;	/* how often that was reported */
};

struct rig {
	struct fake fake;
	struct pmon_bank bank;
	struct pmon_slot slot[SLOTS];
	struct counted ev[EVENTS];
	bool started;	/* by start_four() */
	unsigned int reports;	/* how often one was due */
	unsigned int handed_back;	/* by &pmon_regs_ops.hand_back */
};

struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split);

/* So often a counter that reads as all-ones is read, the first time included. */
#define READS	4U
/* The counter does not respond, however often it is read. */
void expect_all_ones(struct rig *t, u32 ctr);

/* The box is READY, or UNRESPONSIVE. */
void expect_responds(struct rig *t, bool responds);

/* Event @i is to be this one, and on no counter. */
void config(struct rig *t, unsigned int i, u64 config, u64 config1);
bool add(struct rig *t, unsigned int i);
/* The same of one that is added, on any of the counters that can count it ... */
void add_new(struct rig *t, unsigned int i, u64 word, u64 word1);
/* ... or on this one. */
void add_on(struct rig *t, unsigned int i, u64 word, unsigned int counter);
void del(struct rig *t, unsigned int i);

/* The accesses that are to follow, in this order. */
#define expect(t, ...) \
	fake_script(&(t)->fake, (const struct fake_step []){ __VA_ARGS__, { } })

/* The same of those that apply() makes. */
#define apply_as(t, ...) \
	apply_script(t, (const struct fake_step []){ __VA_ARGS__, { } })
void apply_script(struct rig *t, const struct fake_step *step);

/* These do what they say and check that all that was expected happened. */
void apply(struct rig *t);
void bank_tick(struct rig *t);
void bank_sync(struct rig *t);
void bank_resume(struct rig *t);
void bank_hand_back(struct rig *t);
/* Its CPU is online again, or its function has left D3. */
void bank_ready(struct rig *t);
void bank_snapshot(struct rig *t, u64 slots);
/* Event @i is read, if it is counted. */
void bank_read(struct rig *t, unsigned int i);
/* Event @i is read from counter @ctr, at @value. It has @count then. */
void expect_count(struct rig *t, unsigned int i, u32 ctr, u64 value,
		  u64 count);

/* The first four counters are read, at @value and what follows. */
void expect_four_reads(struct rig *t, u64 value);

/* Four events run on counters 0 to 3, with controls 1 to 4. */
void start_four(struct kunit *test, struct rig *t);

#endif /* PMON_CORE_TEST_RIG_H */
