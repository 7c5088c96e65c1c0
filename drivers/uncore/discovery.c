// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read discovery tables, and add units that tables do not list.
 *
 * A PCI function's DVSEC points to a table in a BAR; an MSR has the address of
 * a table in memory. intel_vsec usually drives the function, so this driver
 * never binds, enables or resumes it, and skips it in D3, without memory
 * decoding or in a virtual machine. A table is read once.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include <asm/cpufeature.h>

#include <compat/msr.h>

#include "uncore.h"

static bool uncore_reject(struct uncore_table *table, const char *field,
			  u64 value, const char *reason)
{
	uncore_fault_set(&table->fault, field, value, reason);
	return false;
}

static bool uncore_check_bar(struct uncore_table *table, int cap, u8 *bar,
			     u32 *offset)
{
	struct pci_dev *pdev = table->pdev;
	enum pmon_pci_access access;
	unsigned long flags;
	u16 command;

	if (uncore_is_in_vm(pdev))
		return uncore_reject(table, "device", pci_dev_id(pdev),
				     "belongs to a virtual machine");
	access = pmon_pci_access(pdev, false);
	if (access == PMON_PCI_D3)
		return uncore_reject(table, "device", pci_dev_id(pdev),
				     "is in D3");
	if (access != PMON_PCI_ACCESSIBLE ||
	    !uncore_capability_bar(pdev, cap, bar, offset) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command))
		return uncore_reject(table, "device", 0, "cannot be read");
	if (*bar > PCI_STD_RESOURCE_END)
		return uncore_reject(table, "bir", *bar, "no such BAR");
	flags = pci_resource_flags(pdev, *bar);
	if (!(flags & IORESOURCE_MEM) ||
	    flags & (IORESOURCE_UNSET | IORESOURCE_DISABLED) ||
	    !pci_resource_start(pdev, *bar))
		return uncore_reject(table, "bar", *bar,
				     "has no memory address");
	if (!(command & PCI_COMMAND_MEMORY))
		return uncore_reject(table, "bar", *bar,
				     "memory decoding is off");
	return true;
}

/*
 * Read four bytes at a time, as Linux (memcpy_fromio()) and Intel PCM do. No
 * public source has wider reads, and likwid saw errors after memcpy() in user
 * space.
 */
static void uncore_read_record(const void __iomem *at, u64 *record)
{
	__ioread32_copy(record, at, UNCORE_RECORD_BYTES / sizeof(u32));
}

static size_t uncore_table_bytes(const struct uncore_global_record *head)
{
	return head->units * head->stride * sizeof(u64) + UNCORE_RECORD_BYTES;
}

/* Room for links and memory controllers that the table does not list */
#define ADDED_UNITS	16

/* Reserve two entries per listed unit, one for free-running counters. */
static int uncore_table_alloc(struct uncore_table *table, size_t units)
{
	table->capacity = 2 * units + ADDED_UNITS;
	table->raw_bytes = (units + 1) * UNCORE_RECORD_BYTES;
	table->raw = kvzalloc(table->raw_bytes, GFP_KERNEL);
	table->units = kvcalloc(table->capacity, sizeof(*table->units),
				GFP_KERNEL);
	table->boxes = kvcalloc(table->capacity, sizeof(*table->boxes),
				GFP_KERNEL);
	return table->raw && table->units && table->boxes ? 0 : -ENOMEM;
}

static bool uncore_check_head(struct uncore_table *table, const u64 *record,
			      u64 space, struct uncore_global_record *head)
{
	bool good = uncore_global_record_check(record, space, head,
					       &table->fault);
	const char *reason;

	if (!good || table->pdev)
		return good;
	/* uncore_read_in_memory() has checked record 0's address only */
	reason = uncore_check_mmio(table, table->res.start,
				   uncore_table_bytes(head));
	return !reason || uncore_reject(table, "address", table->res.start,
					reason);
}

static int uncore_read_records(struct uncore_table *table,
			       const struct uncore_global_record *head)
{
	void __iomem *base;
	size_t i;

	base = ioremap(table->res.start, uncore_table_bytes(head));
	if (!base)
		return -ENOMEM;
	for (i = 1; i <= head->units; i++)
		uncore_read_record(base + i * head->stride * sizeof(u64),
				   table->raw + i * UNCORE_RECORD_QWORDS);
	iounmap(base);
	table->count = head->units;
	return 0;
}

