// SPDX-License-Identifier: GPL-2.0-only
/* pmonctl doctor: finds everything on this host that hides counters or limits, with a remedy. */
#include <fnmatch.h>
#include <linux/pci_regs.h>
#include <time.h>

#include <pmon/uncore_places.h>

#include "doctor.h"
#include "areas.h"

static const char *const levels[GRADES] = { "ok", "note", "problem" };

#define found(f, level, about, remedy, ...) \
	found_text(f, level, about, remedy, xasprintf(__VA_ARGS__))

/* Adds a finding; a problem with a remedy of which openpmon is kept out is a note. */
static void found_text(struct findings *f, enum grade level, const char *about,
		       struct remedy remedy, char *text)
{
	struct remedy now = remedy_now(remedy);
	struct finding one = {
		now.is_barred && level == PROBLEM ? NOTE : level, xstrdup(about), text,
		remedy_text(now), now.command ? xstrdup(now.command) : NULL,
	};

	if (one.level == PROBLEM && !f->problems++)
		f->first = f->count;
	append(f->finding, f->count, one);
	f->worst = one.level > f->worst ? one.level : f->worst;
}

char *findings_next(const struct findings *f)
{
	for_each_item(one, f->finding, f->count)
		if (one->level == f->worst && one->command)
			return xstrdup(one->command);
	return NULL;
}

/* Prints problems, notes, good findings (@all) or their number, and the next command. */
static void findings_print(const struct findings *f, bool all)
{
	const struct finding *first = f->finding + f->first;
	const char *command = findings_next(f);
	size_t fine = 0;
	struct table t;

	table_start(&t, ",,~");
	for (int level = PROBLEM; level >= FINE; level--)
		for_each_item(one, f->finding, f->count) {
			if ((int)one->level != level)
				continue;
			fine += level == FINE;
			if (level != FINE || all)
				table_row(&t, levels[level], one->about, !one->remedy ? one->text :
					  xasprintf("%s; %s", one->text, one->remedy));
		}
	table_print(&t);
	if (!all)
		print_line("ok: %s; --verbose shows them", number_of(fine, "thing"));
	/* If there is no command, print the first problem's remedy, or else its text. */
	print_line("Next: %s", command ? command : !f->problems ? "pmonctl bw" :
		   first->remedy ? first->remedy : first->text);
}

static void findings_json(const struct findings *f)
{
	json_list("findings")
		for_each_item(one, f->finding, f->count)
			json_element("level %s about %s text %s remedy %s", levels[one->level],
				     one->about, one->text, one->remedy);
}

/* Remedy for a module whose mode drives nothing. */
static struct remedy mode_remedy(const char *mode, const char *module)
{
	struct remedy r = mode_command(mode, module);

	r.text = r.kind == REMEDY_ANY ? "shows why" :
		 xasprintf("uses them nevertheless: %s", mode_find(mode)->meaning);
	return r;
}

/* Remedies of several findings. */
#define DMESG(module)	SHOW("dmesg | grep " module, "shows why")
#define FIRMWARE(hides)	TELL("look for a setting of the firmware (" hides "), or an update of it")
#define PMON		"PMON, performance monitoring"
#define UNTOUCHED	TELL("openpmon does not touch it")

/* Modules, modprobe's files, the service and rights. */

/* Does the kernel refuse unsigned modules? */
static bool needs_signatures(void)
{
	char *enforce = sysfs_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = sysfs_read("/sys/kernel/security/lockdown");

	return (enforce && *enforce == 'Y') || (lockdown && !strstr(lockdown, "[none]"));
}

/* The reason of a failed build, in builds/<kernel>, may end in ": apt-get install NAME". */
static void check_absent(struct findings *f, const char *name, const char *kernel)
{
	/* Of `make dkms-install`, or else of a package. */
	char *builder = xasprintf("/usr%s/libexec/openpmon/build $(uname -r)",
		sysfs_exists("/usr/local/libexec/openpmon/build") ? "/local" : "");
	char *why = sysfs_read("/var/lib/openpmon/builds/%s", kernel);
	char *command = why ? strstr(why, ": apt-get ") : NULL;

	if (command)
		*command = '\0';
	if (why)
		found(f, PROBLEM, name, command && has_dpkg() ?
		      RUN(xasprintf("%s && %s", command + 2, builder), NULL) :
		      TELL(xasprintf("when this is solved: %s", builder)),
		      "not built for kernel %s: %s", kernel, why);
	else
		found(f, PROBLEM, name, remedy_install(kernel),
		      "no such module for kernel %s", kernel);
}

