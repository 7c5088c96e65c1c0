// SPDX-License-Identifier: GPL-2.0-only
/*
 * From work to reason. Every 100 ms: which threads have run, where, and what
 * limited the modules of those CPUs.
 */
#include "work.h"

#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "discovery.h"
#include "keeper.h"
#include "output.h"
#include "parts.h"
#include "present.h"
#include "programs.h"
#include "share.h"
#include "signals.h"
#include "tasks.h"

/* How long --pid and --cgroup look. */
#define SECONDS 5

/* A watch begins sooner than this where it does at all. */
#define BEGIN_MS 2000

#define CGROUPS "/sys/fs/cgroup"

static bool any_watched(struct parts *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (part_read_active(&all->part[i]))
			return true;
	return false;
}

static bool wait_for_watch(struct parts *all)
{
	long long end = clock_ms() + BEGIN_MS;

	while (!any_watched(all)) {
		if (clock_ms() >= end)
			return false;
		clock_pause_ms(SHARE_STEP_MS / 2);
	}
	return true;
}

/*
 * Until the work ends, the time is over, or a signal comes. A job is handed the
 * signal, and is waited for, also where /proc does not show it.
 */
static void measure(struct tasks *tasks, struct shares *s, struct child *child,
		    long long end)
{
	bool job = child->pid, more;

	do {
		if (job)
			child_wait(child, SHARE_STEP_MS);
		else
			clock_pause_ms(SHARE_STEP_MS);
		more = tasks_take(tasks, shares_ran, s);
		shares_step(s);
		more = job ? !child->ended :
			more && !signals_stopped() && clock_ms() < end;
	} while (more);
}

static void print(const struct shares *s, const struct work *w, bool json)
{
	if (json)
		shares_print_json(s, w, NULL);
	else
		shares_print(s, w);
}

static void print_more(const struct shares *s, const struct work *w, bool json,
		       const struct work_more *more)
{
	if (json)
		json_open(NULL, '{');
	more->report(more->context, json, w->ms);
	if (!json) {
		shares_print(s, w);
		return;
	}
	shares_print_json(s, w, "limits");
	json_close('}');
}

/* The report goes to stderr: stdout is the job's. */
static int run_job(const struct options *opt, struct shares *s,
		   const struct work_more *more)
{
	struct tasks tasks = { .pid = 0 };
	struct child child = { .pid = 0 };
	struct work w = { .what = *opt->job };
	int status;

	tasks_take(&tasks, shares_ran, s);
	if (more)
		more->begin(more->context);
	status = child_start(&child, opt->job);
	if (status) {
		tasks_free(&tasks);
		return status;
	}
	w.ms = clock_ms();
	measure(&tasks, s, &child, 0);
	status = child_end(&child);
	w.ms = clock_ms() - w.ms;
	w.cpu_ns = child.cpu_ns;
	w.too_many = tasks.too_many;
	fflush(stdout);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (more)
		print_more(s, &w, opt->json, more);
	else
		print(s, &w, opt->json);
	tasks_free(&tasks);
	return status;
}

static int look_at(const struct options *opt, struct shares *s,
		   struct tasks *tasks, const char *what)
{
	long seconds = opt->seconds ? opt->seconds : SECONDS;
	struct child none = { .pid = 0 };
	struct work w = { .what = what, .cpu_ns = -1 };

	w.ms = clock_ms();
	tasks_take(tasks, shares_ran, s);
	measure(tasks, s, &none, w.ms + seconds * 1000);
	w.ms = clock_ms() - w.ms;
	w.too_many = tasks->too_many;
	print(s, &w, opt->json);
	return STATUS_FINE;
}

/* A path below /sys/fs/cgroup, with that or without. */
static int look_at_tasks(const struct options *opt, struct shares *s)
{
	struct text group = { NULL, 0 }, what = { NULL, 0 };
	struct tasks tasks = { .pid = opt->pid };
	int status = STATUS_USAGE;

	if (opt->cgroup) {
		text_add(&group, "%s%s", *opt->cgroup == '/' ? "" : CGROUPS "/",
			 opt->cgroup);
		text_add(&what, "Group %s", opt->cgroup);
		tasks = (struct tasks){ .cgroup = group.s };
	} else {
		text_add(&what, "Process %ld", opt->pid);
	}
	if (tasks_exist(&tasks))
		status = look_at(opt, s, &tasks, what.s);
	tasks_free(&tasks);
	text_free(&group);
	text_free(&what);
	return status;
}

/* -1: not watched, and there is more to report, for which the job can run. */
static int measure_on(const struct options *opt, struct parts *all,
		      const struct machine *m, const struct work_more *more)
{
	struct keeper keeper;
	struct shares shares;
	int status;

	keeper_open(&keeper, m, all);
	shares_start(&shares, all);
	if (!wait_for_watch(all)) {
		keeper_complain(&keeper, all);
		status = more ? -1 : STATUS_BROKEN;
	} else if (opt->job) {
		status = run_job(opt, &shares, more);
	} else {
		status = look_at_tasks(opt, &shares);
	}
	shares_free(&shares);
	keeper_close(&keeper);
	return status;
}

enum status work(const struct options *opt)
{
	struct parts all = { NULL, 0, false };
	struct machine m = { 0 };
	int status;

	if (opt->job && !programs_allowed()) {
		complain("with --sysroot no program is run");
		return STATUS_USAGE;
	}
	machine_read_limits(&m);
	if (!m.domains) {
		status = plr_absent(&m, opt->json);
	} else if (!parts_find(&all, &m, opt)) {
		status = STATUS_USAGE;
	} else {
		signals_catch(opt->job);
		status = measure_on(opt, &all, &m, NULL);
	}
	parts_free(&all);
	machine_free(&m);
	return (enum status)status;
}

int work_with(const struct options *opt, const struct work_more *more)
{
	struct parts all = { NULL, 0, false };
	struct machine m = { 0 };
	int status = -1;

	machine_read_limits(&m);
	if (m.domains && parts_find(&all, &m, opt))
		status = measure_on(opt, &all, &m, more);
	parts_free(&all);
	machine_free(&m);
	return status;
}