/* Read a table of up to @space bytes; keep record 0 of a faulty table. */
static int uncore_read_table(struct uncore_table *table, u64 address, u64 space)
{
	void __iomem *base = ioremap(address, UNCORE_RECORD_BYTES);
	struct uncore_global_record head;
	u64 record[UNCORE_RECORD_QWORDS];
	bool good;
	int ret;

	if (!base)
		return -ENOMEM;
	uncore_read_record(base, record);
	iounmap(base);

	table->res.start = address;
	good = uncore_check_head(table, record, space, &head);
	table->res.end = address + uncore_table_bytes(&head) - 1;
	ret = uncore_table_alloc(table, good ? head.units : 0);
	if (ret)
		return ret;
	memcpy(table->raw, record, UNCORE_RECORD_BYTES);
	if (good)
		ret = uncore_read_records(table, &head);
	return ret;
}

static bool uncore_is_table(u64 address, u64 space)
{
	struct uncore_global_record head;
	u64 record[UNCORE_RECORD_QWORDS];
	struct uncore_fault fault;
	void __iomem *base;

	base = space ? ioremap(address, UNCORE_RECORD_BYTES) : NULL;
	if (!base)
		return false;
	uncore_read_record(base, record);
	iounmap(base);
	return uncore_global_record_check(record, space, &head, &fault);
}

/*
 * Read at the offset in the capability, like Linux (struct intel_vsec_header).
 * If no table is there, read at the start of the BAR, like Intel PCM.
 */
static int uncore_read_behind_bar(struct uncore_table *table, u8 bar,
				  u32 offset)
{
	u64 start = pci_resource_start(table->pdev, bar);
	u64 length = pci_resource_len(table->pdev, bar);

	if (!uncore_table_space(length, 0)) {
		uncore_reject(table, "bar", bar, "too small for a table");
		return 0;
	}
	if (offset && !uncore_is_table(start + offset,
				       uncore_table_space(length, offset)))
		offset = 0;
	return uncore_read_table(table, start + offset,
				 uncore_table_space(length, offset));
}

static int uncore_read_in_memory(struct uncore_table *table, u64 address)
{
	const char *reason;

	if (address % sizeof(u64))
		reason = "not aligned";
	else if (address >> 52)
		reason = "not a physical address";
	else
		reason = uncore_check_mmio(table, address, UNCORE_RECORD_BYTES);
	if (!reason)
		return uncore_read_table(table, address, UNCORE_TABLE_BYTES);
	uncore_reject(table, "address", address, reason);
	return 0;
}

static void uncore_parse_units(struct uncore_table *table)
{
	u16 ignored = table->pdev ? uncore.platform->ignored :
				    uncore.platform->memory.ignored;
	size_t i;

	uncore_table_units(table->raw + UNCORE_RECORD_QWORDS, uncore.platform,
			   ignored, table->units, table->count);
	for (i = 0; i < table->count; i++) {
		table->units[i].package = table->package;
		table->units[i].die = table->die;
	}
}

static bool uncore_number_is_used(int package, unsigned int number)
{
	const struct uncore_table *other;

	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == package && other->number == number)
			return true;
	return false;
}

/* Free a table that is in no list and not in sysfs. */
void uncore_table_free(struct uncore_table *table)
{
	uncore_global_unmap(table);
	kvfree(table->raw);
	kvfree(table->units);
	kvfree(table->boxes);
	pci_dev_put(table->pdev);
	kfree(table);
}

static struct uncore_table *uncore_new_table(int package, u64 key)
{
	struct uncore_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;
	table->package = package;
	table->key = key;
	while (uncore_number_is_used(package, table->number))
		table->number++;
	return table;
}

/* Append a unit if there is room. */
void uncore_table_add(struct uncore_table *table,
		      const struct uncore_unit *unit)
{
	struct uncore_unit *added = &table->units[table->count];

	if (table->count == table->capacity)
		return;
	*added = *unit;
	added->package = table->package;
	added->index = table->count++;
}

