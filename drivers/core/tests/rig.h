/* SPDX-License-Identifier: GPL-2.0-only */
/* A bank of counters on a fake register space, and events for it. */
#ifndef PMON_CORE_TEST_RIG_H
#define PMON_CORE_TEST_RIG_H

#include "../bank.h"
#include "../encode.h"
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
};

struct rig {
	struct fake fake;
	struct pmon_bank bank;
	struct pmon_slot slot[SLOTS];
	struct counted ev[EVENTS];
	bool started;	/* by start_four() */
	bool asleep;	/* what rig_sleepy()'s function is */
	unsigned int asks;	/* how often that was asked */
	unsigned int silences;	/* and how often it did not answer */
	unsigned int refusals;	/* how often the log was due for that */
	unsigned int changes;	/* and for what others have changed */
};

struct rig *rig_new(struct kunit *test, const struct pmon_layout *layout,
		    bool split);
/* Behind a function that may sleep. */
struct rig *rig_sleepy(struct kunit *test, const struct pmon_layout *layout);

/* Event @i is to be this one, and on no counter. */
void config(struct rig *t, unsigned int i, u64 config, u64 config1);
bool add(struct rig *t, unsigned int i);
void del(struct rig *t, unsigned int i);
void apply(struct rig *t);

/* Four events run on counters 0 to 3, with controls 1 to 4. */
void start_four(struct kunit *test, struct rig *t);

#endif /* PMON_CORE_TEST_RIG_H */
