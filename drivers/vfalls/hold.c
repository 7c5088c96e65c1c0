// SPDX-License-Identifier: GPL-2.0-only
/* Hold a value in some bits of a register while events need the value. */
#include <linux/errno.h>

#include "vfalls.h"

/* Set bits @mask to @value if they differ; write other bits as just read. */
static int vfalls_hold_write(const struct vfalls_ops *ops, unsigned int reg,
			     u64 mask, u64 value, u64 *original)
{
	u64 now;
	int ret = vfalls_get(ops, reg, &now);

	if (ret)
		return ret;
	*original = now & mask;
	if (*original == value)
		return 0;
	return vfalls_set(ops, reg, (now & ~mask) | value);
}

int vfalls_hold_begin(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		      unsigned int reg, u64 mask, u64 value)
{
	u64 found;
	int ret;

	if (hold->users && hold->value != value)
		return -EBUSY;
	if (!hold->users) {
		ret = vfalls_hold_write(ops, reg, mask, value, &found);
		if (ret)
			return ret;
		/* keep @original if a failed restore has left our own value */
		if (!hold->unrestored || found != hold->value)
			hold->original = found;
		hold->unrestored = false;
	}
	hold->value = value;
	hold->users++;
	return 0;
}

int vfalls_hold_restore(struct vfalls_hold *hold, const struct vfalls_ops *ops,
			unsigned int reg, u64 mask)
{
	u64 found;
	int ret = vfalls_hold_write(ops, reg, mask, hold->original, &found);

	hold->unrestored = ret;
	return ret ?: found != hold->value;
}

int vfalls_hold_end(struct vfalls_hold *hold, const struct vfalls_ops *ops,
		    unsigned int reg, u64 mask)
{
	return --hold->users ? 0 : vfalls_hold_restore(hold, ops, reg, mask);
}
