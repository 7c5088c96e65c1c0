/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_REASONS_H
#define PMONCTL_REASONS_H

/* Performance limits: reasons, scopes, lines of scopes, and power. */

#include "hardware.h"

/* Reasons as bits, by the driver's own table (drivers/plr/reasons.c). */
#define REASON_BITS 64

/*
 * Selects the names of bits for this host's CPU; call it first. For an unknown CPU model, names are
 * numbered, such as COARSE9, or those of Granite Rapids if the host has no domain.
 */
void reasons_begin(void);

#define for_each_reason(bit, mask) \
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) \
		if ((mask) >> bit & 1)

/* Iterates over the bits of @mask, the worst reason first. */
#define for_each_worst(bit, mask) \
	for (uint64_t rest_of_##bit = (mask); rest_of_##bit; rest_of_##bit = 0) \
		for (unsigned int bit; rest_of_##bit && \
		     (bit = reason_take_worst(&rest_of_##bit), true);)
/* 0 is the worst. Faults come first, then limits, then turbo, as drivers/plr/reasons.c has them. */
unsigned int reason_rank(unsigned int bit);
/* Removes the worst reason from *mask, which is not 0, and returns its bit. */
unsigned int reason_take_worst(uint64_t *mask);

/* As in <pmon/plr_reasons.h>. plr_reason_coarse() is negative if @bit is reserved. */
const char *plr_reason_name(unsigned int bit);
int plr_reason_coarse(unsigned int bit);

/* Parses names separated by spaces, "none" or "all"; false for an unknown name. */
bool reasons_parse(const char *text, uint64_t *mask);

/* The bit of a name in upper or lower case, or -1 if unknown. */
int reason_bit(const char *name);

/* Names separated by spaces, or "none". */
char *reasons_text(uint64_t mask);

/* Removes coarse reasons that a fine reason implies. */
uint64_t reasons_brief(uint64_t mask);
/* FREQUENCY, FREQUENCY_CDYN<n> and FREQUENCY_FCT: turbo limits, normal on a loaded host. */
uint64_t reasons_of_turbo(void);
/* Heat, the board, errors, and whoever limits out of band. */
uint64_t reasons_of_faults(void);
/* A coarse reason and its fine reasons; 0 if no bit has this name. */
uint64_t reasons_of(const char *coarse);

/* Adds names, meanings and remedies, a few lines for each reason. */
void reasons_add_meanings(struct text *t, uint64_t mask);
/* The meaning in a few words, and what to do. */
const char *reason_meaning(unsigned int bit);
const char *reason_remedy(unsigned int bit);

/* Array index for the line "observed" of time_in_reason, and number of its perf event. */
#define OBSERVED REASON_BITS

/* The driver's record of a scope, by bit, in nanoseconds of the clock of /proc/uptime. */
struct history {
	bool read, counted;	/* counted: count[] is valid */
	bool owned;		/* false: all observed[] are copies of limited[OBSERVED] */
	uint64_t seen;		/* bits seen in force by the driver */
	uint64_t in_force;
	long long last[REASON_BITS + 1];
	long long since[REASON_BITS + 1];	/* 0: not in force */
	long long limited[REASON_BITS + 1];
	long long count[REASON_BITS + 1];	/* onsets */
	long long observed[REASON_BITS + 1];	/* time for which the state is known */
};

/* A directory of reasons: die, mesh or module. */
struct scope {
	const struct domain *domain;
	char *name, *cpus;	/* cpus of modules only */
	uint64_t reasons;	/* since the last clear */
	uint64_t now;		/* in force, or seen since the previous poll */
	uint64_t active;	/* of the last interval, if monitored */
	uint64_t cleared;	/* by --clear */
	struct history history, before;	/* of the last poll, and of the poll before */
	struct {			/* since the first poll */
		long long ns[REASON_BITS + 1], count[REASON_BITS + 1];
		long long observed[REASON_BITS + 1];
	} gained;
	int error;		/* why reasons could not be read */
	int event;		/* of the domain, in its first scope; -1: none */
	bool monitored;		/* active could be read */
	bool known;		/* now is complete */
	bool changed;		/* now differs from the shown state: */
	uint64_t shown;
	bool shown_known;
	bool unread;		/* a die, of which a module cannot be read */
	struct {			/* of the last intervals, in a circle */
		uint64_t now;
		bool known;
	} past[HISTORY];
};

struct scopes {
	struct scope *scope;
	size_t count, intervals;	/* intervals: in past[], ever */
	bool now_only;		/* reasons are not the record, but those of past[] or in force */
	bool incomplete;	/* a CPU of --cpu has no scope */
	bool single;		/* --cpu */
	bool quiet;		/* no messages */
	bool refused;		/* no rights, so only the driver's record was read */
	unsigned int event;	/* to monitor by: FREQUENCY, or OBSERVED */
	int error;		/* of an event that failed to open, or 0 */
};

/*
 * Finds the scopes of @opt, or adds those that came since the last call; may read mesh registers.
 * False, with a message, if @opt is wrong.
 */
bool scopes_find(struct scopes *all, const struct machine *m, const struct options *opt);
/* Reads the domains, and finds scopes. A status other than STATUS_FINE comes with a message. */
enum status limits_find(struct scopes *all, struct machine *m, const struct options *opt);

bool scope_is(const struct scope *p, const char *kind);
#define scope_is_core(p)		scope_is(p, "core")

/* Was the scope observed at @from or later? */
bool history_observed(const struct scope *p, long long from);

/* Fills in history, now, known and gained from the driver's record; no register access. */
void poll_again(struct scopes *all);

/*
 * An open event of the plr PMU makes pmon_plr poll its domain ten times a second; with OBSERVED
 * instead of FREQUENCY the driver reads FREQUENCY only every 10 s.
 */
#define FREQUENCY 0

/*
 * Adds modules whose first CPU came online, and reopens events of domains not observed since @from,
 * as their device or last CPU may have gone. Scopes never go. Call outside of a step.
 */
void scopes_renew(struct scopes *all, const struct machine *m, const struct options *opt,
		  long long from);
/* An errno value if a scope is not monitored or cannot be read; 0: all are fine. */
int monitor_error(struct scopes *all);
/* Prints why scopes are not monitored, also as JSON; returns STATUS_BROKEN. */
enum status monitor_complain(struct scopes *all, bool json);

/* Opens events, and waits a second at most for a first read. False: a domain is not monitored. */
bool poll_begin(struct scopes *all);
/* Reads the records, so that poll_again() adds gains since now. */
void poll_start(struct scopes *all);
/*
 * Monitors for a second. Hardware keeps a reason until the next clear, so limits in force are known
 * only while the driver monitors, as it then clears reasons and keeps them in its record. Reads
 * `reasons`, too; of a module that was not just polled this costs a mailbox command.
 */
void poll_for_a_second(struct scopes *all);
/* Reads once and changes nothing; limits in force are known only if another program monitors. */
void poll_once(struct scopes *all);

/* Equal scopes are joined within a domain, then across domains, then across packages. */
enum place { NAMES, DOMAIN, PACKAGE, PLACES };

struct line {
	const struct scope **scope;
	size_t scopes;
	char *at[PLACES];	/* "die mesh0 core0-2,5", "0-1", "0" */
};

struct lines {
	struct line *line;
	size_t count;
};

/* Selects the scopes of lines_of(). */
enum choice { IN_ROWS, CHANGED, DIE_ALONE, UNREADABLE, NOT_LIMITED };

/* Makes lines, and joins equal ones by name, then domain, then package. */
struct lines lines_of(const struct scopes *all, enum choice c);
void lines_free(struct lines *l);
/* Packages, domains and names, such as "0-1/0-2/core0-42". */
char *line_where(const struct line *l);

enum group {
	LIMITED,
	TURBO,			/* only turbo limits, now or perhaps now; not with --cpu */
	TURBO_OLD,		/* only turbo limits, on record */
	OLD, UNSURE,		/* on record; old: not in force, unsure: perhaps in force */
	UNREAD,
	UNKNOWN,		/* of a record that was not read */
	FREE, GROUPS,
};

/* Numbers of modules, each of which is in one group. */
struct tally {
	size_t modules, of[GROUPS];
	bool readable, recorded;	/* any scope; any reason */
	uint64_t in_force;		/* of all rows; turbo limits only with --cpu */
};

struct tally tally(const struct scopes *all);
/* "1 of 43 modules limited now, 42 at a turbo limit (FREQUENCY alone), 3 not known" */
char *tally_text(const struct tally *n);

/*
 * Makes rows, a shallow copy of scopes, without turbo limits (unless --cpu), and without modules
 * that have no other. A die's row lacks reasons that other parts of its domain have. FREED frees.
 */
struct scopes joined_scopes(const struct scopes *all);

/* Counts modules with a reason, in force (@now) or only on record; adds the reason's sockets. */
size_t rows_modules(const struct scopes *rows, uint64_t bit, bool now, struct text *sockets);

/* Adds @most (0: all) reasons in force, the worst first; returns how many are left out. */
size_t rows_add_reasons(struct text *t, const struct scopes *rows, bool meanings, size_t most);
/*
 * Adds the reasons in force, if there are several rows, and the rows in @most lines (0: all), with
 * a strip of the intervals of each if @history; below them the number of rows left out.
 */
void limits_add(struct text *t, const struct scopes *all, size_t most, bool history);
/* Sets p->changed if a row of the scope would have changed since the last call. */
void scopes_mark_changed(struct scopes *all);
/* Adds JSON members with the tally, reasons with their meanings, and rows. */
void rows_json(const struct scopes *all);

/*
 * Energy, power limits and temperature of a package, in microjoules, microwatts and thousandths of
 * a degree Celsius; -1: not known. An element stays while powercap has no zone.
 */
#define PLATFORM (-2)	/* as package of the platform's zone, psys */

struct power {
	long package;
	bool present, was_away;		/* powercap has a zone; had none at the last read */
	long long energy;		/* as powercap counts it */
	long long limit[2];		/* long term, short term */
	long long first, total;		/* count at the first read; last count, without wraps */
	long long begin, ms;		/* time of the first and of the last count */
	long long last;			/* count */
	double rate;			/* in the last interval, in uJ per ms, or -1 */
	long long temperature;		/* by coretemp */
};

struct powers {
	struct power *power;
	size_t count;
};

/* Reads powercap and hwmon, once or repeatedly; only root may read energy. */
void powers_read(struct powers *all);

/*
 * Adds a line for each package of these scopes: average power since the first read, limits and
 * temperature, as far as known. Without @always, skips packages without a power limit in force.
 */
void power_add_lines(struct text *t, const struct scopes *all, struct powers *powers, bool always);
/* Frequencies of CPUs by cpufreq, in kHz; -1: not known. */
struct ghz {
	long least, most, highest;
};

struct ghz ghz_of(const struct cpus *cpus);
/* "0.8-2.1 of 3.9", or NULL */
char *ghz_text(const struct cpus *cpus);
/* Averages begin anew with the last read. */
void powers_restart(struct powers *all);
/* Adds a JSON member with these values of all packages. */
void powers_json(struct powers *powers);

#endif
