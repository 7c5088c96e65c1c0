// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl doctor: what this host has of openpmon, and what it does with it: the
 * modules, modprobe's configuration, the service, rights.
 */
#include "doctor_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "cxl_memory.h"
#include "hardware.h"
#include "modules.h"
#include "output.h"
#include "ring.h"
#include "served.h"
#include "sysfs.h"

#define STATE_DIR "/var/lib/openpmon"

/* Whether modprobe refuses modules without a signature that is trusted. */
static bool wants_signatures(void)
{
	char *enforce = sysfs_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = sysfs_read("/sys/kernel/security/lockdown");
	bool wants = (enforce && *enforce == 'Y') ||
		     (lockdown && !strstr(lockdown, "[none]"));

	free(enforce);
	free(lockdown);
	return wants;
}

static void check_signatures(struct findings *f)
{
	if (wants_signatures())
		found(f, NOTE, "signatures", "see the installation guide on "
		      "Secure Boot if loading fails",
		      "this kernel loads signed modules only");
}

/* Installed and not loaded: what stands in the way of that? */
static void check_loadable(struct findings *f, const char *name,
			   const char *file)
{
	struct text remedy = { NULL, 0 };

	if (wants_signatures() && module_signature(file) == SIGNATURE_NONE) {
		found(f, PROBLEM, name, "see the installation guide on Secure "
		      "Boot", "not loaded, and cannot be: it is not signed, and "
		      "this kernel loads signed modules only");
		return;
	}
	text_add(&remedy, "modprobe %s", name);
	found(f, PROBLEM, name, remedy.s, "not loaded");
	text_free(&remedy);
}

/* Why the package's hook could not build the modules for this kernel. */
static char *build_failure(const char *kernel)
{
	return sysfs_read(STATE_DIR "/builds/%s", kernel);
}

static void check_absent(struct findings *f, const char *name,
			 const char *kernel)
{
	bool local = sysfs_exists("/usr/local/libexec/openpmon/build");
	char *why = build_failure(kernel);

	/* What make dkms-install puts there is no package. */
	if (why)
		found(f, PROBLEM, name, local ?
		      "then: /usr/local/libexec/openpmon/build $(uname -r)" :
		      "then: dpkg-reconfigure openpmon-dkms",
		      "not built for kernel %s: %s", kernel, why);
	else
		found(f, PROBLEM, name, "install openpmon for this kernel",
		      "no such module for kernel %s", kernel);
	free(why);
}

/* Not loaded: is it there to be loaded? */
static void check_file(struct findings *f, const char *name)
{
	char *kernel = module_kernel(), *file = module_file(name);

	if (!kernel)
		found(f, PROBLEM, name, "modprobe it on the host itself",
		      "not loaded; proc/sys/kernel/osrelease, which would tell "
		      "where it is installed, cannot be read");
	else if (file)
		check_loadable(f, name, file);
	else
		check_absent(f, name, kernel);
	free(kernel);
	free(file);
}

static void check_module(struct findings *f, const char *name)
{
	if (module_state(name) == MODULE_ABSENT)
		check_file(f, name);
	else
		found(f, FINE, name, NULL, "loaded, %ld users",
		      module_users(name));
}

/*
 * All of it: of what the other driver has, openpmon cannot count a part, though
 * the rest may be its own, also in another package.
 */
static bool serves_uncore(const struct machine *m)
{
	for (size_t i = 0; i < m->units; i++)
		if (strcmp(m->unit[i].owner, "-") &&
		    strcmp(m->unit[i].owner, "openpmon"))
			return false;
	return served_uncore(m);
}

/* Without the other driver there may be no limits on this host. */
static bool serves_plr(const struct machine *m)
{
	return m->domains || m->degraded ||
	       module_state("intel_plr_tpmi") == MODULE_ABSENT;
}

static bool serves_r2pcie(const struct machine *m)
{
	(void)m;
	return ring_bound(RING_R2PCIE) == ring_functions(RING_R2PCIE);
}

static bool serves_qpi(const struct machine *m)
{
	(void)m;
	return ring_bound(RING_QPI) == ring_functions(RING_QPI);
}

static bool is_off(const char *module)
{
	return strcmp(served_asked(module), "on");
}

/* Which CPMU is left to whom is said of each. */
static bool serves_cxl(const struct machine *m)
{
	(void)m;
	return !is_off("pmon_cxl") && !served_cxl_left();
}

static bool has_r2pcie(void)
{
	return ring_functions(RING_R2PCIE);
}

static bool has_qpi(void)
{
	return ring_functions(RING_QPI);
}

/*
 * An area, the module that has it after adopt, the one that had it, and whether
 * the former, which is loaded, serves it. Of a fleet, some hosts may have none
 * of its devices; the service loads nothing there.
 */
