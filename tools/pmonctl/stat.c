// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl stat: bandwidth and limits while a job runs. */
#include <linux/perf_event.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "bandwidth.h"
#include "reasons.h"

/* For how long a job ran limited, by bit of a coarse reason; -1: not known. */
struct job {
	bool open;			/* plr_task is there and may be used */
	bool known;			/* limits were known for half of the job's time or more */
	int clock, fd[REASON_BITS + 1];
	long long cpu_ns, ns[REASON_BITS + 1];
};

/* The job itself, by events of the PMU plr_task. */

#define PMU_OF_JOBS	"plr_task"
#define COARSE		UINT32_MAX

static int job_event(long type, uint64_t config)
{
	const uint64_t words[CONFIG_WORDS] = { config };

	return count_open(type, words, CPU_OF_JOB, -1);
}

/*
 * Events of this process, which its children inherit, and which begin as a child runs another
 * program. So the job is counted with all of its children, and this process is not.
 */
static void job_open(struct job *j)
{
	long type = sysfs_read_long(PMUS "/" PMU_OF_JOBS "/type");

	memset(j->fd, -1, sizeof(j->fd));
	j->clock = -1;
	if (type < 0)
		return;
	j->clock = job_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	j->fd[OBSERVED] = job_event(type, OBSERVED);
	j->open = j->clock >= 0 && j->fd[OBSERVED] >= 0;
	/* A user may not count what root's gate leaves out. */
	for_each_reason(bit, ~reasons_of_turbo())
		if (j->open && plr_reason_coarse(bit) == (int)bit)
			j->fd[bit] = job_event(type, bit);
}

static long long ns_of(int fd)
{
	struct count c;

	return fd >= 0 && count_read(fd, &c) ? (long long)c.value : -1;
}

static void job_read(struct job *j)
{
	for (unsigned int i = 0; i <= OBSERVED; i++)
		j->ns[i] = ns_of(j->fd[i]);
	j->cpu_ns = ns_of(j->clock);
	/* Less says nothing about the job, for example of one that was over after two polls. */
	j->known = j->cpu_ns > 0 && j->ns[OBSERVED] >= j->cpu_ns / 2;
}

/* Adds "12 % of it limited by POWER (4.9 s)"; after the first reason "0.3 % by THERMAL (0.1 s)". */
static void add_reason(struct text *t, const struct job *j, unsigned int bit, bool first)
{
	/* Of the time for which limits were known. */
	double percent = 100 * (double)j->ns[bit] / (double)j->ns[OBSERVED];

	percent = percent < 100 ? percent : 100;
	text_add(t, first ? ": " : ", ");
	if (percent < 0.05)
		text_add(t, "<0.1 %%");
	else
		text_add(t, "%.*f %%", percent < 9.95, percent);
	text_add(t, "%s by %s (%.1f s)", first ? " of it limited" : "", plr_reason_name(bit),
		 (double)j->ns[bit] / 1e9);
}

static void job_print(const struct job *j)
{
	double seconds = (double)j->cpu_ns / 1e9;
	struct text t = { NULL, 0 };
	bool first = true;

	if (!j->open)
		return;
	text_add(&t, "this job ran %.1f s on CPUs", seconds > 0 ? seconds : 0);
	for_each_worst(bit, j->known ? COARSE : 0) {
		if (j->ns[bit] <= 0)
			continue;
		add_reason(&t, j, bit, first);
		first = false;
	}
	if (!j->known)
		text_add(&t, ": limited for -, as limits were known for less than half of it");
	else
		text_add(&t, "%s; %.0f %% observed", first ? ": none of it limited" : "",
			 100 * (double)j->ns[OBSERVED] / (double)j->cpu_ns);
	print_empty_line();
	print_line("%s", t.s);
}

static void job_json(const struct job *j)
{
	if (!j->open)
		return;
	json_open("limits_of_job", '{');
	json_members("cpu_ms %ld observed_ms %ld", (long)(j->cpu_ns / 1000000),
		     (long)(j->ns[OBSERVED] < 0 ? -1 : j->ns[OBSERVED] / 1000000));
	json_list("reasons")
		for_each_worst(bit, COARSE)
			if (j->ns[bit] > 0)
				json_element("reason %s ms %ld", plr_reason_name(bit),
					     j->known ? (long)(j->ns[bit] / 1000000) : -1);
	json_close();
}

struct stat {
	struct bandwidth b;
	struct machine m;
	struct scopes all;
	struct monitor monitor;
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

	for (const struct scope *p = s->all.scope; p < s->all.scope + s->all.count; p++) {
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

static void add_row(struct table *t, const struct stat *s, unsigned int bit, const struct limit *l)
{
	table_row(t, plr_reason_name(bit), l->known ? tenths_text(seconds_of(s, l), 0) : NULL,
		  l->known ? tenths_text(100 * l->share, 100) : NULL,
		  l->known && l->counted ? NUMBER((long)l->count) : NULL,
		  NUMBER((long)l->modules));
}

static void print_limits(const struct stat *s)
{
	struct table t;

	table_start(&t, "LIMITED BY, SECONDS, SHARE %, TIMES, MODULES");
	for_each_worst(bit, UINT64_MAX) {
		struct limit l = limit_of(s, bit);

		if (l.modules)
			add_row(&t, s, bit, &l);
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
	json_members("observed_ms %ld core_modules %ld", (long)(s->observed_ns / 1000000),
		     (long)s->modules);
	json_list("reasons")
		for_each_worst(bit, UINT64_MAX) {
			struct limit l = limit_of(s, bit);

			if (l.modules)
				json_element("reason %s ms %ld count %ld modules %ld",
					     plr_reason_name(bit), l.known ?
					     (long)(1000 * seconds_of(s, &l) + 0.5) : -1,
					     l.known && l.counted ? (long)l.count : -1,
					     (long)l.modules);
		}
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
			json_map("limits")
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
	for (struct scope *p = s->all.scope; p < s->all.scope + s->all.count; p++)
		p->before = p->history;
	if (poll_begin(&s->monitor, &s->all)) {
		settle(&s->all);
		return true;
	}
	monitor_complain(&s->monitor, &s->all, false);
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
		if (waits % 10 == 0)
			bandwidth_close_gone(&s->b, true);
		step_end(step);
	}
	bandwidth_read(&s->b);
	s->ns = clock_ns() - s->ns;
	if (s->monitored)
		poll_again(&s->all);
	for (size_t i = 0; s->monitored && i < s->all.count; i++) {
		s->modules += scope_is_core(&s->all.scope[i]);
		if (scope_is_core(&s->all.scope[i]))
			s->observed_ns += s->all.scope[i].gained.ns[OBSERVED];
	}
	frozen_mark(&s->b);
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
	bw_complain(&s.b, false);
	return (enum status)status;
}
