/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PMONCTL_DOCTOR_H
#define PMONCTL_DOCTOR_H

#include "bandwidth.h"
#include "reasons.h"

enum grade { FINE, NOTE, PROBLEM, GRADES };

/* Lives to the end of the command; never freed. */
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

/* One second of a host: pmonctl and doctor have the same verdict. */
struct checkup {
	struct machine m;
	struct bandwidth b;
	struct scopes all;
	struct powers powers;
	struct findings f;
	long long ms;		/* that it took */
};

void checkup_run(struct checkup *l);
/* The counts alone, of a machine that was read. @once: leaves the hardware's record of limits. */
void checkup_count(struct checkup *l, bool once);
/* Members with findings, if any, bandwidth and limits. */
void checkup_json(struct checkup *l);

#endif
