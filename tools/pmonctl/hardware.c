// SPDX-License-Identifier: GPL-2.0-only
#include "hardware.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "files.h"

/* PCI functions in sysfs: where they are, and what leads to tables of theirs. */

#define FUNCTIONS "/sys/bus/pci/devices"

/* A table or TPMI region: PCI Express base specification, 7.9.5 and 7.9.6. */
#define PCI_CAP_VENDOR	0x0b
#define PCI_CAP_DVSEC	0x23
#define PCI_CAP_WORDS	4

/* Takes the words of an extended capability with such a header. */
typedef void (*pci_take_t)(void *data, const uint32_t *word);

#define CAP_FIRST	0x100
#define CAP_LAST	0x1000

/*
 * The configuration space of a PCI function such as 0000:00:03.1, or -1 and
 * errno. One in D3cold, which the kernel would wake, is left alone.
 */
static int pci_config_open(const char *function)
{
	return sysfs_is("D3cold", FUNCTIONS "/%s/power_state", function) ? -1 :
	       sysfs_open(FUNCTIONS "/%s/config", function);
}

static bool pci_config_dword(int config, unsigned int at, uint32_t *value)
{
	unsigned char b[4];

	if (pread(config, b, sizeof(b), at) != sizeof(b))
		return false;
	*value = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
		 (uint32_t)b[3] << 24;
	return true;
}

static void take_table(int config, unsigned int at, pci_take_t take, void *data)
{
	uint32_t word[PCI_CAP_WORDS];

	for (unsigned int i = 0; i < PCI_CAP_WORDS; i++)
		if (!pci_config_dword(config, at + 4 * i, &word[i]))
			return;
	take(data, word);
}

/* Each is looked at once, also where the list goes in circles. */
static void pci_each_table(int config, pci_take_t take, void *data)
{
	bool seen[CAP_LAST / 4] = { false };
	unsigned int at = CAP_FIRST;
	uint32_t header;

	while (at >= CAP_FIRST && at <= CAP_LAST - 4 * PCI_CAP_WORDS &&
	       !seen[at / 4] && pci_config_dword(config, at, &header) &&
	       header && header != UINT32_MAX) {
		unsigned int id = header & 0xffff;

		seen[at / 4] = true;
		if (id == PCI_CAP_VENDOR || id == PCI_CAP_DVSEC)
			take_table(config, at, take, data);
		at = header >> 20 & 0xffc;
	}
}

/* Of hundreds of functions few have such an id, so that is read first. */
bool pci_is_discovery(const char *function)
{
	char *device FREED = sysfs_read(FUNCTIONS "/%s/device", function);

	return device && (!strcmp(device, "0x09a7") || !strcmp(device, "0x09a1")) &&
	       sysfs_is("0x8086", FUNCTIONS "/%s/vendor", function);
}

/* The link leads to .../pci0000:00/0000:00:03.1. */
bool pci_on_root_bus(const char *function)
{
	char *link FREED = sysfs_link(FUNCTIONS "/%s", function);
	char *name = link ? strrchr(link, '/') : NULL;
	const char *parent;

	if (!name)
		return true;
	*name = '\0';
	parent = strrchr(link, '/');
	return parent && !strncmp(parent, "/pci", strlen("/pci"));
}

/* Which PCI functions are CXL memory devices. */

#define CLASS_MEMORY "0x050210"

bool cxl_is_memory(const char *function)
{
	char *driver FREED = sysfs_link_name(FUNCTIONS "/%s/driver", function);

	return (driver && !strcmp(driver, "cxl_pci")) ||
	       sysfs_is(CLASS_MEMORY, FUNCTIONS "/%s/class", function);
}

bool cxl_memory_present(void)
{
	struct names n FREED_BY(names_free) = sysfs_children("", FUNCTIONS);
	bool has = false;

	for (size_t i = 0; i < n.count; i++)
		has |= cxl_is_memory(n.name[i]);
	return has;
}

/* Which hardware of the modules this host has, whether they are loaded or not. */

#define INTEL		0x8086

/* As enum intel_vsec_id of Linux, include/linux/intel_vsec.h, has them. */
#define ID_PMON		1
#define ID_TPMI		66

static void take(void *data, const uint32_t *word)
{
	struct hardware *h = data;

	if ((word[0] & 0xffff) == PCI_CAP_DVSEC) {
		if ((word[1] & 0xffff) != INTEL)
			return;
		h->tables |= (word[2] & 0xffff) == ID_PMON;
		h->tpmi |= (word[2] & 0xffff) == ID_TPMI;
	} else {
		h->tpmi |= (word[1] & 0xffff) == ID_TPMI;
	}
}

static void look_at(struct hardware *h, const char *function)
{
	int config CLOSED = pci_config_open(function);
	uint32_t value;

	h->functions = true;
	/* Without rights there are 64 bytes. */
	if (config < 0 || !pci_config_dword(config, 0xfc, &value)) {
		h->tables = true;
		h->tpmi = true;
	} else if (!pci_config_dword(config, 0x100, &value)) {
		h->unreached = true;
	} else {
		pci_each_table(config, take, h);
	}
}

/* "model name\t: AMD EPYC": all CPUs of a server are of one model. */
char *cpu_text(const char *key)
{
	char *text FREED = sysfs_read("/proc/cpuinfo");
	size_t len = strlen(key);

	for_each_part(line, text, "\n")
		if (!strncmp(line, key, len) && strchr("\t:", line[len]))
			return xstrdup(line + len + strspn(line + len, "\t: "));
	return NULL;
}

long cpu_number(const char *key)
{
	char *text FREED = cpu_text(key);

	return text && isdigit((unsigned char)*text) ? strtol(text, NULL, 10) : -1;
}