/* Finds the reason why a module is not loaded. */
static void check_module(struct findings *f, const char *name)
{
	char *kernel = module_kernel(), *file = module_file(name);

	if (module_state(name) != MODULE_ABSENT)
		found(f, FINE, name, NOTHING, "loaded, %ld users", module_users(name));
	else if (!kernel)
		found(f, PROBLEM, name, NOTHING, "not loaded; proc/sys/kernel/osrelease, with "
		      "the version to look for, cannot be read");
	else if (!file)
		check_absent(f, name, kernel);
	else if (needs_signatures() && module_is_unsigned(file))
		found(f, PROBLEM, name, TELL("see the installation guide on Secure Boot"),
		      "not loaded, and cannot be: it is not signed; this kernel loads signed "
		      "modules only");
	else
		found(f, PROBLEM, name, remedy_load(name), "not loaded");
}

/* Remedy for a loaded module that does not serve an adopted area. */
static struct remedy adopted_remedy(const struct area *a, const struct machine *m,
				    enum config_place place)
{
	const char *mode = area_mode(a, m);

	if (strcmp(mode, "on"))
		return mode_remedy(mode, a->ours);
	return OURS(xasprintf("pmonctl adopt%s %s", place == CONFIG_PERSISTENT ?
			      " --persist --now" : "", a->name), "hands it over; so does a reboot");
}

/*
 * Checks an adopted area. Without our module the boxes have no driver, unless the service has
 * loaded the kernel's driver, which keeps the boxes until a new `adopt` or a reboot.
 */
static void check_area(struct findings *f, const struct area *a,
		       const struct machine *m, enum config_place place)
{
	enum config_state state = config_state(place, a->name, NULL);
	bool loaded = module_state(a->ours) != MODULE_ABSENT;
	char *path = config_path(place, a->name);

	if (state == CONFIG_NONE)
		return;
	if (state == CONFIG_ODD)
		found(f, NOTE, a->name, TELL("remove it before adopt or release"),
		      "%s is a link, or not an ordinary file", path);
	else if (loaded && area_is_served(a, m))
		found(f, FINE, a->name, NOTHING, "adopted (%s)", path);
	else if (!area_is_present(a))
		found(f, FINE, a->name, NOTHING, "adopted (%s); this host has no %s", path,
		      a->devices);
	else if (place == CONFIG_PERSISTENT && config_is_pending(a->name) &&
		 module_state(a->in_tree) != MODULE_ABSENT)
		found(f, NOTE, a->name,
		      adopt_remedy(a->name, NULL),
		      "openpmon drives the %s from the next boot on (%s)", a->devices, path);
	else
		found(f, PROBLEM, a->name, loaded ? adopted_remedy(a, m, place) :
		      OURS("pmonctl release", "gives everything back to the kernel's driver"),
		      "adopted (%s), but %s %s, and %s is %s", path, a->ours,
		      loaded ? "drives no device" : "is not loaded",
		      a->in_tree, module_state(a->in_tree) == MODULE_ABSENT ?
		      "kept away" : "loaded in its place");
}

/* systemd has a link "invocation:<unit>" while a unit runs, or waits for another try. */
static void check_counting_service(struct findings *f, const char *unit)
{
	if (sysfs_exists("/run/systemd/system") &&
	    sysfs_link("/etc/systemd/system/multi-user.target.wants/%s", unit) &&
	    !sysfs_link("/run/systemd/units/invocation:%s", unit))
		found(f, PROBLEM, "service", SHOW(xasprintf("systemctl status %s", unit),
						  "says why"),
		      "%s is enabled, but does not run", unit);
}

static void check_service(struct findings *f)
{
	const struct remedy cause = SHOW("journalctl -k -b -1", "may show the cause; when it is "
					 "solved, remove " STRIKES " and restart openpmon.service");
	char *kernel = module_kernel(), *text = sysfs_read("/proc/cmdline");

	for_each_name(key, sysfs_entries(STRIKES)) {
		time_t until = strikes_until(key);
		size_t len = strcspn(key, " ");
		bool here = kernel && strlen(kernel) == len && !strncmp(kernel, key, len);
		char date[sizeof("2026-12-06 17:25")] = "?";
		struct tm local;

		if (until && localtime_r(&until, &local))
			strftime(date, sizeof(date), "%F %R", &local);
		if (until)
			found(f, here ? PROBLEM : NOTE, "service", here ? cause : NOTHING,
			      "openpmon is out until %s, then until the next boot: the host went "
			      "down twice within five minutes of loading%s on kernel %.*s, or a "
			      "module hung or the kernel died", date, key + len, (int)len, key);
	}
	for_each_token(word, text, "\n ")
		if (!strcmp(word, "openpmon.off"))
			found(f, NOTE, "service", TELL("boot without it"), "openpmon.off on the "
			      "kernel's command line: nothing is loaded at boot");
}

