/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_FINDINGS_H
#define PMONCTL_FINDINGS_H

#include <stdbool.h>

#include "output.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

struct findings {
	struct finding {
		enum grade level;
		char *about, *text, *remedy;
	} *finding;
	size_t count;
	enum grade worst;
};

/* What was found about what, and what to do about it, or NULL. */
__attribute__((format(printf, 5, 6)))
void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...);
/*
 * Problems, then notes, then how much is well, or what if all is wanted; at last what
 * to do next.
 */
void findings_print(const struct findings *f, bool all);
void findings_json(const struct findings *f);
void findings_free(struct findings *f);

#endif
