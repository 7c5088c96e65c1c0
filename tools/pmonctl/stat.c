// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl stat: what a job moves, and what limits it, while it runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bw.h"
#include "bw_print.h"
#include "child.h"
#include "clock.h"
#include "frozen.h"
#include "output.h"
#include "pmonctl.h"
#include "programs.h"
#include "signals.h"
#include "work.h"

static void print(const struct bandwidth *b, bool json, long long ms)
{
	double seconds = (double)ms / 1000;
	char *text;

	if (json) {
		bw_json(b, seconds);
		return;
	}
	text = bw_table(b);
	say("Over %.1f s", seconds);
	say_nothing();
	print_text(stdout, text);
	free(text);
	if (b->lacking) {
		say_nothing();
		say("%s", b->lacking);
	}
}

/* Without limits: only what was moved, since now. */
static int run_alone(const struct options *opt, struct bandwidth *b)
{
	struct child child = { .pid = 0 };
	long long ms = clock_ms();
	int status;

	bandwidth_read(b);
	status = child_start(&child, opt->job);
	if (status)
		return status;
	while (!child.ended)
		child_wait(&child, 100);
	bandwidth_read(b);
	ms = clock_ms() - ms;
	frozen_mark(b);
	status = child_end(&child);
	fflush(stdout);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (opt->json)
		json_open(NULL, '{');
	print(b, opt->json, ms);
	if (opt->json)
		json_close('}');
	return status;
}

/* What was moved until a watch of the limits has begun is not the job's. */
static void begin(void *bandwidth)
{
	bandwidth_read(bandwidth);
}

/* Before the report on limits, which ends the object. */
static void report(void *bandwidth, bool json, long long ms)
{
	bandwidth_read(bandwidth);
	frozen_mark(bandwidth);
	print(bandwidth, json, ms);
	if (!json)
		say_nothing();
}

enum status cmd_stat(const struct options *opt)
{
	struct bandwidth b;
	const struct work_more more = { begin, report, &b };
	enum status status;
	int exits;

	if (!opt->job || !*opt->job) {
		complain("stat: needs a job to run: pmonctl stat -- JOB");
		return STATUS_USAGE;
	}
	if (!programs_allowed()) {
		complain("with --sysroot no program is run");
		return STATUS_USAGE;
	}
	status = bw_open(&b, true, opt->json);
	if (status == STATUS_FINE) {
		signals_catch(true);
		exits = work_with(opt, &more);
		status = (enum status)(exits < 0 ? run_alone(opt, &b) : exits);
		bw_complain(&b);
	}
	bandwidth_close(&b);
	return status;
}
