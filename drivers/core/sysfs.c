// SPDX-License-Identifier: GPL-2.0-only
/* The files of a PMU, made from its type's tables. */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include <compat/cleanup.h>

#include "core.h"

/**
 * struct pmon_attrs - the files of one PMU
 * @ext: one per file that comes from a table, with its row or text
 * @used: number of these
 * @list: pointers to them, for @format and @events, each ended by NULL
 * @format: files in format/
 * @events: files in events/
 * @groups: for perf
 */
struct pmon_attrs {
	struct dev_ext_attribute *ext;
	unsigned int used;
	struct attribute **list;
	struct attribute_group format;
	struct attribute_group events;
	const struct attribute_group *groups[4];
};

/* By the word of configuration that it is in. */
static const struct pmon_field pmon_snapshot_field[PMON_CONFIG_WORDS] = {
	[1] = { "snapshot", 1, PMON_SNAPSHOT_MASK },
	[2] = { "snapshot", 2, PMON_SNAPSHOT_MASK },
};

static void *pmon_ext_var(struct device_attribute *attr)
{
	return container_of(attr, struct dev_ext_attribute, attr)->var;
}

static ssize_t pmon_field_show(struct device *dev,
			       struct device_attribute *attr, char *buf)
{
	char text[64];

	pmon_field_format(pmon_ext_var(attr), text, sizeof(text));
	return sysfs_emit(buf, "%s\n", text);
}

static ssize_t pmon_text_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", (const char *)pmon_ext_var(attr));
}

static struct pmon_pmu *pmon_pmu_of_device(struct device *dev)
{
	return to_pmon_pmu(dev_get_drvdata(dev));
}

/* The first box of a PMU whose hardware is there, from place *@i on. */
static struct pmon_box *pmon_next_box(const struct pmon_pmu *pmu,
				      unsigned int *i)
{
	for (; *i < PMON_PLACES_MAX; ++*i) {
		struct pmon_box *box = READ_ONCE(pmu->box[*i]);

		if (box && !READ_ONCE(box->bank.gone))
			return box;
	}
	return NULL;
}

/* The CPUs that serve the boxes of a PMU: the file cpumask. */
static void pmon_pmu_shown_cpus(const struct pmon_pmu *pmu,
				struct cpumask *mask)
{
	struct pmon_box *box;
	unsigned int i;

	for (i = 0; (box = pmon_next_box(pmu, &i)); i++) {
		int cpu = pmon_place_shown_cpu(box->place);

		if (cpu >= 0)
			cpumask_set_cpu(cpu, mask);
	}
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr,
			    char *buf)
{
	const struct pmon_pmu *pmu = pmon_pmu_of_device(dev);
	cpumask_var_t mask;
	ssize_t len;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;

	if (pmu->soft)
		pmu->soft->cpus(mask);
	else
		pmon_pmu_shown_cpus(pmu, mask);
	len = sysfs_emit(buf, "%*pbl\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return len;
}
static DEVICE_ATTR_RO(cpumask);

static ssize_t alias_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	return sysfs_emit(buf, "%s\n", pmon_pmu_of_device(dev)->alias);
}
static DEVICE_ATTR_RO(alias);

/* One line per place: its number, and a number of its box. */
static ssize_t pmon_show_boxes(struct device *dev, char *buf,
			       u64 (*number)(const struct pmon_box *box))
{
	struct pmon_pmu *pmu = pmon_pmu_of_device(dev);
	struct pmon_box *box;
	unsigned int i;
	ssize_t len = 0;

	for (i = 0; (box = pmon_next_box(pmu, &i)); i++)
		len += sysfs_emit_at(buf, len, "%d %llu\n", box->place->id.id,
				     number(box));
	return len;
}

static u64 pmon_box_frozen_ns(const struct pmon_box *box)
{
	return READ_ONCE(box->bank.frozen_ns);
}

static ssize_t frozen_ns_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	return pmon_show_boxes(dev, buf, pmon_box_frozen_ns);
}
static DEVICE_ATTR_RO(frozen_ns);

static u64 pmon_box_disturbances(const struct pmon_box *box)
{
	return READ_ONCE(box->bank.disturbed) + READ_ONCE(box->bank.lost);
}

static ssize_t disturbed_show(struct device *dev,
			      struct device_attribute *attr, char *buf)
{
	return pmon_show_boxes(dev, buf, pmon_box_disturbances);
}
static DEVICE_ATTR_RO(disturbed);

static u64 pmon_box_is_unresponsive(const struct pmon_box *box)
{
	return READ_ONCE(box->bank.unresponsive);
}

static ssize_t unresponsive_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	return pmon_show_boxes(dev, buf, pmon_box_is_unresponsive);
}
static DEVICE_ATTR_RO(unresponsive);

static struct attribute *pmon_plain_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_alias.attr,
	&dev_attr_frozen_ns.attr,
	&dev_attr_disturbed.attr,
	&dev_attr_unresponsive.attr,
	NULL
};

