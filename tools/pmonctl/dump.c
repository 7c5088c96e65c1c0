// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl dump: print the description of this hardware as one JSON object, for a report and for
 * the emulator (selftests/vm/run --machine FILE). It has discovery and TPMI tables as the modules
 * read them, PCI functions, the few registers that locate counters, and the CPU model and topology.
 * Memory maps, the log and PMUs explain rejections and owners. At the end are one second of
 * bandwidth and the record of limits. A function in D3cold is not accessed.
 */
#include <ctype.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <libgen.h>
#include <linux/pci_regs.h>
#include <unistd.h>

#include "doctor.h"

/* A part could not be read. */
static bool incomplete;

/* Is this a client processor, whose table is in memory? */
static bool is_client;

/* ---- values of files */

/*
 * Adds members with the text of files below @dir. @members has words "NAME=FILE", or "NAME" for a
 * file NAME. A prefix # adds a number, @ the last component of a link, / the target of link @dir.
 * FILE "." is the name of @dir. An empty or unreadable file adds no member.
 */
static void dump_files(const char *dir, const char *members)
{
	for_each_token(name, xstrdup(members), " ") {
		char kind = strchr("#@/", *name) ? *name++ : 0, *file = strchr(name, '=');
		char *text = NULL;

		if (file)
			*file++ = '\0';
		file = file ? file : name;
		if (kind == '#')
			json_number(name, sysfs_read_long("%s/%s", dir, file));
		else
			text = kind == '@' ? sysfs_link_name("%s/%s", dir, file) :
			       kind == '/' ? sysfs_link("%s", dir) : !strcmp(file, ".") ?
			       xstrdup(strrchr(dir, '/') + 1) : sysfs_read("%s/%s", dir, file);
		if (text && *text)
			json_text(name, text);
	}
}

/* Adds an array with an object for each entry of a directory. */
static void dump_entries(const char *name, const char *dir, const char *members)
{
	json_list(name)
		for_each_name(entry, sysfs_entries("%s", dir))
			json_map(NULL)
				dump_files(xasprintf("%s/%s", dir, entry), members);
}

/* Adds an unsigned number in hexadecimal, as a text. */
static void dump_hex(const char *name, unsigned long long value)
{
	json_text(name, xasprintf("0x%llx", value));
}

/* ---- the processors */

#define DMI "/sys/class/dmi/id"

static void dump_host(bool redact)
{
	json_map("host") {
		if (!redact) {
			dump_files("/proc/sys/kernel", "name=hostname");
			dump_files(DMI, "serial=product_serial");
		}
		dump_files(DMI, "vendor=sys_vendor product=product_name bios=bios_version");
		dump_files("/proc/sys/kernel", "kernel=osrelease");
	}
}

static void dump_cpu(void)
{
	char *name = cpu_text("model name");

	json_map("cpu")
		json_members("name %s family %ld model %ld stepping %ld ?microcode %s "
			     "hypervisor %d", name ? name : "-", cpu_number("cpu family"),
			     cpu_number("model"), cpu_number("stepping"), cpu_text("microcode"),
			     cpu_is_virtual());
}

/* An offline CPU has no topology. */
static void dump_cpus(void)
{
	json_list("cpus")
		for_each_name(cpu, sysfs_children("cpu", CPU_DIR)) {
			struct names node FREED = sysfs_children("node", CPU_DIR "/%s", cpu);
			char *topology = xasprintf(CPU_DIR "/%s/topology", cpu);

			if (!sysfs_exists("%s/physical_package_id", topology))
				continue;
			json_map(NULL) {
				dump_files(topology,
					   "#package=physical_package_id #die=die_id #core=core_id");
				json_members("node %ld cpu %ld", node.count ?
					     atol(node.name[0] + strlen("node")) : -1,
					     atol(cpu + strlen("cpu")));
			}
		}
}

/* Reads an MSR through the device of the kernel's module msr. */
static bool read_msr(const char *cpu, unsigned int msr, uint64_t *value)
{
	int fd CLOSED = host_open(xasprintf("/dev/cpu/%s/msr", cpu), O_RDONLY);

	return fd >= 0 && pread(fd, value, sizeof(*value), msr) == sizeof(*value);
}

#define MSR_PM_LOGICAL_ID 0x54

/* Adds module and power domain of each CPU. Processors that record no limits lack this MSR. */
static void dump_logical_ids(void)
{
	uint64_t value;

	if (!read_msr("0", MSR_PM_LOGICAL_ID, &value))
		return;
	json_map("pm_logical_id")
		for_each_name(cpu, sysfs_children("", "/dev/cpu"))
			if (read_msr(cpu, MSR_PM_LOGICAL_ID, &value))
				dump_hex(cpu, value);
}

