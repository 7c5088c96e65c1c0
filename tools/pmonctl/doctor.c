// SPDX-License-Identifier: GPL-2.0-only
#include "doctor.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adopt.h"
#include "cpus.h"
#include "files.h"
#include "hardware.h"
#include "modules.h"
#include "pmonctl.h"
#include "present.h"
#include "output.h"

/* What pmonctl doctor has found. */

static const char *const levels[GRADES] = { "ok", "note", "problem" };

void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...)
{
	struct text t = { NULL, 0 };
	va_list ap;

	va_start(ap, fmt);
	text_vadd(&t, fmt, ap);
	va_end(ap);
	append(f->finding, f->count, (struct finding){
		level, xstrdup(about), t.s, remedy ? xstrdup(remedy) : NULL,
	});
	f->worst = level > f->worst ? level : f->worst;
}

/* With its command, as one text. */
static char *remedy_text(const char *remedy)
{
	char *text = remedy ? xstrdup(remedy) : NULL, *tab = text ? strchr(text, '\t') : NULL;

	if (tab)
		*tab = tab[1] ? ' ' : '\0';
	return text;
}

static size_t add_level(struct table *t, const struct findings *f, enum grade level)
{
	size_t n = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct finding *one = &f->finding[i];
		char *remedy FREED = remedy_text(one->remedy);

		if (one->level != level)
			continue;
		n++;
		if (!t)
			continue;
		table_cell(t, "%s", levels[level]);
		table_cell(t, "%s", one->about);
		table_cell(t, "%s%s%s", one->text, remedy ? "; " : "",
			   remedy ? remedy : "");
	}
	return n;
}

char *findings_next(const struct findings *f)
{
	for (size_t i = 0; i < f->count && f->worst != FINE; i++) {
		const struct finding *one = &f->finding[i];

		if (one->level == f->worst && one->remedy && strchr(one->remedy, '\t'))
			return xstrndup(one->remedy, strcspn(one->remedy, "\t"));
	}
	return NULL;
}

/* What to type, or of a problem that takes more than that, what to do. */
static void print_next(const struct findings *f)
{
	char *next FREED = findings_next(f);

	for (size_t i = 0; i < f->count && !next && f->worst == PROBLEM; i++)
		if (f->finding[i].level == PROBLEM)
			next = remedy_text(f->finding[i].remedy);
	if (next || f->worst != PROBLEM)
		say("Next: %s", next ? next : "pmonctl bw");
}

/*
 * Problems, then notes, then how much is well, or what if all is wanted; at last what
 * to do next.
 */
static void findings_print(const struct findings *f, bool all)
{
	struct table t;
	size_t fine;

	table_start(&t, 3);
	add_level(&t, f, PROBLEM);
	add_level(&t, f, NOTE);
	fine = add_level(all ? &t : NULL, f, FINE);
	table_print(&t);
	if (!all)
		say("ok: %zu %s; --verbose shows them", fine,
		    fine == 1 ? "thing" : "things");
	print_next(f);
}

static void findings_json(const struct findings *f)
{
	json_document();
	json_open("findings", '[');
	for (size_t i = 0; i < f->count; i++) {
		char *remedy FREED = remedy_text(f->finding[i].remedy);

		json_open(NULL, '{');
		json_text("level", levels[f->finding[i].level]);
		json_text("about", f->finding[i].about);
		json_text("text", f->finding[i].text);
		json_text("remedy", remedy);
		json_close('}');
	}
	json_close(']');
	json_close('}');
}

void findings_free(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->finding[i].about);
		free(f->finding[i].text);
		free(f->finding[i].remedy);
	}
	free(f->finding);
	*f = (struct findings){ .finding = NULL };
}

/* What has a module that was loaded in another mode serve. */
static void add_mode(struct text *t, const char *mode, const char *module)
{
	mode_add_command(t, mode, module);
	text_add(t, "\tuses them all the same: %s", mode_meaning(mode));
}

static void found_mode(struct findings *f, const char *about, const char *mode,
		       const char *module, const char *what)
{
	struct text remedy FREED_BY(text_free) = { NULL, 0 };

	add_mode(&remedy, mode, module);
	found(f, NOTE, about, remedy.s, "%s", what);
}

/*
 * pmonctl doctor: what this host has of openpmon, and what it does with it: the
 * modules, modprobe's configuration, the service, rights.
 */

#define CXL_DIR "/sys/bus/cxl/devices"
#define STATE_DIR "/var/lib/openpmon"

