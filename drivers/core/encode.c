// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encode events: what is written for perf's configuration words, the control,
 * the filter and the counters that can count it, done once, when an event is
 * opened. Format terms are the string in sysfs and the value, both from one
 * mask.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include <pmon/format.h>

#include "encode.h"

static const char * const pmon_config_words[PMON_CONFIG_WORDS] = {
	"config", "config1", "config2",
};

/* The lowest run of ones in @mask, which is not 0. */
static u64 pmon_lowest_run(u64 mask)
{
	unsigned int low = __ffs64(mask);
	u64 from_low = ~(mask >> low);
	unsigned int length = from_low ? __ffs64(from_low) : 64 - low;

	return GENMASK_ULL(low + length - 1, low);
}

int pmon_field_format(const struct pmon_field *field, char *buf, size_t size)
{
	u64 mask = field->mask;
	int len = scnprintf(buf, size, "%s", pmon_config_words[field->word]);
	char before = ':';

	while (mask) {
		u64 run = pmon_lowest_run(mask);
		unsigned int low = __ffs64(run);
		unsigned int high = fls64(run) - 1;

		len += scnprintf(buf + len, size - len, "%c%u", before, low);
		if (high != low)
			len += scnprintf(buf + len, size - len, "-%u", high);
		mask &= ~run;
		before = ',';
	}
	return len;
}
EXPORT_SYMBOL_GPL(pmon_field_format);

void pmon_fields_cover(const struct pmon_field *fields,
		       u64 covered[PMON_CONFIG_WORDS])
{
	unsigned int i;

	for (i = 0; i < PMON_CONFIG_WORDS; i++)
		covered[i] = 0;
	for (; fields && fields->name; fields++)
		covered[fields->word] |= fields->mask;
}

/* ---- events -------------------------------------------------------------- */

static bool pmon_is_reserved(const struct pmon_constraint *reserved, u64 config)
{
	for (; reserved && reserved->mask; reserved++)
		if ((config & reserved->mask) == reserved->config)
			return true;
	return false;
}

u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config)
{
	const struct pmon_constraint *c = type->constraints;
	u64 own = layout->own;

	if (own && type->fixed_config && config != type->fixed_config)
		own = 0;
	for (; own; own &= own - 1)
		if (layout->counter[__ffs64(own)].config == config)
			return own & -own;
	if (type->fixed_config && config == type->fixed_config)
		return 0;
	if (pmon_is_reserved(type->reserved, config))
		return 0;

	for (; c && c->counters; c++)
		if ((config & c->mask) == c->config)
			return c->counters & layout->any;
	return layout->any;
}

/* What the rows of a type say of an event. */
static void pmon_type_encode(const struct pmon_type *type,
			     const struct pmon_layout *layout,
			     const u64 *config, struct pmon_encoding *encoding)
{
	u64 own;

	encoding->allowed = pmon_allowed(type, layout, config[0]);
	own = encoding->allowed & layout->own;
	encoding->ctl = own ? layout->counter[__ffs64(own)].enable :
			      (config[0] & type->ctl_mask) | type->ctl_set;
	encoding->uses_filter = config[0] & type->filter_enable &&
				layout->filter_bytes;
	encoding->filter = config[1] & type->filter_mask;
}

/* Is every counter that can count the event a free-running one? */
static bool pmon_is_free_running(const struct pmon_layout *layout, u64 allowed)
{
	u64 own = allowed & layout->own;

	return layout->free_running ||
	       (own && layout->counter[__ffs64(own)].kind ==
			       PMON_COUNTER_FREE_RUNNING);
}

int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config)
{
	struct pmon_encoding encoding = { };
	int ret;

	if (type->encode) {
		ret = type->encode(layout, config, &encoding);
		if (ret)
			return ret;
		encoding.ctl |= type->ctl_set;
		encoding.allowed &= layout->any | layout->own;
	} else {
		pmon_type_encode(type, layout, config, &encoding);
	}
	*event = (struct pmon_event) {
		.ctl = encoding.ctl,
		.allowed = encoding.allowed,
		.assigned_to = -1,
		.counted_on = -1,
		.rate_log2 = encoding.rate_log2,
		.free_running = pmon_is_free_running(layout, encoding.allowed),
	};
	if (event->free_running) {
		event->next = NULL;
	} else if (encoding.uses_filter) {
		event->uses_filter = true;
		event->shares_filter = layout->shares_filter;
		event->filter = encoding.filter;
	}
	return 0;
}