/* ---- PCI functions */

/*
 * Registers that the modules and the kernel's drivers read: package numbers (UBOX, older Xeons'
 * too), the other end of a link (UPI), bus numbers, root bus of Grand Ridge, variant of the die,
 * location of memory controllers. See drivers/uncore.
 */
static const struct {
	const char *device;
	unsigned int at[10];
} registers[] = {
	{ "0x3250", { 0xc0, 0xd4 } },
	{ "0x3241", { 0x94, 0x120 } },
	{ "0x325b", { 0x94 } },
	{ "0x09a2", { 0x3f4 } },
	{ "0x09a6", { 0x190, 0x194, 0x198, 0x19c, 0x1a0, 0x1c0, 0x1c4, 0x1c8, 0x1cc } },
	{ "0x3251", { 0xd0, 0xd8, 0xdc, 0xe0, 0xe4 } },
	{ "0x3ce0", { 0x40, 0x54 } },
	{ "0x0e1e", { 0x40, 0x54 } },
	{ "0x2f1e", { 0x40, 0x54 } },
	{ "0x6f1e", { 0x40, 0x54 } },
};

/* Registers with the addresses of a client processor's memory controllers. */
static const unsigned int host_bridge[] = { 0x48, 0x4c, 0 };

static const unsigned int *registers_of(const char *function, const char *device)
{
	if (is_client && !strcmp(function, "0000:00:00.0"))
		return host_bridge;
	for_each_in(one, registers)
		if (!strcmp(device, one->device))
			return one->at;
	return NULL;
}

/*
 * Adds the first four dwords of capabilities that lead to tables; an unreadable dword is 0. See the
 * PCI Express base specification, 7.9.5 and 7.9.6.
 */
static void dump_capabilities(int config)
{
	struct pci_capability c = { .at = 0 };

	json_list("capabilities")
		while (pci_next_capability(config, &c)) {
			if (PCI_EXT_CAP_ID(c.header) != PCI_EXT_CAP_ID_VNDR &&
			    PCI_EXT_CAP_ID(c.header) != PCI_EXT_CAP_ID_DVSEC)
				continue;
			json_list(NULL)
				for (unsigned int i = 0; i < 4; i++) {
					uint32_t word = 0;

					pci_read_config(config, c.at + 4 * i, &word);
					dump_hex(NULL, word);
				}
		}
}

/* Adds BARs and the ROM, from lines "FIRST LAST FLAGS"; zeroes mean that there is none. */
static void dump_bars(const char *function)
{
	unsigned long first, last;
	int bar = 0;

	json_list("bars")
		for_each_line(line, sysfs_read(FUNCTIONS "/%s/resource", function)) {
			if (bar <= 6 && sscanf(line, "%lx %lx", &first, &last) == 2 && last)
				json_element("bar %ld start %lx bytes %lx", (long)bar, first,
					     last - first + 1);
			bar++;
		}
}

/* Adds BARs and capabilities of a function with tables, or else registers that locate counters. */
static void dump_inside(const char *function, const char *device)
{
	const unsigned int *at = registers_of(function, device);
	bool discovery = pci_is_discovery(function);
	int config CLOSED = discovery || at ? pci_open_config(function) : -1;

	if (discovery)
		dump_bars(function);
	if (config < 0)
		return;
	if (discovery) {
		dump_capabilities(config);
		return;
	}
	json_map("config")
		for (uint32_t value; *at; at++)
			if (pci_read_config(config, *at, &value))
				dump_hex(xasprintf("0x%x", *at), value);
}

static void dump_function(const char *function, bool redact)
{
	char *dir = xasprintf(FUNCTIONS "/%s", function);
	char *device = sysfs_read("%s/device", dir);
	bool intel = sysfs_is("0x8086", "%s/vendor", dir), on_root = pci_on_root_bus(function);

	if (!device || (redact && !(intel && on_root) && !cxl_is_memory(function)))
		return;
	json_map(NULL) {
		dump_files(dir, "function=. vendor device class #node=numa_node @driver");
		if (pci_is_discovery(function))
			dump_files(dir, "power=power_state");
		if (intel)
			dump_inside(function, device);
		json_members("root_bus %d", on_root);
	}
}

/* ---- tables and domains */

/* The PCI function of a class device, ".../0000:00:03.1/pmon/NAME". */
static char *function_of(const char *device)
{
	char *found = NULL;

	for_each_token(part, sysfs_link(CLASS_DIR "/%s", device), "/")
		if (!fnmatch("????:??:??.?", part, 0))
			found = xstrdup(part);
	return found;
}