/* Whether modprobe refuses modules without a signature that is trusted. */
static bool wants_signatures(void)
{
	char *enforce FREED = sysfs_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown FREED = sysfs_read("/sys/kernel/security/lockdown");

	return (enforce && *enforce == 'Y') ||
	       (lockdown && !strstr(lockdown, "[none]"));
}

/* Installed and not loaded: what stands in the way of that? */
static void check_loadable(struct findings *f, const char *name,
			   const char *file)
{
	char *remedy FREED = xasprintf("modprobe %s\t", name);

	if (wants_signatures() && module_is_unsigned(file)) {
		found(f, PROBLEM, name, "see the installation guide on Secure "
		      "Boot", "not loaded, and cannot be: it is not signed, and "
		      "this kernel loads signed modules only");
		return;
	}
	found(f, PROBLEM, name, remedy, "not loaded");
}

/* What make dkms-install puts there is no package. */
static const char *builder(void)
{
	return sysfs_exists("/usr/local/libexec/openpmon/build") ?
		"/usr/local/libexec/openpmon/build $(uname -r)" :
		"dpkg-reconfigure openpmon-dkms";
}

/* The package's hook says "the headers are missing: apt-get install NAME", or another reason. */
static void check_absent(struct findings *f, const char *name,
			 const char *kernel)
{
	char *why FREED = sysfs_read(STATE_DIR "/builds/%s", kernel);
	char *command = why ? strstr(why, ": apt-get ") : NULL;
	struct text remedy FREED_BY(text_free) = { NULL, 0 };

	if (command) {
		text_add(&remedy, "%s && %s\t", command + 2, builder());
		*command = '\0';
	} else if (why) {
		text_add(&remedy, "when that is mended: %s", builder());
	}
	if (why)
		found(f, PROBLEM, name, remedy.s, "not built for kernel %s: %s", kernel,
		      why);
	else
		found(f, PROBLEM, name, "in openpmon's sources: make install",
		      "no such module for kernel %s", kernel);
}

/* Not loaded: is it there to be loaded? */
static void check_file(struct findings *f, const char *name)
{
	char *kernel FREED = module_kernel(), *file FREED = module_file(name);

	if (!kernel)
		found(f, PROBLEM, name, "modprobe it on the host itself",
		      "not loaded; proc/sys/kernel/osrelease, which would tell "
		      "where it is installed, cannot be read");
	else if (file)
		check_loadable(f, name, file);
	else
		check_absent(f, name, kernel);
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
	return !machine_owners(m).foreign && served_uncore(m);
}

/* Whether another driver has a CPMU, by the device that cxl_pci has made of it. */
static bool cxl_is_left(void)
{
	struct names n FREED_BY(names_free) = sysfs_children("pmu_mem", CXL_DIR);
	bool left = false;

	for (size_t i = 0; i < n.count; i++) {
		char *driver FREED = sysfs_link_name(CXL_DIR "/%s/driver", n.name[i]);

		left |= driver && strcmp(driver, "pmon_cxl");
	}
	return left;
}

static bool is_off(const char *module)
{
	return strcmp(served_asked(module), "on");
}

/* Whether the module of an area, which is loaded, serves all of it. */
static bool is_served(const struct area *a, const struct machine *m)
{
	if (a->ring)
		return ring_is_ours(a);
	if (!strcmp(a->name, "uncore"))
		return serves_uncore(m);
	/* Without the other driver there may be no limits on this host. */
	if (!strcmp(a->name, "plr"))
		return m->domains || m->degraded || module_state(a->peer) == MODULE_ABSENT;
	/* Which CPMU is left to whom is said of each. */
	return !is_off(a->ours) && !cxl_is_left();
}

