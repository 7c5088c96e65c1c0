// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding discovery tables and reading them.
 *
 * A table lies behind a BAR of a PCI function that says so in a DVSEC. That
 * function usually belongs to intel_vsec, so that nothing here binds to it,
 * enables it or wakes it: what sleeps, does not decode its BAR or was given
 * to a virtual machine is left alone. The table is read once, eight bytes at
 * a time, and is unmapped before anything it says is looked at.
 */
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>

#include "uncore.h"

/* Room for links and memory controllers that the table does not list. */
#define EXTRA_UNITS			16

static bool fault(struct uncore_table *table, const char *field, u64 value,
		  const char *reason)
{
	table->fault = (struct pmon_fault){ field, reason, value };
	return false;
}

/* Whether the BAR that the capability names may be read from. */
static bool check_bar(struct uncore_table *table, int cap, u8 *bar)
{
	struct pci_dev *pdev = table->pdev;
	unsigned long flags;
	u32 offset;
	u16 command;

	if (!uncore_table_place(pdev, cap, bar, &offset) ||
	    pci_read_config_word(pdev, PCI_COMMAND, &command))
		return fault(table, "device", 0, "cannot be read");
	if (*bar > PCI_STD_RESOURCE_END)
		return fault(table, "bir", *bar, "no such BAR");
	if (offset)
		return fault(table, "offset", offset,
			     "not at the start of the BAR");
	flags = pci_resource_flags(pdev, *bar);
	if (!(flags & IORESOURCE_MEM) ||
	    flags & (IORESOURCE_UNSET | IORESOURCE_DISABLED) ||
	    !pci_resource_start(pdev, *bar))
		return fault(table, "bar", *bar, "has no memory address");
	if (!(command & PCI_COMMAND_MEMORY))
		return fault(table, "bar", *bar, "memory decoding is off");
	return true;
}

static bool check_device(struct uncore_table *table)
{
	const char *asleep = uncore_asleep(table->pdev);

	if (uncore_given_away(table->pdev))
		return fault(table, "device", pci_dev_id(table->pdev),
			     "belongs to a virtual machine");
	if (asleep)
		return fault(table, "device", pci_dev_id(table->pdev), asleep);
	return true;
}

static void read_record(const void __iomem *at, u64 *record)
{
	int i;

	for (i = 0; i < PMON_RECORD_QWORDS; i++)
		record[i] = readq(at + i * sizeof(u64));
}

