// SPDX-License-Identifier: GPL-2.0-only
/* PCI functions in sysfs: where they are, and what leads to tables of theirs. */
#include "pci.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

#define FUNCTIONS "/sys/bus/pci/devices"

#define CAP_FIRST	0x100
#define CAP_LAST	0x1000

int pci_config_open(const char *function)
{
	char *state = sysfs_read(FUNCTIONS "/%s/power_state", function);
	int fd = -1;

	if (!state || strcmp(state, "D3cold"))
		fd = sysfs_open(FUNCTIONS "/%s/config", function);
	free(state);
	return fd;
}

bool pci_config_dword(int config, unsigned int at, uint32_t *value)
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
void pci_each_table(int config, pci_take_t take, void *data)
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
	char *device = sysfs_read(FUNCTIONS "/%s/device", function);
	bool yes = device && (!strcmp(device, "0x09a7") ||
			      !strcmp(device, "0x09a1"));
	char *vendor = yes ? sysfs_read(FUNCTIONS "/%s/vendor", function) : NULL;

	yes = vendor && !strcmp(vendor, "0x8086");
	free(vendor);
	free(device);
	return yes;
}

/* The link leads to .../pci0000:00/0000:00:03.1. */
bool pci_on_root_bus(const char *function)
{
	char *link = sysfs_link(FUNCTIONS "/%s", function);
	char *name = link ? strrchr(link, '/') : NULL;
	const char *parent;
	bool on_root = true;

	if (name) {
		*name = '\0';
		parent = strrchr(link, '/');
		on_root = parent && !strncmp(parent, "/pci", strlen("/pci"));
	}
	free(link);
	return on_root;
}
