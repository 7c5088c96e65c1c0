// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl plr: what limits the performance of each module, mesh and die.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "discovery.h"
#include "parts.h"
#include "output.h"
#include "plr_print.h"
#include "pmonctl.h"
#include "present.h"
#include "reasons.h"
#include "sysfs.h"
#include "watch.h"

static void complain_part(const struct part *p, const char *file, int error)
{
	char *path = part_path(p, file);

	complain_file(path, error);
	free(path);
}

/* The table shows which part failed; stderr says what to do about it, once. */
static bool report_errors(const struct parts *all)
{
	int last = 0;
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct part *p = &all->part[i];

		if (!p->error)
			continue;
		any = true;
		if (p->error != last)
			complain_part(p, "reasons", p->error);
		last = p->error;
	}
	return any;
}

/*
 * What was read is what is cleared, no more: a reason that came since was not
 * shown to anybody yet. Dies come last: one that is computed from its modules
 * has what they have until they are cleared, and the driver then keeps it on
 * the die's record.
 */
static bool clear(struct parts *all, uint64_t mask)
{
	int last = 0;

	for (size_t i = all->count; i--;) {
		struct part *p = &all->part[i];
		int error = 0;

		if (p->reasons & mask)
			error = part_clear(p, p->reasons & mask);
		if (error && error != last)
			complain_part(p, "clear", error);
		last = error ? error : last;
	}
	return !last;
}

/* Reason names as arguments of --clear; none means all. */
static bool parse_names(const struct options *opt, uint64_t *mask)
{
	uint64_t one;

	*mask = opt->words ? 0 : UINT64_MAX;
	for (size_t i = 0; i < opt->words; i++) {
		char *name = xstrdup(opt->word[i]);
		bool good;

		if (strcmp(name, "all"))
			for (char *c = name; *c; c++)
				*c = (char)toupper((unsigned char)*c);
		good = reasons_parse(name, &one);
		free(name);
		if (!good) {
			complain("--clear %s: no such reason; pmonctl(8) says "
				 "where they are listed", opt->word[i]);
			return false;
		}
		*mask |= one;
	}
	return true;
}

static enum status show(const struct machine *m, struct parts *all,
			const struct options *opt, uint64_t mask)
{
	bool quick = opt->once || opt->clear || opt->dies || !clock_runs();
	bool fine = true;

	if (quick)
		look_once(all);
	else
		look_for_a_second(all);
	if (!opt->json)
		plr_print(all, !quick);
	if (opt->clear) {
		fine = clear(all, mask);
		if (!opt->json)
			plr_print_cleared(all);
	}
	if (opt->json)
		plr_print_json(m, all);
	if (all->refused) {
		complain("what hardware has on record since boot takes root, or the "
			 "group given to pmon.ko with gid= (see rights.rst); shown is "
			 "what was seen while somebody watched");
		return STATUS_BROKEN;
	}
	if (report_errors(all) || m->degraded || all->incomplete || !fine)
		return STATUS_DEGRADED;
	return STATUS_FINE;
}

static bool options_agree(const struct options *opt)
{
	if (opt->clear && opt->watch)
		complain("--watch and --clear do not go together");
	else if (opt->cpus && opt->package >= 0)
		complain("--cpu and --package do not go together");
	else if (opt->dies && opt->cpus)
		complain("--cpu and --dies do not go together");
	else if (opt->once && opt->watch)
		complain("--once and --watch do not go together");
	else if (opt->interval > 0 && !opt->watch)
		complain("--interval goes with --watch");
	else
		return true;
	return false;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m = { 0 };
	struct parts all = { .part = NULL };
	enum status status;
	uint64_t mask;

	if (!options_agree(opt) || !parse_names(opt, &mask))
		return STATUS_USAGE;
	if (opt->watch)
		return watch(opt);
	machine_read_limits(&m);
	if (!m.domains)
		status = plr_absent(&m, opt->json);
	else if (!parts_find(&all, &m, opt))
		status = STATUS_USAGE;
	else if (!all.count)
		status = STATUS_BROKEN;
	else
		status = show(&m, &all, opt, mask);
	parts_free(&all);
	machine_free(&m);
	return status;
}
