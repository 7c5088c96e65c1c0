// SPDX-License-Identifier: GPL-2.0-only
/* Calls of the hypervisor. */
#include <linux/errno.h>

#include "call.h"

int vfalls_error(unsigned long status)
{
	switch (status) {
	case VFALLS_EOK:
		return 0;
	case VFALLS_EINVAL:
		return -EINVAL;
	case VFALLS_EBADTRAP:
	case VFALLS_ENOTSUPPORTED:
		return -ENODEV;
	case VFALLS_EWOULDBLOCK:
		return -EAGAIN;
	case VFALLS_ENOACCESS:
		return -EACCES;
	default:
		return -EIO;
	}
}

/* A call would have blocked for the @tries-th time: try again? */
static bool vfalls_again(const struct vfalls_hv *hv, unsigned int tries)
{
	bool last = tries == VFALLS_TRIES;

	hv->blocked(last);
	return !last;
}

int vfalls_get(const struct vfalls_hv *hv, unsigned int reg, u64 *value)
{
	unsigned int tries = 0;
	unsigned long status;

	do {
		status = hv->get(reg, value);
	} while (status == VFALLS_EWOULDBLOCK && vfalls_again(hv, ++tries));
	return vfalls_error(status);
}

int vfalls_set(const struct vfalls_hv *hv, unsigned int reg, u64 value)
{
	unsigned int tries = 0;
	unsigned long status;

	do {
		status = hv->set(reg, value);
	} while (status == VFALLS_EWOULDBLOCK && vfalls_again(hv, ++tries));
	return vfalls_error(status);
}

int vfalls_negotiate(int (*enlist)(unsigned long group, unsigned long major,
				   unsigned long *minor),
		     unsigned int *minor)
{
	unsigned long have = 1;

	if (enlist(VFALLS_GROUP, 1, &have)) {
		have = 0;
		if (enlist(VFALLS_GROUP, 1, &have))
			return -ENODEV;
	}
	*minor = have;
	return 0;
}
