// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl adopt and release: hand boxes from the kernel's drivers to openpmon
 * and back.
 *
 * The means is modprobe's configuration, which keeps the kernel's driver from
 * using the devices, the same on every boot. What the hand-over changes for
 * those who count is shown before anything is done, and everything that was
 * done is undone when a step fails.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adopt_compare.h"
#include "config.h"
#include "hardware.h"
#include "discovery.h"
#include "process.h"
#include "modules.h"
#include "output.h"
#include "pmonctl.h"
#include "pmus.h"
#include "present.h"
#include "programs.h"
#include "root.h"
#include "served.h"
#include "sysfs.h"

struct area {
	const char *name;
	const char *ours, *peer;	/* modules */
	const char *what;		/* is handed over */
	const char *lines;		/* keep the peer from it */
	/* Prints what changes; how many PMUs lose something, -1 on error. */
	long (*compare)(void);
	/*
	 * The same after the hand-over, where nothing tells it before; then no
	 * module of ours is loaded for the first.
	 */
	long (*compare_again)(void);
	enum ring_kind ring;		/* functions that are handed one by one */
	bool (*is_present)(void);	/* a device; not asked where ring says it */
	/* Ours, alone, has devices; NULL: nothing says so. */
	bool (*is_served)(const struct machine *m);
	bool no_pmu;			/* the peer has none */
};

static const struct area areas[] = {
	{ "uncore", "pmon_uncore", "intel_uncore", "counter boxes",
	  "options intel_uncore uncore_no_discover=1\n",
	  .compare = adopt_compare_uncore, .is_present = hardware_has_tables,
	  .is_served = served_uncore },
	/* pmon_plr asks for the peer by its name, which a blacklist allows. */
	{ "plr", "pmon_plr", "intel_plr_tpmi", "performance limits",
	  "install intel_plr_tpmi /bin/true\n",
	  .compare = adopt_compare_plr, .is_present = served_has_limits,
	  .no_pmu = true },
	/* The peer keeps its other boxes, and so is loaded after ours. */
	{ "r2pcie", "pmon_r2pcie", "intel_uncore", "R2PCIe boxes",
	  "options pmon_r2pcie r2pcie=Y\n"
	  "softdep intel_uncore pre: pmon_r2pcie\n",
	  .compare = adopt_compare_r2pcie, .ring = RING_R2PCIE },
	{ "qpi", "pmon_r2pcie", "intel_uncore", "QPI boxes",
	  "options pmon_r2pcie qpi=Y\n"
	  "softdep intel_uncore pre: pmon_r2pcie\n",
	  .compare = adopt_compare_qpi, .ring = RING_QPI },
	/* pmon_cxl has it loaded first, which a blacklist allows. */
	{ "cxl", "pmon_cxl", "cxl_pmu", "CPMUs of CXL devices",
	  "install cxl_pmu /bin/true\n",
	  .compare = adopt_compare_cxl, .compare_again = adopt_compare_again,
	  .is_present = cxl_memory_present },
};

#define AREAS (sizeof(areas) / sizeof(*areas))

/* All functions of the area are with our driver. */
static bool ring_is_ours(const struct area *a)
{
	return ring_functions(a->ring) == ring_bound(a->ring);
}

static const struct area *find_area(const char *name)
{
	for (size_t i = 0; i < AREAS; i++)
		if (!strcmp(areas[i].name, name))
			return &areas[i];
	return NULL;
}

static bool unload(const char *module)
{
	return module_state(module) == MODULE_ABSENT || module_remove(module);
}

/*
 * The driver tells what it would give without taking anything, also when it
 * was not loaded; then it is loaded for this moment, and writes no register.
 */
static long compare(const struct area *a)
{
	bool engine = module_state("pmon") == MODULE_LOADED;
	bool ours = module_state(a->ours) == MODULE_LOADED;
	long losers = -1;

	if (a->ring || a->compare_again)
		return a->compare();
	if ((engine || module_load("pmon")) &&
	    (ours || module_insert(a->ours, "mode=observe")))
		losers = a->compare();
	if (!ours && !unload(a->ours))
		losers = -1;
	if (!engine && !unload("pmon"))
		losers = -1;
	return losers;
}

