/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "discovery.h"

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

/*
 * What was found about what, and what to do about it, or NULL. A remedy that begins
 * with a command has a tab behind that.
 */
__attribute__((format(printf, 5, 6)))
void found(struct findings *f, enum grade level, const char *about,
	   const char *remedy, const char *fmt, ...);
/* The command for the first of the worst that has one, or NULL; to be freed. */
char *findings_next(const struct findings *f);

/* All that doctor looks at. */
void doctor_look(struct findings *f, const struct machine *m);

#endif
