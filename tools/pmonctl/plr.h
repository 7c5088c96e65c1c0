/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_PLR_H
#define PMONCTL_PLR_H

#include "output.h"
#include "parts.h"

/*
 * WHERE CPUS NOW SINCE, of the parts that something limits or has limited, those
 * that are limited now first. Where whole packages are shown, those that have
 * nothing but a turbo limit are left out; how many those are.
 */
size_t lines_add_table(struct text *t, const struct parts *all, long long now);

#endif
