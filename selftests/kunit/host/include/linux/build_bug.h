/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BUILD_BUG_H
#define HOST_LINUX_BUILD_BUG_H

#undef static_assert
#define static_assert(expr, ...) _Static_assert(expr, "" #expr)
#define BUILD_BUG_ON(cond) _Static_assert(!(cond), "not: " #cond)
#define BUILD_BUG_ON_MSG(cond, msg) _Static_assert(!(cond), msg)
#define BUILD_BUG_ON_ZERO(cond) \
	((int)sizeof(struct { int : (-!!(cond)); }))

#endif
