/* SPDX-License-Identifier: GPL-2.0-only */
/* A bank of counters on a fake register space, and events for it. */
#ifndef PMON_CORE_TEST_RIG_H
#define PMON_CORE_TEST_RIG_H

#include "../counters.h"
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
	bool in_d3;	/* what rig_device()'s function is */
	unsigned int power_checks;	/* how often that was read */
	/* How often each report was due. */
	unsigned int unresponsive;
	unsigned int refusals;
	unsigned int changes;	/* of other programs */
};

/* An access may be refused: all-ones is not read again. */
struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split);
/* A PCI function, which may sleep or not respond. */
struct rig *rig_device(struct kunit *test, const struct pmon_layout *layout);

/* So often a counter that reads as all-ones is read, the first time included. */
#define READS	4U
/* The counter does not respond, however often it is read. */
void expect_all_ones(struct rig *t, u32 ctr);

/* Event @i is to be this one, and on no counter. */
void config(struct rig *t, unsigned int i, u64 config, u64 config1);
bool add(struct rig *t, unsigned int i);
void del(struct rig *t, unsigned int i);
void apply(struct rig *t);

/* Four events run on counters 0 to 3, with controls 1 to 4. */
void start_four(struct kunit *test, struct rig *t);

#endif /* PMON_CORE_TEST_RIG_H */
