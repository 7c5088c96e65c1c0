// SPDX-License-Identifier: GPL-2.0-only
/* Check layouts of boxes, and encode events as control values and counters. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include <pmon/format.h>

#include "box_hw.h"

int pmon_field_format(const struct pmon_field *field, char *buf, size_t size)
{
	static const char * const words[PMON_CONFIG_WORDS] = {
		"config:", "config1:", "config2:",
	};
	int len = scnprintf(buf, size, "%s", words[field->word]);

	/* %*pbl prints a bitmap of longs, so the mask must be one long. */
	return len + scnprintf(buf + len, size - len, "%*pbl", 64,
			       &field->mask);
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

#define PMON_SECOND_NS		1000000000ULL

#define PMON_PERIOD_MAX_NS	60000000000ULL
/* Counters that need a shorter period are rejected, as reads cost too much. */
#define PMON_PERIOD_MIN_NS	5000000ULL

/* Allow half of the range, so that even twice the rate makes no full wrap. */
u64 pmon_wrap_period_ns(u8 width, u8 rate_log2)
{
	unsigned int half_log2 = width - 1;

	if (half_log2 < rate_log2)
		return PMON_SECOND_NS >> (rate_log2 - half_log2);

	/* 2^6 s is more than the maximum of 60 s, and does not overflow. */
	return min(PMON_SECOND_NS << min(half_log2 - rate_log2, 6U),
		   PMON_PERIOD_MAX_NS);
}

static u64 pmon_counter_period_ns(const struct pmon_layout *layout,
				  const struct pmon_counter *counter)
{
	u8 rate_log2 = counter->rate_log2;

	if (!rate_log2 && layout->protocol)
		rate_log2 = layout->protocol->rate_log2;
	if (!rate_log2)
		rate_log2 = counter->width < PMON_WIDTH_WIDE ?
			    PMON_RATE_LOG2 : PMON_FASTEST_RATE_LOG2;
	return pmon_wrap_period_ns(counter->width, rate_log2);
}

u64 pmon_layout_period_ns(const struct pmon_layout *layout)
{
	u64 period = PMON_PERIOD_MAX_NS;
	unsigned int i;

	for (i = 0; i < layout->counters; i++)
		period = min(period,
			     pmon_counter_period_ns(layout,
						    &layout->counter[i]));
	return period;
}

bool pmon_layout_is_free_running(const struct pmon_layout *layout)
{
	unsigned int i;

	for (i = 0; i < layout->counters; i++)
		if (layout->counter[i].kind != PMON_COUNTER_FREE_RUNNING)
			return false;
	return true;
}

/* Check only the range: drivers find overlaps when they read tables. */
static bool pmon_counter_in_reach(const struct pmon_layout *layout,
				  const struct pmon_counter *counter, u64 size)
{
	u64 unit = layout->indexed ? 1 : 8;

	if (counter->ctr + unit > size)
		return false;
	if (counter->kind == PMON_COUNTER_FREE_RUNNING)
		return true;
	return counter->ctl + min_t(u64, unit, layout->ctl_bytes) <= size &&
	       counter->filter + min_t(u64, unit, layout->filter_bytes) <= size;
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	const struct pmon_counter *counter = layout->counter;
	u64 end = size ?: U32_MAX;

	if (!layout->counters || layout->counters > PMON_COUNTERS_MAX)
		return "counters";
	if (!layout->protocol && !pmon_layout_is_free_running(layout))
		return "protocol";
	if (layout->box_ctl >= end)
		return "box_ctl";
	for (; counter < layout->counter + layout->counters; counter++) {
		if (counter->width < PMON_WIDTH_MIN ||
		    counter->width > PMON_WIDTH_MAX ||
		    pmon_counter_period_ns(layout, counter) <
			    PMON_PERIOD_MIN_NS)
			return "width";
		if (!pmon_counter_in_reach(layout, counter, end))
			return "register";
	}
	return NULL;
}

bool pmon_layouts_alike(const struct pmon_layout *a,
			const struct pmon_layout *b)
{
	unsigned int i;

	if (a->counters != b->counters || a->data_bytes != b->data_bytes ||
	    (a->data_bytes && memcmp(a->data, b->data, a->data_bytes)))
		return false;
	for (i = 0; i < a->counters; i++)
		if (a->counter[i].config != b->counter[i].config ||
		    a->counter[i].width != b->counter[i].width ||
		    a->counter[i].kind != b->counter[i].kind)
			return false;
	return true;
}

u64 pmon_allowed(const struct pmon_type *type, const struct pmon_layout *layout,
		 u64 config)
{
	const struct pmon_constraint *c;
	u64 dedicated = layout->dedicated;

	if (dedicated && type->fixed_config && config != type->fixed_config)
		dedicated = 0;
	for (; dedicated; dedicated &= dedicated - 1)
		if (layout->counter[__ffs64(dedicated)].config == config)
			return dedicated & -dedicated;
	if (type->fixed_config && config == type->fixed_config)
		return 0;
	for (c = type->reserved; c && c->mask; c++)
		if ((config & c->mask) == c->config)
			return 0;

	for (c = type->constraints; c && c->allowed; c++)
		if ((config & c->mask) == c->config)
			return c->allowed & layout->general;
	return layout->general;
}

int pmon_event_encode(struct pmon_event *event, const struct pmon_type *type,
		      const struct pmon_layout *layout, const u64 *config)
{
	struct pmon_encoding encoding = { };
	const struct pmon_counter *counter = NULL;
	int ret;

	if (type->encode) {
		ret = type->encode(layout, config, &encoding);
		if (ret)
			return ret;
		encoding.allowed &= layout->general | layout->dedicated;
	} else {
		encoding.ctl = config[0];
		encoding.allowed = pmon_allowed(type, layout, config[0]);
		encoding.uses_filter = config[0] & type->filter_enable &&
				       layout->filter_bytes;
		encoding.filter = config[1] & type->filter_mask;
	}
	encoding.ctl |= type->ctl_set;
	if (encoding.allowed & layout->dedicated)
		counter = &layout->counter[__ffs64(encoding.allowed &
						   layout->dedicated)];
	if (counter && !type->encode)
		encoding.ctl = counter->enable;
	*event = (struct pmon_event) {
		.ctl = encoding.ctl,
		.allowed = encoding.allowed,
		.assigned_to = -1,
		.counted_on = -1,
		.rate_log2 = encoding.rate_log2,
		.free_running = counter &&
				counter->kind == PMON_COUNTER_FREE_RUNNING,
	};
	if (encoding.uses_filter && !event->free_running) {
		event->uses_filter = true;
		event->shares_filter = layout->shares_filter;
		event->filter = encoding.filter;
	}
	return 0;
}