/* What has a loaded module serve what was adopted. */
static void add_remedy(struct text *t, const struct area *a,
		       const struct machine *m, enum config_place place)
{
	const char *mode = served_asked(a->ours);

	if (!is_off(a->ours) && !strcmp(a->name, "uncore") && m->devices)
		mode = m->device[0].mode;
	if (strcmp(mode, "on"))
		add_mode(t, mode, a->ours);
	else
		text_add(t, "pmonctl adopt%s %s\ttakes it over, and so does a "
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
	struct text remedy FREED_BY(text_free) = { NULL, 0 };

	if (loaded && is_served(a, m)) {
		found(f, FINE, a->name, NULL, "adopted, by %s", path);
		return;
	}
	if (!area_is_present(a)) {
		found(f, FINE, a->name, NULL, "adopted, by %s; %s", path,
		      a->absent);
		return;
	}
	if (loaded)
		add_remedy(&remedy, a, m, place);
	else
		text_add(&remedy, "pmonctl release\tgives everything back to the kernel's driver");
	found(f, PROBLEM, a->name, remedy.s, "adopted, by %s, but %s %s, and "
	      "%s is %s", path, a->ours, loaded ? "does not serve it" :
	      "is not loaded", a->peer, module_state(a->peer) == MODULE_ABSENT ?
	      "held back" : "loaded in its place");
}

static void check_area(struct findings *f, const struct area *a,
		       const struct machine *m, enum config_place place)
{
	char *path FREED = config_path(place, a->name);

	switch (config_state(place, a->name, NULL)) {
	case CONFIG_NONE:
		break;
	case CONFIG_ODD:
		found(f, NOTE, a->name, "adopt and release want it "
		      "removed", "%s is a link, or not an ordinary file", path);
		break;
	default:
		check_adopted(f, a, m, place, path);
	}
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
	char *text FREED = sysfs_read(STATE_DIR "/quarantine");
	char *kernel FREED = module_kernel();

	for_each_part(line, text, "\n")
		check_fuse_of(f, line, kernel);
}

static void check_command_line(struct findings *f)
{
	char *text FREED = sysfs_read("/proc/cmdline");

	for_each_part(word, text, "\n ")
		if (!strcmp(word, "openpmon.off"))
			found(f, NOTE, "service", "boot without it",
			      "openpmon.off on the kernel's command line: "
			      "nothing is loaded at boot");
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
	return config_state(CONFIG_BOOT, area, NULL) != CONFIG_NONE ||
	       config_state(CONFIG_PERSISTENT, area, NULL) != CONFIG_NONE;
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
	check_ring(f, "R2PCIe", "pmonctl adopt r2pcie\thands them over",
		   RING_R2PCIE);
	check_ring(f, "QPI", "pmonctl adopt qpi\thands them over", RING_QPI);
	if (ring_is_present() && module_state("intel_uncore") == MODULE_ABSENT)
		found(f, NOTE, "intel_uncore", "modprobe intel_uncore\tshows them",
		      "not loaded: it has the other boxes of this processor, such as "
		      "those of memory");
	if (ring_is_present() && (is_adopted("r2pcie") || is_adopted("qpi")))
		check_module(f, "pmon_r2pcie");
}

/* Whether modprobe takes a module from beside the modules of its kernel. */
static bool is_replaced(const char *file)
{
	char *kernel FREED = module_kernel();
	char *own FREED = xasprintf("/lib/modules/%s/kernel/", kernel ? kernel : "");

	return kernel && strncmp(file, own, strlen(own));
}

/*
 * Intel's package of the xe driver brings an intel_vsec of its own, but no
 * intel_vsec_tpmi: the kernel's cannot be loaded beside that, or disagrees with
 * it on structures. Then no device says where limits are recorded.
 */
static void check_vsec(struct findings *f)
{
	char *vsec FREED = module_file("intel_vsec");
	char *tpmi FREED = module_file("intel_vsec_tpmi");

	if (!hardware_present() || tpmi_has_devices(""))
		return;
	if (vsec && tpmi && is_replaced(vsec) && !is_replaced(tpmi))
		found(f, PROBLEM, "intel_vsec", "remove the package that has "
		      "brought it, such as that of Intel's xe driver, and "
		      "reboot", "%s is not this kernel's own, and there are no "
		      "TPMI devices: intel_vsec_tpmi does not fit it", vsec);
}

/*
 * The modules: whether they are there, may be loaded, and whether what was
 * adopted is served.
 */
static void doctor_host(struct findings *f, const struct machine *m)
{
	if (wants_signatures())
		found(f, NOTE, "signatures", "see the installation guide on "
		      "Secure Boot if loading fails",
		      "this kernel loads signed modules only");
	check_modules(f);
	check_vsec(f);
	for (size_t i = 0; i < AREAS; i++)
		for (int place = 0; place < CONFIG_PLACES; place++)
			check_area(f, &areas[i], m, place);
	check_fuse(f);
	check_command_line(f);
}

/* Levels above 2 are Debian's: they ask for more than CAP_PERFMON. */
static void check_perf(struct findings *f)
{
	char *text FREED = sysfs_read("/proc/sys/kernel/perf_event_paranoid");
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
}

/* Who may count, and what could not be read now. */
static void doctor_rights(struct findings *f, const struct machine *m)
{
	if (m->degraded)
		found(f, PROBLEM, "files", "run as root, or as a member of the "
		      "group given to pmon.ko with gid=", "some of " CLASS_DIR
		      " cannot be read, and nothing is said about that");
	check_perf(f);
}

/*
 * pmonctl doctor: the states of counter boxes. One file is a register read:
 * global_control, once for each table.
 */

#define PCI_DIR "/sys/bus/pci/devices"
#define PMU_DIR "/sys/bus/event_source/devices"

#define TYPE_IMC 6

/* Whether bit 0 of the register freezes all boxes of the table now. */
static bool reads_frozen(const char *device)
{
	char *text FREED = sysfs_read(CLASS_DIR "/%s/global_control", device);

	return text && strtoull(text, NULL, 0) & 1;
}

/* Who drives boxes of a table in openpmon's place, or NULL. */
static const char *other_owner(const struct machine *m, size_t device)
{
	for (size_t i = 0; i < m->units; i++)
		if (m->unit[i].device == device &&
		    strcmp(m->unit[i].owner, "-") &&
		    strcmp(m->unit[i].owner, "openpmon"))
			return m->unit[i].owner;
	return NULL;
}

static bool stays_frozen(void)
{
	char *text FREED = sysfs_read("/sys/module/pmon_uncore/parameters/unfreeze");

	return text && (*text == 'N' || *text == '0');
}

/*
 * What the driver knows, and what the register says. Drivers without the file
 * never let boxes run.
 */
static void check_global(struct findings *f, const struct machine *m,
			 size_t index)
{
	const char *device = m->device[index].name;
	const char *other = other_owner(m, index);
	char *known FREED = sysfs_read(CLASS_DIR "/%s/global", device);
	bool kept = known && !strcmp(known, "frozen");

	if (!kept && !reads_frozen(device))
		;
	else if (other)
		found(f, PROBLEM, device, "pmonctl adopt uncore\t", "all boxes of "
		      "this package are frozen by firmware; this kernel's %s "
		      "leaves them so: every count is 0", other);
	else if (kept || (known && stays_frozen()))
		found(f, PROBLEM, device, "load pmon_uncore without unfreeze=N",
		      "all boxes of this package are frozen by their global control, and "
		      "unfreeze=N keeps them so: no event can be opened");
	else if (known && !strcmp(known, "unknown"))
		found(f, NOTE, device, "the first event that is opened lets "
		      "them run", "all boxes of this package are frozen by "
		      "their global control, as firmware left it");
	else
		found(f, PROBLEM, device, "something other than openpmon "
		      "has frozen all boxes of this package; see "
		      "troubleshooting", "every count is 0");
}

/* Memory controllers whose addresses were not believed. */
static void check_refused(struct findings *f, const struct machine *m)
{
	const struct reject *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < m->rejects; i++) {
		const struct reject *r = &m->reject[i];

		if (strtoul(r->type, NULL, 10) != TYPE_IMC || strcmp(r->field, "address"))
			continue;
		if (!first)
			first = r;
		n++;
	}
	if (n)
		found(f, PROBLEM, "memory", "see the reasons for a rejection "
		      "in troubleshooting, and report it with the file table",
		      "%zu memory controllers refused: address %s %s", n,
		      first->value, first->reason);
}

