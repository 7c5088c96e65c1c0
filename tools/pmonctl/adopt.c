// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl adopt and release: hand boxes from the kernel's drivers to openpmon and back.
 *
 * Files for modprobe keep the kernel's driver away from the devices, until the next boot or always.
 * Lost events are shown before any change (CXL: after it). If a step fails, all steps are undone.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "areas.h"

/* Does openpmon serve the boxes? Not if intel_uncore has one of them, in any package. */
static bool serves_uncore(const struct machine *m)
{
	bool some = m->degraded;	/* owners may be unreadable */

	for_each_item(d, m->device, m->devices)
		some |= !strcmp(d->owner, "openpmon");
	return some && (module_state("intel_uncore") == MODULE_ABSENT ||
			!machine_owners(m).foreign);
}

/* Also true without domains if intel_plr_tpmi is absent, as the host may have no limits. */
static bool serves_limits(const struct machine *m)
{
	return m->domains || m->degraded || module_state("intel_plr_tpmi") == MODULE_ABSENT;
}

/* True in mode "on" if no driver is bound to the CPMU devices that cxl_pci makes. */
static bool serves_cpmus(const struct machine *m)
{
	bool all = !strcmp(served_mode("pmon_cxl"), "on");

	(void)m;
	for_each_name(cpmu, sysfs_children("pmu_mem", CXL_DEVICES)) {
		char *driver = sysfs_link_name(CXL_DEVICES "/%s/driver", cpmu);

		all &= !driver;
	}
	return all;
}

static bool has_tables(void)
{
	return hardware_has_tables();
}

const struct area areas[AREAS] = {
	{ "uncore", "pmon_uncore", "intel_uncore", "counter boxes",
	  "options intel_uncore uncore_no_discover=1\n",
	  .compare = adopt_compare_uncore, .is_present = has_tables,
	  .is_served = serves_uncore },
	/* A blacklist would not suffice: it permits a load by name. */
	{ "plr", "pmon_plr", "intel_plr_tpmi", "performance limits",
	  "install intel_plr_tpmi /bin/true\n",
	  .compare = adopt_compare_plr, .is_present = served_has_limits,
	  .is_served = serves_limits, .no_pmu = true },
	/* The in-tree driver keeps other boxes, so it is loaded after ours. */
	{ "r2pcie", "pmon_r2pcie", "intel_uncore", "R2PCIe boxes",
	  "options pmon_r2pcie r2pcie=Y\n"
	  "softdep intel_uncore pre: pmon_r2pcie\n",
	  .ring = RING_R2PCIE },
	{ "qpi", "pmon_r2pcie", "intel_uncore", "QPI boxes",
	  "options pmon_r2pcie qpi=Y\n"
	  "softdep intel_uncore pre: pmon_r2pcie\n",
	  .ring = RING_QPI },
	/* As for plr, a blacklist would not suffice. */
	{ "cxl", "pmon_cxl", "cxl_pmu", "CPMUs of CXL devices",
	  "install cxl_pmu /bin/true\n",
	  .compare = adopt_compare_cxl, .compare_again = adopt_compare_again,
	  .is_present = cxl_memory_present, .is_served = serves_cpmus },
};

bool area_is_present(const struct area *a)
{
	return a->ring ? ring_functions(a->ring, false) : a->is_present();
}

#define ring_is_served(a) (ring_functions((a)->ring, false) == ring_functions((a)->ring, true))

bool area_has_file(const char *name)
{
	return config_state(CONFIG_BOOT, name, NULL) != CONFIG_NONE ||
	       config_state(CONFIG_PERSISTENT, name, NULL) != CONFIG_NONE;
}

bool area_is_served(const struct area *a, const struct machine *m)
{
	return a->ring ? ring_is_served(a) : a->is_served(m);
}

const char *area_mode(const struct area *a, const struct machine *m)
{
	const char *mode = served_mode(a->ours);

	/* All devices of a module have the same mode. */
	if (strcmp(mode, "on"))
		return mode;
	if (!strcmp(a->name, "uncore") && m->devices)
		mode = m->device[0].mode;
	else if (!strcmp(a->name, "plr") && m->tpmis)
		mode = m->tpmi[0].mode;
	return mode_find(mode)->name;
}

#define is_loaded(module) (module_state(module) == MODULE_LOADED)

static bool unload(const char *module)
{
	return module_state(module) == MODULE_ABSENT || module_remove(module);
}