/* The driver has something, and would have to let go of it. */
static bool in_use(const char *module)
{
	long users = module_users(module);
	char *names;

	if (!users)
		return false;
	names = holders_names();
	complain("%s is in use by %ld %s, such as an open perf event; nothing "
		 "was changed. Stop what counts, then try again%s%s", module,
		 users, users == 1 ? "user" : "users", *names ?
		 ". These have perf events open: " : "", names);
	free(names);
	return true;
}

static enum config_place place_of(const struct options *opt)
{
	return opt->persist || opt->next_boot ? CONFIG_PERSISTENT : CONFIG_BOOT;
}

/* A tree below --sysroot has files, and no kernel that modules could leave. */
static bool can_move(const struct area *a)
{
	if (programs_allowed())
		return true;
	complain("%s: with --sysroot no module is loaded or unloaded; nothing "
		 "was changed. Do this on the host itself", a->name);
	return false;
}

static bool load_if(bool wanted, const char *module)
{
	return !wanted || module_load(module);
}

/* The order of every boot: the peer first, but where it shares functions. */
static bool reload(const struct area *a, bool peer, bool ours)
{
	bool good;

	if (a->ring) {
		good = load_if(ours, a->ours);
		return load_if(peer, a->peer) && good;
	}
	good = load_if(peer, a->peer);

	return load_if(ours, a->ours) && good;
}

/* With the other driver away there is nothing to move, only to write down. */
static bool must_move(const struct area *a)
{
	if (a->ring)
		return !ring_is_ours(a);
	return module_state(a->peer) != MODULE_ABSENT ||
	       module_state(a->ours) != MODULE_LOADED;
}

/*
 * Can perf of this kernel hang when a PMU is unregistered? Before Linux 6.14,
 * 6.13.7 and 6.12.19 it waits there for whoever opens an event, and that one
 * for it: nothing opens an event any more until the next boot. No interface
 * shows it, so what a distribution has mended is not seen, nor 6.6.83.
 */
static bool perf_can_hang(const char *release)
{
	unsigned int version, level, sub = 0;

	if (!release || sscanf(release, "%u.%u.%u", &version, &level, &sub) < 2)
		return false;
	if (version != 6)
		return version < 6;
	return level < 12 || (level == 12 && sub < 19) ||
	       (level == 13 && sub < 7);
}

/* Our own modules keep out of that. */
static bool can_hang(const struct area *a)
{
	char *release = sysfs_read("/proc/sys/kernel/osrelease");
	bool can = perf_can_hang(release) && !a->no_pmu &&
		   module_state(a->peer) == MODULE_LOADED;

	free(release);
	return can;
}

static void warn_of_hang(const struct area *a)
{
	if (can_hang(a))
		complain("this kernel can hang when %s is unloaded while any "
			 "program opens a perf event; should perf stand still "
			 "from now on, reboot: with --persist the %s are "
			 "openpmon's then", a->peer, a->what);
}

/* For all boots from the next one on: the file alone, and nothing is unloaded. */
static enum status adopt_later(const struct area *a)
{
	char *path;

	if (config_state(CONFIG_PERSISTENT, a->name, a->lines) == CONFIG_NONE &&
	    !config_write(CONFIG_PERSISTENT, a->name, a->lines))
		return STATUS_BROKEN;
	path = config_path(CONFIG_PERSISTENT, a->name);
	say("%s: openpmon has the %s from the next boot on (%s).", a->name, a->what,
	    path);
	if (can_hang(a))
		say("This kernel's perf can hang when %s is unloaded: --now hands over "
		    "at once.", a->peer);
	free(path);
	return STATUS_FINE;
}

