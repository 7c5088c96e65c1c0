// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl plr: limits of each module, mesh and die. */
#include "reasons.h"

static void add_rest(struct text *t, const struct scopes *all, enum choice c)
{
	struct lines l FREED_BY(lines_free) = lines_of(all, c);

	for (size_t i = 0; i < l.count; i++) {
		int error = l.line[i].scope[0]->error;

		text_add_shown(t, line_where(&l.line[i]));
		if (c == DIE_ALONE)
			text_add(t, " alone: its mesh, or a module without a CPU\n");
		else if (error)
			text_add(t, ": unreadable (%s)\n", error_name(error));
		else
			text_add(t, all->refused ? ": not seen\n" : ": not limited\n");
	}
}

static void add_headline(struct text *t, const struct scopes *all, const struct tally *n)
{
	text_add_wrapped(t, n->readable && n->recorded ? tally_text(n) :
			 !n->readable ? "The limits cannot be read." : all->refused ?
			 "The driver has recorded no limit." : n->of[UNREAD] ?
			 xasprintf("No limit is recorded; %zu of %zu modules cannot be read.",
				   n->of[UNREAD], n->modules) : "No limit is recorded.", stdout);
}

/* Adds a block after an empty line, unless the block is empty. */
static void add_block(struct text *t, const char *block)
{
	if (block)
		text_add(t, "\n%s", block);
}

/* Prints reasons, rows, dies limited alone, unreadable and unlimited scopes, and meanings. */
static void plr_print(const struct scopes *all, bool moves, const struct options *opt,
		      struct powers *powers)
{
	struct text t = { NULL, 0 }, rest = { NULL, 0 }, meanings = { NULL, 0 };
	struct scopes rows FREED = joined_scopes(all);
	struct tally n = tally(all);

	if (moves && !all->refused)
		text_add(&t, "Looking moves the hardware's record into openpmon's "
			 "log; --once does not.\n");
	add_headline(&t, all, &n);
	limits_add(&t, all, opt->all ? 0 : SCREEN_LINES, false);
	for (enum choice c = DIE_ALONE; c <= NOT_LIMITED; c++)
		add_rest(&rest, &rows, c);
	reasons_add_meanings(&meanings, n.in_force);
	power_add_lines(&meanings, all, powers, moves);
	add_block(&t, rest.s);
	add_block(&t, meanings.s);
	print_lines(t.s);
}

/* Prints an error, unless the last failed scope had the same one. */
static void complain_scope(const struct scope *p, const char *file, int error, int *last)
{
	if (error && error != *last)
		complain_file(xasprintf(CLASS_DIR "/%s/plr/%s/%s", p->domain->name, p->name, file),
			      error);
	*last = error ? error : *last;
}

/*
 * Clears only bits that were read, so new reasons stay. Clears dies last for two reasons: a die may
 * show bits of its modules until the modules are cleared, and each clear of a module first records
 * the bits of its die.
 */
static bool clear(struct scopes *all, uint64_t mask, bool json)
{
	size_t cleared = 0;
	int last = 0;

	for (size_t i = all->count; i--;) {
		struct scope *p = &all->scope[i];
		int error = !(p->reasons & mask) ? 0 :
			sysfs_write(reasons_text(p->reasons & mask), CLASS_DIR "/%s/plr/%s/clear",
				    p->domain->name, p->name);

		complain_scope(p, "clear", error, &last);
		if (!error)
			p->cleared = p->reasons & mask;
		cleared += !!p->cleared;
	}
	if (cleared && !json) {
		print_empty_line();
		print_line("Cleared in %zu %s.", cleared, cleared == 1 ? "part" : "parts");
	}
	return !last;
}

/* Parses the reason names after --clear; no name means all reasons. */
static bool parse_names(const struct options *opt, uint64_t *mask)
{
	*mask = opt->words ? 0 : UINT64_MAX;
	for (size_t i = 0; i < opt->words; i++) {
		int bit = reason_bit(opt->word[i]);

		if (bit < 0 && strcmp(opt->word[i], "all"))
			return complain("--clear %s: no such reason; pmonctl explain lists "
					"them", opt->word[i]);
		*mask |= bit < 0 ? UINT64_MAX : 1ULL << bit;
	}
	return true;
}

static enum status show(const struct machine *m, struct scopes *all,
			const struct options *opt, uint64_t mask)
{
	bool quick = opt->once || opt->clear || !clock_runs();
	struct powers powers FREED = { NULL, 0 };
	bool fine = true;
	int last = 0;

	powers_read(&powers);
	if (quick)
		poll_once(all);
	else
		poll_for_a_second(all);
	if (!opt->json)
		plr_print(all, !quick, opt, &powers);
	if (opt->clear)
		fine = clear(all, mask, opt->json);
	if (opt->json) {
		json_document();
		plr_json(m, all, &powers);
		json_close();
	}
	if (all->refused)
		return fail(STATUS_BROKEN, "the hardware's record since boot needs root, or the "
			    "group given to pmon.ko with gid= (see rights.rst); this is the "
			    "driver's record");
	/* The output names the failed scopes; print a remedy, too. */
	for (size_t i = 0; i < all->count; i++)
		complain_scope(&all->scope[i], "reasons", all->scope[i].error, &last);
	return last || m->degraded || all->incomplete || !fine ? STATUS_DEGRADED : STATUS_FINE;
}

enum status cmd_plr(const struct options *opt)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	struct scopes all FREED = { .scope = NULL };
	enum status status;
	uint64_t mask;
	bool repeats = opt->watch || opt->csv || opt->interval > 0 || opt->count ||
		       opt->duration > 0;

	if (repeats && (opt->once || opt->clear))
		return fail(STATUS_USAGE, "--%s looks once: without --interval, --count, --for, "
			    "--watch and --csv", opt->once ? "once" : "clear");
	if (!parse_names(opt, &mask))
		return STATUS_USAGE;
	if (repeats)
		return plr_repeat(opt);
	status = limits_find(&all, &m, opt);
	return status == STATUS_FINE ? show(&m, &all, opt, mask) : status;
}
