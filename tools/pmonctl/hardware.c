// SPDX-License-Identifier: GPL-2.0-only
/* Finds PCI functions, tables, R2PCIe and QPI boxes, and CXL memory devices. */
#include <ctype.h>
#include <endian.h>
#include <fnmatch.h>
#include <libgen.h>
#include <linux/pci_regs.h>
#include <unistd.h>

#include "hardware.h"

/* Reads the device ID first, because hundreds of functions have Intel's vendor ID. */
static bool has_device(const char *function, const char *pattern)
{
	char *device = sysfs_read(FUNCTIONS "/%s/device", function);

	return device && !fnmatch(pattern, device, FNM_EXTMATCH) &&
	       sysfs_is("0x8086", FUNCTIONS "/%s/vendor", function);
}

bool pci_is_discovery(const char *function)
{
	return has_device(function, "0x09a[17]");
}

/* On a root bus, the link leads to .../pci0000:00/0000:00:03.1. */
bool pci_on_root_bus(const char *function)
{
	char *link = sysfs_link(FUNCTIONS "/%s", function);

	return !link || !strncmp(basename(dirname(link)), "pci", strlen("pci"));
}

long package_of(unsigned int cpu)
{
	return sysfs_read_long("/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
}

struct cpus packages_off(void)
{
	struct cpus online = cpus_read("/sys/devices/system/cpu/online");
	struct cpus off = { { 0 } }, on = { { 0 } };

	for_each_cpu(cpu, &online) {
		long package = package_of(cpu);

		if (package >= 0)
			cpus_add(&on, package);
	}
	for_each_name(name, sysfs_children("pkg", CLASS_DIR)) {
		long package = sysfs_read_long(CLASS_DIR "/%s/package_id", name);

		if (package >= 0 && cpus_count(&on) && !cpus_has(&on, package))
			cpus_add(&off, package);
	}
	return off;
}

#define CLASS_MEMORY "0x050210"

bool cxl_is_memory(const char *function)
{
	char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", function);

	return (driver && !strcmp(driver, "cxl_pci")) ||
	       sysfs_is(CLASS_MEMORY, FUNCTIONS "/%s/class", function);
}

bool cxl_memory_present(void)
{
	for_each_name(function, sysfs_children("", FUNCTIONS))
		if (cxl_is_memory(function))
			return true;
	return false;
}

#define INTEL		0x8086

#define ID_PMON		1
/* enum intel_vsec_id in include/linux/intel_vsec.h of Linux. */
#define ID_TPMI		66

bool pci_read_config(int config, unsigned int at, uint32_t *value)
{
	if (pread(config, value, sizeof(*value), at) != sizeof(*value))
		return false;
	*value = le32toh(*value);
	return true;
}

int pci_open_config(const char *function)
{
	return sysfs_is("D3cold", FUNCTIONS "/%s/power_state", function) ? -1 :
	       sysfs_open(FUNCTIONS "/%s/config", function);
}

bool pci_next_capability(int config, struct pci_capability *c)
{
	unsigned int at = c->at ? PCI_EXT_CAP_NEXT(c->header) : PCI_CFG_SPACE_SIZE;
	uint32_t second;

	if (at < PCI_CFG_SPACE_SIZE || c->seen[at / 4] ||
	    !pci_read_config(config, at, &c->header) || !c->header || c->header == UINT32_MAX)
		return false;
	c->at = at;
	c->seen[at / 4] = true;
	if (!pci_read_config(config, at + PCI_DVSEC_HEADER1, &c->first) ||
	    !pci_read_config(config, at + PCI_DVSEC_HEADER2, &second))
		return false;
	c->vendor = PCI_EXT_CAP_ID(c->header) == PCI_EXT_CAP_ID_DVSEC ?
		PCI_DVSEC_HEADER1_VID(c->first) : 0;
	c->id = PCI_DVSEC_HEADER2_ID(second);
	return true;
}

/* DVSECs lead to tables of boxes or to TPMI, VSECs to TPMI only. */
static void read_function(struct hardware *h, const char *function)
{
	int config CLOSED = pci_open_config(function);
	struct pci_capability c = { .at = 0 };
	uint32_t value;

	h->functions = true;
	/* Without rights only 64 bytes can be read, so assume tables and TPMI. */
	if (!pci_read_config(config, PCI_CFG_SPACE_SIZE - 4, &value)) {
		h->tables = true;
		h->tpmi = true;
		return;
	}
	h->unreached |= !pci_read_config(config, PCI_CFG_SPACE_SIZE, &value);
	while (pci_next_capability(config, &c)) {
		bool vendor = PCI_EXT_CAP_ID(c.header) == PCI_EXT_CAP_ID_VNDR;

		h->tables |= c.vendor == INTEL && c.id == ID_PMON;
		h->tpmi |= (c.vendor == INTEL && c.id == ID_TPMI) ||
			   (vendor && PCI_VNDR_HEADER_ID(c.first) == ID_TPMI);
	}
}

bool pci_has_table(const char *function)
{
	bool mine = sysfs_is("0x8086", FUNCTIONS "/%s/vendor", function) &&
		    pci_on_root_bus(function);
	int config CLOSED = mine ? pci_open_config(function) : -1;
	struct pci_capability c = { .at = 0 };

	while (pci_next_capability(config, &c))
		if (c.vendor == INTEL && c.id == ID_PMON)
			return true;
	return false;
}

/* Reads the first "model name\t: AMD EPYC", as all CPUs of a server are the same model. */
char *cpu_text(const char *key)
{
	size_t len = strlen(key);

	for_each_line(line, sysfs_read("/proc/cpuinfo"))
		if (!strncmp(line, key, len) && strchr("\t:", line[len]))
			return xstrdup(line + len + strspn(line + len, "\t: "));
	return NULL;
}

long cpu_number(const char *key)
{
	char *text = cpu_text(key);

	return text && isdigit((unsigned char)*text) ? strtol(text, NULL, 10) : -1;
}

bool cpu_is_virtual(void)
{
	char *flags = cpu_text("flags");

	return flags && strstr(flags, "hypervisor");
}

/* Client processors have the table's address in an MSR; see drivers/uncore/platform.c. */
#define CLIENTS "*ven0000@(fam0006mod00@(CC|E5|D5)|fam0012mod000[13])*"

/* Reads hundreds of functions in the first call only. */
struct hardware hardware_find(void)
{
	static struct hardware h;
	static bool is_read;
	char *alias = is_read ? NULL : sysfs_read("/sys/devices/system/cpu/modalias");

	if (is_read)
		return h;
	is_read = true;
	h.tables = alias && !fnmatch(CLIENTS, alias, FNM_EXTMATCH);
	h.functions = h.tables;
	for_each_name(function, sysfs_children("", FUNCTIONS))
		if (pci_is_discovery(function) && pci_on_root_bus(function))
			read_function(&h, function);
	return h;
}

#define DRIVER "pmon_r2pcie"

/* Device IDs as in drivers/r2pcie/boxes.c. */
static const char *const ring_devices[] = {
	[RING_R2PCIE] = "0x@(3c43|0e34|2f34|6f34)",
	[RING_QPI] = "0x@(3c4[12]|0e3[23a]|2f3[23a]|6f3[23a])",
};

static const char *const ring_pmus[] = {
	[RING_R2PCIE] = "uncore_r2pcie", [RING_QPI] = "uncore_qpi_",
};

size_t ring_functions(enum ring_kind kind, bool bound)
{
	size_t count = 0;

	for_each_name(function, sysfs_children("", FUNCTIONS)) {
		char *driver = sysfs_link_name(FUNCTIONS "/%s/driver", function);

		count += (!bound || (driver && !strcmp(driver, DRIVER))) &&
			 has_device(function, ring_devices[kind]);
	}
	return count;
}

/* A PMU's cpumask has one CPU for each package in which its box is served. */
size_t ring_unserved(enum ring_kind kind)
{
	size_t bound = ring_functions(kind, true), served = 0;

	for_each_name(pmu, sysfs_names_path(ring_pmus[kind], false, xstrdup(PMUS))) {
		struct cpus mask = cpus_read(PMUS "/%s/cpumask", pmu);

		served += cpus_count(&mask);
	}
	return bound > served ? bound - served : 0;
}

bool ring_reserve(enum ring_kind kind, bool reserve)
{
	bool good = true;

	for_each_name(function, sysfs_children("", FUNCTIONS)) {
		int error;

		if (!has_device(function, ring_devices[kind]))
			continue;
		error = sysfs_write(reserve ? DRIVER "\n" : "\n", FUNCTIONS "/%s/driver_override",
				    function);
		if (error)
			complain(FUNCTIONS "/%s/driver_override: %s", function, strerror(error));
		good &= !error;
	}
	return good;
}

/*
 * openpmon lacks the match terms of intel_uncore for QPI, which are registers of another function.
 * The loss of "inv" on Xeon E5 v2 does not count, because intel_uncore drops the bit there.
 */
long ring_compare(enum ring_kind kind)
{
	const char *prefix = ring_pmus[kind];
	struct table t;
	long lossy = 0;

	table_start(&t, "NOW,AFTERWARDS,~CHANGE");
	for_each_name(pmu, sysfs_names_path(prefix, false, xstrdup(PMUS))) {
		bool is_lossy = sysfs_exists(PMUS "/%s/format/match0", pmu);

		table_row(&t, pmu, pmu, is_lossy ? "loses the terms match* and mask*" : "kept");
		lossy += is_lossy;
	}
	if (!t.rows)
		table_row(&t, NULL, kind == RING_QPI ? "uncore_qpi_<port>" : prefix, "new");
	table_print(&t);
	return lossy;
}

/* CXL memory devices, by the kernel's files of the CXL bus and by configuration space. */

struct cxl_shares cxl_shares_of(const char *memory)
{
	struct cxl_shares all = { NULL, 0 };

	for_each_name(region, sysfs_children("region", CXL_DEVICES))
		for_each_name(target, sysfs_children("target", CXL_DEVICES "/%s", region)) {
			char *decoder = sysfs_read(CXL_DEVICES "/%s/%s", region, target);
			/* The endpoint, ".../endpoint2/decoder2.0", leads to the memory device. */
			char *link = decoder && !strchr(decoder, '/') ?
				sysfs_link(CXL_DEVICES "/%s", decoder) : NULL;
			char *device = link ? sysfs_link_name(CXL_DEVICES "/%s/uport",
							      basename(dirname(link))) : NULL;

			if (!device || strcmp(device, memory))
				continue;
			append(all.share, all.count, (struct cxl_share){
				.region = xstrdup(region), .decoder = xstrdup(decoder),
				.position = strtol(target + strlen("target"), NULL, 10),
				.ways = sysfs_read_long(CXL_DEVICES "/%s/interleave_ways", region),
			});
		}
	return all;
}

#define BLOCKS "/sys/devices/system/memory"

/* The node of a region's dax device, else of its first memory block; -1: it has neither. */
static long region_node(const char *region)
{
	char *address = sysfs_read(CXL_DEVICES "/%s/resource", region);
	char *size = sysfs_read(BLOCKS "/block_size_bytes");
	unsigned long long bytes = size ? strtoull(size, NULL, 16) : 0;

	for_each_name(part, sysfs_children("dax_region", CXL_DEVICES "/%s", region))
		for_each_name(dax, sysfs_children("dax", CXL_DEVICES "/%s/%s", region, part)) {
			long node = sysfs_read_long(CXL_DEVICES "/%s/%s/%s/target_node", region,
						    part, dax);

			if (node >= 0)
				return node;
		}
	if (!address || !bytes)
		return -1;
	for_each_name(node, sysfs_children("node", BLOCKS "/memory%llu",
					   strtoull(address, NULL, 0) / bytes))
		return strtol(node + strlen("node"), NULL, 10);
	return -1;
}

long cxl_memory_node(const char *memory)
{
	struct cxl_shares all FREED = cxl_shares_of(memory);

	for (size_t i = 0; i < all.count; i++) {
		long node = region_node(all.share[i].region);

		if (node >= 0)
			return node;
	}
	return sysfs_read_long(CXL_DEVICES "/%s/numa_node", memory);
}

#define CXL_VENDOR	0x1e98
#define ID_LOCATOR	8
#define BLOCK_CPMU	4
#define ENTRIES_BEGIN	12
#define ENTRY_BYTES	8

long cxl_cpmus(const char *function)
{
	int config CLOSED = pci_open_config(function);
	struct pci_capability c = { .at = 0 };
	uint32_t entry;
	long cpmus = 0;

	while (pci_next_capability(config, &c)) {
		unsigned int end = c.vendor == CXL_VENDOR && c.id == ID_LOCATOR ?
				   PCI_DVSEC_HEADER1_LEN(c.first) : 0;

		for (unsigned int at = ENTRIES_BEGIN; at + ENTRY_BYTES <= end; at += ENTRY_BYTES)
			cpmus += pci_read_config(config, c.at + at, &entry) &&
				 (entry >> 8 & 0xff) == BLOCK_CPMU;
	}
	return c.at ? cpmus : -1;
}

/* Why pmon_cxl has no PMU, from a state and the rest of a line of the file `unserved`. */
static char *unserved_why(const char *pmu, const char *state, const char *rest)
{
	char *serial = sysfs_read(PMUS "/%s/serial", pmu);
	long number = strtol(rest, NULL, 10);

	if (!strcmp(state, "waits"))
		return xasprintf("waits for %s of the device with serial %s; close %s",
				 number_of((size_t)number, "event"), serial ? serial : "not known",
				 number == 1 ? "it" : "them");
	return !strcmp(state, "error") ?
		xasprintf("cannot be served: %s", error_name((int)-number)) :
		xasprintf("rejected: %s", rest);
}

struct cxl_unserved cxl_unserved_find(void)
{
	struct cxl_unserved all = { NULL, 0 };
	char pmu[64], function[32], state[16];
	int len;

	for_each_line(line, sysfs_read(CLASS_DIR "/cxl/unserved"))
		if (sscanf(line, "%63s %31s %15s %n", pmu, function, state, &len) == 3)
			append(all.cpmu, all.count, (struct cxl_cpmu){
				.pmu = xstrdup(pmu), .function = xstrdup(function),
				.why = unserved_why(pmu, state, line + len),
				.is_rejected = strcmp(state, "waits") && strcmp(state, "error"),
			});
	return all;
}

const char *cxl_unserved_why(const struct cxl_unserved *all, const char *pmu)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->cpmu[i].pmu, pmu))
			return all->cpmu[i].why;
	return NULL;
}
