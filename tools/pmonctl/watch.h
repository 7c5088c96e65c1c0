/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_WATCH_H
#define PMONCTL_WATCH_H

#include "pmonctl.h"

/* pmonctl plr --watch: until a signal says that it is enough. */
enum status watch(const struct options *opt);

#endif