/* Are the modules of another version than pmonctl? */
static void check_versions(struct findings *f)
{
	char *loaded = own_versions(), *file = module_value("pmon", "version");
	bool old = !file || !strcmp(file, PMONCTL_VERSION);

	if (loaded && strcmp(loaded, PMONCTL_VERSION))
		found(f, NOTE, "modules", TELL(old ? "reboot, or rmmod them where nothing counts "
					       "and restart openpmon.service" : "install modules "
					       "and pmonctl of one version"), "modules %s, "
		      "pmonctl " PMONCTL_VERSION ": %s", loaded, old ? "loaded before the upgrade"
		      : "other versions are installed");
}

static void check_ring(struct findings *f, const char *about,
		       struct remedy remedy, enum ring_kind kind)
{
	size_t functions = ring_functions(kind, false), bound = ring_functions(kind, true);
	size_t unserved = ring_unserved(kind);

	if (unserved)
		found(f, PROBLEM, about, DMESG("pmon_r2pcie"), "%zu of %zu functions not served",
		      unserved, bound);
	else if (functions)
		found(f, functions == bound ? FINE : NOTE, about,
		      functions == bound ? NOTHING : remedy, "%s, %zu driven by openpmon",
		      number_of(functions, "function"), bound);
}

/* Checks the modules for this host's hardware. Checks pmon_r2pcie only if its boxes are adopted. */
static void check_modules(struct findings *f)
{
	struct hardware h = hardware_find();

	if (h.unreached)
		found(f, PROBLEM, "PCI", TELL(MORE_CONFIG), NO_CONFIG);
	else if (h.functions && !h.tables)
		found(f, PROBLEM, "tables", FIRMWARE(PMON),
		      "no table of counter boxes: firmware hides it");
	if (h.tables && !module_is_left_out("pmon_uncore"))
		check_module(f, "pmon_uncore");
	if (served_has_limits() || module_state("pmon_plr") != MODULE_ABSENT)
		check_module(f, "pmon_plr");
	check_ring(f, "R2PCIe", adopt_remedy("r2pcie", "hands them over"), RING_R2PCIE);
	check_ring(f, "QPI", adopt_remedy("qpi", "hands them over"), RING_QPI);
	if (ring_is_present() && module_state("intel_uncore") == MODULE_ABSENT)
		found(f, NOTE, "intel_uncore", RUN("modprobe intel_uncore", "shows them"),
		      "not loaded: it has the other boxes of this processor, such as "
		      "those of memory");
	if (ring_is_present() && (area_has_file("r2pcie") || area_has_file("qpi")))
		check_module(f, "pmon_r2pcie");
}

/* Intel's xe package replaces intel_vsec; the kernel's intel_vsec_tpmi then fails to load. */
static void check_vsec(struct findings *f)
{
	static const char own[] = "/lib/modules/*/kernel";
	const int flags = FNM_PATHNAME | FNM_LEADING_DIR;
	char *vsec = module_file("intel_vsec"), *tpmi = module_file("intel_vsec_tpmi");

	if (hardware_present() && !tpmi_has_devices("") &&
	    vsec && tpmi && fnmatch(own, vsec, flags) && !fnmatch(own, tpmi, flags))
		found(f, PROBLEM, "intel_vsec", TELL("remove the package that installed it, such "
						     "as the package of Intel's xe driver, and "
						     "reboot"), "%s is not this kernel's own, "
		      "and there are no TPMI devices: intel_vsec_tpmi does not fit it", vsec);
}

