/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_METRICS_H
#define PMONCTL_METRICS_H

#include <stddef.h>

#include "bandwidth.h"
#include "discovery.h"
#include "events.h"
#include "parts.h"

/*
 * What boxes have moved since the start, with one counter of each at a time:
 * the events of a box take turns, and each stands for the time since its last
 * turn ended. Counters that run by themselves have none to share and always
 * count.
 */
struct turn {
	bool alone;		/* the only event of its box, or it needs no counter */
	bool on;
	double total;		/* MiB */
	double rate;		/* MiB/ms, of the last turn */
	long long since;		/* for which it stands, in ms */
	struct counting counting;
};

struct turns {
	struct bandwidth *b;
	struct turn *turn;	/* of each meter */
	long long begin, end;	/* in ms, what the totals are of */
};

void turns_start(struct turns *t, struct bandwidth *b);

/*
 * After so many turns each event of each box has had as many as the others of
 * its box. Between two such moments what is moved evenly adds up evenly.
 */
size_t turns_in_round(const struct turns *t);

/*
 * Adds up, and has the next event of each box count. A box is unknown as long as
 * one of its events cannot be read, or has no counter in two turns; that time is
 * in no total.
 */
void turns_next(struct turns *t);

/*
 * At the end: the time since its last turn is taken to have been like that. Not
 * before, because totals would go back where it was not.
 */
void turns_settle(struct turns *t);

/* What meters of a kind have added up for a flow since the start: MiB, or counts. */
double turns_total(const struct turns *t, size_t flow, enum meter_kind kind,
		   enum flow_way way);
void turns_free(struct turns *t);

/* Cycles of the uncore, which a CHA of each package counts. */
struct clocks {
	struct clock {
		long package;
		struct counting counting;
		double total;
		bool still;	/* no clock is: its box is frozen */
	} *clock;
	size_t count;
};

void clocks_open(struct clocks *c);
void clocks_add(struct clocks *c);
void clocks_close(struct clocks *c);

/* A package as powercap has it; below 0: not known, or not to be read. */
struct power {
	long package;
	long long energy_uj, limit_uw[2];	/* long_term and short_term */
};

/* Those of all packages, of which the caller frees the array. */
size_t powercap_read(struct power **all);

struct metrics {
	const struct machine *machine;
	struct turns turns;
	struct clocks clocks;
	struct limited limited;
};

/* In the text format of Prometheus. The caller frees it. */
char *metrics_text(const struct metrics *m);

#endif
