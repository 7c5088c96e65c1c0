// SPDX-License-Identifier: GPL-2.0-only
/* Compares two drivers' PMUs for the same boxes: lost PMUs and events, changed encodings. */
#include "areas.h"
#include "events.h"

/* A PMU before and after adopt, and the losses as text. */
struct change {
	const struct pmu *before, *after;
	struct text losses;
	const char *verdict;
};

/* How well our PMU replaces another driver's; 0: not at all. */
enum likeness { OTHER, SAME_BOX, SAME_STEM, SAME_ALIAS, SAME_NAME };

static enum likeness likeness(const struct pmu *offered, const struct pmu *before)
{
	const char *alias = offered->alias ? offered->alias : "";

	if (!strcmp(offered->name, before->name))
		return SAME_NAME;
	/* perf also accepts an alias, and "uncore_pcu" for "uncore_pcu_0". */
	if (!strcmp(alias, before->name))
		return SAME_ALIAS;
	if (is_numbered(offered->name, before->name) || is_numbered(alias, before->name))
		return SAME_STEM;
	/* Both drivers have the type and number of the box in the file `alias`. */
	return before->alias && !strcmp(alias, before->alias) ? SAME_BOX : OTHER;
}

static void add_loss(struct change *c, const char *kind, const char *name, const char *how)
{
	text_add(&c->losses, "%s%s %s%s", c->losses.len ? ", " : "", kind, name, how);
}

static void find_after(struct change *c, const struct pmus *offered)
{
	enum likeness best = OTHER;

	for_each_item(pmu, offered->pmu, offered->count)
		if (likeness(pmu, c->before) > best) {
			best = likeness(pmu, c->before);
			c->after = pmu;
		}
	/* perf does not accept the old name of this box any more. */
	if (best == SAME_BOX)
		add_loss(c, "the", "name", " is lost");
}

/* Does @b put each bit of a value where @a does? Ignores bits of config from @control_bits on. */
static bool term_includes(const struct term *b, const struct term *a, unsigned int control_bits)
{
	for (unsigned int i = 0; i < a->bits; i++) {
		if (!a->word && a->at[i] >= control_bits)
			continue;
		if (i >= b->bits || a->at[i] != b->at[i])
			return false;
	}
	return a->word == b->word;
}

static bool same_term(const struct change *c, const struct entry *e, const char *after)
{
	struct term a, b;

	/* intel_uncore writes only the low half of a control register in MMIO. */
	return term_parse(&a, e->text) && term_parse(&b, after) &&
	       term_includes(&b, &a, c->after->mmio ? 32 : 64);
}

static bool same_event(const struct change *c, const struct entry *e, const char *after)
{
	uint64_t x[CONFIG_WORDS], y[CONFIG_WORDS];
	char *end;

	/* Files .scale and .unit hold text; the same number may be written in two ways. */
	if (!is_event(e->name))
		return !strcmp(e->text, after) || (strtod(e->text, &end) == strtod(after, NULL) &&
						   end != e->text && !*end);
	return event_encode(c->before, e->text, x) &&
	       event_encode(c->after, after, y) && !memcmp(x, y, sizeof(x));
}

static void compare(struct change *c, const char *kind, const struct entries *before,
		    const struct entries *offered,
		    bool (*same)(const struct change *c, const struct entry *e, const char *after))
{
	for_each_item(e, before->entry, before->count) {
		const char *after = entries_find(offered, e->name);

		if (!after || !same(c, e, after))
			add_loss(c, kind, e->name, after ? " changes" : " is lost");
	}
}

static size_t count_events(const struct pmu *pmu)
{
	size_t n = 0;

	for (size_t i = 0; pmu && i < pmu->events.count; i++)
		n += is_event(pmu->events.entry[i].name);
	return n;
}

static void find_losses(struct change *c)
{
	size_t had = count_events(c->before), more = count_events(c->after) - had;

	if (c->before && c->after) {
		compare(c, "term", &c->before->format, &c->after->format, same_term);
		compare(c, "event", &c->before->events, &c->after->events, same_event);
	}
	c->verdict = !c->after ? xasprintf("LOST, with %s", number_of(had, "event")) :
		     !c->before ? "new" : c->losses.len ? c->losses.s : !more ? "kept" :
		     xasprintf("kept, %s", number_of(more, "more event"));
}

static void print_changes(const struct change *change, size_t count)
{
	struct table t;

	table_start(&t, "NOW,AFTERWARDS,~CHANGE");
	for_each_item(c, change, count)
		table_row(&t, c->before ? c->before->name : NULL, c->after ? c->after->name : NULL,
			  c->verdict);
	table_join(&t, "## ");
	table_print(&t);
}

/*
 * Warns that likwid loses counters. perf accepts the alias of a PMU; likwid in its mode perf_event
 * (perfmon_graniterapids_counters.h and similar) looks for a path with the kernel's name.
 */
static void print_likwid(const char *name, const char *counters, const struct change *change,
			 size_t count)
{
	for_each_item(c, change, count) {
		if (!c->before || !c->after || !strcmp(c->before->name, c->after->name) ||
		    !is_numbered(c->before->name, name))
			continue;
		print_line("likwid finds %s_<n> by its path: after adopt it has no %s counters, "
			   "perf does", name, counters);
		return;
	}
}

/*
 * Prints the PMUs of another driver beside openpmon's. Returns how many PMUs of that driver are
 * lost, or lose a format term or an event; a changed encoding counts as a loss.
 */
