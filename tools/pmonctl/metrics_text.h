/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_METRICS_TEXT_H
#define PMONCTL_METRICS_TEXT_H

#include "cycles.h"
#include "discovery.h"
#include "parts.h"
#include "turns.h"

struct metrics {
	const struct machine *machine;
	struct turns turns;
	struct clocks clocks;
	struct limited limited;
};

/* In the text format of Prometheus. The caller frees it. */
char *metrics_text(const struct metrics *m);

#endif