bool cpu_is_virtual(void)
{
	char *flags FREED = cpu_text("flags");

	return flags && strstr(flags, "hypervisor");
}

/* Client processors, whose table no PCI function has: platform.c of pmon_uncore. */
static bool is_client(void)
{
	static const char *const models[] = {
		"fam0006mod00CC", "fam0006mod00E5", "fam0006mod00D5",
		"fam0012mod0001", "fam0012mod0003",
	};
	char *alias FREED = sysfs_read("/sys/devices/system/cpu/modalias");
	bool client = false;

	if (alias && strstr(alias, "ven0000"))
		for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
			client |= !!strstr(alias, models[i]);
	return client;
}

/* Hundreds of functions are looked at once. */
struct hardware hardware_look(void)
{
	static struct hardware h;
	static bool looked;
	struct names n FREED_BY(names_free) = { NULL, 0 };

	if (looked)
		return h;
	looked = true;
	n = sysfs_children("", FUNCTIONS);
	for (size_t i = 0; i < n.count; i++)
		if (pci_is_discovery(n.name[i]) && pci_on_root_bus(n.name[i]))
			look_at(&h, n.name[i]);
	if (is_client()) {
		h.functions = true;
		h.tables = true;
	}
	return h;
}

bool hardware_present(void)
{
	struct hardware h = hardware_look();

	return h.tables || h.tpmi || h.unreached;
}

bool hardware_has_tables(void)
{
	return hardware_look().tables;
}

/* Hands the PCI functions of R2PCIe and QPI over, one by one, and back. */

#define PMUS		"/sys/bus/event_source/devices"
#define DRIVER		"pmon_r2pcie"

/* As in drivers/r2pcie/boxes.c. */
static const struct {
	const char *device;
	enum ring_kind kind;
} known[] = {
	{ "0x3c43", RING_R2PCIE }, { "0x0e34", RING_R2PCIE },
	{ "0x2f34", RING_R2PCIE }, { "0x6f34", RING_R2PCIE },
	{ "0x3c41", RING_QPI }, { "0x3c42", RING_QPI }, { "0x0e32", RING_QPI },
	{ "0x0e33", RING_QPI }, { "0x0e3a", RING_QPI }, { "0x2f32", RING_QPI },
	{ "0x2f33", RING_QPI }, { "0x2f3a", RING_QPI }, { "0x6f32", RING_QPI },
	{ "0x6f33", RING_QPI }, { "0x6f3a", RING_QPI },
};

static enum ring_kind kind_of(const char *function)
{
	char *device FREED = sysfs_read(FUNCTIONS "/%s/device", function);

	for (size_t i = 0; device && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(device, known[i].device) &&
		    sysfs_is("0x8086", FUNCTIONS "/%s/vendor", function))
			return known[i].kind;
	return RING_NONE;
}

/* How many functions of a kind @fn has said yes to. */
static size_t each(enum ring_kind kind, bool (*fn)(const char *function))
{
	struct names n FREED_BY(names_free) = { NULL, 0 };
	size_t count = 0;

	if (kind != RING_NONE)
		n = sysfs_children("", FUNCTIONS);
	for (size_t i = 0; i < n.count; i++)
		if (kind_of(n.name[i]) == kind)
			count += fn(n.name[i]);
	return count;
}

static bool is_there(const char *function)
{
	return function;
}

static bool is_bound(const char *function)
{
	char *driver FREED = sysfs_link_name(FUNCTIONS "/%s/driver", function);

	return driver && !strcmp(driver, DRIVER);
}

static bool override(const char *function, const char *text)
{
	int error = sysfs_write(text, FUNCTIONS "/%s/driver_override", function);

	if (error)
		complain(FUNCTIONS "/%s/driver_override: %s", function,
			 strerror(error));
	return !error;
}

static bool reserve(const char *function)
{
	return override(function, DRIVER "\n");
}

static bool set_free(const char *function)
{
	return override(function, "\n");
}

size_t ring_functions(enum ring_kind kind)
{
	return each(kind, is_there);
}

bool ring_is_present(void)
{
	return ring_functions(RING_R2PCIE) || ring_functions(RING_QPI);
}

size_t ring_bound(enum ring_kind kind)
{
	return each(kind, is_bound);
}

bool ring_reserve(enum ring_kind kind)
{
	return each(kind, reserve) == ring_functions(kind);
}

bool ring_free(enum ring_kind kind)
{
	return each(kind, set_free) == ring_functions(kind);
}

/*
 * intel_uncore's terms for what packets of QPI match are registers of another
 * function, which openpmon does not have. That it takes "inv" on version 2,
 * where it drops the bit, is no loss.
 */
long ring_compare(enum ring_kind kind)
{
	const char *prefix = kind == RING_QPI ? "uncore_qpi_" : "uncore_r2pcie";
	struct names n FREED_BY(names_free) = sysfs_entries(PMUS);
	struct table t;
	long losers = 0, pmus = 0;

	table_start(&t, 3);
	table_cell(&t, "NOW");
	table_cell(&t, "AFTERWARDS");
	table_cell(&t, "CHANGE");
	for (size_t i = 0; i < n.count; i++) {
		bool loses = sysfs_exists(PMUS "/%s/format/match0", n.name[i]);

		if (strncmp(n.name[i], prefix, strlen(prefix)))
			continue;
		pmus++;
		table_cell(&t, "%s", n.name[i]);
		table_cell(&t, "%s", n.name[i]);
		table_cell(&t, loses ? "loses the terms match* and mask*" :
				       "kept");
		losers += loses;
	}
	if (!pmus) {
		table_cell(&t, "-");
		table_cell(&t, "%s", kind == RING_QPI ? "uncore_qpi_<port>" : prefix);
		table_cell(&t, "new");
	}
	table_print(&t);
	return losers;
}