/* Ours binds its functions first, and the peer what is left. */
static bool take_functions(const struct area *a)
{
	bool peer = module_state(a->peer) == MODULE_LOADED;

	return unload(a->ours) && unload(a->peer) && ring_reserve(a->ring) &&
	       module_load(a->ours) && load_if(peer, a->peer) &&
	       (!programs_allowed() || ring_is_ours(a));
}

/*
 * Why our module, which is loaded, serves none of it though the peer is away;
 * NULL: it does, or there is nothing to tell it by. As long as the peer has the
 * boxes only the mode can tell.
 */
static const char *why_idle(const struct area *a, bool alone)
{
	struct machine m = { 0 };
	const char *mode;
	bool idle;

	if (a->ring)
		return NULL;
	machine_read(&m);
	mode = served_mode(a->ours, &m);
	idle = strcmp(mode, "on") ||
	       (alone && a->is_served && !a->is_served(&m));
	machine_free(&m);
	return idle ? mode_meaning(mode) : NULL;
}

/* As it was loaded it is loaded again; nothing is taken for one that looks on. */
static bool would_serve(const struct area *a)
{
	const char *why;

	if (module_state(a->ours) != MODULE_LOADED)
		return true;
	why = why_idle(a, !must_move(a));
	if (why)
		complain("%s: %s would serve none of the %s: %s; nothing was "
			 "changed. Where modprobe's configuration says so, take "
			 "that away, then unload the module", a->name, a->ours,
			 a->what, why);
	return !why;
}

/* What could not be compared before. */
static bool keeps_events(const struct area *a, const struct options *opt)
{
	long losers = a->compare_again ? a->compare_again() : 0;

	if (losers && !opt->allow_loss)
		complain("%s: %ld %s of %s would lose something, see above. "
			 "--allow-loss does it all the same", a->name, losers,
			 losers == 1 ? "PMU" : "PMUs", a->peer);
	return !losers || opt->allow_loss;
}

static bool serves_now(const struct area *a)
{
	const char *why = why_idle(a, true);

	if (why)
		complain("%s: %s was loaded, and serves none of the %s: %s",
			 a->name, a->ours, a->what, why);
	return !why;
}

/* Both drivers go, and the one that is to have the devices comes. */
static bool take_over(const struct area *a, const struct options *opt)
{
	if (!must_move(a))
		return true;
	warn_of_hang(a);
	if (a->ring)
		return take_functions(a);
	return unload(a->ours) && unload(a->peer) && module_load(a->ours) &&
	       module_state(a->peer) == MODULE_ABSENT && serves_now(a) &&
	       keeps_events(a, opt);
}

/* Without the configuration the peer takes what is its own again. */
static void undo(const struct area *a, bool peer, bool ours)
{
	unload(a->ours);
	if (a->ring) {
		ring_free(a->ring);
		unload(a->peer);
	}
	if (reload(a, peer, ours))
		complain("everything is as it was");
	else
		complain("%s and %s cannot be loaded as they were; the kernel "
			 "log says why", a->peer, a->ours);
}

static bool hand_over(const struct area *a, const struct options *opt)
{
	enum config_place place = place_of(opt);
	bool ours = module_state(a->ours) == MODULE_LOADED;
	bool peer = module_state(a->peer) == MODULE_LOADED;
	bool write = config_state(place, a->name, a->lines) == CONFIG_NONE;

	if (write && !config_write(place, a->name, a->lines))
		return false;
	if (take_over(a, opt))
		return true;
	if (write)
		config_remove(place, a->name);
	undo(a, peer, ours);
	return false;
}

static void report_adopted(const struct area *a, enum config_place place)
{
	char *path = config_path(place, a->name);

	say("%s: openpmon has the %s%s. %s says so to modprobe.", a->name,
	    a->what, place == CONFIG_BOOT ? " until the next boot" : "", path);
	free(path);
}