/* UNCORE_DISCOVERY_MSR of arch/x86/events/intel/uncore_discovery.h of Linux. */
#define MSR_CLIENT_TABLE 0x201e

/* Bytes of the longest possible table. */
#define TABLE_MOST 24576

static void dump_table(const char *device)
{
	char *path = xasprintf(CLASS_DIR "/%s/table", device), *hex;
	size_t count;
	char *bytes = file_bytes(sysfs_open("%s", path), &count);

	if (!bytes || count > TABLE_MOST) {
		complain_file(path, bytes ? EFBIG : errno);
		incomplete = true;
		return;
	}
	hex = xcalloc(2 * count + 1, 1);
	for (size_t i = 0; i < count; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)bytes[i]);
	json_text("table", hex);
}

/* Adds free-running boxes, which are in no table. */
static void dump_free_running(const struct machine *m, size_t device)
{
	json_list("free_running")
		for_each_item(u, m->unit, m->units)
			if (u->device == device && strstr(u->name, "free_running"))
				json_element("name %s id %ld width %ld", u->name, (long)u->id,
					     (long)u->width);
}

static void dump_discovery(const struct machine *m)
{
	uint64_t address;

	json_list("discovery")
		for_each_item(d, m->device, m->devices)
			json_map(NULL) {
				json_members("name %s package %ld platform %s mode %s function %s",
					     d->name, d->package, d->platform, d->mode,
					     function_of(d->name));
				if (is_client && read_msr("0", MSR_CLIENT_TABLE, &address))
					dump_hex("address", address);
				dump_table(d->name);
				dump_free_running(m, (size_t)(d - m->device));
				json_rejected(m, (size_t)(d - m->device));
			}
}

static void dump_tpmi(const struct machine *m)
{
	json_list("tpmi")
		for_each_item(t, m->tpmi, m->tpmis)
			json_map(NULL) {
				json_members("name %s package %ld function %s partition %ld",
					     t->name, t->package, function_of(t->name),
					     sysfs_read_long(CLASS_DIR "/%s/partition", t->name));
				dump_table(t->name);
			}
}

/* The TPMI device of a domain's package if there is just one, else the domain itself. */
static const char *tpmi_of(const struct machine *m, const struct domain *d)
{
	const char *found = NULL;

	for_each_item(t, m->tpmi, m->tpmis)
		if (t->package == d->package)
			found = found ? d->name : t->name;
	return found ? found : d->name;
}

static void dump_domain(const struct machine *m, const struct domain *d)
{
	char *plr = xasprintf(CLASS_DIR "/%s/plr", d->name);
	struct names mesh FREED = sysfs_children("mesh", "%s", plr);

	json_members("name %s package %ld domain %ld function %s", d->name, d->package, d->id,
		     function_of(tpmi_of(m, d)));
	dump_files(plr, "version");
	json_number("meshes", (long)mesh.count);
	json_list("modules")
		for (size_t i = 0; i < d->modules; i++) {
			char *cpus = sysfs_read("%s/core%u/cpus", plr, d->module[i]);

			json_element("module %ld cpus %s", (long)d->module[i], cpus ? cpus : "");
		}
}

/* ---- maps of memory, the kernel's log, PMUs and CXL */

/* Common names of memory ranges. --redact replaces other names, as they may identify devices. */
#define COMMON "@(System RAM|RAM buffer|Reserved|reserved|ACPI *|Persistent Memory*|" \
	"Soft Reserved|Unusable memory|Unknown E820 type|PCI Bus *|PCI MMCONFIG*|PCI ECAM*|" \
	"Local APIC|IOAPIC *|HPET *|dmar*|CXL Window *|region*|dax*|Video *|System ROM|" \
	"Adapter ROM*|INTC*|PNP*|MSFT*|pnp *)"

/*
 * Parses lines "  a8000000-a87fffff : Reserved", two spaces per level; host bridge windows are
 * "PCI Bus". Leaves out lines "Kernel *", and addresses of 0, which an unprivileged reader gets.
 */
static void dump_iomem(bool redact)
{
	json_list("iomem")
		for_each_line(line, sysfs_read("/proc/iomem")) {
			const char *name = strstr(line, " : ");
			unsigned long first, last;

			if (!name || !fnmatch(" : Kernel *", name, 0) ||
			    sscanf(line, " %lx-%lx", &first, &last) != 2 || !last)
				continue;
			json_element("first %lx last %lx depth %ld name %s", first, last,
				     (long)strspn(line, " ") / 2, !redact ||
				     !fnmatch(COMMON, name + 3, FNM_EXTMATCH) ? name + 3 : "other");
		}
}

