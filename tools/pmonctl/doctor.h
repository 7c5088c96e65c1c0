/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include <stdbool.h>

#include "discovery.h"
#include "output.h"

enum grade { FINE, NOTE, PROBLEM };

struct findings {
	struct table table;
	bool json;
	enum grade worst;
};

/* What was found about what, and what to do about it, or NULL. */
__attribute__((format(printf, 5, 6)))
void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...);

/* What keeps boxes that are served from counting, or from counting rightly. */
void doctor_boxes(struct findings *f, const struct machine *m);

/* What keeps perf from telling the nodes of a package apart. */
void doctor_nodes(struct findings *f, const struct machine *m);

#endif
