/* SPDX-License-Identifier: GPL-2.0-only */
/* User-space stand-in: what the suite's pure files use, and no more. */
#ifndef HOST_LINUX_EXPORT_H
#define HOST_LINUX_EXPORT_H

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define EXPORT_SYMBOL_NS_GPL(sym, ns)

#endif