static u64 fnv1a(const void *data, size_t size)
{
	const u8 *byte = data;
	u64 hash = 0xcbf29ce484222325ULL;

	while (size--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

static int read_units(struct uncore_table *table, const void __iomem *base,
		      const struct pmon_table *head)
{
	size_t stride = head->stride * sizeof(u64);
	size_t i, bytes = (head->units + 1) * PMON_RECORD_BYTES;
	u64 *raw;

	raw = kvzalloc(bytes, GFP_KERNEL);
	/* each may have free-running counters beside it */
	table->room = 2 * head->units + EXTRA_UNITS;
	table->units = kvcalloc(table->room, sizeof(*table->units), GFP_KERNEL);
	table->boxes = kvcalloc(table->room, sizeof(*table->boxes), GFP_KERNEL);
	if (!raw || !table->units || !table->boxes) {
		kvfree(raw);
		return -ENOMEM;
	}
	memcpy(raw, table->raw, PMON_RECORD_BYTES);
	for (i = 1; i <= head->units; i++)
		read_record(base + i * stride, raw + i * PMON_RECORD_QWORDS);
	kvfree(table->raw);
	table->raw = raw;
	table->raw_bytes = bytes;
	table->count = head->units;
	return 0;
}

/* From the first byte of a table to behind its last record. */
static size_t extent(const struct pmon_table *head)
{
	return head->units * head->stride * sizeof(u64) + PMON_RECORD_BYTES;
}

static int read_table(struct uncore_table *table, u8 bar)
{
	/* record 0 and all the others, as far apart as they can be */
	const u64 largest = PMON_RECORD_BYTES + PMON_TABLE_UNITS * 255 * 8;
	u64 space = min_t(u64, pci_resource_len(table->pdev, bar), largest);
	struct pmon_table head;
	void __iomem *base;
	int ret = 0;

	if (space < PMON_RECORD_BYTES) {
		fault(table, "bar", bar, "too small for a table");
		return 0;
	}
	table->raw = kvzalloc(PMON_RECORD_BYTES, GFP_KERNEL);
	base = ioremap(pci_resource_start(table->pdev, bar), space);
	if (!table->raw || !base) {
		ret = -ENOMEM;
	} else {
		read_record(base, table->raw);
		table->raw_bytes = PMON_RECORD_BYTES;
		if (pmon_table_parse(table->raw, space, &head, &table->fault))
			ret = read_units(table, base, &head);
		table->place.start = pci_resource_start(table->pdev, bar);
		table->place.end = table->place.start + extent(&head) - 1;
		table->fingerprint = fnv1a(table->raw, table->raw_bytes);
	}
	if (base)
		iounmap(base);
	return ret;
}

static void parse_units(struct uncore_table *table)
{
	u32 sequence = uncore.tables_read++;
	size_t i;

	if (!table->count)
		return;
	pmon_table_units(table->raw + PMON_RECORD_QWORDS, uncore.platform,
			 table->units, table->count);
	for (i = 0; i < table->count; i++) {
		table->units[i].table = sequence;
		table->units[i].package = table->package;
	}
}

static bool number_taken(const struct list_head *tables, int package,
			 unsigned int number)
{
	const struct uncore_table *other;

	list_for_each_entry(other, tables, node)
		if (other->package == package && other->number == number)
			return true;
	return false;
}

static unsigned int free_number(int package, const struct list_head *found)
{
	unsigned int number = 0;

	while (number_taken(&uncore.tables, package, number) ||
	       number_taken(found, package, number))
		number++;
	return number;
}

/**
 * uncore_table_free - the counterpart of a table's allocation
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

static int discover_one(struct pci_dev *pdev, int cap, int package,
			struct list_head *found)
{
	struct uncore_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	int ret = 0;
	u8 bar;

	if (!table)
		return -ENOMEM;
	table->pdev = pci_dev_get(pdev);
	table->package = package;
	table->number = free_number(package, found);
	uncore_note_others(table);

	/* Keep it from falling asleep between the look at it and the reading. */
	pm_runtime_get_noresume(&pdev->dev);
	if (check_device(table) && check_bar(table, cap, &bar))
		ret = read_table(table, bar);
	pm_runtime_put_noidle(&pdev->dev);

	if (ret) {
		uncore_table_free(table);
		return ret;
	}
	parse_units(table);
	uncore_global_find(table);
	list_add_tail(&table->node, found);
	return 0;
}

/**
 * uncore_discover - read the tables of a PCI device
 * @pdev: the device
 * @found: gets the tables, the unreadable ones too, with their fault
 * @again: it may have been tried before: say nothing if it is in vain
 *
 * Return: 0, also without any table, or -ENOMEM.
 */
int uncore_discover(struct pci_dev *pdev, struct list_head *found, bool again)
{
	int package, ret, cap = 0;

	while ((cap = uncore_next_table(pdev, cap))) {
		package = uncore_package(pdev);
		if (package < 0) {
			if (!again)
				pci_warn(pdev, "package of this discovery table is not known, its units are not used until it is\n");
			uncore.unplaced = true;
			return 0;
		}
		ret = discover_one(pdev, cap, package, found);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * uncore_table_add_unit - a unit beside those that a table lists
 * @table: the table; room for such units was made when it was read
 *
 * Return: the unit, which the caller fills in, or NULL without room.
 */
struct pmon_unit *uncore_table_add_unit(struct uncore_table *table)
{
	struct pmon_unit *unit = &table->units[table->count];

	if (table->count == table->room)
		return NULL;
	*unit = (struct pmon_unit){
		.table = table->units[0].table, .package = table->package,
		.index = table->count,
	};
	table->count++;
	return unit;
}

/**
 * uncore_table_is_first - is this the table of its package that units are added to?
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
