// SPDX-License-Identifier: GPL-2.0-only
/* Is a box layout one that the engine can drive? */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include <pmon/box.h>

static bool pmon_width_valid(u8 width)
{
	return width >= PMON_WIDTH_MIN && width <= PMON_WIDTH_MAX;
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
	if (!pmon_width_valid(layout->fixed.width))
		return "fixed.width";
	if (!pmon_span_valid(layout->fixed.ctl, 1, layout->ctl_stride,
			     layout->ctl_bytes, size))
		return "fixed.ctl";
	if (!pmon_span_valid(layout->fixed.ctr, 1, layout->ctr_stride, 8, size))
		return "fixed.ctr";
	return NULL;
}

const char *pmon_layout_valid(const struct pmon_layout *layout, u32 size)
{
	if (!layout->counters ||
	    pmon_layout_slots(layout) > PMON_SLOTS_MAX)
		return "counters";
	if (!pmon_width_valid(layout->width))
		return "width";
	if (layout->ctl_bytes != 4 && layout->ctl_bytes != 8)
		return "ctl_bytes";
	if (!pmon_span_valid(layout->box_ctl, 1, layout->ctl_stride,
			     layout->protocol->bytes, size))
		return "box_ctl";
	if (!layout->ctl_stride ||
	    !pmon_span_valid(layout->ctl, layout->counters,
			     layout->ctl_stride, layout->ctl_bytes, size))
		return "ctl";
	if (!layout->ctr_stride ||
	    !pmon_span_valid(layout->ctr, layout->counters,
			     layout->ctr_stride, 8, size))
		return "ctr";
	return pmon_fixed_valid(layout, size);
}
