// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of discovery tables: new ones are read, held against each other and
 * shown in sysfs; those whose device is gone leave.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "uncore.h"

/* How many units of a type a package may have. */
static struct uncore_limit uncore_units_limit(const struct uncore_unit *unit)
{
	u32 chas = uncore_unit_kind(unit) == UNCORE_KIND_CHA ?
		uncore_cha_count(unit->package) : U32_MAX;

	if (chas < uncore.max_units)
		return (struct uncore_limit){
			chas, "more CHAs than the package has"
		};
	return (struct uncore_limit){ uncore.max_units,
				    "more units of this type than max_units" };
}

/* Units of different tables must not contradict each other either. */
static int uncore_resolve(struct list_head *found)
{
	struct list_head * const lists[] = { &uncore.tables, found };
	struct uncore_table *table;
	struct uncore_unit **units;
	size_t i, j, count = 0;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(table, lists[i], node)
			count += table->count;
	if (!count)
		return 0;
	units = kvcalloc(count, sizeof(*units), GFP_KERNEL);
	if (!units)
		return -ENOMEM;
	count = 0;
	for (i = 0; i < ARRAY_SIZE(lists); i++)
		list_for_each_entry(table, lists[i], node)
			for (j = 0; j < table->count; j++)
				units[count++] = &table->units[j];
	if (uncore.platform->repeats_ids)
		uncore_units_number(units, count);
	uncore_units_resolve(units, count, uncore_units_limit);
	kvfree(units);
	return 0;
}

/**
 * uncore_tables_drop() - tables whose device is gone, or that are not used
 * @tables: they are in no other list
 *
 * Called without @uncore.lock, which readers of the tables' files take.
 */
void uncore_tables_drop(struct list_head *tables)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, tables, node) {
		list_del(&table->node);
		device_unregister(&table->dev);
	}
}

/* Show new tables in sysfs. A table that cannot be shown is not used. */
static void uncore_publish_tables(struct list_head *found)
{
	struct uncore_table *table, *next;

	list_for_each_entry_safe(table, next, found, node) {
		list_del(&table->node);
		if (uncore_table_publish(table)) {
			pr_warn("package %d: discovery table of %s cannot be shown in sysfs, it is not used\n",
				table->package, table->origin);
			put_device(&table->dev);
			continue;
		}
		uncore_log_rejections(table);
		list_add_tail(&table->node, &uncore.tables);
	}
}

/*
 * Look again at packages whose first CPU came online: only a CPU can tell the
 * number of CHAs and the root buses.
 */
static void uncore_look_closer(void)
{
	bool again = uncore.absent, misplaced = false;
	struct uncore_table *table;
	size_t i;

	lockdep_assert_held(&uncore.lock);
	uncore.absent = false;
	list_for_each_entry(table, &uncore.tables, node) {
		if (uncore_compare_chas(table))
			uncore_log_fault(table, &table->fault);
		for (i = 0; i < table->count; i++) {
			misplaced |= table->units[i].misplaced;
			if (uncore_box_withdraw(table, i))
				uncore_log_rejection(&table->units[i]);
		}
		if (again)
			uncore_boxes_describe(table);
		uncore.absent |=
			pmon_place_cpu(pmon_in_package(table->package)) < 0;
	}
	WRITE_ONCE(uncore.misplaced, misplaced);
}

static void uncore_place(struct uncore_table *table)
{
	size_t listed = table->count;

	uncore_check_placement(table, 0);
	uncore_add_unlisted(table);
	uncore_check_placement(table, listed);
}

/* What of the tables that are known could not be used, and can be now. */
static void uncore_place_again(void)
{
	struct uncore_table *table;

	uncore_add_late_links();
	list_for_each_entry(table, &uncore.tables, node)
		uncore_check_misplaced(table);
}

/**
 * uncore_tables_scan() - read the tables that are not known yet
 *
 * Return: 0 or an error; then none of them is used.
 */
int uncore_tables_scan(void)
{
	struct uncore_table *table, *next;
	bool again = uncore.unplaced;
	LIST_HEAD(found);
	int ret;

	lockdep_assert_held(&uncore.lock);
	uncore.unplaced = false;
	uncore_packages_find();
	ret = uncore_find_tables(&found, again);
	if (!ret) {
		uncore_add_links(&found);
		list_for_each_entry(table, &found, node)
			uncore_place(table);
		uncore_place_again();
		ret = uncore_resolve(&found);
	}
	if (!ret) {
		uncore_publish_tables(&found);
		uncore_look_closer();
		return 0;
	}
	list_for_each_entry_safe(table, next, &found, node)
		uncore_table_free(table);
	uncore.unplaced |= again;
	uncore_forget_sources();
	return ret;
}
