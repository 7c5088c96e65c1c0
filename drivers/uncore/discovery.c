// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading discovery tables, wherever they are.
 *
 * Most lie behind a BAR of a PCI function that says so in a DVSEC. That
 * function usually belongs to intel_vsec, so that nothing here binds to it,
 * enables it or wakes it: what sleeps, does not decode its BAR or was given
 * to a virtual machine is left alone. Others are where an MSR says: what is
 * known to be something else is not read. A table is read once and is unmapped
 * before anything it says is looked at.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/io.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "uncore.h"

/* Room for links and memory controllers that the table does not list. */
#define ADDED_UNITS			16

static bool uncore_reject(struct uncore_table *table, const char *field,
			  u64 value, const char *reason)
{
	table->fault = (struct uncore_fault){ field, reason, value };
	return false;
}

/* Whether the BAR that the capability names may be read from. */
static bool uncore_check_bar(struct uncore_table *table, int cap, u8 *bar)
{
	struct pci_dev *pdev = table->pdev;
	unsigned long flags;
	u32 offset;
	u16 command;

	if (!uncore_table_place(pdev, cap, bar, &offset) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command))
		return uncore_reject(table, "device", 0, "cannot be read");
	if (*bar > PCI_STD_RESOURCE_END)
		return uncore_reject(table, "bir", *bar, "no such BAR");
	if (offset)
		return uncore_reject(table, "offset", offset,
				     "not at the start of the BAR");
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

static bool uncore_check_device(struct uncore_table *table)
{
	if (uncore_given_away(table->pdev))
		return uncore_reject(table, "device", pci_dev_id(table->pdev),
				     "belongs to a virtual machine");
	if (pmon_pci_is_in_d3(table->pdev))
		return uncore_reject(table, "device", pci_dev_id(table->pdev),
				     "is in D3");
	return true;
}

/*
 * Four bytes at a time: so reads Linux (memcpy_fromio()), and since 2023 Intel
 * PCM. No public source shows that a table of Granite Rapids or later answers
 * wider reads, and likwid found what memcpy() of user space reads to be wrong.
 */
static void uncore_read_record(const void __iomem *at, u64 *record)
{
	int i;

	for (i = 0; i < UNCORE_RECORD_QWORDS; i++, at += sizeof(u64))
		record[i] = lo_hi_readq(at);
}

