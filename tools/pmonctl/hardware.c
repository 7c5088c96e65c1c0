// SPDX-License-Identifier: GPL-2.0-only
/* Which hardware of the modules this host has, whether they are loaded or not. */
#include "hardware.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pci.h"
#include "sysfs.h"

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
	int config = pci_config_open(function);
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
	if (config >= 0)
		close(config);
}

/* Client processors, whose table no PCI function has: platform_client.c. */
static bool is_client(void)
{
	static const char *const models[] = {
		"fam0006mod00CC", "fam0006mod00E5", "fam0006mod00D5",
		"fam0012mod0001", "fam0012mod0003",
	};
	char *alias = sysfs_read("/sys/devices/system/cpu/modalias");
	bool client = false;

	if (alias && strstr(alias, "ven0000"))
		for (size_t i = 0; i < sizeof(models) / sizeof(*models); i++)
			client |= !!strstr(alias, models[i]);
	free(alias);
	return client;
}

/* Hundreds of functions are looked at once. */
struct hardware hardware_look(void)
{
	static struct hardware h;
	static bool looked;
	struct names n;

	if (looked)
		return h;
	looked = true;
	n = sysfs_children("/sys/bus/pci/devices", "");
	for (size_t i = 0; i < n.count; i++)
		if (pci_is_discovery(n.name[i]) && pci_on_root_bus(n.name[i]))
			look_at(&h, n.name[i]);
	names_free(&n);
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