/* False after a message when the file is not one that we may write or remove. */
static bool is_usable(const struct area *a, enum config_place place)
{
	enum config_state state = config_state(place, a->name, a->lines);
	char *path;

	if (state != CONFIG_CHANGED && state != CONFIG_ODD)
		return true;
	path = config_path(place, a->name);
	if (state == CONFIG_CHANGED)
		complain("%s: is not as pmonctl adopt wrote it; remove it or "
			 "restore it, nothing was changed", path);
	else
		complain("%s: is a link, or else not an ordinary file, and "
			 "neither followed nor replaced; remove it, nothing was "
			 "changed", path);
	free(path);
	return false;
}

/* The file was edited by hand, or is a link: it is left alone. */
static bool is_changed(const struct area *a)
{
	for (int place = 0; place < CONFIG_PLACES; place++)
		if (!is_usable(a, place))
			return true;
	return false;
}

static bool is_adopted(const struct area *a, enum config_place place)
{
	if (a->ring)
		return config_state(place, a->name, a->lines) == CONFIG_OURS &&
		       ring_is_ours(a);
	return config_state(place, a->name, a->lines) == CONFIG_OURS &&
	       module_state(a->peer) == MODULE_ABSENT &&
	       module_state(a->ours) == MODULE_LOADED && !why_idle(a, true);
}

/* What keeps the peer's module from being unloaded, or makes it needless. */
static int adopt_obstacle(const struct area *a, const struct options *opt)
{
	if (is_changed(a))
		return STATUS_BROKEN;
	if (is_adopted(a, place_of(opt))) {
		say("%s: openpmon has the %s already.", a->name, a->what);
		return STATUS_FINE;
	}
	if (module_state(a->peer) == MODULE_BUILT_IN) {
		complain("%s is built into this kernel and cannot be unloaded",
			 a->peer);
		return STATUS_BROKEN;
	}
	return -1;
}

/*
 * Which events programs that count with the other driver would lose, and
 * whether any counts now.
 */
static bool may_move(const struct area *a, const struct options *opt)
{
	long losers = compare(a);

	if (losers < 0)
		return false;
	if (losers && !opt->allow_loss) {
		complain("%s: %ld %s of %s would lose something, see above; "
			 "nothing was changed. --allow-loss does it all the "
			 "same", a->name, losers, losers == 1 ? "PMU" : "PMUs",
			 a->peer);
		return false;
	}
	return !in_use(a->peer) && !in_use(a->ours);
}

static enum status adopt(const struct area *a, const struct options *opt)
{
	int obstacle = adopt_obstacle(a, opt);

	if (obstacle >= 0)
		return (enum status)obstacle;
	if (!would_serve(a) || (must_move(a) && !may_move(a, opt)))
		return STATUS_BROKEN;
	if (opt->dry_run) {
		say("%s: this would be done; nothing was changed.", a->name);
		return STATUS_FINE;
	}
	if (opt->next_boot || (opt->persist && !opt->now && must_move(a) && can_hang(a)))
		return adopt_later(a);
	if (must_move(a) && !can_move(a))
		return STATUS_BROKEN;
	if (!hand_over(a, opt))
		return STATUS_BROKEN;
	report_adopted(a, place_of(opt));
	return STATUS_FINE;
}

static bool has_config(const struct area *a)
{
	for (int place = 0; place < CONFIG_PLACES; place++)
		if (config_state(place, a->name, a->lines) == CONFIG_OURS)
			return true;
	return false;
}

static bool remove_config(const struct area *a)
{
	bool good = true;

	for (int place = 0; place < CONFIG_PLACES; place++)
		if (config_state(place, a->name, a->lines) == CONFIG_OURS)
			good &= config_remove(place, a->name);
	return good;
}

static bool is_installed(const char *module)
{
	char *file = module_file(module);
	bool yes = file;

	free(file);
	return yes;
}

/* The peer may be one that this kernel does not have. */
static enum status give_back(const struct area *a)
{
	bool ours = module_state(a->ours) == MODULE_LOADED;
	bool peer = programs_allowed() && is_installed(a->peer);