static u64 uncore_fnv1a(const void *data, size_t size)
{
	const u8 *byte = data;
	u64 hash = 0xcbf29ce484222325ULL;

	while (size--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

static int uncore_read_units(struct uncore_table *table,
			     const void __iomem *base,
			     const struct uncore_global_record *head)
{
	size_t stride = head->stride * sizeof(u64);
	size_t i, bytes = (head->units + 1) * UNCORE_RECORD_BYTES;
	u64 *raw;

	raw = kvzalloc(bytes, GFP_KERNEL);
	/* each may have free-running counters beside it */
	table->room = 2 * head->units + ADDED_UNITS;
	table->units = kvcalloc(table->room, sizeof(*table->units), GFP_KERNEL);
	table->boxes = kvcalloc(table->room, sizeof(*table->boxes), GFP_KERNEL);
	if (!raw || !table->units || !table->boxes) {
		kvfree(raw);
		return -ENOMEM;
	}
	memcpy(raw, table->raw, UNCORE_RECORD_BYTES);
	for (i = 1; i <= head->units; i++)
		uncore_read_record(base + i * stride,
				   raw + i * UNCORE_RECORD_QWORDS);
	kvfree(table->raw);
	table->raw = raw;
	table->raw_bytes = bytes;
	table->count = head->units;
	return 0;
}

/* From the first byte of a table to behind its last record. */
static size_t uncore_table_bytes(const struct uncore_global_record *head)
{
	return head->units * head->stride * sizeof(u64) + UNCORE_RECORD_BYTES;
}

/* Record 0 and all the others, as far apart as they can be. */
#define LARGEST		(UNCORE_RECORD_BYTES + UNCORE_TABLE_UNITS * 255 * 8)

static int uncore_read_head(struct uncore_table *table, u64 address)
{
	void __iomem *base = ioremap(address, UNCORE_RECORD_BYTES);

	table->raw = kvzalloc(UNCORE_RECORD_BYTES, GFP_KERNEL);
	if (base && table->raw) {
		uncore_read_record(base, table->raw);
		table->raw_bytes = UNCORE_RECORD_BYTES;
	}
	if (base)
		iounmap(base);
	return table->raw_bytes ? 0 : -ENOMEM;
}

static int uncore_read_rest(struct uncore_table *table, u64 address,
			    const struct uncore_global_record *head)
{
	void __iomem *base = ioremap(address, uncore_table_bytes(head));
	int ret;

	if (!base)
		return -ENOMEM;
	ret = uncore_read_units(table, base, head);
	iounmap(base);
	return ret;
}

/*
 * Read the table at the physical address @address, of which @space bytes may be
 * mapped.
 */
static int uncore_read_table(struct uncore_table *table, u64 address, u64 space)
{
	struct uncore_global_record head;
	const char *reason;
	int ret = uncore_read_head(table, address);

	if (ret)
		return ret;
	if (uncore_global_record_check(table->raw, space, &head,
				       &table->fault)) {
		reason = table->pdev ?
				 NULL :
				 uncore_check_mmio(table, address,
						   uncore_table_bytes(&head));
		if (reason)
			uncore_reject(table, "address", address, reason);
		else
			ret = uncore_read_rest(table, address, &head);
	}
	table->place.start = address;
	table->place.end = address + uncore_table_bytes(&head) - 1;
	table->fingerprint = uncore_fnv1a(table->raw, table->raw_bytes);
	return ret;
}

static int uncore_read_behind_bar(struct uncore_table *table, u8 bar)
{
	u64 space = min_t(u64, pci_resource_len(table->pdev, bar), LARGEST);

	if (space < UNCORE_RECORD_BYTES) {
		uncore_reject(table, "bar", bar, "too small for a table");
		return 0;
	}
	return uncore_read_table(table, pci_resource_start(table->pdev, bar),
				 space);
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
	if (reason) {
		table->place.start = address;
		table->place.end = address;
		uncore_reject(table, "address", address, reason);
		return 0;
	}
	return uncore_read_table(table, address, LARGEST);
}

static void uncore_parse_units(struct uncore_table *table)
{
	u32 sequence = uncore.tables_read++;
	size_t i;

	if (!table->count)
		return;
	uncore_table_units(table->raw + UNCORE_RECORD_QWORDS, uncore.platform,
			   table->units, table->count);
	uncore_units_ignore(table->units, table->count, table->domain->ignored);
	for (i = 0; i < table->count; i++) {
		table->units[i].table = sequence;
		table->units[i].package = table->package;
		table->units[i].die = table->die;
	}
}

static bool uncore_number_taken(const struct list_head *tables, int package,
				unsigned int number)
{
	const struct uncore_table *other;

	list_for_each_entry(other, tables, node)
		if (other->package == package && other->number == number)
			return true;
	return false;
}

static unsigned int uncore_free_number(int package,
				       const struct list_head *found)
{
	unsigned int number = 0;

	while (uncore_number_taken(&uncore.tables, package, number) ||
	       uncore_number_taken(found, package, number))
		number++;
	return number;
}

/**
 * uncore_table_free() - the counterpart of a table's allocation
 * @table: neither published nor in a list
 */
void uncore_table_free(struct uncore_table *table)
{
	uncore_global_drop(table);
	kvfree(table->raw);
	kvfree(table->units);
	kvfree(table->boxes);
	pci_dev_put(table->pdev);
	kfree(table);
}

static struct uncore_table *
uncore_new_table(const struct uncore_discovery_domain *domain, int package,
		 struct list_head *found)
{
	struct uncore_table *table = kzalloc(sizeof(*table), GFP_KERNEL);

	if (!table)
		return NULL;
	table->domain = domain;
	table->package = package;
	table->number = uncore_free_number(package, found);
	return table;
}

/*
 * Put a table into the list; with an error in @ret as one that could not be
 * read.
 */
static int uncore_add_table(struct uncore_table *table, int ret,
			    struct list_head *found)
{
	if (ret) {
		uncore_table_free(table);
		return ret;
	}
	uncore_parse_units(table);
	uncore_global_find(table);
	list_add_tail(&table->node, found);
	return 0;
}

static int uncore_discover_one(const struct uncore_discovery_domain *domain,
			       struct pci_dev *pdev, int cap, int package,
			       struct list_head *found)
{
	struct uncore_table *table = uncore_new_table(domain, package, found);
	int ret = 0;
	u8 bar;

	if (!table)
		return -ENOMEM;
	table->pdev = pci_dev_get(pdev);
	snprintf(table->origin, sizeof(table->origin), "%s", pci_name(pdev));
	uncore_note_others(table);

	/*
	 * Keep the function in D0 between the check of its power state and the
	 * last read of the table.
	 */
	pm_runtime_get_noresume(&pdev->dev);
	if (uncore_check_device(table) && uncore_check_bar(table, cap, &bar))
		ret = uncore_read_behind_bar(table, bar);
	pm_runtime_put_noidle(&pdev->dev);

	return uncore_add_table(table, ret, found);
}

/**
 * uncore_discover_memory() - read the table of a die
 * @domain: what has the table
 * @address: where it is
 * @cpu: of the die
 * @found: gets the table, also an unreadable one, with its fault
 *
 * Return: 0 or -ENOMEM.
 */
int uncore_discover_memory(const struct uncore_discovery_domain *domain,
			   u64 address, unsigned int cpu,
			   struct list_head *found)
{
	struct uncore_table *table;

	table = uncore_new_table(domain, topology_physical_package_id(cpu),
				 found);
	if (!table)
		return -ENOMEM;
	if (!domain->of_package)
		table->die = topology_logical_die_id(cpu) + 1;
	snprintf(table->origin, sizeof(table->origin), "CPU %u", cpu);
	return uncore_add_table(table, uncore_read_in_memory(table, address),
				found);
}

/**
 * uncore_discover() - read the tables of a PCI device
 * @domain: what has the tables
 * @pdev: the device
 * @found: gets the tables, the unreadable ones too, with their fault
 * @again: it may have been tried before: say nothing if it is in vain
 *
 * Return: 0, also without any table, or -ENOMEM.
 */
int uncore_discover(const struct uncore_discovery_domain *domain,
		    struct pci_dev *pdev, struct list_head *found, bool again)
{
	int package, ret, cap = 0;

	while ((cap = uncore_next_table(pdev, cap))) {
		package = uncore_package(pdev);
		if (package < 0) {
			if (!again)
				pr_warn("package of the discovery table of %s is not known, its units are not used until it is\n",
					pci_name(pdev));
			uncore.unplaced = true;
			return 0;
		}
		ret = uncore_discover_one(domain, pdev, cap, package, found);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * uncore_table_add_unit() - a unit beside those that a table lists
 * @table: the table; room for such units was made when it was read
 *
 * Return: the unit, which the caller fills in, or NULL without room.
 */
struct uncore_unit *uncore_table_add_unit(struct uncore_table *table)
{
	struct uncore_unit *unit = &table->units[table->count];

	if (table->count == table->room)
		return NULL;
	*unit = (struct uncore_unit){
		.table = table->units[0].table, .package = table->package,
		.index = table->count,
	};
	table->count++;
	return unit;
}

/**
 * uncore_table_is_first() - do its package's added units belong to this table?
 * @table: the table
 * @found: tables that were read just now and are not published yet
 *
 * Return: whether it is.
 */
bool uncore_table_is_first(const struct uncore_table *table,
			   const struct list_head *found)
{
	const struct uncore_table *other;

	list_for_each_entry(other, &uncore.tables, node)
		if (other->package == table->package && other->count)
			return other == table;
	list_for_each_entry(other, found, node)
		if (other->package == table->package && other->count)
			return other == table;
	return false;
}
