// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the tables of pmon_uncore for `run`, a line for each fact: CPU model, kind,
 * values. The argument "dmr" selects the tables of Diamond Rapids, printed as
 * model 1; "client" selects the tables of Panther Lake and Nova Lake.
 */
#include <stdio.h>
#include <string.h>

#include "../../../drivers/uncore/tests/pure.c"

static unsigned int model;

static void dump_type(const struct pmon_type *type)
{
	const struct pmon_constraint *c = type->constraints;
	u64 covered[PMON_CONFIG_WORDS];
	const struct pmon_field *field;
	const struct pmon_alias *alias;

	for (field = type->fields; field->name; field++)
		printf("%#x field %s %s %u %#llx\n", model, type->name,
		       field->name, field->word,
		       (unsigned long long)field->mask);
	for (alias = type->aliases; alias && alias->name; alias++)
		printf("%#x alias %s %s %s %s %s\n", model, type->name,
		       alias->name, alias->event, alias->scale ?: "-",
		       alias->unit ?: "-");
	for (; c && c->allowed; c++)
		printf("%#x constraint %s %#llx %#llx %#llx\n", model,
		       type->name, (unsigned long long)c->config,
		       (unsigned long long)c->mask,
		       (unsigned long long)c->allowed);
	pmon_fields_cover(type->fields, covered);
	printf("%#x mask %s %#llx\n", model, type->name,
	       (unsigned long long)covered[0]);
	printf("%#x filter %s %#llx %#llx %#llx\n", model, type->name,
	       (unsigned long long)type->filter_enable,
	       (unsigned long long)type->filter_mask,
	       (unsigned long long)type->fixed_config);
}

static void dump_free(const struct uncore_row *row)
{
	const struct uncore_free_running_group *group;

	if (!row->groups)
		return;
	dump_type(row->pmu_type);
	for (group = row->groups; group->count; group++)
		printf("%#x free %s %#x %#x %#x %#x %u\n", model,
		       row->pmu_type->name, group->config, group->base,
		       group->stride, group->step, group->count);
}

/* Print a unit's layout. By default controls are at 0x80, counters at 8. */
static void dump_layout(const struct uncore_row *row, u8 access)
{
	struct pmon_counter counter[PMON_COUNTERS_MAX] = {}, none = {}, *fixed;
	struct pmon_layout layout;
	struct uncore_unit unit = {
		.row = row, .access = access, .counters = 4, .width = 48,
		.ctl = row->ctl ?: 0x80, .ctr = row->ctr ?: 8,
	};

	uncore_unit_layout(&unit, counter, &layout);
	fixed = layout.counters > unit.counters ? &counter[unit.counters] : &none;
	printf("%#x layout %u %s %u %u %u %u %u %#x %#x %#x %#x %#x %#llx %#x\n",
	       model, row->type, row->pmu_type->name, access,
	       counter[1].ctl - counter[0].ctl, layout.ctl_bytes,
	       counter[1].ctr - counter[0].ctr, layout.protocol->bytes,
	       fixed->width, fixed->ctl, fixed->ctr, counter[0].ctl,
	       counter[0].ctr, (unsigned long long)fixed->enable,
	       layout.filter_bytes ? counter[0].filter : 0);
}

static void dump_platform(const struct uncore_platform *platform)
{
	const struct uncore_unlisted *unlisted = platform->unlisted;
	const struct uncore_stack *stack;
	const struct uncore_link *link;
	unsigned int i, chop;
	u8 access;

	for (i = 0; i < platform->nr_rows; i++) {
		const struct uncore_row *row = &platform->rows[i];

		printf("%#x type %u %s %s %u %u\n", model, row->type,
		       row->pmu_type->name, row->intel_name ?: row->pmu_type->name,
		       row->accesses, row->counters);
		dump_type(row->pmu_type);
		for (access = 0; access < UNCORE_ACCESSES; access++)
			if (row->accesses & BIT(access))
				dump_layout(row, access);
	}
	for (; unlisted && unlisted->row; unlisted++)
		dump_free(unlisted->row);
	for (link = platform->links; link && link->count; link++)
		printf("%#x link %u %#x %u %u %u %#x\n", model, link->type,
		       link->device, link->slot, link->function, link->count,
		       link->offset);
	for (chop = 0; chop < UNCORE_CHOPS; chop++)
		for (stack = platform->stacks[chop];
		     stack && stack->bus_index != UNCORE_BUS_INDEXES; stack++)
			printf("%#x stack %u %u %u\n", model, chop,
			       stack->bus_index, stack->unit);
}

static void dump_dmr(void)
{
	const struct uncore_platform *platform = uncore_platform_find(19, 1);
	const struct uncore_unlisted *spaces = platform->unlisted;
	unsigned int i;

	model = 1;
	dump_platform(platform);
	for (; spaces->row; spaces++)
		for (i = spaces->first; i < spaces->end; i++)
			printf("%#x space %u %#llx\n", model,
			       spaces->row->type,
			       (unsigned long long)spaces->offset +
			       spaces->step * i);
	printf("%#x domain 0 %#x 0\n", model, platform->ignored);
	printf("%#x domain %#x %#x %u\n", model, platform->memory.msr,
	       platform->memory.ignored, !platform->memory.unknown_model);
}

/* Print units in MSRs: number, counters, first control, first counter, step. */
static void dump_fixed(const struct uncore_unlisted *fixed)
{
	const struct uncore_row *row;

	for (; fixed->row; fixed++) {
		row = fixed->row;
		if (row->groups)
			continue;
		printf("%#x fixed %s %u %u %#llx %#llx %#x\n", model,
		       row->pmu_type->name, fixed->end, row->counters,
		       (unsigned long long)fixed->offset +
		       (row->ctl ?: row->fixed_ctl),
		       (unsigned long long)fixed->offset +
		       (row->ctr ?: row->fixed_ctr),
		       fixed->end > 1 ? fixed->step : 0);
		dump_type(row->pmu_type);
	}
}

static void dump_client(unsigned int family, unsigned int number)
{
	const struct uncore_platform *platform =
		uncore_platform_find(family, number);
	const u32 *enable;
	unsigned int i;

	model = number;
	dump_platform(platform);
	dump_fixed(platform->unlisted);
	printf("%#x domain %#x %u\n", model, platform->memory.msr,
	       !platform->memory.unknown_model);
	for (i = 0; i < platform->nr_rows; i++)
		if (platform->rows[i].freeze)
			printf("%#x freeze %u %#x\n", model,
			       platform->rows[i].type, platform->rows[i].freeze);
	for (enable = platform->enables; *enable; enable++)
		printf("%#x enable %#x\n", model, *enable);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc > 1 && !strcmp(argv[1], "client")) {
		dump_client(6, 0xcc);
		dump_client(18, 1);
		return 0;
	}
	if (argc > 1) {
		dump_dmr();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(cpu_models); i++) {
		model = cpu_models[i].model;
		if (cpu_models[i].family == 6 && !cpu_models[i].platform->enables)
			dump_platform(cpu_models[i].platform);
	}
	return 0;
}