/* "a8000000-a87fffff : PCI Bus 0000:00"; users see zeroes only. */
static bool in_window(const char *iomem, uint64_t address, bool *readable)
{
	for (const char *line = iomem; line && *line;) {
		const char *end = strchr(line, '\n');
		size_t len = end ? (size_t)(end - line) : strlen(line);
		const char *bus = memmem(line, len, "PCI Bus", 7);
		char *rest;
		uint64_t first = strtoull(line, &rest, 16);
		uint64_t last = *rest == '-' ? strtoull(rest + 1, NULL, 16) : 0;

		*readable |= last;
		if (bus && last && address >= first && address <= last)
			return true;
		line = end ? end + 1 : NULL;
	}
	return false;
}

/* As on real servers: their memory controllers are in no window. */
static void check_gap(struct findings *f, const struct machine *m)
{
	char *iomem FREED = sysfs_read("/proc/iomem");
	size_t in_gap = 0;
	bool readable = false;

	for (size_t i = 0; iomem && i < m->units; i++) {
		const struct unit *u = &m->unit[i];

		if (u->type == TYPE_IMC && !strcmp(u->access, "mmio") &&
		    !in_window(iomem, strtoull(u->address, NULL, 0), &readable))
			in_gap++;
	}
	if (in_gap && readable)
		found(f, FINE, "memory", NULL, "%zu memory controllers outside "
		      "all windows of host bridges, accepted", in_gap);
}

