/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ALIGN_H
#define HOST_LINUX_ALIGN_H

#define IS_ALIGNED(x, a) (((x) & ((typeof(x))(a) - 1)) == 0)

#endif