/* Levels above 2 are Debian's and require more than CAP_PERFMON. */
static void check_perf(struct findings *f)
{
	char *text = sysfs_read("/proc/sys/kernel/perf_event_paranoid");
	long level = text ? strtol(text, NULL, 10) : 0;

	if (!text)
		found(f, PROBLEM, "perf", TELL("check that the kernel has perf, and that "
					       "/proc/sys is there"), "perf_event_paranoid "
		      "cannot be read (%s): who may count is not known", error_name(errno));
	else if (level > 0)
		found(f, NOTE, "perf", TELL(level > 2 ? "with kernel.perf_event_paranoid=2 "
					    "CAP_PERFMON suffices" : NULL), "only root and %s "
		      "may count (perf_event_paranoid is %s)", level > 2 ? "CAP_SYS_ADMIN" :
		      "CAP_PERFMON", text);
	else
		found(f, FINE, "perf", NOTHING, "everybody may count");
}

/* Reports boxes without a value after a second of counting. */
static void check_counting(struct findings *f, const struct bandwidth *b)
{
	struct trouble why = b ? bandwidth_trouble(b) : (struct trouble){ .text = NULL };
	/* The command of adopt has passed through remedy_now(). */
	bool helps = why.command && why.command == b->adopt;

	if (why.text && !why.has_finding)
		found_text(f, module_is_left_out("pmon_uncore") ? NOTE : PROBLEM, "counting",
			   helps ? SHOW(why.command, NULL) : NOTHING, why.text);
}

/* Was a unit rejected because something else may use its address? */
static bool has_other_user(const struct reject *r)
{
	static const char *const places[] = UNCORE_PLACES;

	for_each_in(place, places)
		if (!strcmp(r->reason, *place))
			return true;
	return false;
}

static void check_rejects(struct findings *f, const struct machine *m)
{
	const struct reject *place = NULL;
	size_t places = 0;

	for (size_t i = m->rejects; i--;)
		if (has_other_user(&m->reject[i])) {
			place = &m->reject[i];
			places++;
		}
	/* Perhaps the table is right, and the memory map of this host is wrong. */
	if (place)
		found(f, PROBLEM, "places", OURS("rmmod pmon_uncore && modprobe pmon_uncore "
						 "placement=kernel", "uses them, as intel_uncore "
						 "does; report it with pmonctl dump --redact"),
		      "%zu units rejected for their address, such as type %s id %s at %s: %s",
		      places, place->type, place->id, place->value, place->reason);
	else if (sysfs_is("kernel", "/sys/module/pmon_uncore/parameters/placement"))
		found(f, NOTE, "places", TELL("load pmon_uncore without placement=kernel if no "
					      "unit is rejected then"), "placement=kernel: a "
		      "unit is used even if its address is known to be something else");
}

/* Reports boxes that did not respond to the last read, and boxes that other programs disturb. */
static void check_pmus(struct findings *f)
{
	unsigned long long times = 0;
	char *first = NULL;
	size_t disturbed = 0;

	for_each_name(pmu, sysfs_entries(PMUS)) {
		unsigned long long unresponsive = pmu_sum(pmu, -1, "unresponsive");
		/* A read of all ones also counts in the file `disturbed`. */
		unsigned long long changes = unresponsive ? 0 : pmu_sum(pmu, -1, "disturbed");

		if (unresponsive)
			found(f, PROBLEM, pmu, TELL("see \"no response\" in troubleshooting"),
			      unresponsive == 1 ? "1 of its boxes does not respond (all ones) and "
			      "is not counted" : "%llu of its boxes do not respond (all ones) and "
			      "are not counted", unresponsive);
		if (changes && !disturbed++)
			first = xstrdup(pmu);
		times += changes;
	}
	if (first)
		found(f, NOTE, first, TELL("find the other program (pcm, emon, a writer of MSRs) "
					   "and let only one program count"), "counters or "
		      "controls changed or reset by another program, or lost as a box did not "
		      "respond (times: %llu, PMUs: %zu)", times, disturbed);
}

/* Reports CPMUs of a memory device without a PMU; false without a report. */
static bool check_cpmus(struct findings *f, const char *function)
{
	struct cxl_unserved unserved FREED = cxl_unserved_find();
	long cpmus = cxl_cpmus(function), known = 0;
	bool bad = false;

	/* PMUs of any driver */
	for_each_name(memory, sysfs_children("mem", FUNCTIONS "/%s", function))
		for_each_name(pmu, sysfs_children(xasprintf("cxl_pmu_%s.", memory), PMUS))
			known += !cxl_unserved_why(&unserved, pmu);
	for_each_item(c, unserved.cpmu, unserved.count) {
		if (strcmp(c->function, function))
			continue;
		known++;
		bad = true;
		found(f, PROBLEM, function, c->is_rejected ?
		      TELL("look for new firmware of the device") : NOTHING, "%s %s", c->pmu,
		      c->why);
	}
	if (known < cpmus)
		found(f, PROBLEM, function, SHOW("dmesg | grep pmon_cxl", "may show why"),
		      "%ld of %ld CPMUs served by nobody", cpmus - known, cpmus);
	return bad || known < cpmus;
}