/* Compares PMUs. If our module is absent, loads it meanwhile: mode=observe writes no register. */
static long compare_area(const struct area *a)
{
	bool core = is_loaded("pmon"), loaded = is_loaded(a->ours);
	long lossy = -1;

	if (a->ring)
		return ring_compare(a->ring);
	if (a->compare_again)
		return a->compare();
	if ((core || module_load("pmon")) && (loaded || module_insert(a->ours, "mode=observe")))
		lossy = a->compare();
	if (!loaded && !unload(a->ours))
		lossy = -1;
	if (!core && !unload("pmon"))
		lossy = -1;
	return lossy;
}

/* Is a module in use, so that it cannot be unloaded? True after a message. */
static bool in_use(const char *module)
{
	long users = module_users(module);
	char *names = users ? holders_names() : NULL;

	if (!users)
		return false;
	complain("%s is in use by %s, such as an open perf event; nothing was changed. Stop the "
		 "programs that count, then try again%s%s", module,
		 number_of((size_t)users, "user"), *names ? ". Open perf events: " : "", names);
	return true;
}

static enum config_place place_of(const struct options *opt)
{
	return opt->persist || opt->next_boot ? CONFIG_PERSISTENT : CONFIG_BOOT;
}

#define load_if(needed, module) (!(needed) || module_load(module))

/* Loads modules as a boot does: the in-tree driver first or, for PCI functions, ours first. */
static bool reload(const struct area *a, bool in_tree, bool loaded)
{
	bool good = a->ring ? load_if(loaded, a->ours) : load_if(in_tree, a->in_tree);

	return (a->ring ? load_if(in_tree, a->in_tree) : load_if(loaded, a->ours)) && good;
}

/* Must drivers be changed? If ours has the devices already, `adopt` only writes a file. */
static bool must_move(const struct area *a)
{
	if (a->ring)
		return !ring_is_served(a);
	return module_state(a->in_tree) != MODULE_ABSENT || !is_loaded(a->ours);
}

/*
 * Before Linux 6.14, 6.13.7 and 6.12.19 perf can deadlock between the removal of a PMU and an open
 * of an event; then no event opens until the next boot. No interface shows the fix, so it is not
 * recognized in 6.6.83 or in a distribution's kernel. Our modules avoid the deadlock.
 */
static bool can_hang(const struct area *a)
{
	char *release = module_kernel();
	unsigned int version, level, sub = 0;

	if (a->no_pmu || !is_loaded(a->in_tree) || !release ||
	    sscanf(release, "%u.%u.%u", &version, &level, &sub) < 2)
		return false;
	if (version != 6)
		return version < 6;
	return level < 12 || (level == 12 && sub < 19) || (level == 13 && sub < 7);
}

static void warn_of_hang(const struct area *a)
{
	if (can_hang(a))
		complain("this kernel's perf can hang when %s is unloaded while any program opens "
			 "an event, until a reboot; --persist waits for the next boot",
			 a->in_tree);
}

/* Is the file exactly as `adopt` writes it? */
#define is_intact(a, place) (config_state(place, (a)->name, (a)->lines) == CONFIG_INTACT)

/* Our module's mode if the module serves nothing, else NULL. @alone: no other driver is loaded. */
static const struct mode *why_idle(const struct area *a, bool alone)
{
	struct machine m FREED_BY(machine_free) = { 0 };
	const char *mode;

	if (a->ring)
		return NULL;
	machine_read(&m);
	mode = area_mode(a, &m);
	return strcmp(mode, "on") || (alone && !a->is_served(&m)) ? mode_find(mode) : NULL;
}

/* Would our module, loaded again with its parameters, serve the area? Checked before any change. */
static bool can_serve(const struct area *a)
{
	const struct mode *why = is_loaded(a->ours) ? why_idle(a, !must_move(a)) : NULL;
	char *remedy = why && why->parameter ?
		xasprintf(". Change the options in /etc/modprobe.d to \"options %s %s\", then: "
			  "rmmod %s", a->ours, why->parameter, a->ours) : xstrdup("");

	return !why || complain("%s: %s would drive none of the %s: %s; nothing was changed%s",
				a->name, a->ours, a->devices, why->meaning, remedy);
}

/* @lossy: number of PMUs with losses; -1: not known, after a message. */
static bool loss_is_allowed(const struct area *a, const struct options *opt, long lossy,
			    const char *result)
{
	if (lossy > 0 && !opt->allow_loss)
		complain("%s: %s of %s would lose events or terms of the table above%s. Adopt in "
			 "spite of the loss with --allow-loss", a->name,
			 number_of((size_t)lossy, "PMU"), a->in_tree, result);
	return !lossy || (lossy > 0 && opt->allow_loss);
}