static unsigned long number_at(const unsigned char *bytes, size_t count)
{
	unsigned long value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

/*
 * The table MCFG locates PCI configuration space: entries of 16 bytes after a head of 44. See
 * the PCI Firmware Specification, "MCFG Table Description".
 */
#define MCFG_HEAD 44
#define MCFG_ENTRY 16

static void dump_mcfg(void)
{
	size_t count;
	unsigned char *table = (unsigned char *)
		file_bytes(sysfs_open("/sys/firmware/acpi/tables/MCFG"), &count);

	json_list("mcfg")
		for (size_t at = MCFG_HEAD; table && at + MCFG_ENTRY <= count; at += MCFG_ENTRY)
			json_element("base %lx segment %ld first_bus %ld last_bus %ld",
				     number_at(table + at, 8), (long)number_at(table + at + 8, 2),
				     (long)table[at + 10], (long)table[at + 11]);
}

/* Log lines about tables and host bridge windows. */
#define ABOUT "@(*pmon*|*intel_vsec*|*intel_uncore*|*root bus resource*)"
#define LINES_MOST 500

static void dump_log(void)
{
	unsigned int lines = 0;

	json_list("log")
		for_each_line(line, kernel_log()) {
			const char *text = *line == '<' ? strchr(line, '>') : NULL;

			if (!fnmatch(ABOUT, line, FNM_EXTMATCH) && lines++ < LINES_MOST)
				json_text(NULL, text ? text + 1 : line);
		}
}

/* Attributes on the CXL bus that need no mailbox command. */
#define CXL_FILES "name=. /path @driver devtype numa_node firmware_version ram/size pmem/size " \
	"start size resource mode interleave_ways interleave_granularity target_type target_list " \
	"locked"

/* False if the caller may not read tables. A host without any table is dumped, too. */
static bool may_read(const struct machine *m)
{
	const char *first = m->devices ? m->device[0].name : m->tpmis ? m->tpmi[0].name : NULL;
	int fd CLOSED = first ? sysfs_open(CLASS_DIR "/%s/table", first) : -1;

	return !first || fd >= 0 || (errno != EACCES && errno != EPERM);
}

/* Adds the bandwidth over one second, and the record of limits, which monitoring would clear. */
static void dump_moment(struct checkup *l, bool redact)
{
	checkup_count(l, true);
	for_each_item(p, l->all.scope, l->all.count)
		incomplete |= p->error;
	for (struct flow *f = l->b.flow; redact && f < l->b.flow + l->b.flows; f++)
		f->devices = NULL;
	json_map("moment")
		checkup_json(l);
}

enum status cmd_dump(const struct options *opt)
{
	static struct checkup l;
	struct machine *m = &l.m;

	if (!hardware_present() && !ring_is_present() && !cxl_memory_present())
		return nothing_found(opt->json);
	machine_read(m);
	if (!may_read(m))
		return fail(STATUS_BROKEN, "the tables cannot be read; run it as root");
	if (hardware_has_tables() && !m->devices) {
		complain("no discovery table in " CLASS_DIR ", so the dump has none; pmonctl "
			 "doctor shows why");
		incomplete = true;
	}
	is_client = m->devices && !function_of(m->device[0].name) && cpu_number("cpu family") == 6;
	json_open(NULL, '{');
	json_members("kind %s format %ld pmonctl %s", "openpmon dump", 1L, PMONCTL_VERSION);
	json_map("modules")
		for_each_in(module, own_modules)
			if (module_state(*module) != MODULE_ABSENT)
				json_text(*module, module_version(*module));
	dump_host(opt->redact);
	dump_cpu();
	dump_cpus();
	dump_logical_ids();
	json_list("pci")
		for_each_name(function, sysfs_entries(FUNCTIONS))
			dump_function(function, opt->redact);
	dump_discovery(m);
	dump_tpmi(m);
	json_list("domains")
		for_each_item(d, m->domain, m->domains)
			json_map(NULL)
				dump_domain(m, d);
	dump_iomem(opt->redact);
	/* The firmware's memory map, unchanged by the kernel. */
	dump_entries("memmap", "/sys/firmware/memmap", "first=start last=end type");
	dump_mcfg();
	dump_log();
	dump_entries("pmus", PMUS, "name=. #type cpumask alias");
	dump_entries("cxl", CXL_DEVICES, opt->redact ? CXL_FILES : CXL_FILES " serial");
	dump_moment(&l, opt->redact);
	json_close();
	return incomplete || m->degraded ? STATUS_DEGRADED : STATUS_FINE;
}