#define MODULE "/sys/module/pmon_cxl"
#define IN_TREE "/sys/module/cxl_pmu"

static void check_memory(struct findings *f, const char *name)
{
	char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", name);
	const char *mode = served_mode("pmon_cxl");
	char *other = sysfs_read(FUNCTIONS "/%s/driver_override", name);
	char *unbound = sysfs_read(MODULE "/parameters/unbound");

	/* The kernel shows "(null)" if there is no override. */
	if (other && *other && strcmp(other, "(null)") && (!driver || strcmp(other, driver)))
		found(f, NOTE, name, UNTOUCHED, "meant for %s by its driver_override", other);
	else if (driver && strcmp(driver, "cxl_pci"))
		found(f, NOTE, name, UNTOUCHED, "bound to %s", driver);
	else if (strcmp(mode, "on"))
		found(f, NOTE, name, mode_remedy(mode, "pmon_cxl"), "its counters are not shown");
	else if (!driver && unbound && strchr("1yY", *unbound))
		found(f, FINE, name, NOTHING, "no driver; pmon_cxl was loaded with unbound=1");
	else if (!driver)
		found(f, NOTE, name, RUN("modprobe cxl_pci", "brings its driver, or load "
					 "pmon_cxl with unbound=1"), "no driver has it, so "
		      "openpmon does not touch it");
	else if (!cxl_cpmus(name))
		found(f, NOTE, name, SHOW("pmonctl bw", "has reads and writes where the ports of "
					  "the host count them (cxlhost)"), "has no CPMU, so the "
		      "device itself counts nothing");
	else if (!sysfs_exists(MODULE) && !sysfs_exists(IN_TREE) &&
		 !module_is_left_out("pmon_cxl"))
		found(f, NOTE, name, OURS("modprobe pmon_cxl", "shows its counters"),
		      "pmon_cxl is not loaded");
	else if (!sysfs_exists(MODULE) || !check_cpmus(f, name))
		found(f, FINE, name, NOTHING, "present, driver %s", driver);
}

/* Has pmon_uncore listed a table of the function? */
static bool lists_table(const char *function)
{
	for_each_name(device, sysfs_children("pkg", FUNCTIONS "/%s/pmon", function))
		if (strstr(device, "-uncore"))
			return true;
	return false;
}

static void check_function(struct findings *f, const char *name)
{
	char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", name);
	char *power = sysfs_read(FUNCTIONS "/%s/power_state", name);
	/* Our drivers do not access a function in D3. */
	bool sleeps = power && !strncmp(power, "D3", 2);
	int config CLOSED = sleeps ? -1 : sysfs_open(FUNCTIONS "/%s/config", name);
	uint32_t command = PCI_COMMAND_MEMORY;

	if (config >= 0)
		pci_read_config(config, PCI_COMMAND, &command);
	if (!pci_on_root_bus(name))
		found(f, NOTE, name, NOTHING, "on a card, such as a GPU: ignored, as its tables "
		      "do not describe this host");
	else if (driver && (!strcmp(driver, "vfio-pci") || !strcmp(driver, "pci-stub")))
		found(f, PROBLEM, name, UNTOUCHED, "bound to %s, for a virtual machine", driver);
	else if (sleeps)
		found(f, PROBLEM, name, TELL("openpmon does not wake it"), "asleep (%s)", power);
	else if (!driver && !(command & PCI_COMMAND_MEMORY))
		found(f, PROBLEM, name, RUN(xasprintf("echo 1 >" FUNCTIONS "/%s/enable", name),
					    "and load the modules again"), "memory decoding is "
		      "off, and no driver has the function: its tables cannot be read");
	else if (pci_has_table(name) && sysfs_exists("/sys/module/pmon_uncore") &&
		 !strcmp(served_mode("pmon_uncore"), "on") && !lists_table(name))
		found(f, PROBLEM, name, DMESG("pmon_uncore"),
		      "has a table of counter boxes, and nobody serves a box");
	else
		found(f, FINE, name, NOTHING, "present, driver %s", driver ? driver : "none");
}

