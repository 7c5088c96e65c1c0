/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_BANDWIDTH_H
#define PMONCTL_BANDWIDTH_H

#include "events.h"

enum flow_kind {
	FLOW_MEMORY, FLOW_HBM, FLOW_CXL, FLOW_PORT, FLOW_UPI, FLOW_IIO, FLOW_KINDS,
};

/* Of memory and CXL devices, in is what is read; of links and stacks, what comes. */
enum flow_way {
	FLOW_IN, FLOW_OUT, FLOW_WAYS,
};

/*
 * A meter is an event for what is moved, or a group of three whose counts together are
 * how long requests took: the clock, requests that wait, and requests.
 */
enum meter_kind {
	METER_MOVED, METER_DELAY, METER_KINDS,
};

/* A box of a package: a controller of DIMMs or of HBM, a link, a stack, a device or a port. */
struct flow {
	enum flow_kind kind;
	const char *pmu;
	unsigned int number;
	unsigned int cpu;		/* on which its events are opened */
	long type;			/* of perf's */
	long package;			/* -1: it has none */
	long node;			/* of its memory; -1: not known */
	double rate[FLOW_WAYS];		/* MiB/s between the last two reads */
	double delay_ns[FLOW_WAYS];	/* of requests there were; 0: none, -1: not known */
	char *devices;			/* behind a stack; NULL: not known */
	bool counted[FLOW_WAYS];	/* its driver has an event for that way */
	bool off;			/* no CPU of its package is online */
	bool unopened;			/* that, or an event of it could not be opened */
	bool unknown;			/* that, no counter since the last read, or frozen */
	struct total {			/* since the start, which metrics adds up */
		double amount;		/* MiB, or seconds of requests */
		double requests;
	} total[METER_KINDS][FLOW_WAYS];
};

/* Of metrics, where the events of a box take turns. */
struct turn {
	bool ready;
	bool alone;		/* the only event of its box, or it needs no counter */
	bool on, had;		/* had: it was on in the turn that ends */
	struct total rate;	/* in a ms, of the last turn */
	long long since;	/* for which it stands, in ms */
};

struct meter {
	size_t flow;
	enum meter_kind kind;
	enum flow_way way;
	double scale;			/* to MiB */
	struct counting counting;
	int other[GROUP_OTHERS];	/* of a METER_DELAY, the other events */
	bool still;			/* it ran, and counted nothing */
	struct turn turn;
};

struct bandwidth {
	struct pmus pmus;
	struct flow *flow;
	struct meter *meter;
	size_t flows, meters;
	size_t wanted;			/* events, opened or not */
	int error;			/* the first that could not be opened, or 0 */
	const char *refused;		/* its PMU */
	char *lacking;			/* see lacking_find(); NULL: none */
	char *frozen;			/* see frozen_mark(); NULL: nothing is */
	char *off, *reported;		/* see bandwidth_renew(); NULL: nothing is */
	struct cpus packages_off;	/* when it was opened */
	char *adopt;			/* the command that hands boxes over */
	const char *remedy;		/* the command for one of these, or NULL */
	bool delays;
};

#define ALL_KINDS (~0U)

/*
 * Opens events of bandwidth on the PMUs that have them, of any driver: of one package or
 * of all (-1), and of the kinds whose bits are set. With delays, events of latency of
 * CXL devices, too: six counters more of each. They are open to the end of the program.
 */
void bandwidth_open(struct bandwidth *b, long package, unsigned int kinds, bool delays);

/* Rates since the last read, or since they were opened. */
void bandwidth_read(struct bandwidth *b);

/*
 * Events end when the last CPU of a package goes offline, and do not come back with it:
 * opens them again. True if there are new meters. b->off says which sockets are off.
 */
bool bandwidth_renew(struct bandwidth *b);

/* Complains of b->off where that has changed. */
void bandwidth_report_off(struct bandwidth *b);

/* Why boxes are unknown, and the command for that, or NULL; NULL: none is. To be freed. */
char *bandwidth_why(const struct bandwidth *b, const char **command);

/*
 * The counts of a METER_DELAY: requests that wait, on average, and requests; false where
 * these do not say how long they took, see there.
 */
bool delay_is_known(const struct count *c, double *waiting, double *requests);
/* Its counters run by themselves, whatever the global control says. */
bool flow_is_free(const struct flow *f);
/* "memory" */
const char *flow_kind_name(enum flow_kind kind);

/*
 * Marks the boxes of a package as unknown whose memory controllers have all run
 * and counted nothing, unless a clock there still ticks: they are frozen, by
 * firmware as a rule, and not idle. b->frozen says so in words, or is NULL.
 */
void frozen_mark(struct bandwidth *b);

/*
 * Says in b->lacking which numbers of these kinds are missing because another
 * driver has the boxes, and gives them no such events, and what brings them.
 */
void lacking_find(struct bandwidth *b, unsigned int kinds);

#endif