	if (!unload(a->ours))
		return STATUS_BROKEN;
	if (a->ring)
		warn_of_hang(a);
	/* intel_uncore counts only what it found as it was loaded. */
	if (a->ring && (!unload(a->peer) || !ring_free(a->ring)))
		return STATUS_BROKEN;
	if (!remove_config(a)) {
		reload(a, false, ours);
		return STATUS_BROKEN;
	}
	if (!reload(a, peer, ours)) {
		complain("%s: the configuration is as it was, but a module "
			 "could not be loaded; the kernel log says why",
			 a->name);
		return STATUS_DEGRADED;
	}
	say("%s: the %s are with those who had them before adopt.", a->name,
	    a->what);
	return STATUS_FINE;
}

static enum status release(const struct area *a, const struct options *opt)
{
	if (is_changed(a))
		return STATUS_BROKEN;
	if (!has_config(a)) {
		say("%s: nothing was adopted.", a->name);
		return STATUS_FINE;
	}
	if (in_use(a->ours) || (a->ring && in_use(a->peer)))
		return STATUS_BROKEN;
	if (opt->dry_run) {
		for (int place = 0; place < CONFIG_PLACES; place++) {
			char *path = config_path(place, a->name);

			if (config_state(place, a->name, a->lines) ==
			    CONFIG_OURS)
				say("%s: would be removed.", path);
			free(path);
		}
		return STATUS_FINE;
	}
	if (module_state(a->ours) != MODULE_ABSENT && !can_move(a))
		return STATUS_BROKEN;
	return give_back(a);
}

static bool has_hardware(const struct area *a)
{
	return a->ring ? ring_functions(a->ring) : a->is_present();
}

static bool has_any_hardware(void)
{
	for (size_t i = 0; i < AREAS; i++)
		if (has_hardware(&areas[i]))
			return true;
	return false;
}

/* Is there something to be done? What was written is taken back on any machine. */
static bool is_possible(const struct area *a, bool back)
{
	return has_hardware(a) || (back && (has_config(a) || is_changed(a)));
}

/* Without a name: all areas whose drivers both exist on this host. */
static bool is_asked_for(const struct area *a, const struct options *opt,
			 bool back)
{
	for (size_t i = 0; i < opt->words; i++)
		if (!strcmp(opt->word[i], a->name))
			return true;
	if (opt->words || !is_possible(a, back))
		return false;
	return is_installed(a->peer) || has_config(a) || is_changed(a);
}

/*
 * Of several areas the worst. That this host has no device for one of them is
 * less than that another one failed, though its number is higher.
 */
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
	size_t done = 0;

	for (size_t i = 0; i < opt->words; i++)
		if (!find_area(opt->word[i])) {
			complain("%s: nothing by that name can be handed over; "
				 "uncore, plr, r2pcie, qpi and cxl can", opt->word[i]);
			return STATUS_USAGE;
		}
	if (opt->now && opt->next_boot) {
		complain("--now and --next-boot do not go together");
		return STATUS_USAGE;
	}
	if (root_is_real() && geteuid()) {
		complain("handing devices over takes root");
		return STATUS_BROKEN;
	}
	/* What was written is taken back on any machine. */
	if (!back && !has_any_hardware())
		return nothing_found(false);
	signals_hold();
	for (size_t i = 0; i < AREAS; i++) {
		enum status one;

		if (!is_asked_for(&areas[i], opt, back))
			continue;
		if (done++)
			say_nothing();
		if (!is_possible(&areas[i], back)) {
			complain("%s: this host has none of these devices",
				 areas[i].name);
			one = STATUS_NO_HARDWARE;
		} else {
			one = back ? release(&areas[i], opt) :
				     adopt(&areas[i], opt);
		}
		status = worse(status, one);
	}
	if (!done && back)
		say("Nothing was adopted.");
	else if (!done)
		say("This kernel has no other driver for these devices.");
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
