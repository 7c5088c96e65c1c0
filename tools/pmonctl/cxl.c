// SPDX-License-Identifier: GPL-2.0-only
/* CXL memory devices, by the kernel's files of the CXL bus and by configuration space. */
#include <libgen.h>
#include <linux/pci_regs.h>
#include <unistd.h>

#include "hardware.h"

/* A decoder of an endpoint: ".../endpoint2/decoder2.0"; the endpoint leads to the device. */
static bool is_of_memory(const char *decoder, const char *memory)
{
	char *link = sysfs_link(CXL_DEVICES "/%s", decoder);
	char *device = link ?
		sysfs_link_name(CXL_DEVICES "/%s/uport", basename(dirname(link))) : NULL;

	return device && !strcmp(device, memory);
}

struct cxl_shares cxl_shares_of(const char *memory)
{
	struct cxl_shares all = { NULL, 0 };

	for_each_name(region, sysfs_children("region", CXL_DEVICES))
		for_each_name(target, sysfs_children("target", CXL_DEVICES "/%s", region)) {
			char *decoder = sysfs_read(CXL_DEVICES "/%s/%s", region, target);

			if (!decoder || strchr(decoder, '/') || !is_of_memory(decoder, memory))
				continue;
			append(all.share, all.count, (struct cxl_share){
				.region = xstrdup(region), .decoder = xstrdup(decoder),
				.position = strtol(target + strlen("target"), NULL, 10),
				.ways = sysfs_read_long(CXL_DEVICES "/%s/interleave_ways", region),
			});
		}
	return all;
}

long long cxl_memory_size(const char *memory)
{
	char *ram = sysfs_read(CXL_DEVICES "/%s/ram/size", memory);
	char *pmem = sysfs_read(CXL_DEVICES "/%s/pmem/size", memory);

	if (!ram && !pmem)
		return -1;
	return (ram ? strtoll(ram, NULL, 0) : 0) + (pmem ? strtoll(pmem, NULL, 0) : 0);
}

#define BLOCKS "/sys/devices/system/memory"

/* The node of the dax device, else of the first memory block; -1: not memory of the kernel. */
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

static bool locates_cpmu(int config, const struct pci_capability *locator)
{
	uint32_t entry;

	unsigned int end = PCI_DVSEC_HEADER1_LEN(locator->first);

	for (unsigned int at = ENTRIES_BEGIN; at + ENTRY_BYTES <= end; at += ENTRY_BYTES)
		if (pci_read_config(config, locator->at + at, &entry) &&
		    (entry >> 8 & 0xff) == BLOCK_CPMU)
			return true;
	return false;
}

bool cxl_lacks_cpmu(const char *function)
{
	int config CLOSED = pci_open_config(function);
	struct pci_capability c = { .at = 0 };

	while (config >= 0 && pci_next_capability(config, &c))
		if (c.vendor == CXL_VENDOR && c.id == ID_LOCATOR && locates_cpmu(config, &c))
			return false;
	return c.at;
}