/* "0 3": a package, and how often its box was found changed; their sum. */
static unsigned long long sum_packages(const char *pmu, const char *file)
{
	char *text FREED = sysfs_read(PMU_DIR "/%s/%s", pmu, file);
	unsigned long long n = 0, one;

	for_each_part(line, text, "\n") {
		line = strchr(line, ' ');
		one = line ? strtoull(line, NULL, 10) : 0;
		n = n + one < n ? n : n + one;
	}
	return n;
}

/* As the last read of each found it. */
static void check_unresponsive(struct findings *f)
{
	struct names pmus FREED_BY(names_free) = sysfs_entries(PMU_DIR);

	for (size_t i = 0; i < pmus.count; i++) {
		unsigned long long n = sum_packages(pmus.name[i],
						    "unresponsive");

		if (n)
			found(f, PROBLEM, pmus.name[i], "see \"no response\" in "
			      "troubleshooting", "%llu of its boxes %s not "
			      "respond (all ones) and %s not counted", n,
			      n == 1 ? "does" : "do", n == 1 ? "is" : "are");
	}
}

static void check_disturbed(struct findings *f)
{
	struct names pmus FREED_BY(names_free) = sysfs_entries(PMU_DIR);
	unsigned long long times = 0;
	const char *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < pmus.count; i++) {
		unsigned long long one = sum_packages(pmus.name[i],
						      "disturbed");

		if (!one)
			continue;
		if (!first)
			first = pmus.name[i];
		times += one;
		n++;
	}
	if (n)
		found(f, NOTE, first, "find the other program (pcm, emon, one "
		      "that writes MSRs) and let one of the two count",
		      "counters or controls changed or reset by something "
		      "else, %llu times in the boxes of %zu %s", times, n,
		      n == 1 ? "PMU" : "PMUs");
}

/* "0000:80:1e.3" from the encoding of the table. */
static char *function_of(uint64_t address)
{
	return xasprintf("%04x:%02x:%02x.%x", (unsigned int)(address >> 28 & 7),
		       (unsigned int)(address >> 20 & 0xff),
		       (unsigned int)(address >> 15 & 0x1f),
		       (unsigned int)(address >> 12 & 7));
}

/* Why the boxes of a function do not count, or NULL. */
static const char *function_away(const char *function)
{
	char *power FREED = sysfs_read(PCI_DIR "/%s/power_state", function);
	const char *why = NULL;

	if (!sysfs_exists(PCI_DIR "/%s", function))
		why = "is gone";
	else if (power && !strncmp(power, "D3", 2))
		why = "sleeps";
	return why;
}

/* Boxes of a function stand together in the table, mostly. */
static void check_away(struct findings *f, const struct machine *m)
{
	uint64_t last = UINT64_MAX;

	for (size_t i = 0; i < m->units; i++) {
		const struct unit *u = &m->unit[i];
		uint64_t address = strtoull(u->address, NULL, 0);
		char *function FREED = function_of(address);
		const char *why;

		if (strcmp(u->access, "pci") || address >> 12 == last)
			continue;
		last = address >> 12;
		why = function_away(function);
		if (why)
			found(f, PROBLEM, function, "openpmon does not wake "
			      "it; what was open goes on when it is back",
			      "the function of %s %s: its boxes do not count",
			      u->pmu, why);
	}
}

/* What no public source says is taken for granted, and can be changed. */
static void check_controls(struct findings *f, const struct machine *m)
{
	char *bytes FREED = sysfs_read("/sys/module/pmon_uncore/parameters/controls");

	if (bytes && m->devices && !strcmp(m->device[0].platform, "dmr"))
		found(f, FINE, "controls", NULL, "event controls in memory are taken to be %s "
		      "bytes apart, which no public source says; if one event of a box counts and "
		      "four do not, or units are rejected, load pmon_uncore with controls=%s",
		      bytes, strcmp(bytes, "8") ? "8" : "4");
}

/* What keeps boxes that are served from counting, or from counting rightly. */
static void doctor_boxes(struct findings *f, const struct machine *m)
{
	check_controls(f, m);
	for (size_t i = 0; i < m->devices; i++)
		check_global(f, m, i);
	check_refused(f, m);
	check_gap(f, m);
	check_unresponsive(f);
	check_disturbed(f);
	if (sysfs_exists(PCI_DIR))
		check_away(f, m);
}

/*
 * pmonctl doctor: sub-NUMA clusters. Of Granite Rapids perf 6.16 and later knows
 * by its number in which node of its package a CHA or a memory controller is, and
 * opens its events on the first CPU of that node. That CPU is the one that cpumask
 * has for the package plus the first one of node 1, 2, ... of the whole machine,
 * which is true only if all are online and numbered as firmware likes to.
 */