/* Unloads both drivers, then loads ours and, for PCI functions (a->ring), the in-tree driver. */
static bool take_over(const struct area *a, const struct options *opt)
{
	bool in_tree = is_loaded(a->in_tree);
	const struct mode *why;

	if (!must_move(a))
		return true;
	warn_of_hang(a);
	if (!unload(a->ours) || !unload(a->in_tree) ||
	    (a->ring && !ring_reserve(a->ring, true)) || !module_load(a->ours))
		return false;
	if (a->ring)
		return load_if(in_tree, a->in_tree) && ring_is_served(a);
	if (module_state(a->in_tree) != MODULE_ABSENT)
		return false;
	why = why_idle(a, true);
	if (why)
		return complain("%s: %s was loaded, but drives none of the %s: %s", a->name,
				a->ours, a->devices, why->meaning);
	return !a->compare_again || loss_is_allowed(a, opt, a->compare_again(), "");
}

static bool adopt_now(const struct area *a, const struct options *opt)
{
	enum config_place place = place_of(opt);
	bool loaded = is_loaded(a->ours), in_tree = is_loaded(a->in_tree);
	bool write = !is_intact(a, place);

	if (write && !config_write(place, a->name, a->lines))
		return false;
	if (take_over(a, opt))
		return true;
	/* Without the file, the in-tree driver finds all devices again. */
	if (write)
		config_remove(place, a->name);
	unload(a->ours);
	if (a->ring) {
		ring_reserve(a->ring, false);
		unload(a->in_tree);
	}
	return reload(a, in_tree, loaded) ? complain("all changes were undone") :
	       complain("%s and %s cannot be loaded again; see the kernel log", a->in_tree,
			a->ours);
}

/* True, after a message, if a file of `adopt` was edited or is a link, and so must stay. */
static bool is_changed(const struct area *a)
{
	for (int place = 0; place < CONFIG_PLACES; place++) {
		enum config_state state = config_state(place, a->name, a->lines);

		if (state == CONFIG_CHANGED || state == CONFIG_ODD)
			return !complain("%s: %s. Nothing was changed", config_path(place, a->name),
					 state == CONFIG_ODD ? "is a link, or not an ordinary "
					 "file; remove it" : "was edited after pmonctl adopt; "
					 "remove or restore the file");
	}
	return false;
}

/* Would a hand-over lose nothing, and break nothing that runs? False after a message. */
static bool may_adopt(const struct area *a, const struct options *opt, bool moves)
{
	if (module_state(a->in_tree) == MODULE_BUILT_IN)
		return complain("%s is built into this kernel and cannot be unloaded", a->in_tree);
	if (module_is_left_out(a->ours))
		return complain("%s: %s is not installed, only what limits need; nothing was "
				"changed", a->name, a->ours);
	return can_serve(a) &&
	       (!moves || (loss_is_allowed(a, opt, compare_area(a), "; nothing was changed") &&
			   !in_use(a->in_tree) && !in_use(a->ours)));
}

static enum status adopt(const struct area *a, const struct options *opt)
{
	enum config_place place = place_of(opt);
	char *path = config_path(place, a->name);
	bool later, moves = must_move(a);

	if (is_changed(a))
		return STATUS_BROKEN;
	if (is_intact(a, place) && !moves && !why_idle(a, true)) {
		print_line("%s: openpmon drives the %s already.", a->name, a->devices);
		return STATUS_FINE;
	}
	if (!may_adopt(a, opt, moves))
		return STATUS_BROKEN;
	later = opt->next_boot || (opt->persist && !opt->now && moves && can_hang(a));
	if (opt->dry_run) {
		print_line("%s: adopt would %s%s; nothing was changed.", a->name,
			   !moves ? "write " : later ? "do this from the next boot on" : "do this",
			   moves ? "" : path);
		if (moves && !later)
			warn_of_hang(a);
		return STATUS_FINE;
	}
	/* For later boots only the file is written. */
	if (later ? !is_intact(a, place) && !config_write(place, a->name, a->lines) :
		    !adopt_now(a, opt))
		return STATUS_BROKEN;
	print_line("%s: openpmon drives the %s %s (%s).", a->name, a->devices,
		   later ? "from the next boot on" : place == CONFIG_BOOT ?
		   "until the next boot" : "at every boot", path);
	if (later && can_hang(a))
		print_line("This kernel's perf can hang when %s is unloaded: --now hands over "
			   "at once.", a->in_tree);
	return STATUS_FINE;
}

