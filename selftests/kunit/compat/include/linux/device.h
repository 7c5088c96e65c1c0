/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: a device that counts what it is given back. */
#ifndef HOST_LINUX_DEVICE_H
#define HOST_LINUX_DEVICE_H

#include <linux/err.h>
#include <linux/types.h>

struct device {
	unsigned int puts;
};

static inline void put_device(struct device *dev)
{
	dev->puts++;
}

#endif
