// SPDX-License-Identifier: GPL-2.0-only
/*
 * Model a package's registers of memory controllers, HBM and CXL, and discovery
 * tables outside PCI functions, with their units.  The physical addresses belong to
 * no BAR and to no window of a host bridge; the memory map of firmware has the
 * addresses as reserved, or not at all.
 */
#include "qemu/osdep.h"
#include "exec/address-spaces.h"
#include "hw/i386/e820_memory_layout.h"
#include "hook.h"
#include "pmon.h"

struct pmon_gap {
	MemoryRegion region;
	unsigned int pkg;
	uint64_t base;
	struct pmon_dev *table;		/* device with a discovery table at @base, or NULL */
};

/* Range of gaps without "high" in the plan, and of segment windows. */
static uint64_t gap_first, gap_end;

bool pmon_gap(uint64_t *first, uint64_t *last)
{
	*first = gap_first;
	*last = gap_end - 1;
	return gap_end;
}

static struct pmon_unit *unit_at(const struct pmon_gap *gap, uint64_t addr)
{
	unsigned int i;

	for (i = 0; i < pmon_machine->units->len; i++) {
		struct pmon_unit *u = g_ptr_array_index(pmon_machine->units, i);

		if (u->gap && u->pkg == gap->pkg && addr >= u->address &&
		    addr - u->address < u->extent)
			return u;
	}
	return NULL;
}

/* Account an access without a register, as illegal unless the package was removed. */
static void no_answer(uint64_t addr, uint64_t val, unsigned int bytes,
		      bool write, bool gone)
{
	struct pmon_access a = {
		.class = PMON_OTHER, .write = write, .bytes = bytes,
		.address = addr, .value = val, .where = gone ? "gone" : "gap",
	};

	pmon_account(&a);
	if (!gone)
		pmon_illegal(&a, "outside any unit");
}

static bool in_table(const struct pmon_gap *gap, hwaddr off)
{
	return gap->table && off < gap->table->table_bytes;
}

static uint64_t table_access(const struct pmon_gap *gap, hwaddr off,
			     uint64_t val, unsigned int bytes, bool write)
{
	const uint8_t *qword = gap->table->table + (off & ~7ull);
	struct pmon_access a = {
		.class = PMON_TABLE, .write = write, .bytes = bytes,
		.address = gap->base + off, .value = val, .where = "table",
		.dev = gap->table,
	};

	if (!write)
		a.value = pmon_table_part(ldq_le_p(qword), off % 8, bytes);
	pmon_account(&a);
	if (write)
		pmon_illegal(&a, "read-only register written");
	return a.value;
}

static uint64_t gap_read(void *opaque, hwaddr off, unsigned int bytes)
{
	struct pmon_gap *gap = opaque;
	uint64_t addr = gap->base + off;
	struct pmon_unit *u = unit_at(gap, addr);

	if (in_table(gap, off))
		return table_access(gap, off, 0, bytes, false);
	if (u && !u->dev->gone)
		return pmon_unit_read(u, addr, addr - u->address, bytes);
	no_answer(addr, pmon_ones(bytes), bytes, false, u);
	return pmon_ones(bytes);
}

static void gap_write(void *opaque, hwaddr off, uint64_t val, unsigned int bytes)
{
	struct pmon_gap *gap = opaque;
	uint64_t addr = gap->base + off;
	struct pmon_unit *u = unit_at(gap, addr);

	if (in_table(gap, off))
		table_access(gap, off, val, bytes, true);
	else if (u && !u->dev->gone)
		pmon_unit_write(u, addr, addr - u->address, val, bytes);
	else
		no_answer(addr, val, bytes, true, u);
}

static const MemoryRegionOps gap_ops = {
	.read = gap_read, .write = gap_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = { .min_access_size = 1, .max_access_size = 8 },
	.impl = { .min_access_size = 1, .max_access_size = 8 },
};

/* Keep the range out of the windows of all host bridges of segment 0. */
void pmon_gap_reserve(uint64_t first, uint64_t end)
{
	gap_first = gap_end ? MIN(gap_first, first) : first;
	gap_end = MAX(gap_end, end);
}

void pmon_gap_create(unsigned int pkg, uint64_t base, uint64_t bytes,
		     struct pmon_dev *table, bool reserved, bool high)
{
	struct pmon_gap *gap = g_new0(struct pmon_gap, 1);

	gap->pkg = pkg;
	gap->base = base;
	gap->table = table;
	memory_region_init_io(&gap->region, NULL, &gap_ops, gap, "pmon-gap", bytes);
	memory_region_add_subregion(get_system_memory(), base, &gap->region);
	if (!high)
		pmon_gap_reserve(base, base + bytes);
	if (reserved)
		e820_add_entry(base, bytes, E820_RESERVED);
}