#define CPU_DIR "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

/* More nodes than that, and perf has no table of memory controllers. */
#define NODES_KNOWN 3

/* The CPUs of node @k of a CPU's package; none where it has fewer nodes. */
static struct cpus package_node(const struct names *nodes, unsigned int cpu,
				unsigned int k)
{
	struct cpus package = cpus_read(CPU_DIR "/cpu%u/topology/package_cpus_list", cpu);
	struct cpus node = { { 0 } };

	for (size_t i = 0; i < nodes->count; i++) {
		node = cpus_read(NODE_DIR "/%s/cpulist", nodes->name[i]);
		cpus_intersect(&node, &package);
		if (cpus_next(&node, 0) < CPUS_MAX && !k--)
			return node;
	}
	return (struct cpus){ { 0 } };
}

/* So many nodes perf sees in a package. */
static unsigned int nodes_for_perf(void)
{
	struct cpus cache = cpus_read(CPU_DIR
		"/cpu0/cache/index3/shared_cpu_list");
	struct cpus node = cpus_read(NODE_DIR "/node0/cpulist");

	return cpus_count(&node) ? cpus_count(&cache) / cpus_count(&node) : 0;
}

/* The mask that all PMUs with this prefix have; false if they differ. */
static bool common_mask(char **mask, const char *prefix, size_t *pmus)
{
	struct names n FREED_BY(names_free) = sysfs_children(prefix, PMU_DIR);
	bool common = true;

	for (size_t i = 0; i < n.count && common; i++) {
		char *own = sysfs_read(PMU_DIR "/%s/cpumask", n.name[i]);

		if (own && !*mask) {
			*mask = own;
			continue;
		}
		common = own && !strcmp(own, *mask);
		free(own);
	}
	*pmus = n.count;
	return common;
}

/* Does perf find a CPU of each node of each package? */
static bool finds_nodes(const struct names *nodes, unsigned int per_package,
			const struct cpus *mask)
{
	for (unsigned int k = 1; k < per_package; k++) {
		struct cpus first = cpus_read(NODE_DIR
			"/node%u/cpulist", k);
		unsigned int step = cpus_next(&first, 0);

		for_each_cpu(c, mask) {
			struct cpus node = package_node(nodes, c, k);

			if (!cpus_has(&node, c + step))
				return false;
		}
	}
	return true;
}

/* Why perf gives boxes to nodes that they are not in, or NULL. */
static const char *mistaken(const struct names *nodes, unsigned int per_package)
{
	const char *why = NULL;
	char *list FREED = NULL;
	size_t chas, imcs;
	bool common = common_mask(&list, "uncore_cha_", &chas) &&
		      common_mask(&list, "uncore_imc_", &imcs);
	struct cpus mask = { { 0 } };

	if (list)
		cpus_parse(&mask, list);
	if (!common)
		why = "not every package has each of the boxes";
	else if (per_package > NODES_KNOWN)
		why = "it knows up to three";
	else if (nodes_for_perf() != per_package)
		why = "it takes them for more or fewer, as CPUs are offline";
	else if (!cpus_has(&mask, 0))
		why = "CPU 0 is not in the PMUs' cpumask";
	else if (chas % per_package)
		why = "their number does not divide that of the CHAs";
	else if (!finds_nodes(nodes, per_package, &mask))
		why = "the CPUs it looks for are offline, or in other nodes";
	return why;
}

static void check_nodes(struct findings *f)
{
	struct names nodes FREED_BY(names_free) = sysfs_children("node", NODE_DIR);
	unsigned int per_package = 0;
	struct cpus node;
	const char *why;

	while (node = package_node(&nodes, 0, per_package),
	       cpus_next(&node, 0) < CPUS_MAX)
		per_package++;
	why = per_package > 1 ? mistaken(&nodes, per_package) : NULL;
	if (why)
		found(f, NOTE, "nodes", "count with --per-socket of an older "
		      "perf, or as the uncore guide says", "%u NUMA nodes in each package, and "
		      "perf 6.16 and later takes CHAs and memory controllers for those of other "
		      "nodes, or leaves them out: %s", per_package, why);
	else if (per_package > 1)
		found(f, FINE, "nodes", NULL, "%u NUMA nodes in each package: perf 6.16 and later "
		      "knows which CHAs and memory controllers each has", per_package);
}

/* What keeps perf from telling the nodes of a package apart. */
static void doctor_nodes(struct findings *f, const struct machine *m)
{
	for (size_t i = 0; i < m->devices; i++)
		if (!strncmp(m->device[i].platform, "gnr", 3)) {
			check_nodes(f);
			return;
		}
}

