/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_H
#define PMONCTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What pmonctl tells its caller; sysexits.h has 64, automake's tests 77. */
enum status {
	STATUS_FINE = 0,
	STATUS_DEGRADED = 1,
	STATUS_BROKEN = 2,
	STATUS_USAGE = 64,
	STATUS_NO_HARDWARE = 77,
};

struct options {
	bool json;
	long package;		/* -1: all of them */
	const char *cpus;	/* a list, NULL: all of them */
	bool watch, clear, once, modules;
	bool csv, bare;		/* bare: without heads */
	bool boxes, sort;
	const char *kinds;	/* "memory,upi"; NULL: all */
	const char *output;	/* columns, or the file of a report; NULL: none */
	double interval, duration;	/* in seconds; 0: not given */
	long count;		/* of intervals; 0: not given */
	char **job;		/* its words; none: NULL */
	bool dry_run, persist, allow_loss, now, next_boot;
	const char *file;	/* NULL: standard output */
	bool verbose, redact;
	char **word;		/* what follows the command */
	size_t words;
};

/* Of all packages, without any other option. */
extern const struct options everything;

/* One sub-command each. They print and return what main() exits with. */
enum status cmd_overview(void);	/* without a word */
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
struct parts;
struct text;

/* bw: a table of rates; "" for no table. */
char *bw_table(const struct bandwidth *b, const struct options *opt);
/* Opens an object that has it. */
void bw_json(const struct bandwidth *b, double seconds);
/* What was moved in so many seconds, and how fast. */
void bw_print_totals(const struct bandwidth *b, double seconds);
/*
 * Opens what there is to count, of these options. STATUS_FINE, or, with a message,
 * why there is nothing.
 */
enum status bw_open(struct bandwidth *b, const struct options *opt);
/* Says what could not be counted, and why. STATUS_FINE: nothing. */
enum status bw_complain(struct bandwidth *b);

/*
 * plr: WHERE CPUS NOW SINCE, of the parts that something limits or has limited, those
 * that are limited now first. Where whole packages are shown, those that have
 * nothing but a turbo limit are left out; how many those are.
 */
size_t lines_add_table(struct text *t, const struct parts *all, long long now);

#endif