static size_t compare_pmus(const struct pmus *before, const struct pmus *offered)
{
	size_t count = 0, lossy = 0;
	struct change *change FREED =
		xrealloc(NULL, (before->count + offered->count + 1) * sizeof(*change));

	for_each_item(pmu, before->pmu, before->count) {
		change[count] = (struct change){ .before = pmu };
		find_after(&change[count++], offered);
	}
	for_each_item(pmu, offered->pmu, offered->count) {
		bool has = false;

		for_each_item(c, change, count)
			has |= c->after == pmu;
		if (!has)
			change[count++] = (struct change){ .after = pmu };
	}
	for_each_item(c, change, count) {
		find_losses(c);
		lossy += !c->after || c->losses.len;
	}
	print_changes(change, count);
	print_likwid("uncore_mdf_sbo", "MDF", change, count);
	print_likwid("uncore_hbm", "HBM", change, count);
	return lossy;
}

/* Uncore PMUs in perf that are not openpmon's. */
static struct pmus pmus_of_others(const struct machine *m)
{
	struct pmus all = { NULL, 0 };

	for_each_name(name, sysfs_names_path("uncore_", false, xstrdup(PMUS))) {
		size_t i = 0;

		while (i < m->units && strcmp(m->unit[i].pmu, name))
			i++;
		if (i == m->units)
			pmus_read(&all, name);
	}
	return all;
}

/*
 * Parses lines "pmu NAME ALIAS", then "format NAME TEXT" and "event NAME TEXT" for these PMUs; see
 * Documentation/ABI/testing/sysfs-class-pmon-uncore. Skips PMUs that the table of another package
 * has added.
 */
static bool parse_offer(struct pmus *all, char *lines)
{
	size_t first = all->count;
	bool after_pmu = true;

	for_each_token(line, lines, "\n") {
		char *save, *kind = strtok_r(line, " ", &save);
		char *name = strtok_r(NULL, " ", &save), *text = strtok_r(NULL, "", &save);
		bool is_pmu = text && !strcmp(kind, "pmu");
		bool is_event = text && !strcmp(kind, "event");

		if (!text || (!is_pmu && !is_event && strcmp(kind, "format")))
			return false;
		if (is_pmu && !after_pmu)
			first = all->count;
		after_pmu = is_pmu;
		if (is_pmu && !pmus_find(all, name))
			append(all->pmu, all->count, (struct pmu){
				.name = xstrdup(name),
				.alias = strcmp(text, "-") ? xstrdup(text) : NULL,
			});
		for (struct pmu *p = all->pmu + first; p < all->pmu + all->count && !is_pmu; p++)
			entries_add(is_event ? &p->events : &p->format, name, text);
	}
	return true;
}

/* Adds openpmon's PMUs for units of any driver. False after a message about a file `pmus`. */
static bool pmus_offered(struct pmus *all, const struct machine *m)
{
	bool good = true;

	for (size_t i = 0; i < m->devices && good; i++) {
		char *path = xasprintf(CLASS_DIR "/%s/pmus", m->device[i].name);
		char *text = sysfs_read("%s", path);
		int error = text ? EINVAL : errno;

		good = text && parse_offer(all, text);
		if (!good)
			complain_file(path, error);
	}
	for (size_t j = 0; j < m->units; j++) {
		char *stem = xasprintf("uncore_%s", m->unit[j].name);

		for (size_t i = 0; i < all->count && !strcmp(m->unit[j].access, "mmio"); i++)
			all->pmu[i].mmio |= is_numbered(all->pmu[i].name, stem);
	}
	return good;
}

long adopt_compare_uncore(void)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	static struct pmus before, offered;

	machine_read(&m);
	before = pmus_of_others(&m);
	if (!pmus_offered(&offered, &m))
		return -1;
	/* Offered PMUs in perf that no other driver has are openpmon's, and stay as they are. */
	for (size_t i = 0; i < offered.count; i++)
		if (!pmus_find(&before, offered.pmu[i].name) &&
		    sysfs_exists(PMUS "/%s", offered.pmu[i].name))
			append(before.pmu, before.count, offered.pmu[i]);
	return (long)compare_pmus(&before, &offered);
}

/* Nothing can be lost: intel_plr_tpmi has no events, and pmon_plr shows all of its bits. */
long adopt_compare_plr(void)
{
	bool in_tree = sysfs_exists("/sys/module/intel_plr_tpmi");
	struct table t;

	table_start(&t, "NOW,AFTERWARDS");
	table_row(&t, in_tree ? "/sys/kernel/debug/tpmi-*/plr" : NULL, CLASS_DIR "/pkg*-dom*/plr");
	table_print(&t);
	return 0;
}

/* The kernel's PMUs of CPMUs, before `adopt`; never freed. */
static struct pmus before;

static bool is_of_cpmu(const char *name)
{
	return !strncmp(name, "cxl_pmu_", strlen("cxl_pmu_"));
}

/* No file lists pmon_cxl's PMUs before the hand-over, so they are compared afterwards. */
long adopt_compare_cxl(void)
{
	struct table t;

	before = pmus_present(is_of_cpmu);
	table_start(&t, "NOW,AFTERWARDS");
	for (size_t i = 0; i < before.count; i++)
		table_row(&t, before.pmu[i].name, "the same, or adopt is undone");
	table_print(&t);
	return 0;
}

long adopt_compare_again(void)
{
	static struct pmus after;

	after = pmus_present(is_of_cpmu);
	return (long)compare_pmus(&before, &after);
}
