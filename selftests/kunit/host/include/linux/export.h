/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_EXPORT_H
#define HOST_LINUX_EXPORT_H

#define EXPORT_SYMBOL(sym)
#define EXPORT_SYMBOL_GPL(sym)
#define EXPORT_SYMBOL_NS_GPL(sym, ns)

#endif