/* pmonctl doctor: CXL memory devices. */

#define BUS_DRIVER "/sys/bus/cxl/drivers/pmon_cxl"
#define MODULE "/sys/module/pmon_cxl"
#define PEER "/sys/module/cxl_pmu"

/* "(null)" is what the kernel shows when there is none. */
static char *override_of(const char *function)
{
	char *text = sysfs_read(PCI_DIR "/%s/driver_override", function);

	if (text && *text && strcmp(text, "(null)"))
		return text;
	free(text);
	return NULL;
}

static void check_unbound(struct findings *f, const char *name)
{
	char *unbound FREED = sysfs_read(MODULE "/parameters/unbound");

	if (unbound && strchr("1yY", *unbound))
		found(f, FINE, name, NULL, "no driver; pmon_cxl was loaded with unbound=1");
	else
		found(f, NOTE, name, "modprobe cxl_pci\tbrings its driver, or load "
		      "pmon_cxl with unbound=1",
		      "no driver has it, so openpmon does not touch it");
}

static void check_memory(struct findings *f, const char *name)
{
	char *driver FREED = sysfs_link_name(PCI_DIR "/%s/driver", name);
	const char *mode = served_asked("pmon_cxl");
	char *meant FREED = override_of(name);

	if (meant && (!driver || strcmp(meant, driver)))
		found(f, NOTE, name, "openpmon does not touch it",
		      "meant for %s by its driver_override", meant);
	else if (driver && strcmp(driver, "cxl_pci"))
		found(f, NOTE, name, "openpmon does not touch it",
		      "bound to %s", driver);
	else if (strcmp(mode, "on"))
		found_mode(f, name, mode, "pmon_cxl", "its counters are not shown");
	else if (!driver)
		check_unbound(f, name);
	else if (!sysfs_exists(MODULE) && !sysfs_exists(PEER))
		found(f, NOTE, name, "modprobe pmon_cxl\tshows its counters",
		      "pmon_cxl is not loaded");
	else
		found(f, FINE, name, NULL, "present, driver %s", driver);
}

/*
 * A CPMU whose device cxl_pci has made is served by the driver of that. One
 * without is served all the same where pmon_cxl is not on the bus.
 */
static void check_cpmus(struct findings *f)
{
	struct names n FREED_BY(names_free) = sysfs_children("pmu_mem", CXL_DIR);

	for (size_t i = 0; i < n.count; i++) {
		char *driver FREED = sysfs_link_name(CXL_DIR "/%s/driver", n.name[i]);

		if (!driver && sysfs_exists(BUS_DRIVER))
			found(f, NOTE, n.name[i], "write its name to "
			      BUS_DRIVER "/bind",
			      "bound to no driver");
		else if (driver && strcmp(driver, "pmon_cxl"))
			found(f, NOTE, n.name[i], "pmonctl adopt cxl\thands "
			      "it over", "left to %s", driver);
	}
}

/* What keeps their counters from being seen. */
static void doctor_cxl(struct findings *f)
{
	struct names n FREED_BY(names_free) = sysfs_children("", PCI_DIR);

	for (size_t i = 0; i < n.count; i++)
		if (cxl_is_memory(n.name[i]))
			check_memory(f, n.name[i]);
	check_cpmus(f);
}

/*
 * pmonctl doctor: everything on this host that keeps counters or limits from
 * being seen, and what to do about it.
 */

/* A function that a virtual machine has, or that sleeps, is not touched. */
static void check_function(struct findings *f, const char *name)
{
	char *driver FREED = sysfs_link_name(PCI_DIR "/%s/driver", name);
	char *power FREED = sysfs_read(PCI_DIR "/%s/power_state", name);

	if (driver && (!strcmp(driver, "vfio-pci") ||
		       !strcmp(driver, "pci-stub")))
		found(f, PROBLEM, name, "openpmon does not touch it",
		      "bound to %s, for a virtual machine", driver);
	else if (power && !strncmp(power, "D3", 2))
		found(f, PROBLEM, name, "openpmon does not wake it",
		      "asleep (%s)", power);
	else
		found(f, FINE, name, NULL, "present, driver %s",
		      driver ? driver : "none");
}

static void check_hardware(struct findings *f)
{
	struct names n FREED_BY(names_free) = sysfs_children("", PCI_DIR);

	for (size_t i = 0; i < n.count; i++) {
		if (!pci_is_discovery(n.name[i]))
			continue;
		if (pci_on_root_bus(n.name[i]))
			check_function(f, n.name[i]);
		else
			found(f, NOTE, n.name[i], NULL, "on a card, such as a GPU: what it lists "
			      "is not of this host, and ignored");
	}
}

