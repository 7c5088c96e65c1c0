// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl stat: bandwidth and limits while a job runs. */
#include <stdio_ext.h>
#include <unistd.h>

#include "bandwidth.h"
#include "job.h"

struct stat {
	struct bandwidth b;
	struct machine m;
	struct scopes all;
	struct job job;
	size_t modules;			/* core modules */
	long long observed_ns;		/* summed over modules */
	bool monitored, ran;
	long long ns, cpu_ns;
};

/* How a reason limited the core modules. */
struct limit {
	size_t modules, observed;	/* numbers of modules: limited; with a known time */
	double share;			/* of the time; mean over observed modules */
	long long count;
	bool known, counted;
};

static struct limit limit_of(const struct stat *s, unsigned int bit)
{
	struct limit l = { .counted = true };

	for_each_item(p, s->all.scope, s->all.count) {
		long long ns = p->gained.ns[bit], observed = p->gained.observed[bit];
		bool had = ns > 0 || p->history.since[bit];

		if (!scope_is_core(p))
			continue;
		l.modules += had;
		l.count += p->gained.count[bit];
		if (observed <= 0 || ns > observed + 1000000)
			continue;
		l.counted &= p->history.counted;
		l.observed++;
		l.share += ns < observed ? (double)ns / (double)observed : 1;
	}
	l.known = l.observed && 2 * l.observed >= s->modules;
	l.share /= (double)(l.observed ? l.observed : 1);
	return l;
}

/* The limited time, summed over all modules. */
static double seconds_of(const struct stat *s, const struct limit *l)
{
	return l->share * (double)s->modules * (double)s->ns / 1e9;
}

/* Rounds to tenths; below 0.05 to "<0.1" (0: less than 1 ms), just below @whole to ">99.9". */
static char *tenths_text(double value, double whole)
{
	double shown = value < 0.05 ? 0.1 :
		       value < whole && value >= whole - 0.05 ? whole - 0.1 : value;

	return xasprintf("%s%.1f", shown > value ? "<" : shown < value ? ">" : "", shown);
}

static void print_limits(const struct stat *s)
{
	struct table t;

	table_start(&t, "LIMITED BY, SECONDS, SHARE %, TIMES, MODULES");
	for_each_worst(bit, UINT64_MAX) {
		struct limit l = limit_of(s, bit);

		if (l.modules)
			table_row(&t, plr_reason_name(bit),
				  l.known ? tenths_text(seconds_of(s, &l), 0) : NULL,
				  l.known ? tenths_text(100 * l.share, 100) : NULL,
				  l.known && l.counted ? NUMBER(l.count) : NULL,
				  NUMBER(l.modules));
	}
	print_empty_line();
	if (!s->observed_ns)
		print_line("Limits of core modules were not observed.");
	else if (t.rows)
		print_line("Of %zu core modules: SHARE is their mean, SECONDS their sum.",
			   s->modules);
	else
		print_line("Nothing limited the %zu core modules.", s->modules);
	table_print(&t);
}

static void json_limits(const struct stat *s)
{
	json_open("limits", '{');
	json_members("observed_ms %ld core_modules %ld", (long)(s->observed_ns / 1000000),
		     (long)s->modules);
	json_open("reasons", '[');
	for_each_worst(bit, UINT64_MAX) {
		struct limit l = limit_of(s, bit);

		if (l.modules)
			json_element("reason %s ms %ld count %ld modules %ld",
				     plr_reason_name(bit), l.known ?
				     (long)(1000 * seconds_of(s, &l) + 0.5) : -1,
				     l.known && l.counted ? (long)l.count : -1, (long)l.modules);
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
		job_json(&s->job);
		json_close();
		return;
	}
	print_line("%s: %.1f s, %.1f s of CPU time", *opt->job, seconds, (double)s->cpu_ns / 1e9);
	bw_print_totals(&s->b, seconds);
	job_print(&s->job);
	if (s->monitored)
		print_limits(s);
}

#define SETTLE_MS 1500

/*
 * Waits until each part that was read since monitoring began was read twice: the second read finds
 * limits that began long before, and the driver counts these as onsets.
 */
static void settle(struct scopes *all)
{
	long long end = clock_ms() + SETTLE_MS;

	for (size_t i = 0; i < all->count;) {
		const struct history *h = &all->scope[i].history, *old = &all->scope[i].before;

		if (h->limited[OBSERVED] != old->limited[OBSERVED] ||
		    h->last[OBSERVED] == old->last[OBSERVED] || clock_ms() >= end) {
			i++;
			continue;
		}
		clock_pause_ms(50);
		poll_start(all);
	}
}

/* Monitors limits. False if the host has no domain; false, with a message, on failure. */
static bool monitor_limits(struct stat *s)
{
	machine_read_limits(&s->m);
	if (!s->m.domains || !scopes_find(&s->all, &s->m, &everything))
		return false;
	poll_start(&s->all);
	for_each_item(p, s->all.scope, s->all.count)
		p->before = p->history;
	if (poll_begin(&s->all)) {
		settle(&s->all);
		return true;
	}
	monitor_complain(&s->all, false);
	return false;
}

/* Runs the job, counts from its start to its end, and returns its status. */
static int run(struct stat *s, const struct options *opt)
{
	struct child child = { .pid = 0 };
	int status;

	if (s->monitored)
		poll_start(&s->all);
	bandwidth_read(&s->b);
	s->ns = clock_ns();
	job_open(&s->job);
	status = child_start(&child, opt->job);
	if (status)
		return status;
	s->ran = true;
	for (unsigned int waits = 1; !child.ended; waits++) {
		size_t step = step_begin();

		child_wait(&child, 100);
		bandwidth_prove(&s->b);
		if (waits % 10 == 0)
			bandwidth_close_gone(&s->b, true);
		step_end(step);
	}
	bandwidth_read(&s->b);
	s->ns = clock_ns() - s->ns;
	if (s->monitored)
		poll_again(&s->all);
	for_each_item(p, s->all.scope, s->all.count)
		if (scope_is_core(p)) {
			s->modules++;
			s->observed_ns += p->gained.ns[OBSERVED];
		}
	status = child_end(&child);
	job_read(&s->job);
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
	/* Open the report before the job runs, so that a wrong path loses no measurement. */
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
	/* On a full disk, print to standard error. */
	if (s.ran && opt->output && !output_flush() && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) {
		__fpurge(stdout);
		print(&s, opt, status);
	}
	bw_complain(&s.b);
	return (enum status)status;
}