static const struct area {
	const char *name, *ours, *peer;
	bool (*is_served)(const struct machine *m);
	bool (*is_present)(void);
	const char *absent;
} areas[] = {
	{ "uncore", "pmon_uncore", "intel_uncore", .is_served = serves_uncore,
	  .is_present = hardware_has_tables,
	  .absent = "this host has no table of counter boxes" },
	{ "plr", "pmon_plr", "intel_plr_tpmi", .is_served = serves_plr,
	  .is_present = served_has_limits,
	  .absent = "no device of this host records limits" },
	{ "r2pcie", "pmon_r2pcie", "intel_uncore", .is_served = serves_r2pcie,
	  .is_present = has_r2pcie,
	  .absent = "this host has no such function" },
	{ "qpi", "pmon_r2pcie", "intel_uncore", .is_served = serves_qpi,
	  .is_present = has_qpi,
	  .absent = "this host has no such function" },
	{ "cxl", "pmon_cxl", "cxl_pmu", .is_served = serves_cxl,
	  .is_present = cxl_memory_present,
	  .absent = "this host has no CXL memory device" },
};

#define AREAS (sizeof(areas) / sizeof(*areas))

/* What has a loaded module serve what was adopted. */
static void add_remedy(struct text *t, const struct area *a,
		       const struct machine *m, enum config_place place)
{
	if (is_off(a->ours))
		text_add(t, "load %s with mode=on", a->ours);
	else if (!strcmp(a->name, "uncore") && m->devices &&
		 strcmp(m->device[0].mode, "on"))
		text_add(t, "%s", mode_meaning(m->device[0].mode));
	else
		text_add(t, "pmonctl adopt%s %s takes it over, and so does a "
			 "reboot", place == CONFIG_PERSISTENT ?
			 " --persist" : "", a->name);
}

/*
 * The kernel's driver is held back for a module that is not there: without the
 * service, which loads the former then, nothing drives the hardware. What that
 * driver has got so, or before, it keeps when the module comes after all.
 */
static void check_adopted(struct findings *f, const struct area *a,
			  const struct machine *m, enum config_place place,
			  const char *path)
{
	bool loaded = module_state(a->ours) != MODULE_ABSENT;
	struct text remedy = { NULL, 0 };

	if (loaded && a->is_served(m)) {
		found(f, FINE, a->name, NULL, "adopted, by %s", path);
		return;
	}
	if (!a->is_present()) {
		found(f, FINE, a->name, NULL, "adopted, by %s; %s", path,
		      a->absent);
		return;
	}
	if (loaded)
		add_remedy(&remedy, a, m, place);
	else
		text_add(&remedy, "pmonctl release gives everything back to "
			 "the kernel's driver");
	found(f, PROBLEM, a->name, remedy.s, "adopted, by %s, but %s %s, and "
	      "%s is %s", path, a->ours, loaded ? "does not serve it" :
	      "is not loaded", a->peer, module_state(a->peer) == MODULE_ABSENT ?
	      "held back" : "loaded in its place");
	text_free(&remedy);
}

static void check_area(struct findings *f, const struct area *a,
		       const struct machine *m, enum config_place place)
{
	char *path = config_path(place, a->name);

	switch (config_look(place, a->name)) {
	case CONFIG_NONE:
		break;
	case CONFIG_ODD:
		found(f, NOTE, a->name, "adopt and release want it "
		      "removed", "%s is a link, or not an ordinary file", path);
		break;
	default:
		check_adopted(f, a, m, place, path);
	}
	free(path);
}

/* What says on this host that the other driver keeps off. */
static void check_config(struct findings *f, const struct machine *m)
{
	for (size_t i = 0; i < AREAS; i++)
		for (int place = 0; place < CONFIG_PLACES; place++)
			check_area(f, &areas[i], m, place);
}

/* "KERNEL VERSION"; a kernel whose name is not known may be the one that runs. */
static void check_fuse_of(struct findings *f, const char *what,
			  const char *kernel)
{
	size_t len = strcspn(what, " ");

	if (!what[len])
		return;
	if (kernel && (strlen(kernel) != len || strncmp(kernel, what, len)))
		found(f, NOTE, "service", "look for the cause; remove "
		      STATE_DIR "/quarantine to try again",
		      "openpmon stays out of another kernel: the host went "
		      "down within five minutes of loading it (%s)", what);
	else
		found(f, PROBLEM, "service", "look for the cause; then remove "
		      STATE_DIR "/quarantine and restart openpmon.service",
		      "openpmon stays out: the host went down within five "
		      "minutes of loading it (%s)", what);
}

/* The modules were loaded shortly before the host went down, unasked. */
static void check_fuse(struct findings *f)
{
	char *text = sysfs_read(STATE_DIR "/quarantine"), *save, *line;
	char *kernel = module_kernel();

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		check_fuse_of(f, line, kernel);
	free(kernel);
	free(text);
}

static void check_command_line(struct findings *f)
{
	char *text = sysfs_read("/proc/cmdline"), *save, *word;

	for (word = text ? strtok_r(text, "\n ", &save) : NULL; word;
	     word = strtok_r(NULL, "\n ", &save))
		if (!strcmp(word, "openpmon.off"))
			found(f, NOTE, "service", "boot without it",
			      "openpmon.off on the kernel's command line: "
			      "nothing is loaded at boot");
	free(text);
}