/* Reports sockets with a table but no box that is driven, and sockets without a table. */
static void check_sockets(struct findings *f, const struct machine *m)
{
	struct cpus online = cpus_read("/sys/devices/system/cpu/online");
	struct cpus driven = { { 0 } }, listed = driven, packages = driven;

	for_each_item(u, m->unit, m->units)
		if (strcmp(u->owner, "-") && u->package >= 0)
			cpus_add(&driven, u->package);
	for_each_item(d, m->device, m->devices) {
		if (d->package < 0 || d->unread || strcmp(d->mode, "on"))
			return;
		cpus_add(&listed, d->package);
	}
	for_each_cpu(cpu, &online)
		if (package_of(cpu) >= 0)
			cpus_add(&packages, package_of(cpu));
	for_each_cpu(package, &packages) {
		char *socket = xasprintf("socket %u", package);

		if (!m->devices || cpus_has(&driven, package))
			continue;
		if (cpus_has(&listed, package))
			found(f, PROBLEM, socket, DMESG("pmon_uncore"), "nobody drives a box");
		else
			found(f, PROBLEM, socket, FIRMWARE(PMON),
			      "has no table of counter boxes: firmware hides it");
	}
}

#define hand_over(area)	adopt_remedy(area, "hands them over")

static void check_owners(struct findings *f, const struct machine *m)
{
	struct owners o = machine_owners(m);

	if (o.served)
		found(f, FINE, "boxes", NOTHING, "%zu driven by openpmon", o.served);
	if (o.foreign)
		found(f, NOTE, "boxes", hand_over("uncore"), "%zu left to %s", o.foreign, o.driver);
	if (o.undriven)
		found(f, NOTE, "boxes", mode_remedy(m->device[0].mode, "pmon_uncore"),
		      "%zu listed, and not driven", o.undriven);
	if (m->rejects)
		found(f, PROBLEM, "boxes", SHOW("pmonctl list", "shows why"), "%zu rejected",
		      m->rejects);
}

static void check_domain(struct findings *f, const struct domain *d)
{
	char *reasons = sysfs_read(CLASS_DIR "/%s/plr/die/reasons", d->name);
	/* All CPU modules use one mailbox, so the first represents all. */
	bool good = !d->modules || sysfs_read(CLASS_DIR "/%s/plr/core%u/reasons", d->name,
					      d->module[0]);
	int error = good ? 0 : errno;

	if (error)
		found(f, PROBLEM, d->name, TELL(error_remedy(error)), "the modules cannot be "
		      "read (%s)", error_name(error));
	if (!reasons)
		found(f, PROBLEM, d->name, SHOW("pmonctl plr", "shows what to do"),
		      "the reasons cannot be read");
	else if (!error)
		found(f, FINE, d->name, NOTHING, "%s, reasons of the die: %s",
		      number_of(d->modules, "module"), reasons);
}

/* Reports faults that limit now, and those on record, which may be as old as the last boot. */
static void check_faults(struct findings *f, const struct scopes *all)
{
	struct scopes rows FREED = joined_scopes(all);
	size_t modules = tally(all).modules;
	uint64_t now = 0, record = 0;

	for_each_item(p, rows.scope, rows.count) {
		now |= reasons_brief(p->now);
		record |= reasons_brief(p->reasons);
	}
	for_each_worst(bit, now & reasons_of_faults()) {
		struct text sockets = { NULL, 0 };
		size_t limited = rows_modules(&rows, bit, true, &sockets);
		char *where = xasprintf("shows where; %s", reason_remedy(bit));

		found(f, PROBLEM, "limits", SHOW("pmonctl plr", where), "%s is in force: %s%s",
		      plr_reason_name(bit),
		      reason_meaning(bit), limited ?
		      xasprintf(" (%zu of %zu modules)", limited, modules) : "");
	}
	record &= reasons_of_faults() & ~now;
	if (record)
		found(f, NOTE, "limits", TELL("pmonctl plr shows when and where"),
		      "seen since the last clear: %s", reasons_text(record));
}

