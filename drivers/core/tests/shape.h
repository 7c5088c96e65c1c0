/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Build a layout from a few numbers: consecutive counters, a fixed counter, and
 * filters. A test changes a single number and checks the result.
 */
#ifndef PMON_CORE_TEST_SHAPE_H
#define PMON_CORE_TEST_SHAPE_H

#include <linux/string.h>
#include <pmon/box.h>

#define SHAPE_COUNTERS	256

/* Consecutive free-running counters with consecutive unit masks. */
struct shape_free {
	u64 config;
	u32 reg;
	u32 stride;
	u8 count;
	u8 width;
};

struct shape {
	const struct pmon_protocol *protocol;
	bool indexed;
	u8 counters;
	u8 width;
	u8 ctl_bytes;
	u8 filter_bytes;
	u32 box_ctl;
	u32 ctl;
	u32 ctl_stride;
	u32 ctr;
	u32 ctr_stride;
	u32 filter;
	u32 filter_stride;
	struct {
		u8 width;
		u32 ctl;
		u32 ctr;
		u64 enable;
	} fixed;
	struct shape_free free[3];
};

struct shaped {
	struct pmon_counter counter[SHAPE_COUNTERS];
	struct pmon_layout layout;
};

static inline unsigned int shape_free_counters(const struct shape_free *free,
					       struct pmon_counter *counter)
{
	unsigned int i;

	for (i = 0; i < free->count; i++)
		counter[i] = (struct pmon_counter) {
			.config = free->config + i * 0x100,
			.ctr = free->reg + i * free->stride,
			.width = free->width, .kind = PMON_COUNTER_FREE_RUNNING,
		};
	return i;
}

static inline unsigned int shape_counters(const struct shape *shape,
					  struct pmon_counter *counter)
{
	unsigned int i, n;

	for (n = 0; n < shape->counters; n++)
		counter[n] = (struct pmon_counter) {
			.ctl = shape->ctl + n * shape->ctl_stride,
			.ctr = shape->ctr + n * shape->ctr_stride,
			.filter = shape->filter + n * shape->filter_stride,
			.width = shape->width, .kind = PMON_COUNTER_GENERAL,
		};
	if (shape->fixed.width)
		counter[n++] = (struct pmon_counter) {
			.config = 0xff, .enable = shape->fixed.enable,
			.ctl = shape->fixed.ctl, .ctr = shape->fixed.ctr,
			.filter = shape->filter + n * shape->filter_stride,
			.width = shape->fixed.width,
			.kind = PMON_COUNTER_FIXED,
		};
	for (i = 0; i < 3; i++)
		n += shape_free_counters(&shape->free[i], counter + n);
	return n;
}

static inline const struct pmon_layout *shape_layout(const struct shape *shape,
						     struct shaped *shaped)
{
	shaped->layout = (struct pmon_layout) {
		.protocol = shape->protocol, .counter = shaped->counter,
		.counters = shape_counters(shape, shaped->counter),
		.ctl_bytes = shape->ctl_bytes,
		.filter_bytes = shape->filter_bytes,
		.indexed = shape->indexed, .box_ctl = shape->box_ctl,
	};
	if (shaped->layout.counters <= PMON_COUNTERS_MAX)
		pmon_layout_prepare(&shaped->layout);
	return &shaped->layout;
}

#endif /* PMON_CORE_TEST_SHAPE_H */
