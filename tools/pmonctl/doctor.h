/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "bandwidth.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

/* Of a command, which ends with them: they are not freed. */
struct findings {
	struct finding {
		enum grade level;
		char *about, *text, *remedy, *command;
	} *finding;
	size_t count;
	enum grade worst;
};

/* The command for the first of the worst that has one, or NULL; to be freed. */
char *findings_next(const struct findings *f);

struct parts;

/*
 * All that doctor looks at, with what a second of counting has shown, if it was counted;
 * of limits it looks for a second itself without parts that were looked at.
 */
void doctor_look(struct findings *f, const struct machine *m, const struct parts *looked,
		 const struct bandwidth *counted);

#endif
