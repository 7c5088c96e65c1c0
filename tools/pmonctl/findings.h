/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FINDINGS_H
#define PMONCTL_FINDINGS_H

#include <stdbool.h>

#include "output.h"
#include "table.h"

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

#endif
