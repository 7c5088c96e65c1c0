// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find and access the global control of a discovery table: a register whose bit
 * 0 freezes all boxes, and on client processors more registers that stop boxes.
 * Several registers appear as one: bit 0 reads as set if any register stops
 * boxes, and a write lets all boxes run.
 */
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/smp.h>

#include "uncore.h"

/* SNB_UNC_GLOBAL_CTL_EN in arch/x86/events/intel/uncore_snb.c of Linux */
#define GLOBAL_ENABLE	BIT_ULL(29)

static u64 uncore_global_regs_read(const struct pmon_regs *regs, u32 offset,
				   u8 bytes)
{
	const struct uncore_table *table = regs->priv;
	const struct uncore_global_reg *reg = table->global_regs;
	u64 all = U64_MAX;

	for (; reg < table->global_regs + table->nr_global_regs; reg++)
		uncore_global_combine(pmon_read(&reg->regs, 0, reg->bytes),
				      reg->bytes, reg->enable, &all);
	return all;
}

/* Let all boxes run and ignore @val, because drivers/core writes only 0. */
static int uncore_global_regs_write(const struct pmon_regs *regs, u32 offset,
				    u64 val, u8 bytes)
{
	const struct uncore_table *table = regs->priv;
	const struct uncore_global_reg *reg = table->global_regs;
	int ret = 0;

	for (; reg < table->global_regs + table->nr_global_regs; reg++)
		ret = pmon_write(&reg->regs, 0, reg->enable, reg->bytes) ?: ret;
	return ret;
}

static const struct pmon_regs_ops global_regs_ops = {
	.read = uncore_global_regs_read, .write = uncore_global_regs_write,
};

/* The caller ensures that there is room. */
static struct uncore_global_reg *
uncore_global_add_reg(struct uncore_table *table, u8 bytes, u64 enable)
{
	struct uncore_global_reg *reg =
		&table->global_regs[table->nr_global_regs];

	table->nr_global_regs++;
	reg->bytes = bytes;
	reg->enable = enable;
	return reg;
}

static bool uncore_may_be_global_msr(u64 address)
{
	const struct uncore_msr_range *range = &uncore.platform->global;

	return range->last && address >= range->first &&
	       address <= range->last;
}

static const char on_unit[] = "overlaps a unit";

static const char *uncore_global_add_msr(struct uncore_table *table,
					 u64 address)
{
	if (!uncore_may_be_global_msr(address))
		return "outside the counter MSRs of this platform";
	if (uncore_units_have(table->units, table->count, UNCORE_ACCESS_MSR,
			      address, 1))
		return on_unit;
	pmon_regs_msr(&uncore_global_add_reg(table, sizeof(u64), 0)->regs,
		      address);
	return NULL;
}

static const char *uncore_global_add_mmio(struct uncore_table *table,
					  u64 address)
{
	const char *reason = address % sizeof(u32) ?
				     "not aligned" :
				     uncore_check_mmio(table, address,
						       sizeof(u32));
	struct uncore_global_reg *reg;
	void __iomem *mmio;

	if (reason)
		return reason;
	if (uncore_units_have(table->units, table->count, UNCORE_ACCESS_MMIO,
			      address, sizeof(u32)))
		return on_unit;
	mmio = ioremap(address, sizeof(u32));
	if (!mmio)
		return "cannot be mapped";
	reg = uncore_global_add_reg(table, sizeof(u32), 0);
	pmon_regs_mmio(&reg->regs, mmio, sizeof(u32));
	return NULL;
}

static void uncore_global_reject(struct uncore_table *table, u64 address,
				 const char *reason)
{
	if (!table->global_fault.field)
		uncore_fault_set(&table->global_fault, "global", address,
				 reason);
}

/*
 * Add further registers to the table's control at @global: the control of the
 * SNCU, and the registers that enable units in MSRs.
 */
