/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_EXPORT_H
#define HOST_LINUX_EXPORT_H

#define EXPORT_SYMBOL_GPL(sym)

#endif
