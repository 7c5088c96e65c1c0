// SPDX-License-Identifier: GPL-2.0-only
/* Finds hardware that the modules serve, or prints why there is nothing to show. */
#include <fcntl.h>

#include "hardware.h"

enum status nothing_shown_text(bool json, enum status status, const char *why)
{
	complain("%s", why);
	if (json) {
		json_document();
		json_text("error", why);
		json_close();
	}
	return status;
}

char *mode_text(const char *hidden, const char *mode, const char *module)
{
	return xasprintf("%s: %s; %s", hidden, mode_find(mode)->meaning,
			 remedy_try(mode_command(mode, module)));
}

#define KERNELS_OWN "for the PMUs of its kernel: ls /sys/bus/event_source/devices"
#define NO_LIMITS   "openpmon shows limits from Granite Rapids on; some earlier processors " \
		    "record them in MSRs 64Fh and 6B1h, which it does not read"

/* Prints the host, the missing hardware and the next command. */
static enum status no_hardware(bool json, const char *lacks, const char *next)
{
	bool virtual = cpu_is_virtual();
	char *cpu = cpu_text("model name");

	return nothing_shown(json, STATUS_NO_HARDWARE, "no supported hardware: %s%s%s%s; %s",
			     virtual ? "a virtual machine, " : "", cpu ? cpu : "", cpu ? ": " : "",
			     lacks, virtual ? "its host may have more: run pmonctl there" : next);
}

/* Prints the command that loads the installed modules, or that installs them. */
static enum status not_loaded(bool json, const char *modules)
{
	struct remedy load = remedy_load(modules);

	return broken(json, "openpmon's modules are not %s%s; %s",
		      load.command ? "loaded" : "installed for kernel ",
		      load.command ? "" : module_kernel(), remedy_try(load));
}

#define is_loaded(module)	(module_state(module) != MODULE_ABSENT)

/* Processors without tables may have R2PCIe, QPI or CXL. */
static enum status no_table(bool json)
{
	if (cxl_memory_present() && !is_loaded("pmon_cxl"))
		return not_loaded(json, "pmon_cxl");
	if (cxl_memory_present() || ring_is_present())
		return broken(json, "nothing to show; pmonctl doctor shows why");
	return no_hardware(json, "no PCI device 8086:09a7 (Sapphire Rapids and later), no "
			   "Xeon E5 or E7, no CXL memory", KERNELS_OWN);
}

static bool can_list_class(void)
{
	int fd CLOSED = host_open(CLASS_DIR, O_RDONLY | O_DIRECTORY);

	return fd >= 0;
}

enum status nothing_found(bool json)
{
	struct hardware h = hardware_find();

	if (!sysfs_exists("/sys/bus"))
		return broken(json, "/sys: not here; in a container, mount the host's");
	if (!h.functions)
		return no_table(json);
	if (h.unreached)
		return broken(json, NO_CONFIG "; " MORE_CONFIG);
	if (!h.tables && !h.tpmi)
		return no_hardware(json, "8086:09a7 is there, with neither a table of "
				   "counter boxes nor TPMI (Ice Lake, or firmware hides "
				   "them)", KERNELS_OWN);
	if (sysfs_exists(CLASS_DIR) && !can_list_class())
		return broken(json, CLASS_DIR ": cannot be read; run as root");
	if (!is_loaded("pmon_uncore") && !is_loaded("pmon_plr"))
		return not_loaded(json, h.tpmi ? "pmon_uncore pmon_plr" : "pmon_uncore");
	return broken(json, CLASS_DIR ": empty; the kernel log shows why: dmesg | grep pmon");
}

bool tpmi_has_devices(const char *feature)
{
	struct names n FREED = sysfs_names_path(xasprintf("intel_vsec.tpmi-%s", feature), false,
						xstrdup("/sys/bus/auxiliary/devices"));

	return n.count;
}

enum status plr_absent(const struct machine *m, bool json)
{
	static const char other[] = "for its other counters: pmonctl";
	struct hardware h = hardware_find();

	if (m->tpmis)
		return mode_shown(json, "no performance-limit domain", m->tpmi[0].mode, "pmon_plr");
	if (!sysfs_exists("/sys/bus") || h.unreached)
		return nothing_found(json);
	if (!h.functions || (tpmi_has_devices("") && !served_has_limits()))
		return no_hardware(json, NO_LIMITS, other);
	if (!h.tpmi)
		return no_hardware(json, "8086:09a7 is there without TPMI, where limits are "
				   "recorded (older than Granite Rapids, or firmware hides it)",
				   other);
	if (!can_list_class())
		return nothing_found(json);
	if (!is_loaded("pmon_plr"))
		return not_loaded(json, "pmon_plr");
	if (is_loaded("intel_plr_tpmi"))
		return broken(json, "intel_plr_tpmi, the kernel's own driver, has the hardware and "
			      "shows it in debugfs; %s",
			      remedy_text(remedy_now(adopt_remedy("plr", "hands it over"))));
	if (!tpmi_has_devices("") && !is_loaded("intel_vsec_tpmi") && !served_has_limits())
		return broken(json, "the kernel has made no devices of TPMI; %s",
			      remedy_try(RUN("modprobe intel_vsec_tpmi", NULL)));
	return !served_has_limits() ? no_hardware(json, NO_LIMITS, other) :
		broken(json, "pmon_plr has no device; load it again, or see: dmesg | grep pmon");
}

/* The function 8086:09a7, which pmon_plr binds on kernels without a TPMI core. */
#define VSEC_DEVICE "pci:v00008086d000009A7sv00008086sd00000000bc11sc80i00"

bool served_has_limits(void)
{
	return hardware_find().tpmi && (tpmi_has_devices("plr.") ||
					module_is_for("pmon_plr", VSEC_DEVICE));
}

const char *served_mode(const char *module)
{
	char *asked = sysfs_read("/sys/module/%s/parameters/mode", module);

	return asked ? mode_find(asked)->name : "on";
}
