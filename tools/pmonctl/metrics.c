// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl metrics: bandwidth, the clock of the uncore, and limits, in the text
 * format of Prometheus: once, or again and again as a file that its node
 * exporter reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bandwidth.h"
#include "bw.h"
#include "clock.h"
#include "cycles.h"
#include "files.h"
#include "parts.h"
#include "metrics_text.h"
#include "output.h"
#include "pmonctl.h"
#include "present.h"
#include "process.h"

/*
 * How long an event of a box has its counter; all of them have had it several
 * times where one look is all.
 */
#define TURN_MS 1000
#define TURNS_OF_ONCE 16

/* How old the file gets; Prometheus looks every 15 s to every minute. */
#define FILE_SECONDS 15

struct meters {
	struct machine m;
	struct bandwidth b;
	struct parts all;
	struct keeper keeper;
	struct metrics metrics;
};

static enum status open_all(struct meters *all)
{
	static const struct options everything = { .package = -1 };
	enum status status;

	*all = (struct meters){ .m = { 0 } };
	machine_read(&all->m);
	/* Limits are for everybody to read, also where nothing can be counted. */
	status = bw_open(&all->b, &everything, true);
	if (status != STATUS_FINE && !all->m.domains)
		return status;
	if (all->m.domains)
		parts_find(&all->all, &all->m, &everything);
	keeper_open(&all->keeper, &all->all);
	clocks_open(&all->metrics.clocks);
	turns_start(&all->metrics.turns, &all->b);
	limited_start(&all->metrics.limited, &all->all);
	all->metrics.machine = &all->m;
	if (all->b.lacking)
		complain("%s", all->b.lacking);
	return status == STATUS_FINE ? bw_complain(&all->b) : STATUS_DEGRADED;
}

static void close_all(struct meters *all)
{
	limited_free(&all->metrics.limited);
	turns_free(&all->metrics.turns);
	clocks_close(&all->metrics.clocks);
	keeper_close(&all->keeper);
	parts_free(&all->all);
	bandwidth_close(&all->b);
	machine_free(&all->m);
}

/* So many turns in this time, which a signal may end: false then. */
static bool count_for(struct meters *all, double seconds, long long count)
{
	long long begin = clock_ms();

	for (long long turn = 1; turn <= count && !signals_stopped(); turn++) {
		clock_pause_ms(begin + (long long)(seconds * 1000) * turn / count -
			       clock_ms());
		turns_next(&all->metrics.turns);
		clocks_add(&all->metrics.clocks);
	}
	limited_add(&all->metrics.limited);
	return !signals_stopped();
}

/* The directory of the file, which stays open: it may not be another later. */
static int open_directory(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? xstrndup(path, (size_t)(slash - path + 1)) :
			    xstrdup(".");
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*name = slash ? slash + 1 : path;
	if (fd < 0)
		complain_file(dir, errno);
	free(dir);
	return fd;
}

static bool write_file(const struct meters *all, int dir, const char *name)
{
	char *text = metrics_text(&all->metrics);
	int error = file_write_at(dir, name, text);

	if (error)
		complain_file(name, error);
	free(text);
	return !error;
}

/*
 * Whole rounds, of turns of about a second: a file that is written within one
 * has of some events a turn more than the last file had, of others a turn less.
 */
static long long turns_of_file(const struct meters *all, double seconds)
{
	long long round = (long long)turns_in_round(&all->metrics.turns);
	long long rounds = (long long)(seconds * 1000) / TURN_MS / round;

	return round * (rounds ? rounds : 1);
}

/* The file goes at the end: a scrape must not take old values for new ones. */
static enum status run_file(struct meters *all, const struct options *opt)
{
	const char *name;
	int dir = open_directory(opt->file, &name);
	bool good = dir >= 0;
	double seconds = opt->interval > 0 ? opt->interval : FILE_SECONDS;
	long long turns = turns_of_file(all, seconds);
	long long end = opt->duration > 0 ?
		clock_ms() + (long long)(opt->duration * 1000) : 0;

	while (good && (!end || clock_ms() < end) && count_for(all, seconds, turns)) {
		good = write_file(all, dir, name);
		keeper_renew(&all->keeper,
			     history_now() - (long long)(seconds * 1e9));
	}
	if (dir >= 0) {
		file_remove_at(dir, name);
		close(dir);
	}
	return good ? STATUS_FINE : STATUS_BROKEN;
}

static void run_once(struct meters *all, double seconds)
{
	char *text;

	count_for(all, seconds, TURNS_OF_ONCE);
	turns_settle(&all->metrics.turns);
	text = metrics_text(&all->metrics);
	print_text(stdout, text);
	free(text);
}

/* What the directory of Debian's prometheus-node-exporter has of us. */
#define COLLECTED "/var/lib/prometheus/node-exporter/openpmon.prom"

enum status cmd_metrics(const struct options *given)
{
	struct options with_file = *given;
	const struct options *opt = &with_file;
	struct meters all;
	enum status status;

	if (given->collector && !given->file)
		with_file.file = COLLECTED;
	if (opt->file && !clock_runs()) {
		complain("with --sysroot no file is written");
		return STATUS_USAGE;
	}
	status = open_all(&all);
	if (status <= STATUS_DEGRADED) {
		signals_catch(false);
		if (opt->file)
			status = run_file(&all, opt);
		else
			run_once(&all, opt->duration > 0 ? opt->duration : 1);
	}
	close_all(&all);
	return status;
}
