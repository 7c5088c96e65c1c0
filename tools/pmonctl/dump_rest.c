// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl dump: values of files, memory maps (to explain rejected places) and other drivers (to
 * explain owners).
 */
#include "dump_rest.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <unistd.h>

#include "host.h"

/* ---- values of files */

void dump_text_path(const char *name, char *path)
{
	char *text FREED = sysfs_read_path(path);

	if (text && *text)
		json_text(name, text);
}

void dump_number_path(const char *name, char *path)
{
	json_known(name, sysfs_read_long_path(path));
}

void dump_hex(const char *name, unsigned long long value)
{
	char *text FREED = xasprintf("0x%llx", value);

	json_text(name, text);
}

unsigned char *dump_bytes(const char *path, size_t most, size_t *count)
{
	int fd CLOSED = sysfs_open("%s", path);
	unsigned char *bytes;
	ssize_t n = 1;

	*count = 0;
	if (fd < 0)
		return NULL;
	bytes = xcalloc(most, 1);
	while (n > 0 && *count < most) {
		n = read(fd, bytes + *count, most - *count);
		*count += n > 0 ? (size_t)n : 0;
	}
	if (n >= 0)
		return bytes;
	free(bytes);
	return NULL;
}

/* ---- maps of memory */

/* Names of ranges on every such host. Other names may identify devices of the host. */
#define COMMON "@(System RAM|RAM buffer|Reserved|reserved|ACPI *|Persistent Memory*|" \
	"Soft Reserved|Unusable memory|Unknown E820 type|PCI Bus *|PCI MMCONFIG*|PCI ECAM*|" \
	"Local APIC|IOAPIC *|HPET *|dmar*|CXL Window *|region*|dax*|Video *|System ROM|" \
	"Adapter ROM*|INTC*|PNP*|MSFT*|pnp *)"

/* A range of addresses; other names are replaced. */
static void dump_range(unsigned int depth, uint64_t first, uint64_t last, const char *name,
		       bool redact)
{
	json_open(NULL, '{');
	dump_hex("first", first);
	dump_hex("last", last);
	json_number("depth", depth);
	json_text("name", redact && fnmatch(COMMON, name, FNM_EXTMATCH) ? "other" : name);
	json_close();
}

/*
 * "  a8000000-a87fffff : Reserved", two spaces per level; host bridge windows are named "PCI Bus".
 * Kernel addresses are left out. Without rights all are 0.
 */
static void dump_iomem(bool redact)
{
	json_open("iomem", '[');
	for_each_line(line, sysfs_read("/proc/iomem")) {
		unsigned int depth = (unsigned int)strspn(line, " ") / 2;
		const char *name = strstr(line, " : ");
		uint64_t first, last;

		if (name && fnmatch("Kernel *", name + 3, 0) && sscanf(line, " %" SCNx64 "-%"
		    SCNx64, &first, &last) == 2 && last)
			dump_range(depth, first, last, name + 3, redact);
	}
	json_close();
}

/* The firmware's map before the kernel's changes. */
static void dump_firmware_map(void)
{
	json_open("memmap", '[');
	for_each_name(entry, sysfs_entries("/sys/firmware/memmap")) {
		json_open(NULL, '{');
		dump_text("first", "/sys/firmware/memmap/%s/start", entry);
		dump_text("last", "/sys/firmware/memmap/%s/end", entry);
		dump_text("type", "/sys/firmware/memmap/%s/type", entry);
		json_close();
	}
	json_close();
}

static uint64_t number_at(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

/*
 * Where PCI configuration space is in memory. PCI Firmware Specification, section "MCFG
 * Table Description": entries of 16 bytes behind a head of 44.
 */
#define MCFG_HEAD 44
#define MCFG_ENTRY 16
#define MCFG_MOST 4096

static void dump_mcfg(void)
{
	size_t count = 0;
	unsigned char *table FREED = dump_bytes("/sys/firmware/acpi/tables/MCFG", MCFG_MOST,
						&count);

	json_open("mcfg", '[');
	for (size_t at = MCFG_HEAD; table && at + MCFG_ENTRY <= count; at += MCFG_ENTRY) {
		json_open(NULL, '{');
		dump_hex("base", number_at(table + at, 8));
		json_members("segment %ld first_bus %ld last_bus %ld",
			     (long)number_at(table + at + 8, 2), (long)table[at + 10],
			     (long)table[at + 11]);
		json_close();
	}
	json_close();
}

/* Kernel log, PMUs and CXL. */

/* Log lines about tables and host bridge windows. */
#define ABOUT "@(*pmon*|*intel_vsec*|*intel_uncore*|*root bus resource*)"
#define LINES_MOST 500

static void dump_log(void)
{
	unsigned int lines = 0;

	json_open("log", '[');
	for_each_line(line, kernel_log()) {
		const char *text = *line == '<' ? strchr(line, '>') : NULL;

		if (!fnmatch(ABOUT, line, FNM_EXTMATCH) && lines++ < LINES_MOST)
			json_text(NULL, text ? text + 1 : line);
	}
	json_close();
}

/* All PMUs in perf, of any driver. */
static void dump_pmus(void)
{
	json_open("pmus", '[');
	for_each_name(pmu, sysfs_entries(PMUS)) {
		json_open(NULL, '{');
		json_text("name", pmu);
		dump_number("type", PMUS "/%s/type", pmu);
		dump_text("cpumask", PMUS "/%s/cpumask", pmu);
		dump_text("alias", PMUS "/%s/alias", pmu);
		json_close();
	}
	json_close();
}

/*
 * Attributes on the CXL bus that need no mailbox command: memory devices, ports, decoders,
 * regions, CPMUs.
 */
static const char *const cxl_attributes[] = {
	"devtype", "numa_node", "firmware_version", "ram/size", "pmem/size", "start", "size",
	"resource", "mode", "interleave_ways", "interleave_granularity", "target_type",
	"target_list", "locked",
};

static void dump_cxl(bool redact)
{
	json_open("cxl", '[');
	for_each_name(device, sysfs_entries(CXL_DEVICES)) {
		char *driver FREED = sysfs_link_name(CXL_DEVICES "/%s/driver", device);
		char *link FREED = sysfs_link(CXL_DEVICES "/%s", device);

		json_open(NULL, '{');
		json_text("name", device);
		if (link)
			json_text("path", link);
		if (driver)
			json_text("driver", driver);
		for (size_t i = 0; i < sizeof(cxl_attributes) / sizeof(*cxl_attributes); i++)
			dump_text(cxl_attributes[i], CXL_DEVICES "/%s/%s", device,
				  cxl_attributes[i]);
		if (!redact)
			dump_text("serial", CXL_DEVICES "/%s/serial", device);
		json_close();
	}
	json_close();
}

void dump_rest(bool redact)
{
	dump_iomem(redact);
	dump_firmware_map();
	dump_mcfg();
	dump_log();
	dump_pmus();
	dump_cxl(redact);
}
