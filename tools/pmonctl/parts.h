/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PARTS_H
#define PMONCTL_PARTS_H

#include "discovery.h"
#include "reasons.h"

/* The line "observed" of time_in_reason, beside those of reasons; its event, likewise. */
#define OBSERVED REASON_BITS

/*
 * What the driver has noted of a directory of reasons, by bit, in nanoseconds.
 * Times are of the clock that /proc/uptime shows.
 */
struct history {
	bool read, counted;	/* counted: count is there */
	uint64_t seen;		/* bits that limited while they were watched */
	uint64_t in_force;
	long long last[REASON_BITS + 1];
	long long since[REASON_BITS + 1];	/* 0: not in force */
	long long limited[REASON_BITS + 1];
	long long count[REASON_BITS + 1];	/* how often it came up anew */
};

/* A directory of reasons: the die, its mesh, or one module. */
struct part {
	const struct domain *domain;
	char *name, *cpus;	/* cpus of modules only */
	uint64_t reasons;	/* since the last clear */
	uint64_t now;		/* in force, or it was since the look before, where known */
	uint64_t active;	/* of the last interval, if watched */
	uint64_t cleared;	/* by this command */
	struct history history, before;	/* of the last look, and the one before */
	struct {			/* since the first look */
		long long ns[REASON_BITS + 1], count[REASON_BITS + 1];
	} gained;
	int error;		/* why reasons could not be read */
	bool watched;		/* active could be read */
	bool known;		/* what is in force: all of it is in now */
	bool changed;		/* now is not what was shown */
};

struct parts {
	struct part *part;
	size_t count;
	bool incomplete;	/* a CPU that was asked for has none */
	bool single;		/* CPUs were asked for */
	bool quiet;		/* nothing is said of what is not there */
	bool refused;		/* the hardware's record; the driver's was read */
};

/*
 * Finds what the options ask for and reads no register. Complains and returns
 * false when the options make no sense on this machine.
 */
bool parts_find(struct parts *all, const struct machine *m, const struct options *opt);
void parts_free(struct parts *all);

/* Clears bits; 0 or an errno value. */
int part_clear(struct part *p, uint64_t mask);

/* How many parts are limited now, and have been, and are not known; by what now. */
struct tally {
	size_t now, turbo, old, unknown, unread;	/* turbo: by that alone, now */
	uint64_t in_force;	/* but for turbo, unless CPUs were asked for */
};

struct tally tally(const struct parts *all);
/* "1 of 45 limited now, 43 at a turbo limit" */
void tally_add(struct text *t, const struct tally *n, const struct parts *all);

bool part_is_core(const struct part *p);
bool part_is_mesh(const struct part *p);

/* Now; 0 where that cannot be known. */
long long history_now(void);
/* Whether the part was observed at this time or later. */
bool history_observed(const struct part *p, long long from);

/*
 * Fills in history, now, known and gained from the driver's record, which anybody may
 * read and which costs no register access: what is in force, or was seen since the look
 * before.
 */
void look_again(struct parts *all);

/* Over parts that were added, of a reason or OBSERVED. */
struct sum {
	long long ns[REASON_BITS + 1], count[REASON_BITS + 1];
	size_t parts[REASON_BITS + 1];	/* that had it, or have; whose record could be read */
	uint64_t seen, in_force;
	size_t watched;		/* parts, since the last look */
	bool counted;		/* count is known of all of them */
};

void sum_add(struct sum *s, const struct part *p);

/*
 * Open events of the plr PMU: while one is open pmon_plr reads its domain ten times a
 * second. There is one for each domain.
 */
struct keeper {
	struct kept *kept;
	size_t count;
	unsigned int event;
	int error;		/* why one of them could not be opened, or 0 */
};

/* What only reads the record has OBSERVED watched; FREQUENCY is read in rounds of 10 s then. */
#define FREQUENCY 0

/*
 * Others may watch already, so an error is one only without that. As many files as may
 * be can be opened afterwards.
 */
void keeper_open(struct keeper *k, struct parts *all, unsigned int event);
/*
 * Opens events anew where nothing was observed since: an event ends when its
 * device goes, or the last CPU of its module, and does not come back with it.
 */
void keeper_renew(struct keeper *k, long long from);
void keeper_close(struct keeper *k);
/* Why one of the parts is not watched, or cannot be read: 0 when all can. */
int keeper_error(const struct keeper *k, struct parts *all);
/* Says why parts that no other program watches are not watched either. */
void keeper_complain(const struct keeper *k, struct parts *all);

/*
 * Waits a second at most until the driver has read all there is, for FREQUENCY, too.
 * False: no domain is watched.
 */
bool look_begin(struct keeper *k, struct parts *all);
/* What is gained, and seen, is since then; look_begin() begins with that. */
void look_start(struct parts *all);
/*
 * Hardware keeps a reason until it is cleared, so what limits now shows only where
 * the driver watches, which it is made to for a second; what it clears stays in its
 * record. Reasons on record are read with @record only: each part costs a command.
 */
void look_for_a_second(struct parts *all, bool record);
/* One look: changes nothing. What is in force is known where others watch. */
void look_once(struct parts *all);

#endif
