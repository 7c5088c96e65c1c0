/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "bandwidth.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

/* Lives to the end of the command; never freed. */
struct findings {
	struct finding {
		enum grade level;
		char *about, *text, *remedy, *command;
	} *finding;
	size_t count;
	enum grade worst;
};

/* The command for the worst finding, or NULL; to be freed. */
char *findings_next(const struct findings *f);

/* A member with the findings. */
void findings_json(const struct findings *f);

struct scopes;

/* Runs all checks, with a second of counting and scopes after a poll, or NULL. */
void doctor_check(struct findings *f, const struct machine *m, const struct scopes *polled,
		  const struct bandwidth *counted);

#endif