/* Releases an area, also on a kernel without the in-tree driver. */
static enum status release_area(const struct area *a)
{
	bool loaded = is_loaded(a->ours), installed = module_is_installed(a->in_tree);
	bool theirs = a->ring && is_loaded(a->in_tree), removed = true;
	char *but = installed ? xstrdup("") :
		xasprintf(", unless it was %s, which is not in modules.dep", a->in_tree);

	if (!unload(a->ours))
		return STATUS_BROKEN;
	/* intel_uncore looks for devices only while it loads, so unload it; reload() loads it. */
	if (a->ring) {
		warn_of_hang(a);
		removed = unload(a->in_tree) && ring_reserve(a->ring, false);
	}
	for (int place = 0; removed && place < CONFIG_PLACES; place++)
		removed = !is_intact(a, place) || config_remove(place, a->name);
	if (!removed) {
		if (a->ring)
			ring_reserve(a->ring, true);
		reload(a, theirs, loaded);
		return STATUS_BROKEN;
	}
	if (!reload(a, installed, loaded))
		return fail(STATUS_DEGRADED, "%s: released, but a module could not be loaded; see "
			    "the kernel log", a->name);
	print_line("%s: released; the %s have the driver that they had before adopt%s.", a->name,
		   a->devices, but);
	return STATUS_FINE;
}

static enum status release(const struct area *a, const struct options *opt)
{
	if (is_changed(a))
		return STATUS_BROKEN;
	if (!area_has_file(a->name)) {
		print_line("%s: nothing was adopted.", a->name);
		return STATUS_FINE;
	}
	if (in_use(a->ours) || (a->ring && in_use(a->in_tree)))
		return STATUS_BROKEN;
	for (int place = 0; place < CONFIG_PLACES && opt->dry_run; place++)
		if (is_intact(a, place))
			print_line("%s: would be removed.", config_path(place, a->name));
	if (opt->dry_run)
		return STATUS_FINE;
	return release_area(a);
}

/* Can the area be adopted or (@back) released? `release` removes files on any machine. */
#define is_possible(a, back) (area_is_present(a) || ((back) && area_has_file((a)->name)))

/* Is the area an argument? Without arguments: is_possible(), and are both drivers installed? */
static bool is_selected(const struct area *a, const struct options *opt, bool back)
{
	for (size_t i = 0; i < opt->words; i++)
		if (!strcmp(opt->word[i], a->name))
			return true;
	return !opt->words && is_possible(a, back) && (back || !module_is_left_out(a->ours)) &&
	       (module_is_installed(a->in_tree) || module_state(a->in_tree) != MODULE_ABSENT ||
		area_has_file(a->name));
}

/* The worse status; an absent device (77) counts less than a failure. */
static enum status worse(enum status a, enum status b)
{
	if (a == STATUS_NO_HARDWARE && b)
		return b;
	if (b == STATUS_NO_HARDWARE && a)
		return a;
	return a > b ? a : b;
}

static enum status run_areas(const struct options *opt, bool back)
{
	enum status status = STATUS_FINE;
	bool hardware = back;	/* files are removed on any machine */
	size_t done = 0;

	for (size_t i = 0, n; i < opt->words; i++) {
		for (n = 0; n < AREAS && strcmp(areas[n].name, opt->word[i]); n++)
			;
		if (n == AREAS)
			return fail(STATUS_USAGE, "%s: no such area; the areas are uncore, plr, "
				    "r2pcie, qpi and cxl", opt->word[i]);
	}
	if (!host_may_change())
		return fail(STATUS_BROKEN, "adopt and release need root");
	for_each_in(a, areas)
		hardware |= area_is_present(a);
	if (!hardware)
		return nothing_found(false);
	signals_hold();
	/* Make a new modprobe.d readable, whatever the caller's umask is. */
	umask(022);
	for_each_in(a, areas) {
		if (!is_selected(a, opt, back))
			continue;
		if (done++)
			print_empty_line();
		status = worse(status, !is_possible(a, back) ?
			       fail(STATUS_NO_HARDWARE, "%s: this host has none of these devices",
				    a->name) : back ? release(a, opt) : adopt(a, opt));
	}
	if (!done)
		print_line(back ? "Nothing was adopted." : "This kernel has no other driver for "
			   "these devices: there is nothing to hand over.");
	return status;
}

enum status cmd_adopt(const struct options *opt)
{
	return run_areas(opt, false);
}

enum status cmd_release(const struct options *opt)
{
	return run_areas(opt, true);
}
