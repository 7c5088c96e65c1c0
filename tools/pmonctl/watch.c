// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr --watch: what limits now.
 *
 * The driver looks, this waits for it: an open perf event of the plr PMU has
 * the driver watch a domain, for as long as this process lives, and the file
 * active of each part wakes the program that polls it when something has
 * changed. While nothing changes nothing is done, and nothing is read from the
 * hardware.
 */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "history.h"
#include "keeper.h"
#include "parts.h"
#include "present.h"
#include "reasons.h"
#include "screen.h"
#include "signals.h"
#include "sysfs.h"

/* No more often than this is anything shown, and sought that went away. */
#define CALM_MS 1000
/* Modules come with the first of their CPUs that is online. */
#define RECOUNT_MS 5000
/* A watch begins sooner than this where it does at all. */
#define BEGIN_MS 1000

/* stopped: by a signal, or what is shown is lost. */
static volatile sig_atomic_t stopped, resized;

struct watcher {
	const struct options *opt;
	struct machine m;
	struct parts all;
	struct pollfd *fd;		/* of each part's file active */
	uint64_t *window;		/* active since the last show */
	uint64_t *now;			/* active in the last interval */
	bool *known;			/* that it is */
	struct keeper keeper;
	long long shown_at, counted_at;
	bool changed, gone;
	bool ever;			/* something was shown */
	bool blocked;			/* by firmware: nothing will be known */
};

static void on_signal(int number)
{
	if (number == SIGWINCH)
		resized = 1;
	else
		stopped = 1;
}