static umode_t pmon_plain_visible(struct kobject *kobj, struct attribute *attr,
				  int n)
{
	struct pmon_pmu *pmu = pmon_pmu_of_device(kobj_to_dev(kobj));

	if (attr == &dev_attr_alias.attr && !pmu->alias)
		return 0;
	if (attr == &dev_attr_unresponsive.attr && pmu->soft)
		return 0;
	if (pmu->type->free_running && (attr == &dev_attr_frozen_ns.attr ||
					attr == &dev_attr_disturbed.attr))
		return 0;
	return attr->mode;
}

static const struct attribute_group pmon_plain_group = {
	.attrs = pmon_plain_attrs,
	.is_visible = pmon_plain_visible,
};

static unsigned int pmon_count_fields(const struct pmon_field *field)
{
	unsigned int n = 0;

	while (field && field[n].name)
		n++;
	return n;
}

/* An alias has one to three files. */
static unsigned int pmon_count_alias_files(const struct pmon_alias *alias)
{
	unsigned int n = 0;

	for (; alias && alias->name; alias++)
		n += 1 + !!alias->scale + !!alias->unit;
	return n;
}

/* @name becomes the file's, and is freed with it. NULL is an error before. */
static int pmon_attrs_add(struct pmon_attrs *attrs, struct attribute **where,
			  char *name, const void *var,
			  ssize_t (*show)(struct device *,
					  struct device_attribute *, char *))
{
	struct dev_ext_attribute *ext = &attrs->ext[attrs->used];

	if (!name)
		return -ENOMEM;

	sysfs_attr_init(&ext->attr.attr);
	ext->attr.attr.name = name;
	ext->attr.attr.mode = 0444;
	ext->attr.show = show;
	ext->var = (void *)var;
	*where = &ext->attr.attr;
	attrs->used++;
	return 0;
}

static int pmon_attrs_add_field(struct pmon_attrs *attrs,
				struct attribute **where,
				const struct pmon_field *field)
{
	return pmon_attrs_add(attrs, where, kstrdup(field->name, GFP_KERNEL),
			      field, pmon_field_show);
}

static int pmon_attrs_add_text(struct pmon_attrs *attrs,
			       struct attribute ***where, const char *name,
			       const char *suffix, const char *text)
{
	if (!text)
		return 0;
	return pmon_attrs_add(attrs, (*where)++,
			      kasprintf(GFP_KERNEL, "%s%s", name, suffix),
			      text, pmon_text_show);
}

static int pmon_attrs_fill(struct pmon_attrs *attrs,
			   const struct pmon_type *type)
{
	const struct pmon_field *snapshot =
		&pmon_snapshot_field[pmon_snapshot_word(type)];
	const struct pmon_alias *alias = type->aliases;
	const struct pmon_field *field = type->fields;
	struct attribute **where = attrs->list;
	int ret = 0;

	attrs->format.attrs = where;
	if (!type->free_running)
		ret = pmon_attrs_add_field(attrs, where++,
					   snapshot);
	for (; !ret && field && field->name; field++)
		ret = pmon_attrs_add_field(attrs, where++, field);

	attrs->events.attrs = ++where;
	for (; !ret && alias && alias->name; alias++) {
		ret = pmon_attrs_add_text(attrs, &where, alias->name, "",
					  alias->event) ?:
		      pmon_attrs_add_text(attrs, &where, alias->name, ".scale",
					  alias->scale) ?:
		      pmon_attrs_add_text(attrs, &where, alias->name, ".unit",
					  alias->unit);
	}
	return ret;
}

void pmon_attrs_free(struct pmon_attrs *attrs)
{
	unsigned int i;

	if (!attrs)
		return;
	for (i = 0; i < attrs->used; i++)
		kfree(attrs->ext[i].attr.attr.name);
	kfree(attrs->ext);
	kfree(attrs->list);
	kfree(attrs);
}

struct pmon_attrs *pmon_attrs_create(const struct pmon_type *type)
{
	unsigned int files = 1 + pmon_count_fields(type->fields) +
			     pmon_count_alias_files(type->aliases);
	struct pmon_attrs *attrs = kzalloc(sizeof(*attrs), GFP_KERNEL);

	if (!attrs)
		return NULL;

	attrs->ext = kcalloc(files, sizeof(*attrs->ext), GFP_KERNEL);
	attrs->list = kcalloc(files + 2, sizeof(*attrs->list), GFP_KERNEL);
	if (!attrs->ext || !attrs->list || pmon_attrs_fill(attrs, type)) {
		pmon_attrs_free(attrs);
		return NULL;
	}

	attrs->format.name = "format";
	attrs->events.name = "events";
	attrs->groups[0] = &pmon_plain_group;
	attrs->groups[1] = &attrs->format;
	if (type->aliases)
		attrs->groups[2] = &attrs->events;
	return attrs;
}

const struct attribute_group **pmon_attrs_groups(struct pmon_attrs *attrs)
{
	return attrs->groups;
}
