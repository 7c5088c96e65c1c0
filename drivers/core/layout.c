// SPDX-License-Identifier: GPL-2.0-only
/* Is a box layout one that the engine can drive? */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include <pmon/box.h>

#include "count.h"

static u8 pmon_layout_rate_log2(const struct pmon_layout *layout)
{
	u8 rate_log2 = layout->protocol ? layout->protocol->rate_log2 : 0;

	return rate_log2 ?: PMON_RATE_LOG2;
}

u64 pmon_layout_period_ns(const struct pmon_layout *layout)
{
	u8 width = PMON_WIDTH_MAX;
	unsigned int i;

	if (layout->counters)
		width = layout->width;
	if (layout->fixed.width)
		width = min(width, layout->fixed.width);
	for (i = 0; i < PMON_FREE_MAX && layout->free[i].count; i++)
		width = min(width, layout->free[i].width);
	return pmon_wrap_period_ns(width, pmon_layout_rate_log2(layout));
}

/* Wide enough not to wrap twice between two readings. */
static bool pmon_width_valid(const struct pmon_layout *layout, u8 width)
{
	return width >= PMON_WIDTH_MIN && width <= PMON_WIDTH_MAX &&
	       pmon_wrap_period_ns(width, pmon_layout_rate_log2(layout)) >=
	       PMON_PERIOD_MIN_NS;
}

/* What there is not (a box control, being off) must not be relied on. */
static bool pmon_protocol_valid(const struct pmon_protocol *protocol)
{
	if (protocol->bytes != 0 && protocol->bytes != 4 &&
	    protocol->bytes != 8)
		return false;
	if ((!protocol->bytes || protocol->no_off) && !protocol->keeps)
		return false;
	return protocol->rate_log2 <= PMON_RATE_LOG2;
}

/*
 * Does a run of @n registers of @bytes at @start end before @size? Without a
 * size there is no bound. Offsets of MSRs count registers, not bytes, which
 * the stride of 1 tells.
 */
static bool pmon_span_valid(u32 start, u32 n, u32 stride, u32 bytes, u32 size)
{
	u64 end = (u64)start + (u64)(n - 1) * stride + min(stride, bytes);

	return end <= (size ? size : U32_MAX);
}

static const char *pmon_fixed_valid(const struct pmon_layout *layout, u32 size)
{
	if (!layout->fixed.width)
		return NULL;
	if (!pmon_width_valid(layout, layout->fixed.width))
		return "fixed.width";
	if (!pmon_span_valid(layout->fixed.ctl, 1, layout->ctl_stride,
			     layout->ctl_bytes, size))
		return "fixed.ctl";
	if (!pmon_span_valid(layout->fixed.ctr, 1, layout->ctr_stride, 8, size))
		return "fixed.ctr";
	return NULL;
}

/* Registers of @bytes each that do not overlap; a stride of 1 means MSRs. */
static bool pmon_stride_valid(u32 n, u32 stride, u32 bytes)
{
	return stride == 1 || stride >= (n > 1 ? bytes : 1);
}

static bool pmon_free_valid(const struct pmon_layout *layout,
			    const struct pmon_free *free, u32 size)
{
	return pmon_width_valid(layout, free->width) &&
	       pmon_stride_valid(free->count, free->stride, 8) &&
	       pmon_span_valid(free->reg, free->count, free->stride, 8, size);
}

/* Counters that run by themselves, and nothing else. */
static const char *pmon_all_free_valid(const struct pmon_layout *layout,
				       u32 size)
{
	unsigned int i, n = 0;

	if (layout->counters || layout->fixed.width || layout->protocol)
		return "free";
	for (i = 0; i < PMON_FREE_MAX && layout->free[i].count; i++) {
		n += layout->free[i].count;
		if (n > PMON_SLOTS_MAX ||
		    !pmon_free_valid(layout, &layout->free[i], size))
			return "free";
	}
	return NULL;
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	if (pmon_layout_is_free(layout))
		return pmon_all_free_valid(layout, size);
	if (!layout->counters ||
	    pmon_layout_slots(layout) > PMON_SLOTS_MAX)
		return "counters";
	if (!pmon_protocol_valid(layout->protocol))
		return "protocol";
	if (!pmon_width_valid(layout, layout->width))
		return "width";
	if (layout->ctl_bytes != 4 && layout->ctl_bytes != 8)
		return "ctl_bytes";
	if (layout->protocol->bytes &&
	    !pmon_span_valid(layout->box_ctl, 1, layout->ctl_stride,
			     layout->protocol->bytes, size))
		return "box_ctl";
	if (!pmon_stride_valid(layout->counters, layout->ctl_stride,
			       layout->ctl_bytes))
		return "ctl_stride";
	if (!pmon_span_valid(layout->ctl, layout->counters, layout->ctl_stride,
			     layout->ctl_bytes, size))
		return "ctl";
	if (!pmon_stride_valid(layout->counters, layout->ctr_stride, 8))
		return "ctr_stride";
	if (!pmon_span_valid(layout->ctr, layout->counters, layout->ctr_stride,
			     8, size))
		return "ctr";
	return pmon_fixed_valid(layout, size);
}

static bool pmon_free_alike(const struct pmon_free *a,
			    const struct pmon_free *b)
{
	return a->config == b->config && a->count == b->count &&
	       a->width == b->width;
}

bool pmon_layouts_alike(const struct pmon_layout *a,
			const struct pmon_layout *b)
{
	unsigned int i;

	for (i = 0; i < PMON_FREE_MAX; i++)
		if (!pmon_free_alike(&a->free[i], &b->free[i]))
			return false;
	return a->counters == b->counters && a->width == b->width &&
	       a->fixed.width == b->fixed.width;
}
