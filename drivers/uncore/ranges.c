// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode addresses in registers of the platform, and compare ranges of
 * registers with ranges that are known to be something else.
 */
#include <linux/bitfield.h>
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>

#include <pmon/regs.h>

#include "platform.h"

/*
 * These addresses are fixed on all Intel processors. On client processors the
 * memory controllers may follow the timers directly: MCH_BASE_ADDRESS in
 * src/soc/intel/pantherlake of coreboot.
 */
static const struct {
	u32 first;
	u32 last;
	const char *reason;
} fixed[] = {
	{ 0, 0xfffff, "in the first megabyte" },
	{ 0xfec00000, 0xfecfffff, "inside an I/O APIC" },
	{ 0xfed00000, 0xfedbffff, "inside the timers of the chipset" },
	{ 0xfee00000, 0xfeefffff, "inside a local APIC" },
	{ 0xff000000, 0xffffffff, UNCORE_IS_FIRMWARE },
};

/* Returns the reason to reject memory from @first to @last, or NULL. */
const char *uncore_range_fixed(u64 first, u64 last)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (first <= fixed[i].last && last >= fixed[i].first)
			return fixed[i].reason;
	return NULL;
}

/* A bus has 1 MiB of ECAM: PCI Express Base Specification, 7.2.2. */
#define ECAM_BUS_SHIFT		20

/* @base is the address of bus 0, even if @first_bus is not 0. */
bool uncore_ecam_overlaps(u64 base, u8 first_bus, u8 last_bus, u64 first,
			  u64 last)
{
	return last >= base + ((u64)first_bus << ECAM_BUS_SHIFT) &&
	       first < base + ((last_bus + 1ull) << ECAM_BUS_SHIFT);
}

/* Return true if a unit that is not rejected has @size bytes or MSRs there. */
bool uncore_units_have(const struct uncore_unit *units, size_t count,
		       enum uncore_access access, u64 address, u32 size)
{
	const struct uncore_unit *unit;
	unsigned int n;
	u64 start;
	u32 span;

	for (unit = units; unit < units + count; unit++) {
		if (!uncore_unit_good(unit) || unit->access != access)
			continue;
		for (n = 0; uncore_unit_extent(unit, n, &start, &span); n++)
			if (address < start + span && start < address + size)
				return true;
	}
	return false;
}

/* MCHBAR of the host bridge */
#define HOST_BAR_ENABLE		BIT(0)

bool uncore_host_bar_address(u32 low, u32 high, u64 *address)
{
	if (!(low & HOST_BAR_ENABLE))
		return false;
	*address = (u64)high << 32 | (low & ~HOST_BAR_ENABLE);
	return IS_ALIGNED(*address, sizeof(u64));
}

/*
 * Memory controllers: SNR_IMC_MMIO_BASE_MASK, SNR_IMC_MMIO_MEM0_MASK in
 * arch/x86/events/intel/uncore_snbep.c of Linux.
 */
#define MC_BASE_ADDRESS		GENMASK(28, 0)
#define MC_BASE_SHIFT		23
#define MC_SPACE_ADDRESS	GENMASK(10, 0)
#define MC_SPACE_SHIFT		12

bool uncore_mem_bar_address(u32 base, u32 space, u64 *address)
{
	if (base == U32_MAX || space == U32_MAX)
		return false;
	*address = (u64)FIELD_GET(MC_BASE_ADDRESS, base) << MC_BASE_SHIFT |
		   FIELD_GET(MC_SPACE_ADDRESS, space) << MC_SPACE_SHIFT;
	return *address;
}

/* @buses has four bus numbers; byte @index % 4 is the bus of @index. */
bool uncore_bus_of_index(u32 valid, u32 buses, u8 index, u8 *bus)
{
	if (valid == U32_MAX || !(valid & BIT(index)) || buses == U32_MAX)
		return false;
	*bus = buses >> index % 4 * 8;
	return true;
}

bool uncore_link_has(const struct uncore_link *link, u8 slot, u8 function)
{
	return slot >= link->slot && slot < link->slot + link->count &&
	       function == link->function;
}

/* discover_upi_topology() in arch/x86/events/intel/uncore_snbep.c of Linux */
#define KTILP0_NODE		GENMASK(19, 16)
#define KTILP0_PORT		GENMASK(12, 8)
#define KTIPCSTS_TRAINED	BIT(4)

/* @status is KTIPCSTS, @link is KTILP0. Returns false for an untrained link. */
bool uncore_upi_far_end(u32 status, u32 link, unsigned int *port,
			unsigned int *node)
{
	if (status == U32_MAX || !(status & KTIPCSTS_TRAINED) ||
	    link == U32_MAX)
		return false;
	*port = FIELD_GET(KTILP0_PORT, link);
	*node = FIELD_GET(KTILP0_NODE, link);
	return true;
}

/*
 * Merge @value, read from a register that stops boxes, into @all, the combined
 * value of a table's global control. Ignore a @value of all ones.
 */
void uncore_global_combine(u64 value, u8 bytes, u64 enable, u64 *all)
{
	if (pmon_is_all_ones(value, bytes))
		return;
	if (*all == U64_MAX)
		*all = 0;
	if (!enable)
		*all |= value;
	else if (!(value & enable))
		*all |= UNCORE_GLOBAL_FREEZE;
}
