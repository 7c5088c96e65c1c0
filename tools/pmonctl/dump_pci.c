// SPDX-License-Identifier: GPL-2.0-only
/*
 * pmonctl dump: PCI functions. Of all of them what they are; of those of a
 * class device the BARs and the capabilities that lead to tables; of a few
 * others the registers of configuration space that say where counters are, and
 * nothing else: configuration space has serial numbers as well.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "discovery.h"
#include "dump_pci.h"
#include "output.h"
#include "pci.h"
#include "sysfs.h"

#define FUNCTIONS "/sys/bus/pci/devices"

#define DWORDS 12

/* The modules and the kernel's drivers read these; see drivers/uncore. */
static const struct {
	const char *device;
	unsigned int at[DWORDS];
} registers[] = {
	/* UBOX: number of the package, and of the others */
	{ "0x3250", { 0xc0, 0xd4 } },
	/* UPI: the other end of a link, and whether it is trained */
	{ "0x3241", { 0x94, 0x120 } },
	/* numbers of the package's buses */
	{ "0x09a6", { 0x190, 0x194, 0x198, 0x19c, 0x1a0, 0x1c0, 0x1c4, 0x1c8,
		      0x1cc } },
	/* on Grand Ridge, which place its root bus has; each of these has one */
	{ "0x09a2", { 0x3f4 } },
	/* which variant of the die */
	{ "0x325b", { 0x94 } },
	/* where memory controllers have their registers */
	{ "0x3251", { 0xd0, 0xd8, 0xdc, 0xe0, 0xe4 } },
};

/* "0000:00:03.1" */
static bool is_function(const char *s, size_t len)
{
	static const char shape[] = "xxxx:xx:xx.x";

	if (len != strlen(shape))
		return false;
	for (size_t i = 0; i < len; i++)
		if (shape[i] == 'x' ? !isxdigit((unsigned char)s[i]) :
				      s[i] != shape[i])
			return false;
	return true;
}

char *dump_function_of(const char *device)
{
	char *link = sysfs_link(CLASS_DIR "/%s", device);
	char *found = NULL;

	/* .../0000:00:03.1/intel_vsec.tpmi-plr.0/pmon/pkg0-dom0 */
	for (const char *part = link; part && *part;) {
		size_t len = strcspn(part, "/");

		if (is_function(part, len)) {
			free(found);
			found = xstrndup(part, len);
		}
		part += len + (part[len] == '/');
	}
	free(link);
	return found;
}

static void json_hex(const char *name, uint64_t value)
{
	struct text t = { NULL, 0 };

	text_add(&t, "0x%" PRIx64, value);
	json_text(name, t.s);
	text_free(&t);
}

static void json_capability(void *data, const uint32_t *word)
{
	(void)data;
	json_open(NULL, '[');
	for (unsigned int i = 0; i < PCI_CAP_WORDS; i++)
		json_hex(NULL, word[i]);
	json_close(']');
}

static void json_capabilities(int config)
{
	json_open("capabilities", '[');
	pci_each_table(config, json_capability, NULL);
	json_close(']');
}

static void json_registers(int config, const unsigned int *at)
{
	struct text name = { NULL, 0 };
	uint32_t value;

	json_open("config", '{');
	for (unsigned int i = 0; i < DWORDS && at[i]; i++) {
		if (!pci_config_dword(config, at[i], &value))
			continue;
		text_add(&name, "0x%x", at[i]);
		json_hex(name.s, value);
		text_free(&name);
	}
	json_close('}');
}

/* Lines "start end flags", of which those that are used are not 0. */
static void json_bars(const char *function)
{
	char *text = sysfs_read(FUNCTIONS "/%s/resource", function);
	char *save, *line = text ? strtok_r(text, "\n", &save) : NULL;
	unsigned long long start, end;

	json_open("bars", '[');
	for (long bar = 0; line && bar <= 6; bar++) {
		if (sscanf(line, "%llx %llx", &start, &end) == 2 && end > start) {
			json_open(NULL, '{');
			json_number("bar", bar);
			json_hex("start", start);
			json_hex("bytes", end - start + 1);
			json_close('}');
		}
		line = strtok_r(NULL, "\n", &save);
	}
	json_close(']');
	free(text);
}

static void json_file(const char *name, const char *function, const char *file)
{
	char *text = sysfs_read(FUNCTIONS "/%s/%s", function, file);

	if (text)
		json_text(name, text);
	free(text);
}

/* What a report needs of one that has tables, or says where counters are. */
static void json_inside(const char *function, const char *device)
{
	int config;

	if (pci_is_discovery(function)) {
		json_file("power", function, "power_state");
		json_bars(function);
	}
	config = pci_config_open(function);
	if (config < 0)
		return;
	if (pci_is_discovery(function))
		json_capabilities(config);
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (!strcmp(device, registers[i].device))
			json_registers(config, registers[i].at);
	close(config);
}

static void json_function(const char *function)
{
	char *vendor = sysfs_read(FUNCTIONS "/%s/vendor", function);
	char *device = sysfs_read(FUNCTIONS "/%s/device", function);

	json_open(NULL, '{');
	json_text("function", function);
	json_text("vendor", vendor);
	json_text("device", device);
	json_file("class", function, "class");
	json_known("node", sysfs_read_long(FUNCTIONS "/%s/numa_node", function));
	json_flag("root_bus", pci_on_root_bus(function));
	if (vendor && device && !strcmp(vendor, "0x8086"))
		json_inside(function, device);
	json_close('}');
	free(device);
	free(vendor);
}

void dump_pci(void)
{
	struct names all = sysfs_children(FUNCTIONS, "");

	json_open("pci", '[');
	for (size_t i = 0; i < all.count; i++)
		if (is_function(all.name[i], strlen(all.name[i])))
			json_function(all.name[i]);
	json_close(']');
	names_free(&all);
}
