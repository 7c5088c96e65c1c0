/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITFIELD_H
#define HOST_LINUX_BITFIELD_H

#include <linux/bits.h>
#include <linux/build_bug.h>

#define __bf_shf(mask) (__builtin_ffsll(mask) - 1)

#define FIELD_GET(mask, reg) \
	((typeof(mask))(((reg) & (mask)) >> __bf_shf(mask)))
#define FIELD_PREP(mask, val) \
	((typeof(mask))(((typeof(mask))(val) << __bf_shf(mask)) & (mask)))

#endif
