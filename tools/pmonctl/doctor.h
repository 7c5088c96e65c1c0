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
	size_t count;
	enum grade worst;
	bool is_out;		/* the service keeps the modules out after strikes */
};

/* The command for the worst finding, or NULL. */
char *findings_next(const struct findings *f);

/* A host during one second, for doctor, dump, and pmonctl without a command. */
struct checkup {
	struct machine m;
	struct bandwidth b;
	struct scopes all;
	struct powers powers;
	struct findings f;
	long long ms;		/* duration of the counting */
};

void checkup_run(struct checkup *l);
/* Does only the counting, after machine_read(). @once: keeps the hardware's record of limits. */
void checkup_count(struct checkup *l, bool once);
/* Adds JSON members with bandwidth, limits and the findings, if there are any. */
void checkup_json(struct checkup *l);

#endif
