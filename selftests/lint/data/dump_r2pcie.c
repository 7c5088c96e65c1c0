// SPDX-License-Identifier: GPL-2.0-only
/*
 * Print the tables of pmon_r2pcie for `r2pcie`, a line for each fact: kind, device id
 * of the function, values.
 */
#include <stdio.h>

#include "../../../drivers/r2pcie/tests/pure.c"

static void dump_registers(const struct r2_function *function,
			   const struct pmon_layout *layout)
{
	const struct pmon_protocol *protocol = layout->protocol;
	unsigned int i;

	printf("function %#x %s %u %u %#x\n", function->device,
	       function->generation->name, function->kind, function->port,
	       function->generation->ubox);
	printf("box %#x %#x %u %u\n", function->device, layout->box_ctl,
	       protocol->bytes, layout->ctl_bytes);
	printf("protocol %#x %#llx %#llx %#llx %u\n", function->device,
	       (unsigned long long)protocol->freeze,
	       (unsigned long long)protocol->reset,
	       (unsigned long long)protocol->run, protocol->rate_log2);
	for (i = 0; i < layout->counters; i++)
		printf("counter %#x %u %#x %#x %u\n", function->device, i,
		       layout->counter[i].ctl, layout->counter[i].ctr,
		       layout->counter[i].width);
}

static void dump_type(u16 device, const struct pmon_type *type)
{
	const struct pmon_field *field;
	const struct pmon_alias *alias;
	u64 covered[PMON_CONFIG_WORDS];

	pmon_fields_cover(type->fields, covered);
	printf("type %#x %s %#llx %#llx\n", device, type->name,
	       (unsigned long long)covered[0],
	       (unsigned long long)type->ctl_set);
	for (field = type->fields; field->name; field++)
		printf("field %#x %s %u %#llx\n", device, field->name,
		       field->word, (unsigned long long)field->mask);
	for (alias = type->aliases; alias->name; alias++)
		printf("alias %#x %s %s %s %s\n", device, alias->name,
		       alias->event, alias->scale ?: "-", alias->unit ?: "-");
}

/* The threshold: bits 31 to 24 of a control. */
#define THRESHOLD	0xff000000ULL

/*
 * For each event, with a threshold of 16 and all other bits of terms set, print the
 * control (0 if refused) and a mask of the counters that can count the event.
 */
static void dump_events(u16 device, const struct pmon_type *type,
			const struct pmon_layout *layout)
{
	u64 config[PMON_CONFIG_WORDS] = { };
	unsigned int event;

	for (event = 0; event < 0x100; event++) {
		struct pmon_event said = { };

		pmon_fields_cover(type->fields, config);
		config[0] = (config[0] & ~THRESHOLD & ~0xffULL) | 16 << 24 | event;
		if (pmon_event_encode(&said, type, layout, config))
			said.ctl = 0;
		printf("event %#x %#x %#llx %#llx\n", device, event,
		       (unsigned long long)said.ctl,
		       (unsigned long long)said.allowed);
	}
}

int main(void)
{
	struct pmon_counter counter[R2_COUNTERS];
	const struct r2_function *function;
	struct pmon_layout layout;

	printf("ubox %#x %#x %u\n", R2_UBOX_NODE, R2_UBOX_MAP, R2_GROUPS);
	for (function = r2_functions; function->device; function++) {
		const struct pmon_type *type =
			function->generation->type[function->kind];

		r2_layout(function, counter, &layout);
		pmon_layout_prepare(&layout);
		dump_registers(function, &layout);
		dump_type(function->device, type);
		dump_events(function->device, type, &layout);
	}
	return 0;
}