/* MCHBAR of the host bridge */
#define HOST_BAR		0x48

static bool uncore_read_host_bar(u64 *address)
{
	struct pci_dev *pdev __free(pci_dev_put) =
		pci_get_domain_bus_and_slot(0, 0, PCI_DEVFN(0, 0));
	u32 low, high;

	if (!pdev || pci_read_config_dword(pdev, HOST_BAR, &low) ||
	    pci_read_config_dword(pdev, HOST_BAR + 4, &high))
		return false;
	return uncore_host_bar_address(low, high, address);
}

/*
 * Addresses of memory controllers: SNR_IMC_MMIO_BASE_OFFSET and
 * SNR_IMC_MMIO_MEM0_OFFSET in arch/x86/events/intel/uncore_snbep.c of Linux.
 */
#define MC_DEVICE		0x3251
#define MC_BASE			0xd0
#define MC_SPACE(n)		(0xd8 + 4 * (n))

static bool uncore_read_mem_bar(int package, unsigned int n, u64 *address)
{
	struct pci_dev *pdev __free(pci_dev_put) =
		uncore_package_device(MC_DEVICE, UNCORE_ANY_DEVFN, package);
	u32 base, space;

	if (!pdev || pci_read_config_dword(pdev, MC_BASE, &base) ||
	    pci_read_config_dword(pdev, MC_SPACE(n), &space))
		return false;
	return uncore_mem_bar_address(base, space, address);
}

static bool uncore_unlisted_base(const struct uncore_unlisted *unlisted,
				 int package, u16 n, u64 *address)
{
	switch (unlisted->base) {
	case UNCORE_BASE_HOST_BAR:
		return uncore_read_host_bar(address);
	case UNCORE_BASE_MEM_BAR:
		return uncore_read_mem_bar(package, n, address);
	default:
		*address = 0;
		return true;
	}
}

/* Add unlisted units; those whose base is unknown are added by a later scan. */
static void uncore_add_unlisted(struct uncore_table *table)
{
	const struct uncore_unlisted *unlisted = uncore.platform->unlisted;
	struct uncore_unit unit;
	u64 base;
	u16 n;

	for (; unlisted && unlisted->row; unlisted++) {
		if (unlisted->first_package && table->package)
			continue;
		for (n = unlisted->first; n < unlisted->end; n++) {
			if (!uncore_unlisted_is_missing(unlisted, n,
							table->units,
							table->count) ||
			    !uncore_unlisted_base(unlisted, table->package, n,
						  &base))
				continue;
			base += unlisted->offset + (u64)unlisted->step * n;
			uncore_unit_init_unlisted(unlisted->row, n, base,
						  &unit);
			uncore_table_add(table, &unit);
		}
	}
}

/* List a table, even a faulty one, for sysfs. If @ret is an error, free it. */
static int uncore_add_table(struct uncore_table *table, int ret)
{
	if (ret) {
		uncore_table_free(table);
		return ret;
	}
	if (table->count) {
		uncore_parse_units(table);
		uncore_add_unlisted(table);
		uncore_global_find(table);
	}
	list_add_tail(&table->node, &uncore.tables);
	return 0;
}

static int uncore_discover_one(struct pci_dev *pdev, int cap, int package)
{
	struct uncore_table *table = uncore_new_table(package, cap);
	u32 offset;
	int ret = 0;
	u8 bar;

	if (!table)
		return -ENOMEM;
	table->pdev = pci_dev_get(pdev);
	snprintf(table->origin, sizeof(table->origin), "%s", pci_name(pdev));
	uncore_find_others(table);

	/* stay in D0 from the check of the power state to the last read */
	pm_runtime_get_noresume(&pdev->dev);
	if (uncore_check_bar(table, cap, &bar, &offset))
		ret = uncore_read_behind_bar(table, bar, offset);
	pm_runtime_put_noidle(&pdev->dev);

	return uncore_add_table(table, ret);
}

/* @key: offset of the capability in @pdev, or address of a table in memory */
static bool uncore_table_is_listed(const struct pci_dev *pdev, u64 key)
{
	const struct uncore_table *table;

	list_for_each_entry(table, &uncore.tables, node)
		if (table->pdev == pdev && table->key == key)
			return true;
	return false;
}

