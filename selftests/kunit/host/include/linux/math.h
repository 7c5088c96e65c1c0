/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MATH_H
#define HOST_LINUX_MATH_H

#include <stdlib.h>

#include <linux/types.h>

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d) DIV_ROUND_UP((u64)(n), (u64)(d))
#define DIV_ROUND_DOWN_ULL(n, d) ((u64)(n) / (u64)(d))
#define DIV_ROUND_CLOSEST(n, d) (((n) + (d) / 2) / (d))
#define roundup(x, y) (DIV_ROUND_UP(x, y) * (y))
#define rounddown(x, y) ((x) - ((x) % (y)))
#define round_up(x, y) ((((x) - 1) | ((typeof(x))(y) - 1)) + 1)
#define round_down(x, y) ((x) & ~((typeof(x))(y) - 1))

#endif
