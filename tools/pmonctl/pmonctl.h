/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_H
#define PMONCTL_H

#include <stdbool.h>
#include <stddef.h>

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
	bool watch, clear, once, dies;
	bool csv, bare;		/* bare: without heads */
	const char *columns;	/* NULL: all, and what is beside tables */
	long pid;		/* -1: none */
	const char *cgroup;
	long seconds;		/* for which it is looked at */
	char **job;		/* NULL: none */
	long rate;		/* MiB that are copied in a second; 0: all it can */
	bool dry_run, persist, allow_loss;
	const char *file;	/* NULL: standard output */
	bool redact;		/* neither names nor serial numbers */
	char **word;		/* what follows the command */
	size_t words;
};

/* One sub-command each. They print and return what main() exits with. */
enum status cmd_list(const struct options *opt);
enum status cmd_plr(const struct options *opt);
enum status cmd_decode(const struct options *opt);
enum status cmd_bw(const struct options *opt);
enum status cmd_metrics(const struct options *opt);
enum status cmd_stat(const struct options *opt);
enum status cmd_dump(const struct options *opt);
enum status cmd_qualify(const struct options *opt);
enum status cmd_doctor(const struct options *opt);
enum status cmd_adopt(const struct options *opt);
enum status cmd_release(const struct options *opt);

#endif