static void uncore_global_add_others(struct uncore_table *table, u64 global)
{
	const u32 *msr = uncore.platform->enables;
	const struct uncore_unit *unit = table->units;
	const char *reason;
	u64 address;

	for (; msr && *msr; msr++)
		pmon_regs_msr(&uncore_global_add_reg(table, sizeof(u64),
						     GLOBAL_ENABLE)->regs,
			      *msr);
	for (; unit < table->units + table->count; unit++) {
		address = unit->address + unit->row->freeze;
		if (!uncore_unit_good(unit) || !unit->row->freeze ||
		    address == global)
			continue;
		reason = table->nr_global_regs == UNCORE_GLOBAL_REGS ?
				 "one more than there can be" :
				 uncore_global_add_mmio(table, address);
		if (reason)
			uncore_global_reject(table, address, reason);
	}
}

static void uncore_global_init(struct uncore_table *table)
{
	struct pmon_global *global = &table->global;

	table->has_global = table->nr_global_regs;
	global->freeze = UNCORE_GLOBAL_FREEZE;
	pmon_global_init(global);
	if (table->nr_global_regs == 1 && !table->global_regs[0].enable) {
		global->regs = table->global_regs[0].regs;
		global->bytes = table->global_regs[0].bytes;
	} else {
		global->regs.ops = &global_regs_ops;
		global->regs.priv = table;
		global->bytes = sizeof(u64);
	}
}

/* On known models the control of a table in memory is in memory, too. */
static bool uncore_global_is_in_memory(const struct uncore_table *table)
{
	return !table->pdev && !uncore.platform->memory.unknown_model;
}

/* An MSR address overrides the access field, as in uncore_msr_global_init(). */
static const char *uncore_global_add(struct uncore_table *table,
				     const struct uncore_global_record *head)
{
	bool in_memory = uncore_global_is_in_memory(table) ||
			 (head->access == UNCORE_ACCESS_MMIO &&
			  !uncore_may_be_global_msr(head->address));

	return in_memory ? uncore_global_add_mmio(table, head->address) :
			   uncore_global_add_msr(table, head->address);
}

/* Find the global control of a table. Accesses no register. */
void uncore_global_find(struct uncore_table *table)
{
	struct uncore_global_record head;
	struct uncore_fault fault;
	const char *reason;

	/* parse again; the record was checked when @raw was read */
	uncore_global_record_check(table->raw, U64_MAX, &head, &fault);
	reason = uncore_global_add(table, &head);
	/* Report a rejected control, because boxes that it freezes count 0. */
	if (reason && head.address)
		uncore_global_reject(table, head.address, reason);
	uncore_global_add_others(table, head.address);
	uncore_global_init(table);
}

void uncore_global_unmap(struct uncore_table *table)
{
	unsigned int i;

	for (i = 0; i < table->nr_global_regs; i++)
		if (table->global_regs[i].bytes == sizeof(u32))
			iounmap(table->global_regs[i].regs.mmio);
}

struct uncore_global_reading {
	const struct pmon_global *global;
	u64 value;
};

static void uncore_global_read_here(void *data)
{
	struct uncore_global_reading *reading = data;
	const struct pmon_global *global = reading->global;

	reading->value = pmon_read(&global->regs, 0, global->bytes);
}

/*
 * Read the global control. Returns 0, -ENODATA without a control, -ENODEV if
 * the control cannot be accessed or does not respond, or another error. Called
 * with uncore.lock.
 */
int uncore_global_read(const struct uncore_table *table, u64 *value)
{
	struct uncore_global_reading reading = { .global = &table->global };
	int cpu = pmon_place_cpu(pmon_in_package(table->package));
	int ret;

	lockdep_assert_held(&uncore.lock);
	if (!table->has_global)
		return -ENODATA;
	if (cpu < 0 || (table->pdev && (!pmon_pci_is_accessible(table->pdev) ||
					uncore_is_in_vm(table->pdev))))
		return -ENODEV;
	ret = smp_call_function_single(cpu, uncore_global_read_here, &reading,
				       true);
	*value = reading.value;
	if (pmon_is_all_ones(*value, table->global.bytes))
		return -ENODEV;
	return ret;
}
