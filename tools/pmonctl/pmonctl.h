/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_H
#define PMONCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status; 64 as in sysexits.h, 77 as in automake's tests. */
enum status {
	STATUS_FINE = 0,
	STATUS_DEGRADED = 1,
	STATUS_BROKEN = 2,
	STATUS_USAGE = 64,
	STATUS_NO_HARDWARE = 77,
};

struct options {
	bool json;
	long package;		/* -1: all */
	const char *cpus;	/* a list; NULL: all */
	bool watch, clear, once, all, modules;
	bool csv, boxes;
	bool repeats;		/* set by cmd_bw(): there are several intervals */
	const char *kinds;	/* "memory,upi"; NULL: all */
	const char *output;	/* the file of a report; NULL: none */
	double interval, duration;	/* in seconds; 0: not given */
	long count;		/* of intervals; 0: not given */
	char **job;		/* the job of stat, with arguments */
	bool dry_run, persist, allow_loss, now, next_boot;
	const char *file;	/* NULL: standard output */
	bool verbose, redact;
	char **word;		/* arguments of the command */
	size_t words;
};

/* Whole milliseconds of an option in seconds. */
#define MS_OF(seconds) ((long long)((seconds) * 1000 + 0.5))

/* Options that select all packages; no other option is set. */
extern const struct options everything;

/* The commands. Each prints its output, and returns the exit status. */
enum status cmd_overview(const struct options *opt);	/* pmonctl without a command */
enum status cmd_list(const struct options *opt);
enum status cmd_plr(const struct options *opt);
enum status cmd_explain(const struct options *opt);
enum status cmd_bw(const struct options *opt);
enum status cmd_metrics(const struct options *opt);
enum status cmd_stat(const struct options *opt);
enum status cmd_doctor(const struct options *opt);
enum status cmd_dump(const struct options *opt);
enum status cmd_adopt(const struct options *opt);
enum status cmd_release(const struct options *opt);

struct bandwidth;
struct machine;
struct scopes;

/* Returns the rates of bw as a table, or "" if it has no rows. */
char *bw_table(const struct bandwidth *b, const struct options *opt);
/* Adds JSON members with the rates. */
void bw_json(const struct bandwidth *b, double seconds);
/* Prints the data moved in @seconds, and the rates. */
void bw_print_totals(const struct bandwidth *b, double seconds);
/* Opens the events for these options. A status other than STATUS_FINE comes with a message. */
enum status bw_open(struct bandwidth *b, const struct options *opt);
/* Prints the boxes that could not be counted, with the reason. */
enum status bw_complain(struct bandwidth *b);

struct powers;

/* Adds JSON members with modules, reasons, rows, power, domains and parts. */
void plr_json(const struct machine *m, const struct scopes *all, struct powers *powers);
/* Looks again in each interval: a screen, tables, lines of changes, CSV or JSON. */
enum status plr_repeat(const struct options *opt);

/* Lines of rows without --all */
#define SCREEN_LINES 40

#endif