/* Signals arrive in ppoll() only, so that none is missed before it. */
static void catch_signals(sigset_t *during_poll)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof(caught) / sizeof(*caught); i++) {
		if (signal_is_ignored(caught[i]))
			continue;
		sigaction(caught[i], &action, NULL);
		sigaddset(&blocked, caught[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, during_poll);
}

/*
 * True when the file could be read. Hardware that does not answer for a while
 * is no reason to end: what is in force is not known then.
 */
static bool take(struct watcher *w, size_t i)
{
	char text[4096];
	ssize_t n = pread(w->fd[i].fd, text, sizeof(text) - 1, 0);

	w->known[i] = n >= 0;
	if (n < 0) {
		w->now[i] = 0;
		return errno == ENODATA;
	}
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	if (!reasons_parse(text, &w->now[i])) {
		errno = EINVAL;
		return false;
	}
	w->window[i] |= w->now[i];
	w->all.part[i].reasons |= w->now[i];
	return true;
}

static bool open_part(struct watcher *w, size_t i)
{
	const struct part *p = &w->all.part[i];
	char *path = part_path(p, "active");
	bool good;

	w->fd[i].fd = part_open(p, "active");
	w->fd[i].events = POLLPRI;
	good = w->fd[i].fd >= 0 && take(w, i);
	/* Directories go one by one, while this looks for what is left. */
	if (!good && (errno == ENODEV || (errno == ENOENT && w->ever)))
		w->gone = true;
	if (!good && !(w->gone && w->ever))
		complain_file(path, errno);
	free(path);
	return good;
}

/*
 * Parts that are known, and whether one is not that should be: the driver
 * monitors the mesh with mesh=1 only.
 */
static size_t count_known(struct watcher *w, bool *some_not)
{
	size_t n = 0;

	*some_not = false;
	for (size_t i = 0; i < w->all.count; i++) {
		if (take(w, i) && w->known[i])
			n++;
		else if (!part_is_mesh(&w->all.part[i]))
			*some_not = true;
	}
	return n;
}

/* The files tell whether anything is watched, by us or by others. */
static bool wait_for_watch(struct watcher *w)
{
	long long end = clock_ms() + BEGIN_MS;
	bool some_not;
	size_t n;

	while ((n = count_known(w, &some_not)), some_not && clock_ms() < end)
		clock_pause_ms(50);
	return n;
}

static bool open_parts(struct watcher *w)
{
	bool good = true;

	keeper_open(&w->keeper, &w->m, &w->all);
	for (size_t i = 0; i < w->all.count && good && !w->gone; i++) {
		history_read(&w->all.part[i]);
		part_read(&w->all.part[i]);
		good = open_part(w, i);
	}
	if (good && !w->gone && !w->ever && !wait_for_watch(w)) {
		keeper_complain(&w->keeper, &w->all);
		good = false;
	}
	/* That a mesh is not monitored is no news. */
	for (size_t i = 0; i < w->all.count; i++)
		if (part_is_mesh(&w->all.part[i]))
			w->all.part[i].known = w->known[i];
	return good;
}

static void close_all(struct watcher *w)
{
	for (size_t i = 0; w->fd && i < w->all.count; i++)
		if (w->fd[i].fd >= 0)
			close(w->fd[i].fd);
	keeper_close(&w->keeper);
	free(w->fd);
	free(w->window);
	free(w->now);
	free(w->known);
	parts_free(&w->all);
	machine_free(&w->m);
	*w = (struct watcher){ .opt = w->opt, .ever = w->ever };
}

/*
 * The device may go meanwhile, which is no error if it was there before; so may
 * that of a package alone, or of CPUs, that are asked for.
 */
static enum status open_all(struct watcher *w)
{
	size_t n;

	machine_read_limits(&w->m);
	if (w->ever && !parts_present(&w->m, w->opt)) {
		w->gone = true;
		return STATUS_FINE;
	}
	if (!w->m.domains)
		return plr_absent(&w->m, w->opt->json);
	if (!parts_find(&w->all, &w->m, w->opt))
		return STATUS_USAGE;
	n = w->all.count;
	w->gone = !n && w->ever;
	if (!n)
		return w->ever ? STATUS_FINE : STATUS_BROKEN;
	w->fd = xrealloc(NULL, n * sizeof(*w->fd));
	w->window = xrealloc(NULL, n * sizeof(*w->window));
	w->now = xrealloc(NULL, n * sizeof(*w->now));
	w->known = xrealloc(NULL, n * sizeof(*w->known));
	for (size_t i = 0; i < n; i++) {
		w->fd[i] = (struct pollfd){ .fd = -1 };
		w->window[i] = 0;
		w->now[i] = 0;
		w->known[i] = false;
		w->all.part[i].known = true;
	}
	w->counted_at = clock_ms();
	w->shown_at = w->counted_at - CALM_MS;
	w->changed = true;
	return open_parts(w) || (w->gone && w->ever) ? STATUS_FINE :
							 STATUS_BROKEN;
}

/* Nothing more is shown, and the watch ends. */
static void lose_output(struct watcher *w)
{
	stopped = 1;
	w->changed = false;
}

/*
 * What was active at any time since the last show is shown; what has ended
 * meanwhile is taken back by the next one.
 */
static void show(struct watcher *w)
{
	w->changed = false;
	for (size_t i = 0; i < w->all.count; i++) {
		struct part *p = &w->all.part[i];

		p->changed = p->now != w->window[i] ||
			     p->known != w->known[i];
		p->now = w->window[i];
		p->known = w->known[i];
		w->window[i] = w->now[i];
		w->changed |= p->now != w->now[i];
	}
	if (!screen_show(&w->all, w->opt->json))
		lose_output(w);
	w->shown_at = clock_ms();
}

/*
 * A module that has come needs its own file, so all are opened anew. One of
 * several CPUs stays, whichever of them goes offline.
 */
static bool has_grown(struct watcher *w)
{
	struct machine m = { 0 };
	size_t n;

	machine_read_limits(&m);
	n = parts_present(&m, w->opt);
	machine_free(&m);
	return w->opt->cpus ? n > w->all.count : n != w->all.count;
}

/*
 * Woken, and nothing is different: a reason came and went before this process
 * had its turn. What is on record and was not before is that one.
 */
static void take_missed(struct watcher *w, size_t i)
{
	struct part *p = &w->all.part[i];
	uint64_t before = p->reasons;

	part_read(p);
	w->window[i] |= p->reasons & ~before;
	p->reasons |= before;
}

static void wait_for_news(struct watcher *w, const sigset_t *during_poll)
{
	long long now = clock_ms();
	long long until = w->counted_at + RECOUNT_MS;
	struct timespec left = { 0, 0 };

	if (w->changed && w->shown_at + CALM_MS < until)
		until = w->shown_at + CALM_MS;
	if (until > now) {
		left.tv_sec = (until - now) / 1000;
		left.tv_nsec = (until - now) % 1000 * 1000000;
	}
	if (ppoll(w->fd, w->all.count, &left, during_poll) <= 0)
		return;
	for (size_t i = 0; i < w->all.count; i++) {
		uint64_t before = w->now[i];

		if (!w->fd[i].revents)
			continue;
		if (!take(w, i))
			w->gone = true;
		else if (w->now[i] == before)
			take_missed(w, i);
		w->changed = true;
	}
}

/*
 * The driver wakes poll() when something is known again. An older one does not
 * where it has no reasons, so it is read again.
 */
static void ask_again(struct watcher *w)
{
	for (size_t i = 0; i < w->all.count; i++) {
		if (w->known[i])
			continue;
		w->gone |= !take(w, i);
		w->changed |= w->known[i];
	}
}

/*
 * Firmware blocks what a watch needs. The driver finds that out by itself, which
 * may take longer than a watch takes to begin.
 */
static bool is_blocked(struct watcher *w)
{
	for (size_t i = 0; i < w->all.count; i++)
		if (w->known[i])
			return false;
	return keeper_error(&w->keeper, &w->all) == EOPNOTSUPP;
}

/* What changes without a wake of poll(). */
static void recount(struct watcher *w)
{
	w->gone |= has_grown(w);
	keeper_renew(&w->keeper);
	ask_again(w);
	w->blocked = !w->gone && is_blocked(w);
	w->counted_at = clock_ms();
}

/*
 * Until a signal comes, or the device goes. What came since the last show is
 * shown then, too: nothing else would tell of it.
 */
static void watch_all(struct watcher *w, const sigset_t *during_poll)
{
	while (!stopped && !w->gone && !w->blocked) {
		if (resized || (w->changed &&
				clock_ms() >= w->shown_at + CALM_MS)) {
			resized = 0;
			show(w);
		}
		wait_for_news(w, during_poll);
		if (clock_ms() >= w->counted_at + RECOUNT_MS)
			recount(w);
	}
	if (w->changed)
		show(w);
	if (w->blocked)
		keeper_complain(&w->keeper, &w->all);
}

/* The driver was unloaded, or the device is gone; either may come back. */
static void wait_for_return(const sigset_t *during_poll)
{
	static const struct timespec second = { CALM_MS / 1000, 0 };

	ppoll(NULL, 0, &second, during_poll);
}

static bool is_there(const struct options *opt)
{
	struct machine m = { 0 };
	bool there;

	machine_read_limits(&m);
	there = !m.degraded && parts_present(&m, opt);
	machine_free(&m);
	return there;
}

/* Shows what there is until it goes. */
static enum status watch_once(struct watcher *w, const sigset_t *during_poll)
{
	enum status status = open_all(w);

	if (status == STATUS_FINE && !w->gone) {
		w->ever = true;
		if (!screen_start(&w->all, w->opt->json))
			lose_output(w);
		watch_all(w, during_poll);
	}
	if (w->all.incomplete && status == STATUS_FINE)
		status = STATUS_DEGRADED;
	if (w->blocked)
		status = STATUS_BROKEN;
	close_all(w);
	return status;
}

enum status watch(const struct options *opt)
{
	struct watcher w = { .opt = opt };
	enum status status;
	sigset_t during_poll;

	catch_signals(&during_poll);
	do {
		status = watch_once(&w, &during_poll);
		while (w.ever && !stopped && !is_there(opt)) {
			screen_absent();
			wait_for_return(&during_poll);
		}
	} while (w.ever && status <= STATUS_DEGRADED && !stopped);
	return status;
}
