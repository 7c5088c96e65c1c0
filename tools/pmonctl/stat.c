// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl stat: bandwidth and limits while a job runs. */
#include <errno.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "process.h"
#include "bandwidth.h"
#include "scopes.h"

struct stat {
	struct bandwidth b;
	struct machine m;
	struct scopes all;
	struct monitor monitor;
	bool monitored, ran;
	long long ns, cpu_ns;
};

static struct sum sum_of(const struct stat *s)
{
	struct sum sum = { .seen = 0 };

	for (size_t i = 0; i < s->all.count; i++)
		if (scope_is_core(&s->all.scope[i]))
			sum_add(&sum, &s->all.scope[i]);
	return sum;
}

/*
 * Without rights the driver reads turbo limits every ten seconds: the time may include earlier
 * seconds, or be missing. Times of modules are whole milliseconds.
 */
static bool is_known(const struct stat *s, const struct sum *sum, unsigned int bit)
{
	long long most = sum->ns[OBSERVED] + 1000000 * (long long)sum->scopes[bit];

	return sum->ns[bit] > 0 && sum->ns[bit] <= most &&
	       !(s->monitor.error && reasons_of_turbo() >> bit & 1);
}

/* A value above 0 is not shown as 0, nor a value below @whole as @whole. */
static char *tenths_text(double value, double whole)
{
	double shown = value < 0.05 ? 0.1 :
		       value < whole && value >= whole - 0.05 ? whole - 0.1 : value;

	return xasprintf("%s%.1f", shown > value ? "<" : shown < value ? ">" : "", shown);
}

static void add_row(struct table *t, const struct stat *s, const struct sum *sum, unsigned int bit)
{
	double time = (double)sum->ns[bit], all = (double)sum->ns[OBSERVED];
	bool known = is_known(s, sum, bit);
	char *seconds FREED = tenths_text(time / 1e9, 0);
	char *share FREED = tenths_text(time < all ? 100 * time / all : 100, 100);

	table_row(t, plr_reason_name(bit), known ? seconds : NULL, known ? share : NULL,
		  known && sum->counted ? NUMBER((long)sum->count[bit]) : NULL,
		  NUMBER((long)sum->scopes[bit]));
}

static void print_limits(const struct stat *s)
{
	struct sum sum = sum_of(s);
	double observed = (double)sum.ns[OBSERVED] / 1e9;
	struct table t;

	table_start(&t, "LIMITED BY, SECONDS, SHARE %, TIMES, MODULES");
	for (unsigned int bit = 0; bit < REASON_BITS; bit++)
		if (sum.scopes[bit])
			add_row(&t, s, &sum, bit);
	print_empty_line();
	if (t.rows)
		print_line("Time of core modules, summed, at most; %.1f s were observed.",
			   observed);
	else if (observed > 0)
		print_line("Nothing limited in %.1f s of core modules.", observed);
	else
		print_line("Limits of core modules were not observed.");
	table_print(&t);
}

static void json_limits(const struct stat *s)
{
	struct sum sum = sum_of(s);

	json_open("limits", '{');
	json_number("observed_ms", (long)(sum.ns[OBSERVED] / 1000000));
	json_open("reasons", '[');
	for (unsigned int bit = 0; bit < REASON_BITS; bit++) {
		if (!sum.scopes[bit])
			continue;
		json_open(NULL, '{');
		json_text("reason", plr_reason_name(bit));
		if (is_known(s, &sum, bit))
			json_number("ms", (long)(sum.ns[bit] / 1000000));
		if (is_known(s, &sum, bit) && sum.counted)
			json_number("count", (long)sum.count[bit]);
		json_number("modules", (long)sum.scopes[bit]);
		json_close();
	}
	json_close();
	json_close();
}

static void print(const struct stat *s, const struct options *opt, int status)
{
	double seconds = (double)s->ns / 1e9;

	if (opt->json) {
		json_document();
		bw_json(&s->b, seconds);
		json_members("job %s status %ld cpu_ms %ld", *opt->job, (long)status,
			     (long)(s->cpu_ns / 1000000));
		if (s->monitored)
			json_limits(s);
		json_close();
		return;
	}
	print_line("%s: %.1f s, %.1f s of CPU time", *opt->job, seconds, (double)s->cpu_ns / 1e9);
	bw_print_totals(&s->b, seconds);
	if (s->monitored)
		print_limits(s);
}

/* False without a record, or after a message that limits are not monitored. */
static bool monitor_limits(struct stat *s)
{
	machine_read_limits(&s->m);
	if (!s->m.domains || !scopes_find(&s->all, &s->m, &everything))
		return false;
	if (poll_begin(&s->monitor, &s->all))
		return true;
	monitor_complain(&s->monitor, &s->all);
	return false;
}

/* Returns the job's status. Data from before the start are not counted. */
static int run(struct stat *s, const struct options *opt)
{
	struct child child = { .pid = 0 };
	int status;

	if (s->monitored)
		poll_start(&s->all);
	bandwidth_read(&s->b);
	s->ns = clock_ns();
	status = child_start(&child, opt->job);
	if (status)
		return status;
	s->ran = true;
	while (!child.ended) {
		child_wait(&child, 100);
		bandwidth_prove(&s->b);
	}
	bandwidth_read(&s->b);
	s->ns = clock_ns() - s->ns;
	if (s->monitored)
		poll_again(&s->all);
	frozen_mark(&s->b);
	status = child_end(&child);
	s->cpu_ns = child.cpu_ns;
	return status;
}

enum status cmd_stat(const struct options *opt)
{
	struct options text = *opt;
	static struct stat s;
	FILE *report = opt->json ? stdout : stderr;
	int status;

	if (!opt->job || !*opt->job)
		return fail(STATUS_USAGE, "stat: needs a job to run: pmonctl stat -- JOB");
	if (!programs_allowed())
		return fail(STATUS_USAGE, "with --sysroot no program is run");
	/* Before the job: no measurement is lost to a wrong path. */
	if (opt->output)
		report = fopen(opt->output, "we");
	if (!report)
		return fail(STATUS_BROKEN, "--output %s: %s", opt->output, strerror(errno));
	s.monitored = monitor_limits(&s);
	text.json = opt->json && !s.monitored;
	status = bw_open(&s.b, &text);
	if (status != STATUS_FINE && !s.monitored)
		return (enum status)status;
	signals_catch(true);
	status = run(&s, opt);
	fflush(stdout);
	if (s.ran && dup2(fileno(report), STDOUT_FILENO) >= 0)
		print(&s, opt, status);
	/* On a full disk */
	if (s.ran && opt->output && !output_flush() && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
		__fpurge(stdout);
		print(&s, opt, status);
	}
	bw_complain(&s.b);
	return (enum status)status;
}