/* The previous scan has logged devices of unknown package. */
static bool package_unknown_logged;

static int uncore_discover(struct pci_dev *pdev)
{
	int package, ret, cap = 0;

	while ((cap = uncore_next_table(pdev, cap))) {
		if (uncore_table_is_listed(pdev, cap))
			continue;
		package = uncore_package(pdev);
		if (package < 0) {
			if (!package_unknown_logged)
				pr_warn("package of the discovery table of %s is not known, its units are not used until it is\n",
					pci_name(pdev));
			uncore.package_unknown = true;
			return 0;
		}
		ret = uncore_discover_one(pdev, cap, package);
		if (ret)
			return ret;
	}
	return 0;
}

static int uncore_find_in_pci(void)
{
	struct pci_dev *pdev = NULL;
	int ret = 0;

	for_each_pci_dev(pdev) {
		if (!uncore_is_discovery(pdev))
			continue;
		ret = uncore_discover(pdev);
		if (ret)
			break;
	}
	pci_dev_put(pdev);
	return ret;
}

static int uncore_discover_memory(u64 address, unsigned int cpu)
{
	struct uncore_table *table;

	table = uncore_new_table(topology_physical_package_id(cpu), address);
	if (!table)
		return -ENOMEM;
	if (uncore.platform->memory.of_die)
		table->die = topology_logical_die_id(cpu) + 1;
	snprintf(table->origin, sizeof(table->origin), "CPU %u", cpu);
	return uncore_add_table(table, uncore_read_in_memory(table, address));
}

/* CPUs whose MSR with a table's address was read */
static struct cpumask msr_read_cpus;

/* Unknown models, whose MSR may be unrelated, need generic=1, no hypervisor. */
static bool uncore_may_read_msr(void)
{
	const struct uncore_memory_tables *memory = &uncore.platform->memory;

	return memory->msr &&
	       (!memory->unknown_model ||
		(uncore.generic && !boot_cpu_has(X86_FEATURE_HYPERVISOR)));
}

/*
 * Read the MSR of each CPU, because the kernel's topology may lack the dies
 * that have tables. On an unknown model with a table behind a BAR, of a known
 * package or not, read no MSR, because the MSR may be a register of a box.
 */
static int uncore_find_by_msr(void)
{
	const struct uncore_memory_tables *memory = &uncore.platform->memory;
	const struct uncore_table *first;
	unsigned int cpu;
	u64 address;
	int ret;

	first = list_first_entry_or_null(&uncore.tables, struct uncore_table,
					 node);
	if (!uncore_may_read_msr() ||
	    (memory->unknown_model &&
	     (uncore.package_unknown || (first && first->pdev))))
		return 0;
	for_each_online_cpu(cpu) {
		if (cpumask_test_cpu(cpu, &msr_read_cpus))
			continue;
		ret = rdmsrq_safe_on_cpu(cpu, memory->msr, &address);
		/* the CPU went offline meanwhile */
		if (ret == -ENXIO)
			continue;
		if (!ret && address && !uncore_table_is_listed(NULL, address)) {
			ret = uncore_discover_memory(address, cpu);
			if (ret)
				return ret;
		}
		cpumask_set_cpu(cpu, &msr_read_cpus);
	}
	return 0;
}

/* Read tables, and add units. Returns 0 or an error; no table is no error. */
int uncore_find_tables(void)
{
	struct uncore_table *table;
	int ret;

	lockdep_assert_held(&uncore.lock);
	package_unknown_logged = uncore.package_unknown;
	uncore.package_unknown = false;
	uncore_packages_find();
	ret = uncore_find_in_pci() ?: uncore_find_by_msr();
	list_for_each_entry(table, &uncore.tables, node)
		if (table->count)
			uncore_add_unlisted(table);
	/* an incomplete scan may have missed a table of unknown package */
	if (ret)
		uncore.package_unknown |= package_unknown_logged;
	return ret;
}

/* Return true if the unread MSR of a new CPU may point to a table. */
bool uncore_cpu_may_have_table(unsigned int cpu)
{
	return uncore_may_read_msr() && !cpumask_test_cpu(cpu, &msr_read_cpus);
}