/* Reports domains and limits. Costs a register access and a mailbox command per die. */
static void check_limits(struct findings *f, const struct machine *m)
{
	struct hardware h = hardware_find();

	for_each_item(d, m->domain, m->domains)
		check_domain(f, d);
	if (m->domains)
		return;
	if (sysfs_exists("/sys/module/intel_plr_tpmi"))
		found(f, NOTE, "limits", hand_over("plr"), "left to intel_plr_tpmi");
	else if (m->tpmis)
		found(f, NOTE, "limits", mode_remedy(m->tpmi[0].mode, "pmon_plr"), "not shown");
	else if (m->devices && h.functions && !h.tpmi &&
		 !fnmatch("@(gnr|srf|cwf|grr)*", m->device[0].platform, FNM_EXTMATCH))
		found(f, NOTE, "limits", FIRMWARE("TPMI"),
		      "not shown: 8086:09a7 has no TPMI, firmware hides it");
}

/* No check requires a device, so each check can run on each host. */
static void check(struct checkup *l)
{
	const struct machine *m = &l->m;
	struct findings *f = &l->f;
	struct cpus off = packages_off();

	check_faults(f, &l->all);
	check_service(f);
	check_counting_service(f, "openpmon-metrics.service");
	check_counting_service(f, "openpmon-recorder.service");
	for_each_name(function, sysfs_children("", FUNCTIONS))
		if (pci_is_discovery(function))
			check_function(f, function);
		else if (pci_has_table(function))
			found(f, NOTE, function, TELL("report it: a newer processor may list its "
						      "boxes there"), "has a discovery table "
			      "(DVSEC 23h, id 1), and is in no list of openpmon");
	if (needs_signatures())
		found(f, NOTE, "signatures", TELL("see the installation guide on Secure Boot if "
						  "loading fails"), "this kernel loads signed "
		      "modules only");
	check_modules(f);
	check_versions(f);
	check_vsec(f);
	for_each_in(area, areas)
		for (int place = 0; place < CONFIG_PLACES; place++)
			check_area(f, area, m, place);
	check_owners(f, m);
	check_sockets(f, m);
	for_each_cpu(package, &off)
		found(f, PROBLEM, xasprintf("socket %u", package), TELL("write 1 to "
		      "/sys/devices/system/cpu/cpu*/online of its CPUs"),
		      "all of its CPUs are offline: its boxes are not counted");
	check_rejects(f, m);
	check_pmus(f);
	check_counting(f, clock_runs() ? &l->b : NULL);
	check_limits(f, m);
	if (m->degraded)
		found(f, PROBLEM, "files", TELL("run as root, or as a member of the "
		      "group given to pmon.ko with gid="), "some of " CLASS_DIR
		      " cannot be read, so findings may be missing");
	check_perf(f);
	for_each_name(function, sysfs_children("", FUNCTIONS))
		if (cxl_is_memory(function))
			check_memory(f, function);
	for_each_name(cpmu, sysfs_children("pmu_mem", CXL_DEVICES)) {
		char *driver = sysfs_link_name(CXL_DEVICES "/%s/driver", cpmu);

		if (driver)
			found(f, NOTE, cpmu, hand_over("cxl"), "left to %s", driver);
	}
}

void checkup_count(struct checkup *l, bool once)
{
	long long begin = clock_ms();

	powers_read(&l->powers);
	bandwidth_open(&l->b, -1, ALL_KINDS, false);
	if (l->m.domains)
		scopes_find(&l->all, &l->m, &everything);
	if (once)
		poll_once(&l->all);
	else if (!clock_runs())
		poll_again(&l->all);
	else if (l->b.meters || l->all.count)
		poll_for_a_second(&l->all);
	if (once && l->b.meters && clock_runs())
		clock_pause_ms(begin + 1000 - clock_ms());
	bandwidth_read(&l->b);
	l->ms = clock_ms() - begin;
}

void checkup_run(struct checkup *l, bool once)
{
	machine_read(&l->m);
	checkup_count(l, once);
	check(l);
}

void checkup_json(struct checkup *l)
{
	if (l->f.count)
		findings_json(&l->f);
	bw_json(&l->b, (double)l->ms / 1000);
	plr_json(&l->m, &l->all, &l->powers);
}

enum status cmd_doctor(const struct options *opt)
{
	static struct checkup l;

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	checkup_run(&l, opt->once);
	if (opt->json) {
		json_document();
		findings_json(&l.f);
		json_close();
	} else {
		findings_print(&l.f, opt->verbose);
	}
	return l.f.worst == PROBLEM ? STATUS_DEGRADED : STATUS_FINE;
}