static void check_owners(struct findings *f, const struct machine *m)
{
	struct owners o = machine_owners(m);
	char *listed FREED = xasprintf("%zu listed, and not driven", o.undriven);

	if (o.ours)
		found(f, FINE, "boxes", NULL, "%zu driven by openpmon", o.ours);
	if (o.foreign)
		found(f, NOTE, "boxes", "pmonctl adopt uncore\thands them over",
		      "%zu left to %s", o.foreign, o.driver);
	if (o.undriven)
		found_mode(f, "boxes", m->device[0].mode, "pmon_uncore", listed);
	if (m->rejects)
		found(f, PROBLEM, "boxes", "pmonctl list\tsays why",
		      "%zu rejected", m->rejects);
}

/* Modules answer through the mailbox, so one of them stands for all. */
static int ask_module(const struct domain *d)
{
	char *text FREED = d->modules ? sysfs_read(CLASS_DIR "/%s/plr/core%u/reasons", d->name,
						   d->module[0]) : NULL;

	return text || !d->modules ? 0 : errno;
}

static const char *module_remedy(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "firmware does not serve the mailbox; a restart of the "
		       "host, or of its BMC, may help";
	case EBUSY:
		return "another program holds the mailbox (pcm, a tool that "
		       "maps the registers); end it";
	case EOPNOTSUPP:
		return "firmware has blocked writes; look at its setup, and at the BMC";
	case EIO:
		return "firmware has blocked reads; look at its setup, and at the BMC";
	default:
		return "pmonctl plr\tsays what to do";
	}
}

static void check_domain(struct findings *f, const struct domain *d)
{
	char *reasons FREED = sysfs_read(CLASS_DIR "/%s/plr/die/reasons", d->name);
	int error = ask_module(d);

	if (error)
		found(f, PROBLEM, d->name, module_remedy(error),
		      "the modules cannot be read (%s)", error_name(error));
	if (!reasons)
		found(f, PROBLEM, d->name, "pmonctl plr\tsays what to do",
		      "the reasons cannot be read");
	else if (!error)
		found(f, FINE, d->name, NULL, "%zu %s, the die says: %s",
		      d->modules, d->modules == 1 ? "module" : "modules",
		      reasons);
}

/* A processor that has limits, and no TPMI to show them. */
static bool lacks_tpmi(const struct machine *m)
{
	static const char *const platforms[] = { "gnr", "srf", "cwf", "grr" };
	struct hardware h = hardware_look();

	for (size_t i = 0; m->devices && i < sizeof(platforms) / sizeof(*platforms); i++)
		if (!strncmp(m->device[0].platform, platforms[i], strlen(platforms[i])))
			return h.functions && !h.tpmi;
	return false;
}

/* One register access for each die, and one mailbox command. */
static void check_limits(struct findings *f, const struct machine *m)
{
	for (size_t i = 0; i < m->domains; i++)
		check_domain(f, &m->domain[i]);
	if (m->domains)
		return;
	if (sysfs_exists("/sys/module/intel_plr_tpmi"))
		found(f, NOTE, "limits", "pmonctl adopt plr\thands them over",
		      "left to intel_plr_tpmi");
	else if (m->tpmis)
		found_mode(f, "limits", m->tpmi[0].mode, "pmon_plr", "not shown");
	else if (lacks_tpmi(m))
		found(f, NOTE, "limits", "look for a setting of the firmware (TPMI), or an "
		      "update of it", "not shown: 8086:09a7 has no TPMI, firmware hides it");
}

/* A host may have one kind of device that counts, and none of the others. */
void doctor_look(struct findings *f, const struct machine *m)
{
	check_hardware(f);
	doctor_host(f, m);
	check_owners(f, m);
	doctor_boxes(f, m);
	doctor_nodes(f, m);
	check_limits(f, m);
	doctor_rights(f, m);
	doctor_cxl(f);
}

enum status cmd_doctor(const struct options *opt)
{
	struct findings f FREED_BY(findings_free) = { .finding = NULL };
	struct machine m FREED_BY(machine_free) = { 0 };

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	machine_read(&m);
	doctor_look(&f, &m);
	if (opt->json)
		findings_json(&f);
	else
		findings_print(&f, opt->verbose);
	return f.worst == PROBLEM ? STATUS_DEGRADED : STATUS_FINE;
}
