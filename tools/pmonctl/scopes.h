/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_SCOPES_H
#define PMONCTL_SCOPES_H

#include "discovery.h"
#include "reasons.h"

/* Index of the line "observed" of time_in_reason, and its perf event. */
#define OBSERVED REASON_BITS

/* The driver's record of a scope, by bit, in nanoseconds of the clock of /proc/uptime. */
struct history {
	bool read, counted;	/* counted: count is there */
	bool owned;		/* observed is there; else it is that of the line "observed" */
	uint64_t seen;		/* bits seen in force by the driver */
	uint64_t in_force;
	long long last[REASON_BITS + 1];
	long long since[REASON_BITS + 1];	/* 0: not in force */
	long long limited[REASON_BITS + 1];
	long long count[REASON_BITS + 1];	/* onsets */
	long long observed[REASON_BITS + 1];	/* time for which it is known whether it limited */
};

/* A directory of reasons: die, mesh or module. */
struct scope {
	const struct domain *domain;
	char *name, *cpus;	/* cpus of modules only */
	uint64_t reasons;	/* since the last clear */
	uint64_t now;		/* in force, or seen since the previous poll */
	uint64_t active;	/* of the last interval, if monitored */
	uint64_t cleared;	/* by --clear */
	struct history history, before;	/* of the last poll, and the previous */
	struct {			/* since the first poll */
		long long ns[REASON_BITS + 1], count[REASON_BITS + 1];
		long long observed[REASON_BITS + 1];
	} gained;
	int error;		/* why reasons could not be read */
	bool monitored;		/* active could be read */
	bool known;		/* now is complete */
	bool changed;		/* now differs from the shown state */
};

struct scopes {
	struct scope *scope;
	size_t count;
	bool incomplete;	/* a CPU of --cpu has no scope */
	bool single;		/* --cpu */
	bool quiet;		/* no messages */
	bool refused;		/* the hardware's record; the driver's was read */
};

/* Finds the scopes that the options select; reads no register. False after a message. */
bool scopes_find(struct scopes *all, const struct machine *m, const struct options *opt);

bool scope_is(const struct scope *p, const char *kind);
#define scope_is_core(p)		scope_is(p, "core")

/* Was the scope observed at @from or later? */
bool history_observed(const struct scope *p, long long from);

/* Fills in history, now, known and gained from the driver's record; no register access. */
void poll_again(struct scopes *all);

/* Events of the plr PMU, one per domain: pmon_plr reads an open domain ten times a second. */
struct monitor {
	struct monitor_event *events;
	size_t count;
	unsigned int event;
	int error;		/* of a failed open, or 0 */
};

/* The plain events: OBSERVED, which reads FREQUENCY in rounds of 10 s, and FREQUENCY. */
#define FREQUENCY 0

/* Sets k->error on failure; another program may monitor nevertheless. */
void monitor_open(struct monitor *k, struct scopes *all, unsigned int event);
/* Reopens events of domains not observed since @from: events end with device or last CPU. */
void monitor_renew(struct monitor *k, long long from);
void monitor_close(struct monitor *k);
/* Why a scope is not monitored or unreadable; 0: all are fine. */
int monitor_error(const struct monitor *k, struct scopes *all);
/* Prints why scopes are not monitored. */
void monitor_complain(const struct monitor *k, struct scopes *all);

/* Waits a second at most for a first complete read. False: no domain is monitored. */
bool poll_begin(struct monitor *k, struct scopes *all);
/* Starts gained and seen from now. */
void poll_start(struct scopes *all);
/*
 * Hardware keeps a reason until the next clear, so the driver has to monitor to show limits in
 * force: for a second, with all cleared reasons kept in the driver's record. @record reads the
 * hardware's record, too: a mailbox command for each scope.
 */
void poll_for_a_second(struct scopes *all, bool record);
/* Reads once and changes nothing; limits in force are known only if another program monitors. */
void poll_once(struct scopes *all);

#endif
