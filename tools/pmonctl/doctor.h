/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "bandwidth.h"
#include "reasons.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

/* Results of doctor's checks; never freed. */
struct findings {
	struct finding {
		enum grade level;
		char *about, *text, *remedy, *command;
	} *finding;
	size_t count, problems, first;	/* first: index of the first problem, if any */
	enum grade worst;
};

/* The first command of the worst findings, or NULL. */
char *findings_next(const struct findings *f);

/* A host during one second, for `doctor`, `dump` and pmonctl without a command. */
struct checkup {
	struct machine m;
	struct bandwidth b;
	struct scopes all;
	struct powers powers;
	struct findings f;
	long long ms;		/* duration of the counting */
};

/* Reads, counts and checks. @once: leaves the hardware's record of limits in place. */
void checkup_run(struct checkup *l, bool once);
/* Does the counting after machine_read(). */
void checkup_count(struct checkup *l, bool once);
/* Adds JSON members with bandwidth and limits, and with findings if there are any. */
void checkup_json(struct checkup *l);

#endif