static void check_ring(struct findings *f, const char *about,
		       const char *remedy, enum ring_kind kind)
{
	size_t functions = ring_functions(kind), bound = ring_bound(kind);

	if (functions)
		found(f, functions == bound ? FINE : NOTE, about,
		      functions == bound ? NULL : remedy,
		      "%zu %s, %zu driven by openpmon", functions,
		      functions == 1 ? "function" : "functions", bound);
}

static bool is_adopted(const char *area)
{
	for (int place = 0; place < CONFIG_PLACES; place++)
		if (config_look(place, area) != CONFIG_NONE)
			return true;
	return false;
}

/* Modules that have something to do here, which pmon_r2pcie has when adopted. */
static void check_modules(struct findings *f)
{
	struct hardware h = hardware_look();

	if (h.unreached)
		found(f, PROBLEM, "PCI", MORE_CONFIG, NO_CONFIG);
	else if (h.functions && !h.tables)
		found(f, PROBLEM, "tables", "look for a setting of the firmware "
		      "(PMON, performance monitoring), or an update of it",
		      "no table of counter boxes: firmware hides it");
	if (h.tables)
		check_module(f, "pmon_uncore");
	if (served_has_limits() || module_state("pmon_plr") != MODULE_ABSENT)
		check_module(f, "pmon_plr");
	check_ring(f, "R2PCIe", "pmonctl adopt r2pcie hands them over",
		   RING_R2PCIE);
	check_ring(f, "QPI", "pmonctl adopt qpi hands them over", RING_QPI);
	if (doctor_has_ring() && (is_adopted("r2pcie") || is_adopted("qpi")))
		check_module(f, "pmon_r2pcie");
}

/* Whether modprobe takes a module from beside the modules of its kernel. */
static bool is_replaced(const char *file)
{
	char *kernel = module_kernel();
	struct text own = { NULL, 0 };
	bool replaced;

	text_add(&own, "/lib/modules/%s/kernel/", kernel ? kernel : "");
	replaced = kernel && strncmp(file, own.s, strlen(own.s));
	text_free(&own);
	free(kernel);
	return replaced;
}

/* Features of TPMI, which the kernel's core of TPMI has made devices of. */
static bool has_tpmi(void)
{
	struct names n = sysfs_entries("/sys/bus/auxiliary/devices");
	bool has = false;

	for (size_t i = 0; i < n.count; i++)
		has |= !strncmp(n.name[i], "intel_vsec.tpmi-",
				strlen("intel_vsec.tpmi-"));
	names_free(&n);
	return has;
}

/*
 * Intel's package of the xe driver brings an intel_vsec of its own, but no
 * intel_vsec_tpmi: the kernel's cannot be loaded beside that, or disagrees with
 * it on structures. Then no device says where limits are recorded.
 */
static void check_vsec(struct findings *f)
{
	char *vsec = module_file("intel_vsec");
	char *tpmi = module_file("intel_vsec_tpmi");

	if (vsec && tpmi && is_replaced(vsec) && !is_replaced(tpmi) &&
	    hardware_present() && !has_tpmi())
		found(f, PROBLEM, "intel_vsec", "remove the package that has "
		      "brought it, such as that of Intel's xe driver, and "
		      "reboot", "%s is not this kernel's own, and there are no "
		      "TPMI devices: intel_vsec_tpmi does not fit it", vsec);
	free(vsec);
	free(tpmi);
}

bool doctor_has_ring(void)
{
	return ring_functions(RING_R2PCIE) || ring_functions(RING_QPI);
}

void doctor_host(struct findings *f, const struct machine *m)
{
	check_signatures(f);
	check_modules(f);
	check_vsec(f);
	check_config(f, m);
	check_fuse(f);
	check_command_line(f);
}

/* Levels above 2 are Debian's: they ask for more than CAP_PERFMON. */
static void check_perf(struct findings *f)
{
	char *text = sysfs_read("/proc/sys/kernel/perf_event_paranoid");
	long level = text ? strtol(text, NULL, 10) : 0;

	if (!text)
		found(f, PROBLEM, "perf", "a kernel without perf has "
		      "none; see that /proc/sys is there",
		      "perf_event_paranoid cannot be read (%s): who may count "
		      "is not known", error_name(errno));
	else if (level > 0)
		found(f, NOTE, "perf", "sysctl kernel.perf_event_paranoid=0 "
		      "lets everybody", "only root and %s may count "
		      "(perf_event_paranoid is %s)", level > 2 ?
		      "CAP_SYS_ADMIN" : "CAP_PERFMON", text);
	else
		found(f, FINE, "perf", NULL, "everybody may count");
	free(text);
}

void doctor_rights(struct findings *f, const struct machine *m)
{
	if (m->degraded)
		found(f, PROBLEM, "files", "run as root, or as a member of the "
		      "group given to pmon.ko with gid=", "some of " CLASS_DIR
		      " cannot be read, and nothing is said about that");
	check_perf(f);
}
